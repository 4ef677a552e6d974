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

// ImportFiles are the clock times of a company in spreadsheets
// (docs/import.md): either Long, with a row for each user and day, or Arrivals
// and Departures, with a row for each user and a column for each day.
type ImportFiles struct {
	Long                 io.Reader
	Arrivals, Departures io.Reader
	DateFormat           string // layout of dates, of Go or strftime; "" means 2006-01-02
	TimeFormat           string // layout of times; "" accepts a time of day, or a date and a time, such as 09:05 and 2006-01-02 09:05:00
}

// ImportReport is the result of an import of attendance, or of a dry run.
type ImportReport struct {
	Rows               int // days of users in the files
	Created, Unchanged int // how many of the days
	RefusedRows        int
	Refused            []importfile.Refusal // in the order of the files
	Written            bool                 // false after a dry run and if everything was refused
}

// Import stores past clock times as events and derives the records of their
// days. A day that already has other clock events is refused, because events
// are never replaced; importing a file twice therefore changes nothing. A day
// without any time gets a record too, such as an absence. One refused row
// refuses everything unless SkipBad is set, and files with more than ImportDays
// days are refused as a whole. What is wrong with the files is in the report;
// an error means that reading or the database failed.
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

// ImportDays is the maximum number of days of users in an import. They are held
// in memory, about 50 bytes each.
const ImportDays = 2_000_000

// importer reads and writes the files of one import.
type importer struct {
	companyID int64
	*derivation
	days   []clockedDay // sorted by user and date
	people []int64      // user ids, by clockedDay.person
	words  []string     // texts, by clockedDay.device and place
	broken bool         // a file cannot be read to its end
	report ImportReport
}

// nothing reports whether the import must not write.
func (im *importer) nothing(options directory.ImportOptions) bool {
	return options.DryRun || im.broken || im.report.RefusedRows > 0 && !options.SkipBad
}

// read reads the files, before the import locks anything.
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

// take compares the days with what is stored, and writes the new ones.
func (im *importer) take(ctx context.Context, s *Store, options directory.ImportOptions) error {
	if !im.nothing(options) {
		// Partitions are created in a transaction of their own, because it
		// locks the tables until it ends.
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

// importPortion is the number of days that are compared and written at once, of
// at most importPeople users.
const (
	importPortion = 20_000
	importPeople  = 200
)

// portions returns the days in parts of a few users each.
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

// idsOf returns the user ids of a portion.
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

// events returns the clock events of a day. They were not sent by a device, so
// there is no clock to compare with.
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
