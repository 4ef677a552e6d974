package exports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// pageSize is the number of rows read at once.
const pageSize = 1000

// Units lists every list of attendance that can be exported.
var Units = []attendance.Unit{attendance.DayUnit, attendance.WeekUnit, attendance.MonthUnit, attendance.LogUnit}

// Request is a list with its filter, as a page shows it.
type Request struct {
	attendance.Filter
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file:
// "attendance-month-20261101-20261130.xlsx".
func (r Request) FileName() string {
	days := r.First.Time().Format("20060102")
	if r.Last != r.First {
		days += r.Last.Time().Format("-20060102")
	}
	return fmt.Sprintf("attendance-%s-%s.%s", r.Unit, days, r.Format)
}

func (r Request) form() form {
	return form{r.Format, r.Locale.T("export.sheet." + string(r.Unit))}
}

func (r Request) read() audit.Read {
	return audit.Read{Kind: audit.ReadKind(r.Unit), Query: r.Values()}
}

func (r Request) open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	l, err := newList(ctx, db, reader, r)
	if err != nil {
		return nil, err
	}
	return l.write, nil
}

// total returns how many rows there are, if the status counts say so: for records of
// dates, by department and status.
func (r Request) total(ctx context.Context, db *areas.Areas, reader directory.Person) (int64, error) {
	if r.Unit.OfPeople() || r.Device != "" || r.Edited || r.Uncounted || r.Deleted || r.Query != "" {
		return 0, nil
	}
	scope, err := db.Attendance.RecordScope(ctx, reader)
	if err != nil {
		return 0, err
	}
	var total int
	for date := r.First; date <= r.Last; date++ {
		counts, err := db.Attendance.StatusCounts(ctx, reader, scope, date, r.DepartmentIDs)
		if err != nil {
			return 0, err
		}
		if r.Status == "" {
			total += counts.Total
		} else {
			total += counts.ByStatus[r.Status]
		}
	}
	return int64(total), nil
}

// list reads the rows of a list that the reader may see.
type list struct {
	db     *areas.Areas
	reader directory.Person
	scope  attendance.RecordScope
	zone   *time.Location
	paths  map[int64]string // of departments, read as they are needed
	Request
}

func newList(ctx context.Context, db *areas.Areas, reader directory.Person, r Request) (*list, error) {
	l := &list{db: db, reader: reader, Request: r, paths: map[int64]string{}}
	var err error
	if l.scope, err = db.Attendance.RecordScope(ctx, reader); err != nil {
		return nil, err
	}
	if l.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	l.zone, err = time.LoadLocation(reader.TimeZone)
	return l, err
}

// write passes the heading and the rows to take until take returns false or the
// list ends.
func (l *list) write(ctx context.Context, take func(cells ...any) (more bool, err error)) error {
	if l.Unit.OfPeople() {
		return l.writePeople(ctx, take)
	}
	return l.writeRecords(ctx, take)
}

