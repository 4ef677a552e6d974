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

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

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
	err = eachMonth(ctx, c.store.db.Pool(), monthsRead{c.CompanyID, ids, monthOf(c.first), c.last}, func(row monthRead) error {
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
func eachMonth(ctx context.Context, db statements, read monthsRead, yield func(monthRead) error) error {
	const columns = `select user_id, month, department_id, days, holidays from attendance_months
		where company_id = $1 and month between $2 and $3`
	var rows pgx.Rows
	var err error
	if read.userIDs == nil {
		rows, err = db.Query(ctx, columns+" order by user_id", read.companyID, read.first.Time(), read.last.Time())
	} else {
		rows, err = db.Query(ctx, columns+" and user_id = any ($4) order by user_id", read.companyID, read.first.Time(), read.last.Time(), read.userIDs)
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
			return fmt.Errorf("month of %d: %w", one.userID, err)
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return rows.Err()
}
