package attendance

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// monthKey identifies a month of a user by its first day.
type monthKey struct {
	userID int64
	month  workday.Date
}

// personMonth is a row of attendance_months that is being changed.
type personMonth struct {
	departmentID int64
	days         []monthDay
	changed      bool
	stored       *attendanceMonthsRow // nil if it is not
}

// personMonths are the months of users of a company. Only a transaction that
// holds lockAttendance, or lockAttendanceShared or lockClockLane for these users, may
// write them.
type personMonths map[monthKey][]*personMonth

// monthsOf reads the months of users from one date to another.
func (q *Queries) monthsOf(ctx context.Context, companyID int64, userIDs []int64, first, last workday.Date) (personMonths, error) {
	rows, err := q.attendanceMonths(ctx, attendanceMonthsParams{companyID, userIDs, monthOf(first).Time(), last.Time()})
	if err != nil {
		return nil, err
	}
	all := make(personMonths, len(rows))
	for i := range rows {
		row := &rows[i]
		key := monthKey{row.UserID, workday.DateOf(row.Month)}
		days, err := decodeDays(nil, row.Days, row.Holidays, row.Versions)
		if err != nil {
			return nil, fmt.Errorf("month %s of %d: %w", key.month, key.userID, err)
		}
		all[key] = append(all[key], &personMonth{departmentID: row.DepartmentID, days: days, stored: row})
	}
	return all, nil
}

// versions returns the policy versions of the days.
func (m personMonths) versions() map[policy.VersionKey]bool {
	all := map[policy.VersionKey]bool{}
	var last policy.VersionKey
	for _, parts := range m {
		for _, month := range parts {
			for i := range month.days {
				if v := month.days[i].version; v != last {
					all[v], last = true, v
				}
			}
		}
	}
	return all
}

// put adds a record to its month, or replaces it. Months leave out deleted
// records.
func (m personMonths) put(r *Record) {
	if r.DeletedAt != nil {
		m.remove(r.Key())
		return
	}
	day, month, there := newMonthDay(r), (*personMonth)(nil), false
	key := monthKey{r.UserID, monthOf(workday.DateOf(r.WorkDate))}
	for _, one := range m[key] {
		at, found := one.find(day.Day, day.Extra)
		if one.departmentID == r.DepartmentID {
			month = one
		}
		switch {
		case !found:
		case one.departmentID != r.DepartmentID:
			one.days, one.changed = slices.Delete(one.days, at, at+1), true
		default:
			there = true
			one.changed = one.changed || one.days[at] != day
			one.days[at] = day
		}
	}
	if there {
		return
	}
	if month == nil {
		month = &personMonth{departmentID: r.DepartmentID}
		m[key] = append(m[key], month)
	}
	at, _ := month.find(day.Day, day.Extra)
	month.days, month.changed = slices.Insert(month.days, at, day), true
}

// remove removes a record from its month.
func (m personMonths) remove(key RecordKey) {
	first := monthOf(key.Date)
	for _, month := range m[monthKey{key.UserID, first}] {
		if at, found := month.find(uint8(key.Date-first+1), key.Extra); found {
			month.days, month.changed = slices.Delete(month.days, at, at+1), true
		}
	}
}

// workedMin returns the worked minutes of a user from one date to another.
func (m personMonths) workedMin(userID int64, first, last workday.Date) int {
	sum := 0
	for month := monthOf(first); month <= last; month = lastOfMonth(month) + 1 {
		for _, part := range m[monthKey{userID, month}] {
			for i := range part.days {
				if day := &part.days[i]; isBetween(day.Date(month), first, last) && day.WorkedMin != unknownMin {
					sum += int(day.WorkedMin)
				}
			}
		}
	}
	return sum
}

// find returns the index of a record, or the index at which to insert it.
func (m *personMonth) find(day uint8, extra bool) (at int, found bool) {
	return slices.BinarySearchFunc(m.days, day, func(d monthDay, day uint8) int { return d.order(day, extra) })
}

// row returns the month of a user as it is stored.
func (m *personMonth) row(companyID int64, key monthKey) monthRow {
	row := monthRow{CompanyID: companyID, UserID: key.userID, Month: key.month.Time(), DepartmentID: m.departmentID}
	row.Days, row.Holidays, row.Versions = encodeDays(m.days)
	for i := range m.days {
		row.Statuses |= 1 << m.days[i].status
		row.Edited = row.Edited || m.days[i].Flags.Has(workday.FlagEdited)
	}
	return row
}

// changedMonths are months to be written in part or whole, and the keys of those that have
// become empty.
type changedMonths struct {
	overlaid overlayDaysParams
	whole    []monthRow
	empty    dropMonthsParams
}

