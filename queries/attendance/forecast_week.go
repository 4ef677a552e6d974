package attendance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// forecastPerson is a user whose week comes near its limit.
type forecastPerson struct {
	ForecastRow
	habit   workday.Habit
	records []forecastRecord     // of the week, in order; none where week has none
	week    workday.ForecastWeek // only of users who were in several departments
}

// forecastRecord is a record of the week.
type forecastRecord struct {
	monthDay
	date         workday.Date
	departmentID int64
}

// isOpen reports whether work of the record is still to come.
func (r *forecastRecord) isOpen(today workday.Date) bool {
	switch r.Presence() {
	case workday.PresenceWorking, workday.PresenceBefore:
		return r.date >= today-1
	case workday.PresenceNotDue:
		return r.date >= today && r.Type().IsWorkday() && !r.Extra
	}
	return false
}

// forecastCount counts a week of a company.
type forecastCount struct {
	*schedule
	store       *Store
	first, last workday.Date
	tree        policy.Tree
	plans       map[forecastPlanKey]*workday.Plan
	people      []forecastPerson
}

type forecastPlanKey struct {
	scheduledDay
	holiday string
	extra   bool
}

// forecasts returns the users whose week comes near its limit, without a scope, in
// order of urgency: of some users, or of everybody for nil.
func (store *Store) forecasts(ctx context.Context, p directory.Person, first workday.Date, ids []int64) ([]forecastPerson, error) {
	s, err := store.schedule(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &forecastCount{schedule: s, store: store, first: first, last: first + 6, plans: map[forecastPlanKey]*workday.Plan{}}
	if c.tree, err = store.policy.Tree(ctx, p); err != nil {
		return nil, err
	}
	if err := c.read(ctx, ids); err != nil {
		return nil, err
	}
	if err := c.name(ctx); err != nil {
		return nil, err
	}
	if err := c.forecast(ctx); err != nil {
		return nil, err
	}
	c.people = slices.DeleteFunc(c.people, func(one forecastPerson) bool { return one.Level() == "" })
	slices.SortFunc(c.people, func(a, b forecastPerson) int { return compareUrgency(a.ForecastRow, b.ForecastRow) })
	return slices.Clip(c.people), nil
}

// read reads the months of users and collects those who may come near the limit.
func (c *forecastCount) read(ctx context.Context, ids []int64) error {
	// The rows hold a connection until they are read, so everything else is
	// read before.
	policies, err := c.timeline(ctx, c.Now)
	if err != nil {
		return err
	}
	least, err := c.leastWarning(policies)
	if err != nil {
		return err
	}
	one := forecastPerson{}
	end := func() error {
		if len(one.records) == 0 {
			return nil
		}
		slices.SortStableFunc(one.records, func(a, b forecastRecord) int { return cmp.Compare(a.date, b.date) })
		from := max(one.records[len(one.records)-1].date+1, c.today)
		most, err := c.most(policies, from, c.last)
		most += max(0, one.habit.Min()) * int(max(0, c.last-from+1))
		if err == nil && c.mostMin(&one)+most >= least {
			one.records = slices.Clone(one.records)
			one.DepartmentID = one.records[len(one.records)-1].departmentID
			c.people = append(c.people, one)
		}
		return err
	}
	var records []forecastRecord // reused for the next user
	err = c.store.eachMonth(ctx, monthsRead{c.CompanyID, ids, monthOf(c.first), c.last}, func(row monthRead) error {
		if row.userID != one.UserID {
			if err := end(); err != nil {
				return err
			}
			records = one.records[:0]
			if len(c.people) > 0 && c.people[len(c.people)-1].UserID == one.UserID {
				records = nil
			}
			one = forecastPerson{ForecastRow: ForecastRow{UserID: row.userID}, records: records}
		}
		for i := range row.days {
			c.add(&one, row, &row.days[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}

// add adds a record of a month to a person.
func (c *forecastCount) add(one *forecastPerson, row monthRead, day *monthDay) {
	date := day.Date(row.month)
	if day.Type() == workday.Workday && day.Presence() == workday.PresenceLeft && !day.Extra && day.WorkedMin != unknownMin && date < c.today && row.month == monthOf(c.first) {
		one.habit.Add(int(day.WorkedMin), int(day.RequiredMin))
	}
	if !isBetween(date, c.first, c.last) {
		return
	}
	one.records = append(one.records, forecastRecord{*day, date, row.departmentID})
}

// mostMin returns the most that the records of a week can come to.
func (c *forecastCount) mostMin(one *forecastPerson) int {
	sum := 0
	for i := range one.records {
		r := &one.records[i]
		planned := 0
		if r.Type().IsWorkday() && !r.Extra {
			planned = int(r.RequiredMin) + max(0, one.habit.Min())
		}
		switch {
		case !r.isOpen(c.today):
			sum += max(0, int(r.WorkedMin))
		case r.Presence() == workday.PresenceWorking:
			// The arrival is not known here, but not before the window opened.
			sum += max(planned, int(c.Now.Sub(r.OpensAt(monthOf(r.date))).Minutes())+1)
		default:
			sum += planned
		}
	}
	return sum
}

// leastWarning returns the least hours of a week of which any policy warns.
func (c *forecastCount) leastWarning(t *policy.Timeline) (int, error) {
	least := math.MaxInt
	for _, span := range t.Spans() {
		p, err := c.policies.get(span)
		if err != nil {
			return 0, err
		}
		if p.WeeklyCapMin > 0 {
			least = min(least, p.WeeklyWarnMin, p.WeeklyCapMin)
		}
	}
	return least, nil
}

// name sets the names of the people, and leaves out who is hidden.
func (c *forecastCount) name(ctx context.Context) error {
	ids := make([]int64, len(c.people))
	for i := range c.people {
		ids[i] = c.people[i].UserID
	}
	rows, err := c.forecastPeople(ctx, forecastPeopleParams{c.CompanyID, ids})
	if err != nil {
		return fmt.Errorf("names of %d people: %w", len(ids), err)
	}
	named := make(map[int64]forecastPeopleRow, len(rows))
	for _, row := range rows {
		named[row.ID] = row
	}
	c.people = slices.DeleteFunc(c.people, func(one forecastPerson) bool { return named[one.UserID].ID == 0 })
	for i := range c.people {
		one := &c.people[i]
		one.Name, one.EmployeeID = named[one.UserID].Name, named[one.UserID].EmployeeID
		if d := c.tree.Department(one.DepartmentID); d != nil {
			one.DepartmentName = d.Name
		}
	}
	return nil
}

// forecast computes the forecasts of the people.
func (c *forecastCount) forecast(ctx context.Context) error {
	ids := make([]int64, len(c.people))
	for i := range c.people {
		ids[i] = c.people[i].UserID
	}
	leave, err := c.leave(ctx, ids, max(c.first, c.today), c.last)
	if err != nil {
		return err
	}
	times := recordTimesParams{CompanyID: c.CompanyID, First: c.first.Time(), Last: c.last.Time()}
	weeks := make([]workday.ForecastWeek, len(c.people))
	for i := range c.people {
		if weeks[i], err = c.week(ctx, &c.people[i], leave); err != nil {
			return err
		}
		for _, date := range c.timesOf(&c.people[i], &weeks[i]) {
			times.UserIds, times.Days = append(times.UserIds, ids[i]), append(times.Days, date.Time())
		}
	}
	known := map[RecordKey]recordTimesRow{}
	if len(times.UserIds) > 0 {
		rows, err := c.recordTimes(ctx, times)
		if err != nil {
			return err
		}
		for _, row := range rows {
			known[RecordKey{row.UserID, workday.DateOf(row.WorkDate), row.Extra}] = row
		}
	}
	for i := range c.people {
		one, w := &c.people[i], weeks[i]
		for j := range w.Days {
			d := &w.Days[j]
			t := known[RecordKey{one.UserID, d.Date, d.Extra}]
			if t.ArrivalAt != nil && (!d.Over || t.DepartureAt != nil) {
				d.Arrival = *t.ArrivalAt
			}
			if t.DepartureAt != nil {
				d.Departure = *t.DepartureAt
			}
		}
		one.Forecast = w.Forecast()
		if slices.ContainsFunc(one.records, func(r forecastRecord) bool { return r.departmentID != one.DepartmentID }) {
			one.week = w
		} else {
			one.records = nil
		}
	}
	return nil
}

// week returns the days of a person's week, the records first.
func (c *forecastCount) week(ctx context.Context, one *forecastPerson, leave map[RecordKey]workday.DayType) (workday.ForecastWeek, error) {
	ancestors := c.tree.Ancestors(one.DepartmentID)
	inForce, err := c.policy(ctx, one.UserID, ancestors, max(c.first, min(c.today, c.last)))
	if err != nil {
		return workday.ForecastWeek{}, err
	}
	w := workday.ForecastWeek{HabitMin: one.habit.Min(), CapMin: inForce.WeeklyCapMin, WarnMin: inForce.WeeklyWarnMin, Now: c.Now}
	next := c.first
	for i := range one.records {
		r := &one.records[i]
		p, err := c.policy(ctx, one.UserID, c.tree.Ancestors(r.departmentID), r.date)
		if err != nil {
			return w, err
		}
		key := forecastPlanKey{scheduledDay{p, r.date, ""}, r.Holiday, r.Extra}
		if t := r.Type(); t == workday.Leave || t == workday.HalfLeaveAM || t == workday.HalfLeavePM {
			key.leave = t
		}
		w.Days = append(w.Days, workday.ForecastDay{Plan: c.planOf(key), WorkedMin: max(0, int(r.WorkedMin)), Over: !r.isOpen(c.today)})
		next = r.date + 1
	}
	for date := max(next, c.today); date <= c.last; date++ {
		p, err := c.policy(ctx, one.UserID, ancestors, date)
		if err != nil {
			return w, err
		}
		key := forecastPlanKey{scheduledDay{p, date, leave[RecordKey{UserID: one.UserID, Date: date}]}, p.HolidayOn(date), false}
		w.Days = append(w.Days, workday.ForecastDay{Plan: c.planOf(key)})
	}
	return w, nil
}

func (c *forecastCount) planOf(key forecastPlanKey) *workday.Plan {
	plan := c.plans[key]
	if plan == nil {
		one := workday.NewPlans([]workday.Day{{Date: key.date, Policy: key.policy.Policy, Holiday: key.holiday, Leave: key.leave}})[0]
		if key.extra {
			one = one.ExtraPlan()
		}
		plan = &one
		c.plans[key] = plan
	}
	return plan
}

// timesOf returns the dates whose times the forecast needs: those of somebody at
// work, and the one on which finished days have passed the limit.
func (c *forecastCount) timesOf(one *forecastPerson, w *workday.ForecastWeek) (dates []workday.Date) {
	sum := 0
	for i := range one.records {
		r, before := &one.records[i], sum
		if w.Days[i].Over {
			sum += w.Days[i].WorkedMin
		}
		if !w.Days[i].Over && r.Presence() == workday.PresenceWorking || before <= w.CapMin && sum > w.CapMin {
			dates = append(dates, r.date)
		}
	}
	return dates
}

// monthsRead are the parameters of eachMonth.
type monthsRead struct {
	companyID   int64
	userIDs     []int64 // nil for everybody
	first, last workday.Date
}

// monthRead is a row of attendance_months; days are only valid until the next one.
type monthRead struct {
	userID, departmentID int64
	month                workday.Date
	days                 []monthDay
}

// eachMonth calls yield for each row of attendance_months, one user after another.
// It holds a connection, so yield must not read.
func (store *Store) eachMonth(ctx context.Context, read monthsRead, yield func(monthRead) error) error {
	const columns = `select user_id, month, department_id, days, holidays from attendance_months
		where company_id = $1 and month between $2 and $3`
	var rows pgx.Rows
	var err error
	if read.userIDs == nil {
		rows, err = store.db.Pool().Query(ctx, columns+" order by user_id", read.companyID, read.first.Time(), read.last.Time())
	} else {
		rows, err = store.db.Pool().Query(ctx, columns+" and user_id = any ($4) order by user_id", read.companyID, read.first.Time(), read.last.Time(), read.userIDs)
	}
	if err != nil {
		return err
	}
	defer rows.Close()
	var one monthRead
	var month time.Time
	var entries pgtype.DriverBytes
	var holidays string
	for rows.Next() {
		if err := rows.Scan(&one.userID, &month, &one.departmentID, &entries, &holidays); err != nil {
			return err
		}
		one.month = workday.DateOf(month)
		if one.days, err = decodeDays(one.days[:0], entries, holidays, nil); err != nil {
			return err
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return rows.Err()
}
