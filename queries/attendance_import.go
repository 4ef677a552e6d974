package queries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"officeconsole/workday"
)

// AttendanceFiles are the clock times of a company as spreadsheets have them
// (docs/import.md): Long with a row for each person and day, or Arrivals and
// Departures with a row for each person and a column for each day.
type AttendanceFiles struct {
	Long                 io.Reader
	Arrivals, Departures io.Reader
	DateFormat           string // Go or strftime layout of dates; "" is 2006-01-02
	TimeFormat           string // of times; "" is a time of day or a date and a time, as in 09:05 and 2006-01-02 09:05:00
}

// AttendanceReport is what an import of attendance did, or would have done.
type AttendanceReport struct {
	Rows               int // days of people that the files tell of
	Created, Unchanged int // of these
	RefusedRows        int
	Refused            []Refusal // in the order of the files
	Written            bool      // false after a dry run and when all was refused
}

// ImportAttendance adds clock times of the past to the facts and derives the
// records of their days. A day that has other clock events already is refused:
// facts are not replaced. Importing a file twice therefore changes nothing. A
// person's day without any time gets its record too, such as an absence. One
// refused row refuses all unless SkipBad is set. What is wrong with the files
// is in the report; an error means that the database, or reading, failed.
func (db *DB) ImportAttendance(ctx context.Context, companyID int64, files AttendanceFiles, options ImportOptions) (AttendanceReport, error) {
	im := &attendanceImport{companyID: companyID}
	written, err := inTx(ctx, db, func(q *Queries) (bool, error) {
		if err := im.read(ctx, db, q, files); err != nil {
			return false, err
		}
		if err := im.check(ctx, q); err != nil {
			return false, err
		}
		if options.DryRun || im.broken || im.report.RefusedRows > 0 && !options.SkipBad {
			return false, errNothingWritten
		}
		return true, im.write(ctx)
	})
	im.report.Written = written && err == nil
	slices.SortStableFunc(im.report.Refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	if errors.Is(err, errNothingWritten) {
		return im.report, nil
	}
	if err != nil {
		return im.report, fmt.Errorf("import attendance: %w", err)
	}
	return im.report, nil
}

// attendanceImport is an import under way.
type attendanceImport struct {
	companyID int64
	*derivation
	days    map[RecordKey]*clockedDay
	created map[int64][]*clockedDay // by person
	broken  bool                    // where rows begin is not known
	report  AttendanceReport
}

// clockedDay is a person's day as the files have it.
type clockedDay struct {
	key                RecordKey
	line               int
	arrival, departure cellTime
	device, place      string
}

func (im *attendanceImport) read(ctx context.Context, db *DB, q *Queries, files AttendanceFiles) error {
	people, err := q.employeeIDs(ctx, im.companyID)
	if err != nil {
		return err
	}
	ids := make([]int64, len(people))
	f := &attendanceReader{days: map[RecordKey]*clockedDay{}, spoilt: map[RecordKey]bool{}, people: make(map[string]int64, len(people)), layouts: newLayouts(files)}
	for i, p := range people {
		ids[i], f.people[p.EmployeeID] = p.ID, p.ID
	}
	if im.derivation, err = db.derivation(ctx, q, im.companyID, ids); err != nil {
		return err
	}
	f.zone, f.now = im.zone, im.now
	if files.Long != nil {
		err = f.long(files.Long)
	} else {
		err = f.wide(files.Arrivals, files.Departures)
	}
	im.days, im.report.Refused, im.report.RefusedRows = f.days, f.refused, f.bad
	im.report.Rows = len(f.days) + f.bad
	var broken unreadable
	if errors.As(err, &broken) {
		im.broken = true
		im.report.Refused = append(im.report.Refused, broken.Refusal)
		im.report.RefusedRows++
		return nil
	}
	return err
}

// check compares the days with what is stored and leaves those to create.
func (im *attendanceImport) check(ctx context.Context, q *Queries) error {
	im.created = map[int64][]*clockedDay{}
	first, last := im.span()
	if len(im.days) == 0 {
		return nil
	}
	locked, err := q.lockedMonths(ctx, lockedMonthsParams{im.companyID, monthOf(first).Time(), last.Time()})
	if err != nil {
		return err
	}
	there, err := im.stored(ctx, q, first, last)
	if err != nil {
		return err
	}
	for _, key := range slices.SortedFunc(maps.Keys(im.days), compareKeys) {
		day := im.days[key]
		times, known := there[key]
		switch {
		case slices.ContainsFunc(locked, func(m time.Time) bool { return workday.DateOf(m) == monthOf(key.Date) }):
			im.refuse(day, "import.attendance.locked")
		case !known:
			im.created[key.UserID] = append(im.created[key.UserID], day)
			im.report.Created++
		case slices.EqualFunc(times, day.times(), time.Time.Equal):
			im.report.Unchanged++
		default:
			im.refuse(day, "import.attendance.taken")
		}
	}
	return nil
}

func compareKeys(a, b RecordKey) int {
	return cmp.Or(cmp.Compare(a.UserID, b.UserID), cmp.Compare(a.Date, b.Date))
}

// stored are the times, in order, of the days that somebody clocked or that were
// imported before.
func (im *attendanceImport) stored(ctx context.Context, q *Queries, first, last workday.Date) (map[RecordKey][]time.Time, error) {
	people := map[int64]bool{}
	for key := range im.days {
		people[key.UserID] = true
	}
	ids := slices.Sorted(maps.Keys(people))
	begun, err := q.begunDays(ctx, begunDaysParams{im.companyID, ids, first.Time(), last.Time()})
	if err != nil {
		return nil, err
	}
	all := make(map[RecordKey][]time.Time, len(begun))
	for _, row := range begun {
		key := RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}
		if day := im.days[key]; day != nil && len(day.times()) == 0 {
			all[key] = nil
		}
	}
	clocked, err := q.clockedDays(ctx, clockedDaysParams{im.companyID, ids, first.At(0, im.zone), (last + 2).At(0, im.zone)})
	for _, e := range clocked {
		key := RecordKey{UserID: e.UserID, Date: workday.DateOf(e.At.In(im.zone))}
		if of, imported := importedDay(e.EventID); imported {
			key = of
		} else if e.Kind != string(workday.In) {
			continue // it may end the day before
		}
		all[key] = append(all[key], e.At)
	}
	return all, err
}