func (l *list) writeRecords(ctx context.Context, take func(cells ...any) (bool, error)) error {
	columns := heads(l.Locale, "export.date", "export.name", "export.employee_id", "export.department", "export.arrival", "export.departure", "export.device",
		"export.worked", "export.break", "export.overtime", "export.holiday", "export.holiday_over", "export.night", "export.balance", "export.late", "export.early", "export.place", "export.day_type", "export.status", "export.flags")
	if l.Unit == attendance.LogUnit {
		columns = append(columns, l.Locale.T("export.editor"), l.Locale.T("export.edit"), Wide(l.Locale.T("export.edited_at")))
	}
	if more, err := take(columns...); err != nil || !more {
		return err
	}
	f := l.Filter
	f.Limit = pageSize
	for {
		page, err := l.records(ctx, f)
		if err != nil {
			return err
		}
		if err := l.findPaths(ctx, departmentsOfRecords(page.Rows)); err != nil {
			return err
		}
		for _, row := range page.Rows {
			if more, err := take(l.record(row)...); err != nil || !more {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		f.Cursor = page.Next
	}
}

func (l *list) records(ctx context.Context, f attendance.Filter) (lists.Page[attendance.Row], error) {
	if l.Unit == attendance.LogUnit {
		return l.db.Attendance.Log(ctx, l.reader, l.scope, f)
	}
	return l.db.Attendance.Day(ctx, l.reader, l.scope, f)
}

func departmentsOfRecords(rows []attendance.Row) map[int64]string {
	names := map[int64]string{}
	for _, row := range rows {
		names[row.DepartmentID] = row.DepartmentName
	}
	return names
}

// findPaths reads the paths of departments, which have their names until then.
func (l *list) findPaths(ctx context.Context, names map[int64]string) error {
	var unknown []int64
	for id, name := range names {
		if _, known := l.paths[id]; !known {
			l.paths[id] = name
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	found, err := l.db.Policies.DepartmentPaths(ctx, l.reader.CompanyID, unknown...)
	for id, path := range found {
		l.paths[id] = path
	}
	return err
}

func (l *list) record(row attendance.Row) []any {
	cells := []any{
		workday.DateOf(row.WorkDate), row.Name, row.EmployeeID, l.paths[row.DepartmentID],
		l.clock(row.ArrivalAt, row.WorkDate), l.clock(row.DepartureAt, row.WorkDate), l.word("record.platform.", row.Device),
		minutes(row.WorkedMin), Minutes(row.BreakMin), Minutes(row.OvertimeMin), Minutes(row.HolidayMin), Minutes(row.HolidayOverMin), Minutes(row.NightMin), balance(row.BalanceMin), Minutes(row.LateMin), Minutes(row.EarlyMin),
		row.Place, l.word("record.type.", row.DayType), l.word("record.status.", row.Status), l.flags(row.FlagNames()),
	}
	if l.Unit != attendance.LogUnit {
		return cells
	}
	if len(row.Edits) == 0 {
		return append(cells, nil, nil, nil)
	}
	last := row.Edits[0]
	return append(cells, last.EditorName, last.Reason, last.At.In(l.zone))
}

// clock returns a time of day, with the number of days after the work date.
func (l *list) clock(t *time.Time, workDate time.Time) any {
	if t == nil {
		return nil
	}
	local := t.In(l.zone)
	text, days := local.Format("15:04"), workday.DateOf(local)-workday.DateOf(workDate)
	if days != 0 {
		text += fmt.Sprintf(" (%+d)", days)
	}
	if days < 0 {
		return text // spreadsheets have no negative times
	}
	return Clock{int(days)*24*60 + local.Hour()*60 + local.Minute(), text}
}

func (l *list) word(prefix, id string) any {
	if id == "" {
		return nil
	}
	return l.Locale.T(prefix + id)
}

func (l *list) flags(names []string) any {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += l.Locale.T("record.flag." + name)
	}
	return text
}

// balance returns a balance, which may be negative. Spreadsheets have no negative
// durations, so these are text.
func balance[N int | int32](m *N) any {
	if m != nil && *m < 0 {
		return fmt.Sprintf("−%d:%02d", -*m/60, -*m%60)
	}
	return minutes(m)
}

func minutes[N int | int32](m *N) any {
	if m == nil {
		return nil
	}
	return Minutes(*m)
}

// writePeople writes a row for each user: the days, then the totals.
func (l *list) writePeople(ctx context.Context, take func(cells ...any) (bool, error)) error {
	columns := heads(l.Locale, "export.name", "export.employee_id", "export.department")
	for date := l.First; date <= l.Last; date++ {
		columns = append(columns, date.String())
	}
	columns = append(columns, heads(l.Locale, "export.days", "export.late_days", "export.late_dates", "export.early_days", "export.absent_days", "export.missing_days", "export.missing_arrival_days", "export.leave_days", "export.worked", "export.overtime", "export.holiday", "export.holiday_over", "export.night", "export.balance")...)
	if more, err := take(columns...); err != nil || !more {
		return err
	}
	f := l.Filter
	f.Limit = pageSize / 5
	for {
		page, err := l.db.Attendance.Period(ctx, l.reader, l.scope, f)
		if err != nil {
			return err
		}
		names := map[int64]string{}
		for _, p := range page.Rows {
			names[p.DepartmentID] = p.DepartmentName
		}
		if err := l.findPaths(ctx, names); err != nil {
			return err
		}
		for _, p := range page.Rows {
			if more, err := take(l.person(p)...); err != nil || !more {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		f.Cursor = page.Next
	}
}

// person returns a user's row of the period. A day is the time worked, or else
// its status.
func (l *list) person(p attendance.PersonPeriod) []any {
	cells := []any{p.Name, p.EmployeeID, l.paths[p.DepartmentID]}
	var late []string
	for _, d := range p.Days {
		if d.Status == workday.StatusLate || d.Status == workday.StatusLateAndEarly {
			late = append(late, d.Date.String())
		}
		switch {
		case d.Arrived && d.WorkedMin != nil:
			cells = append(cells, Minutes(*d.WorkedMin))
		default:
			cells = append(cells, l.word("record.status.", string(d.Status)))
		}
	}
	t := p.Totals
	return append(cells, t.Days, t.Late, strings.Join(late, " "), t.EarlyLeave, t.Absent, t.MissingDeparture, t.MissingArrival, t.Leave, Minutes(t.WorkedMin), Minutes(t.OvertimeMin), Minutes(t.HolidayMin), Minutes(t.HolidayOverMin), Minutes(t.NightMin), balance(t.BalanceMin))
}
