package exports

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// PayrollList is PayrollRequest.List.
const PayrollList = "payroll"

// PayrollRequest is what payroll needs of some months: a row for each person and month,
// and their sum.
type PayrollRequest struct {
	attendance.PayrollFilter
	List   string         `json:"list"` // PayrollList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "payroll-202610-202611.xlsx".
func (r PayrollRequest) FileName() string {
	const month = "-200601"
	name := "payroll" + r.First.Time().Format(month)
	if last := r.Last.Time().Format(month); last != r.First.Time().Format(month) {
		name += last
	}
	return name + "." + r.Format
}

func (r PayrollRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.payroll")} }

func (r PayrollRequest) read() audit.Read {
	return audit.Read{Kind: audit.ReadPayroll, Query: r.Values()}
}

func (r PayrollRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

func (r PayrollRequest) open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	people, err := newList(ctx, db, reader, Request{Locale: r.Locale})
	if err != nil {
		return nil, err
	}
	p := payroll{list: people, months: r.Months(), PayrollRequest: r}
	return p.write, nil
}

// payroll reads the rows of a file for payroll.
type payroll struct {
	*list
	PayrollRequest
	months []workday.Date
	sum    payrollSum
}

// payrollSum is the last row.
type payrollSum struct {
	attendance.PayrollRow
	rows, unlocked int
}

// write is a writer.
func (p *payroll) write(ctx context.Context, take func(cells ...any) (more bool, err error)) error {
	if more, err := take(p.heads()...); err != nil || !more {
		return err
	}
	for _, month := range p.months {
		next := attendance.PayrollRequest{PayrollFilter: p.PayrollFilter, Month: month, Limit: pageSize / 5}
		for more := true; more; more = next.Cursor != nil {
			page, err := p.db.Attendance.Payroll(ctx, p.reader, p.scope, next)
			if err != nil {
				return err
			}
			if err := p.findPaths(ctx, departmentsOfPeople(page)); err != nil {
				return err
			}
			for i := range page.Rows {
				p.sum.add(&page.Rows[i])
				if more, err := take(p.cells(&page.Rows[i])...); err != nil || !more {
					return err
				}
			}
			next.Cursor = page.Next
		}
	}
	if p.sum.rows == 0 {
		return nil
	}
	_, err := take(p.sumCells()...)
	return err
}

func departmentsOfPeople(page lists.Page[attendance.PayrollRow]) map[int64]string {
	names := map[int64]string{}
	for _, row := range page.Rows {
		names[row.DepartmentID] = row.DepartmentName
	}
	return names
}

func (p *payroll) heads() []any {
	return heads(p.PayrollRequest.Locale, "payroll.month", "export.employee_id", "export.name", "export.department", "payroll.rank", "payroll.policy", "payroll.state",
		"export.days", "payroll.on_time", "payroll.late", "payroll.early", "payroll.late_and_early", "export.absent_days", "export.missing_arrival_days", "export.missing_days",
		"export.leave_days", "payroll.holiday_work", "payroll.holiday", "payroll.day_off_work", "payroll.day_off", "payroll.unfinished", "payroll.half_am", "payroll.half_pm",
		"export.worked", "payroll.regular", "export.overtime", "export.holiday", "export.holiday_over", "export.night", "export.late", "export.early",
		"export.balance", "payroll.balance_min", "export.late_dates")
}

func (p *payroll) cells(row *attendance.PayrollRow) []any {
	cells := []any{Month(row.Month), row.EmployeeID, row.Name, p.paths[row.DepartmentID], row.Rank, row.Policy, p.state(row.Locked)}
	cells = append(cells, figures(row)...)
	var dates []string
	for _, date := range row.LateDates {
		dates = append(dates, date.String())
	}
	var balanceMin any
	if row.Totals.BalanceMin != nil {
		balanceMin = *row.Totals.BalanceMin
	}
	return append(cells, balance(row.Totals.BalanceMin), balanceMin, strings.Join(dates, " "))
}

// state says whether the figures of a month are final.
func (p *payroll) state(locked bool) string {
	if locked {
		return p.PayrollRequest.Locale.T("payroll.state.locked")
	}
	return p.PayrollRequest.Locale.T("payroll.state.open")
}

// figures are the cells that can be added up.
func figures(row *attendance.PayrollRow) []any {
	n, t := &row.Count, &row.Totals
	regular := row.RegularMin()
	return []any{
		t.Days, n.OnTime, n.Late, n.EarlyLeave, n.LateAndEarly, n.Absent, n.MissingArrival, n.MissingDeparture,
		n.Leave, n.HolidayWork, n.Holiday, n.DayOffWork, n.DayOff, n.Unfinished, n.HalfLeaveAM, n.HalfLeavePM,
		Minutes(t.WorkedMin), balance(&regular), Minutes(t.OvertimeMin), Minutes(t.HolidayMin), Minutes(t.HolidayOverMin), Minutes(t.NightMin), Minutes(row.LateMin), Minutes(row.EarlyMin),
	}
}

func (s *payrollSum) add(row *attendance.PayrollRow) {
	s.rows++
	if !row.Locked {
		s.unlocked++
	}
	s.Totals.Add(row.Totals)
	s.Count.Add(row.Count)
	s.LateMin += row.LateMin
	s.EarlyMin += row.EarlyMin
}

// sumCells are the last row. Balances of different people have no sum.
func (p *payroll) sumCells() []any {
	l := p.PayrollRequest.Locale
	state := l.T("payroll.state.locked")
	if p.sum.unlocked > 0 {
		state = l.N("payroll.state.open.rows", p.sum.unlocked)
	}
	cells := []any{l.T("payroll.sum"), nil, l.N("payroll.sum.rows", p.sum.rows), nil, nil, nil, state}
	return append(append(cells, figures(&p.sum.PayrollRow)...), nil, nil, nil)
}
