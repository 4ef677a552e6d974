package attendance

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// MostPayrollMonths is the number of months that payroll can be given at once.
const MostPayrollMonths = 12

// PayrollFilter is what payroll asks for: months, with all people or those of a
// department. Exports store it as JSON.
type PayrollFilter struct {
	First        workday.Date `json:"first"` // the first day of the first month
	Last         workday.Date `json:"last"`  // the last day of the last month
	DepartmentID int64        `json:"department_id,omitempty"`
}

// ReadPayrollFilter reads the filter from a URL: from and to as months, and
// department_id. Without from it is the month before today's, which is usually the one
// to pay. Months that are none, or too many, are refused with FieldErrors.
func ReadPayrollFilter(query url.Values, today workday.Date) (PayrollFilter, error) {
	r := lists.AddressReader{Query: query}
	first := monthOf(r.Month("from", monthOf(today)-1))
	f := PayrollFilter{DepartmentID: r.Id("department_id")}
	return f.withMonths(first, r.Month("to", first), r.Err())
}

// NewPayrollFilter returns the filter of the months of two dates. It refuses like
// ReadPayrollFilter.
func NewPayrollFilter(first, last workday.Date, departmentID int64) (PayrollFilter, error) {
	return PayrollFilter{DepartmentID: departmentID}.withMonths(first, last, nil)
}

func (f PayrollFilter) withMonths(first, last workday.Date, err error) (PayrollFilter, error) {
	f.First, f.Last = monthOf(first), lastOfMonth(monthOf(last))
	var refused queries.FieldErrors
	switch {
	case errors.As(err, &refused):
		for _, name := range []string{"from", "to"} {
			if refused[name] != "" {
				refused[name] = "payroll.month.invalid"
			}
		}
		return f, refused
	case f.First > f.Last:
		return f, queries.FieldErrors{"to": "payroll.to.before"}
	case len(f.Months()) > MostPayrollMonths:
		return f, queries.FieldErrors{"to": "payroll.to.too_many"}
	}
	return f, nil
}

// Values returns what ReadPayrollFilter reads.
func (f PayrollFilter) Values() url.Values {
	const month = "2006-01"
	query := url.Values{"from": {f.First.Time().Format(month)}, "to": {f.Last.Time().Format(month)}}
	if f.DepartmentID != 0 {
		query.Set("department_id", fmt.Sprint(f.DepartmentID))
	}
	return query
}

// Months returns the first days of the months.
func (f PayrollFilter) Months() []workday.Date {
	var months []workday.Date
	for month := f.First; month <= f.Last; month = lastOfMonth(month) + 1 {
		months = append(months, month)
	}
	return months
}

// ofMonth is the list of people of a month.
func (f PayrollFilter) ofMonth(month workday.Date) Filter {
	return Filter{Unit: MonthUnit, First: month, Last: lastOfMonth(month), DepartmentIDs: lists.OneDepartment(f.DepartmentID)}
}

// PayrollDays counts the days of a user in a month. Every day with a record counts in
// one of the fields, except for half leaves, which are part of the others.
type PayrollDays struct {
	OnTime, Late, EarlyLeave, LateAndEarly   int
	Absent, MissingArrival, MissingDeparture int
	Leave                                    int
	HolidayWork, Holiday                     int
	DayOffWork, DayOff                       int
	Unfinished                               int // days that are not over
	HalfLeaveAM, HalfLeavePM                 int
}

// field returns the field that a day counts in.
func (n *PayrollDays) field(d *PeriodDay) *int {
	if d.Type == workday.DayOff && d.Arrived && d.Status != workday.StatusMissingDeparture {
		return &n.DayOffWork
	}
	switch d.Status {
	case workday.StatusOnTime:
		return &n.OnTime
	case workday.StatusLate:
		return &n.Late
	case workday.StatusEarlyLeave:
		return &n.EarlyLeave
	case workday.StatusLateAndEarly:
		return &n.LateAndEarly
	case workday.StatusAbsent:
		return &n.Absent
	case workday.StatusMissingArrival:
		return &n.MissingArrival
	case workday.StatusMissingDeparture:
		return &n.MissingDeparture
	case workday.StatusLeave:
		return &n.Leave
	case workday.StatusHolidayWork:
		return &n.HolidayWork
	case workday.StatusHoliday:
		return &n.Holiday
	case workday.StatusDayOff:
		return &n.DayOff
	}
	return &n.Unfinished
}

func (n *PayrollDays) add(d *PeriodDay) {
	if d.Status == "" {
		return
	}
	*n.field(d)++
	switch d.Type {
	case workday.HalfLeaveAM:
		n.HalfLeaveAM++
	case workday.HalfLeavePM:
		n.HalfLeavePM++
	}
}

// Add adds the days of another user or month.
func (n *PayrollDays) Add(o PayrollDays) {
	n.OnTime += o.OnTime
	n.Late += o.Late
	n.EarlyLeave += o.EarlyLeave
	n.LateAndEarly += o.LateAndEarly
	n.Absent += o.Absent
	n.MissingArrival += o.MissingArrival
	n.MissingDeparture += o.MissingDeparture
	n.Leave += o.Leave
	n.HolidayWork += o.HolidayWork
	n.Holiday += o.Holiday
	n.DayOffWork += o.DayOffWork
	n.DayOff += o.DayOff
	n.Unfinished += o.Unfinished
	n.HalfLeaveAM += o.HalfLeaveAM
	n.HalfLeavePM += o.HalfLeavePM
}