// changed returns what is to be written of the months, which are taken as stored then.
func (m personMonths) changed(companyID int64) *changedMonths {
	c := &changedMonths{overlaid: overlayDaysParams{CompanyID: companyID}, empty: dropMonthsParams{CompanyID: companyID}}
	keys := slices.SortedFunc(maps.Keys(m), func(a, b monthKey) int {
		return cmp.Or(cmp.Compare(a.userID, b.userID), cmp.Compare(a.month, b.month))
	})
	for _, key := range keys {
		for _, month := range m[key] {
			switch {
			case !month.changed:
			case len(month.days) > 0:
				row := month.row(companyID, key)
				c.put(month.stored, row)
				month.stored = &attendanceMonthsRow{Days: row.Days, Holidays: row.Holidays, Versions: row.Versions}
			case month.stored != nil:
				empty := &c.empty
				empty.UserIds, empty.Months, empty.DepartmentIds = append(empty.UserIds, key.userID), append(empty.Months, key.month.Time()), append(empty.DepartmentIds, month.departmentID)
				month.stored = nil
			}
		}
	}
	return c
}

// put adds a month. A clock event changes a few bytes of the thousand that a month has: if
// no day is inserted, only those from the first to the last that differ are sent.
func (c *changedMonths) put(stored *attendanceMonthsRow, row monthRow) {
	if stored == nil || len(stored.Days) != len(row.Days) || stored.Holidays != row.Holidays || !bytes.Equal(stored.Versions, row.Versions) {
		c.whole = append(c.whole, row)
		return
	}
	from, to := 0, len(row.Days)
	for from < to && stored.Days[from] == row.Days[from] {
		from++
	}
	for from < to && stored.Days[to-1] == row.Days[to-1] {
		to--
	}
	o := &c.overlaid
	o.UserIds, o.Months, o.DepartmentIds = append(o.UserIds, row.UserID), append(o.Months, row.Month), append(o.DepartmentIds, row.DepartmentID)
	o.Positions, o.Parts = append(o.Positions, int32(from+1)), append(o.Parts, row.Days[from:to])
	o.Statuses, o.Edited = append(o.Statuses, row.Statuses), append(o.Edited, row.Edited)
}

// putMonths stores the changed months.
func (q *Queries) putMonths(ctx context.Context, companyID int64, m personMonths) error {
	c := m.changed(companyID)
	if len(c.empty.UserIds) > 0 {
		if err := q.dropMonths(ctx, c.empty); err != nil {
			return err
		}
	}
	if len(c.overlaid.UserIds) > 0 {
		if err := q.overlayDays(ctx, c.overlaid); err != nil {
			return fmt.Errorf("write days of attendance months: %w", err)
		}
	}
	if len(c.whole) == 0 {
		return nil
	}
	b := monthColumns(c.whole)
	if _, err := q.db.Exec(ctx, b.insert("attendance_months")+b.update(monthsKey), b.columns...); err != nil {
		return fmt.Errorf("write attendance months: %w", err)
	}
	return nil
}

func monthColumns(rows []monthRow) *rowSet {
	b := &rowSet{}
	type R = monthRow
	column(b, "company_id", "bigint", rows, func(r *R) int64 { return r.CompanyID })
	column(b, "user_id", "bigint", rows, func(r *R) int64 { return r.UserID })
	column(b, "month", "date", rows, func(r *R) time.Time { return r.Month })
	column(b, "department_id", "bigint", rows, func(r *R) int64 { return r.DepartmentID })
	column(b, "days", "bytea", rows, func(r *R) []byte { return r.Days })
	column(b, "statuses", "integer", rows, func(r *R) int32 { return r.Statuses })
	column(b, "edited", "boolean", rows, func(r *R) bool { return r.Edited })
	column(b, "holidays", "text", rows, func(r *R) string { return r.Holidays })
	column(b, "versions", "bytea", rows, func(r *R) []byte { return r.Versions })
	return b
}

// monthsKey is the number of monthColumns that form the key.
const monthsKey = 4

// writeRecords inserts or replaces records of a company, and updates their
// months.
func (q *Queries) writeRecords(ctx context.Context, written []Record) error {
	if err := q.putRecords(ctx, written); err != nil {
		return err
	}
	return q.patchMonths(ctx, written)
}

// patchMonths updates the months of records that were replaced.
func (q *Queries) patchMonths(ctx context.Context, written []Record) error {
	if len(written) == 0 {
		return nil
	}
	companyID, people := written[0].CompanyID, map[int64]bool{}
	first := workday.DateOf(written[0].WorkDate)
	last := first
	for i := range written {
		key := written[i].Key()
		people[key.UserID] = true
		first, last = min(first, key.Date), max(last, key.Date)
	}
	all, err := q.monthsOf(ctx, companyID, slices.Collect(maps.Keys(people)), first, last)
	if err != nil {
		return err
	}
	for i := range written {
		all.put(&written[i])
	}
	return q.putMonths(ctx, companyID, all)
}

// monthRow is a row of attendance_months.
type monthRow struct {
	CompanyID    int64
	UserID       int64
	Month        time.Time
	DepartmentID int64
	Days         []byte
	Statuses     int32
	Edited       bool
	Holidays     string
	Versions     []byte
}
