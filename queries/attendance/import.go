package attendance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// ImportFiles are the clock times of a company as spreadsheets have them
// (docs/import.md): Long with a row for each person and day, or Arrivals and
// Departures with a row for each person and a column for each day.
type ImportFiles struct {
	Long                 io.Reader
	Arrivals, Departures io.Reader
	DateFormat           string // Go or strftime layout of dates; "" is 2006-01-02
	TimeFormat           string // of times; "" is a time of day or a date and a time, as in 09:05 and 2006-01-02 09:05:00
}

// ImportReport is what an import of attendance did, or would have done.
type ImportReport struct {
	Rows               int // days of people that the files tell of
	Created, Unchanged int // of these
	RefusedRows        int
	Refused            []importfile.Refusal // in the order of the files
	Written            bool                 // false after a dry run and when all was refused
}

// Import adds clock times of the past to the facts and derives the
// records of their days. A day that has other clock events already is refused:
// facts are not replaced. Importing a file twice therefore changes nothing. A
// person's day without any time gets its record too, such as an absence. One
// refused row refuses all unless SkipBad is set, and files of more than
// ImportDays days of people are refused as a whole. What is wrong with the files
// is in the report; an error means that the database, or reading, failed.
func (s *Store) Import(ctx context.Context, companyID int64, files ImportFiles, options directory.ImportOptions) (ImportReport, error) {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	im := &importer{companyID: companyID}
	err := im.read(ctx, s, files)
	if err == nil && len(im.days) > 0 && !im.broken {
		err = im.take(ctx, s, options)
	}
	im.report.Written = err == nil && !im.nothing(options)
	slices.SortStableFunc(im.report.Refused, func(a, b importfile.Refusal) int { return cmp.Compare(a.Line, b.Line) })
	if err != nil {
		return im.report, fmt.Errorf("import attendance: %w", err)
	}
	return im.report, nil
}

// ImportDays is how many days of people can be imported at once; they are held
// in memory, in some 50 bytes each.
const ImportDays = 2_000_000

// importer reads and writes the files of one import.
type importer struct {
	companyID int64
	*derivation
	days   []clockedDay // by person and date
	people []int64      // by clockedDay.person
	words  []string     // by clockedDay.device and place
	broken bool         // where rows begin is not known
	report ImportReport
}

// nothing reports whether nothing is to be written.
func (im *importer) nothing(options directory.ImportOptions) bool {
	return options.DryRun || im.broken || im.report.RefusedRows > 0 && !options.SkipBad
}

// read reads the files, before anybody has to wait for the import.
func (im *importer) read(ctx context.Context, s *Store, files ImportFiles) error {
	company, err := s.directory.Company(ctx, im.companyID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil {
		return err
	}
	people, err := s.employeeIDs(ctx, im.companyID)
	if err != nil {
		return err
	}
	f := newAttendanceReader(files, people, zone, s.db.Now())
	if files.Long != nil {
		err = f.long(files.Long)
	} else {
		err = f.wide(files.Arrivals, files.Departures)
	}
	im.days, im.words, im.report.Refused, im.report.RefusedRows = f.sorted(), f.words, f.refused, f.bad
	im.people = make([]int64, len(people))
	for i, p := range people {
		im.people[i] = p.ID
	}
	im.report.Rows = len(im.days) + f.bad
	var broken importfile.Unreadable
	if errors.As(err, &broken) {
		im.broken = true
		im.report.Refused = append(im.report.Refused, broken.Refusal)
		im.report.RefusedRows++
		return nil
	}
	return err
}

// take compares the days with what is stored, and writes those that are new.
func (im *importer) take(ctx context.Context, s *Store, options directory.ImportOptions) error {
	if !im.nothing(options) {
		// Partitions are made by themselves: until their transaction ends, nobody reads the tables.
		first, last := datesOf(im.days)
		err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
			return queries.New(q.db).EnsurePartitionsBetween(ctx, (first - 1).Time(), (last + 2).Time())
		})
		if err != nil {
			return err
		}
	}
	err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		var ids []int64
		for _, days := range im.portions() {
			ids = append(ids, im.idsOf(days)...)
		}
		var err error
		if im.derivation, err = s.derivation(ctx, q, im.companyID, ids); err != nil {
			return err
		}
		if err := im.check(ctx); err != nil {
			return err
		}
		if im.nothing(options) {
			return directory.ErrNothingWritten
		}
		return im.write(ctx)
	})
	if errors.Is(err, directory.ErrNothingWritten) {
		return nil
	}
	return err
}

// importPortion is how many days of people are compared and written at once, of
// at most importPeople.
const (
	importPortion = 20_000
	importPeople  = 200
)

// portions are the days of a few people each.
func (im *importer) portions() [][]clockedDay {
	first, last := datesOf(im.days)
	size := min(max(1, importPortion/int(last-first+1)), importPeople)
	var all [][]clockedDay
	from, people := 0, 1
	for i := 1; i <= len(im.days); i++ {
		switch {
		case i == len(im.days) || im.days[i].person != im.days[i-1].person && people == size:
			all, from, people = append(all, im.days[from:i]), i, 1
		case im.days[i].person != im.days[i-1].person:
			people++
		}
	}
	return all
}

// idsOf are the people of a portion.
func (im *importer) idsOf(days []clockedDay) []int64 {
	var ids []int64
	for i, day := range days {
		if i == 0 || day.person != days[i-1].person {
			ids = append(ids, im.people[day.person])
		}
	}
	return ids
}

func datesOf(days []clockedDay) (first, last workday.Date) {
	first, last = days[0].date(), days[0].date()
	for _, day := range days {
		first, last = min(first, day.date()), max(last, day.date())
	}
	return first, last
}

func (im *importer) key(day *clockedDay) RecordKey {
	return RecordKey{UserID: im.people[day.person], Date: day.date()}
}

func (im *importer) write(ctx context.Context) error {
	for _, days := range im.portions() {
		days = slices.DeleteFunc(slices.Clone(days), func(d clockedDay) bool { return !d.created })
		if len(days) == 0 {
			continue
		}
		var events []ClockEvent
		wanted := make(map[RecordKey]bool, len(days))
		for i := range days {
			events = append(events, im.events(&days[i])...)
			wanted[im.key(&days[i])] = true
		}
		for some := range slices.Chunk(events, directory.ImportBatch) {
			if err := im.putEvents(ctx, some); err != nil {
				return err
			}
		}
		first, last := datesOf(days)
		if err := im.deriveBetween(ctx, im.idsOf(days), first, last, wanted); err != nil {
			return err
		}
	}
	return nil
}

// events are the facts of a day. They were not sent by a device, so there is no
// clock to compare with.
func (im *importer) events(day *clockedDay) []ClockEvent {
	var all []ClockEvent
	key := im.key(day)
	for kind, t := range map[workday.Kind]cellTime{workday.In: day.arrival, workday.Out: day.departure} {
		if t == 0 {
			continue
		}
		all = append(all, ClockEvent{
			CompanyID: im.companyID, UserID: key.UserID, At: t.time(), EventID: importedEvent + key.String() + "-" + string(kind), Kind: string(kind),
			OccurredAt: t.time(), ReceivedAt: im.Now, Offline: true, Platform: im.words[day.device], Place: im.words[day.place], Proof: "none", Source: "import",
		})
	}
	return all
}