// An imported event names the day that it was imported for.
const importedEvent = "import-"

func importedDay(eventID string) (RecordKey, bool) {
	rest, imported := strings.CutPrefix(eventID, importedEvent)
	end := strings.LastIndexByte(rest, '-')
	if !imported || end < 0 {
		return RecordKey{}, false
	}
	key, err := ParseRecordKey(rest[:end])
	return key, err == nil
}

func (d *clockedDay) times() []time.Time {
	var all []time.Time
	for _, t := range []cellTime{d.arrival, d.departure} {
		if !t.IsZero() {
			all = append(all, t.Time)
		}
	}
	return all
}

func (im *attendanceImport) refuse(day *clockedDay, reason Invalid) {
	im.report.RefusedRows++
	im.report.Refused = append(im.report.Refused, refuse(day.line, day.key.Date.String(), "", reason))
}

func (im *attendanceImport) span() (first, last workday.Date) {
	for key := range im.days {
		if first == 0 || key.Date < first {
			first = key.Date
		}
		last = max(last, key.Date)
	}
	return first, last
}

// importPeople is how many people's records are derived at once.
const importPeople = 50

func (im *attendanceImport) write(ctx context.Context) error {
	if len(im.created) == 0 {
		return nil
	}
	first, last := im.span()
	if err := im.partitionsBetween(ctx, (first - 1).Time(), (last + 2).Time()); err != nil {
		return err
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(im.created)), importPeople) {
		var events []ClockEvent
		wanted := map[RecordKey]bool{}
		for _, id := range ids {
			for _, day := range im.created[id] {
				events = append(events, im.events(day)...)
				wanted[day.key] = true
			}
		}
		for some := range slices.Chunk(events, importBatch) {
			if err := im.putEvents(ctx, some); err != nil {
				return err
			}
		}
		if err := im.deriveBetween(ctx, ids, first, last, wanted); err != nil {
			return err
		}
	}
	return nil
}

// events are the facts of a day. They were not sent by a device, so there is no
// clock to compare with.
func (im *attendanceImport) events(day *clockedDay) []ClockEvent {
	var all []ClockEvent
	for kind, t := range map[workday.Kind]cellTime{workday.In: day.arrival, workday.Out: day.departure} {
		if t.IsZero() {
			continue
		}
		all = append(all, ClockEvent{
			CompanyID: im.companyID, UserID: day.key.UserID, At: t.Time, EventID: importedEvent + day.key.String() + "-" + string(kind), Kind: string(kind),
			OccurredAt: t.Time, ReceivedAt: im.now, Offline: true, Platform: day.device, Place: day.place, Proof: "none", Source: "import",
		})
	}
	return all
}