// PayrollRow is what payroll needs of a user in a month.
type PayrollRow struct {
	PersonPeriod
	Month             workday.Date // its first day
	Locked            bool         // whether the month is locked; the records of others may still change
	Rank              string       // as it is now
	Policy            string       // the name of the policy of the last day
	Count             PayrollDays
	LateDates         []workday.Date
	LateMin, EarlyMin int
}

// RegularMin is the worked time that is neither overtime nor holiday work. It is
// negative where a settlement period or week that began in the month before ends with
// more overtime than was worked since.
func (r *PayrollRow) RegularMin() int {
	t := &r.Totals
	return t.WorkedMin - t.OvertimeMin - t.HolidayMin - t.HolidayOverMin
}

// Payroll lists by name the users with records in a month, as far as the scope includes
// them.
func (s *Store) Payroll(ctx context.Context, p directory.Person, scope RecordScope, r PayrollRequest) (lists.Page[PayrollRow], error) {
	f := r.ofMonth(r.Month)
	f.Cursor, f.Limit = r.Cursor, r.Limit
	people, err := s.Period(ctx, p, scope, f)
	page := lists.Page[PayrollRow]{Next: people.Next}
	if err != nil || len(people.Rows) == 0 {
		return page, err
	}
	reader, err := s.periodReader(ctx, p, scope, f)
	if err != nil {
		return page, err
	}
	locks, err := s.locksBetween(ctx, locksBetweenParams{p.CompanyID, r.Month.Time(), r.Month.Time()})
	if err != nil {
		return page, err
	}
	for _, one := range people.Rows {
		row := PayrollRow{PersonPeriod: one, Month: r.Month, Locked: len(locks) > 0}
		for i := range one.Days {
			d := &one.Days[i]
			row.Count.add(d)
			if d.Status == workday.StatusLate || d.Status == workday.StatusLateAndEarly {
				row.LateDates = append(row.LateDates, d.Date)
			}
		}
		page.Rows = append(page.Rows, row)
	}
	return page, reader.addPayroll(ctx, page.Rows)
}

// PayrollRequest is a page of a month.
type PayrollRequest struct {
	PayrollFilter
	Month  workday.Date // its first day
	Cursor *lists.Cursor
	Limit  int
}

// addPayroll adds what months do not have.
func (r *periodReader) addPayroll(ctx context.Context, rows []PayrollRow) error {
	ids, indexes := make([]int64, len(rows)), make(map[int64]int, len(rows))
	for i, row := range rows {
		ids[i], indexes[row.UserID] = row.UserID, i
	}
	figures, err := r.payrollFigures(ctx, payrollFiguresParams{r.reader.CompanyID, ids, r.filter.First.Time(), r.filter.Last.Time()})
	if err != nil {
		return fmt.Errorf("figures of payroll: %w", err)
	}
	policies, latest := make([]policy.VersionKey, len(rows)), make([]time.Time, len(rows))
	for _, f := range figures {
		if !r.sees(f.UserID, f.DepartmentID) {
			continue
		}
		i := indexes[f.UserID]
		rows[i].LateMin += int(f.LateMin)
		rows[i].EarlyMin += int(f.EarlyMin)
		if f.Latest.After(latest[i]) {
			latest[i], policies[i] = f.Latest, policy.VersionKey{PolicyID: f.PolicyID, No: f.VersionNo}
		}
	}
	ranks, err := r.rankNames(ctx, rankNamesParams{r.reader.CompanyID, ids})
	if err != nil {
		return fmt.Errorf("ranks of payroll: %w", err)
	}
	for _, rank := range ranks {
		rows[indexes[rank.ID]].Rank = rank.Name
	}
	names, err := r.namesOf(ctx, policies)
	for i := range rows {
		rows[i].Policy = names[policies[i]]
	}
	return err
}

// namesOf returns the names of versions.
func (r *periodReader) namesOf(ctx context.Context, keys []policy.VersionKey) (map[policy.VersionKey]string, error) {
	arg := versionNamesParams{CompanyID: r.reader.CompanyID}
	known := map[policy.VersionKey]bool{}
	for _, key := range keys {
		if !known[key] {
			arg.PolicyIds, arg.Nos = append(arg.PolicyIds, key.PolicyID), append(arg.Nos, key.No)
		}
		known[key] = true
	}
	rows, err := r.versionNames(ctx, arg)
	if err != nil {
		return nil, fmt.Errorf("policies of payroll: %w", err)
	}
	names := make(map[policy.VersionKey]string, len(rows))
	for _, row := range rows {
		names[policy.VersionKey{PolicyID: row.PolicyID, No: row.No}] = row.Name
	}
	return names, nil
}

// UnlockedMonths returns those of the months that are not locked.
func (s *Store) UnlockedMonths(ctx context.Context, companyID int64, f PayrollFilter) ([]workday.Date, error) {
	locks, err := s.locksBetween(ctx, locksBetweenParams{companyID, f.First.Time(), f.Last.Time()})
	if err != nil {
		return nil, fmt.Errorf("locked months: %w", err)
	}
	return slices.DeleteFunc(f.Months(), func(month workday.Date) bool {
		return slices.ContainsFunc(locks, func(l locksBetweenRow) bool { return workday.DateOf(l.Month) == month })
	}), nil
}
