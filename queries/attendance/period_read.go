package attendance

import (
	"context"
	"slices"
	"time"

	"officeconsole/workday"
)

// sees reports whether the scope and the filter include the record of a user
// who was in a department.
func (r *periodReader) sees(userID, departmentID int64) bool {
	if _, in := slices.BinarySearch(r.subtree, departmentID); r.subtree != nil && !in {
		return false
	}
	return r.scope.Sees(userID, departmentID)
}

// read returns those of the users who have a record to show, in the given
// order.
func (r *periodReader) read(ctx context.Context, people []periodPeopleRow) ([]PersonPeriod, error) {
	first := workday.WeekOf(r.filter.First, r.start)
	last := workday.WeekOf(r.filter.Last, r.start) + 6
	ids, indexes := make([]int64, len(people)), make(map[int64]int, len(people))
	all := make([]PersonPeriod, len(people))
	length := int(r.filter.Last-r.filter.First) + 1
	days, minutes := make([]PeriodDay, length*len(people)), make([]int, length*len(people))
	for i, one := range people {
		ids[i], indexes[one.ID] = one.ID, i
		all[i] = r.person(one, days[i*length:(i+1)*length:(i+1)*length])
	}
	read := monthsRead{r.reader.CompanyID, ids, monthOf(first), last}
	err := eachMonth(ctx, r.db.GenericPlan(), read, func(row monthRead) error {
		if !r.sees(row.userID, row.departmentID) {
			return nil
		}
		index := indexes[row.userID]
		for i := range row.days {
			if date := row.days[i].Date(row.month); isBetween(date, first, last) {
				r.add(&all[index], row.month, row.departmentID, &row.days[i], minutes[index*length:])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := all[:0]
	for i := range all {
		p := &all[i]
		if !p.shown || !r.chooses(p) {
			continue
		}
		for j := range p.Days {
			p.Totals.count(&p.Days[j])
		}
		if d := r.tree.Department(p.DepartmentID); d != nil {
			p.DepartmentName = d.Name
		}
		found = append(found, *p)
	}
	return found, nil
}

// person returns a user whose days have no records yet.
func (r *periodReader) person(one periodPeopleRow, days []PeriodDay) PersonPeriod {
	p := PersonPeriod{
		UserID: one.ID, Name: one.Name, EmployeeID: one.EmployeeID, Hidden: one.Hidden, DepartmentID: one.DepartmentID, Days: days,
	}
	if d := r.tree.Department(one.DepartmentID); d != nil {
		p.DepartmentName = d.Name
	}
	for i := range p.Days {
		p.Days[i].Date = r.filter.First + workday.Date(i)
	}
	first := workday.WeekOf(r.filter.First, r.start)
	p.Weeks = make([]PeriodWeek, 0, (r.filter.Last-first)/7+1)
	for week := first; week <= r.filter.Last; week += 7 {
		p.Weeks = append(p.Weeks, PeriodWeek{First: week})
	}
	return p
}

// add adds a record of a month to the person's weeks and days. minutes holds the
// worked minutes of each day of the period.
func (r *periodReader) add(p *PersonPeriod, month workday.Date, departmentID int64, record *monthDay, minutes []int) {
	date := record.Date(month)
	if record.WorkedMin != unknownMin {
		p.Weeks[(date-p.Weeks[0].First)/7].WorkedMin += int(record.WorkedMin)
	}
	p.RemainingMin += record.remaining()
	p.lastRecord = max(p.lastRecord, date)
	if !isBetween(date, r.filter.First, r.filter.Last) {
		return
	}
	at := date - r.filter.First
	p.Days[at].add(p.UserID, record, month, r.now, &minutes[at])
	if !p.shown || date >= p.latest {
		p.latest, p.DepartmentID = date, departmentID
	}
	p.shown = true
}

// remaining returns the required minutes that are not worked yet on a day that
// has begun or begins tomorrow.
func (d *monthDay) remaining() int {
	presence := d.Presence()
	if presence != workday.PresenceBefore && presence != workday.PresenceWorking || d.Extra || !d.Type().IsWorkday() {
		return 0
	}
	return max(0, int(d.RequiredMin)-max(0, int(d.WorkedMin)))
}

// isAhead reports whether the required time of the day may still be worked, so
// that it says nothing about a balance yet. Free work requires no presence.
func (d *monthDay) isAhead() bool {
	presence := d.Presence()
	return presence == workday.PresenceBefore || presence == workday.PresenceWorking
}

// add adds the day's own record, or the extra record, to the day. worked is the
// variable that d.WorkedMin points to.
func (d *PeriodDay) add(userID int64, record *monthDay, month workday.Date, now time.Time, worked *int) {
	if d.Status == "" || !record.Extra {
		d.Type, d.Holiday = record.Type(), record.Holiday
	}
	if d.Status == "" || precedence(record.Status(), record.Extra) > precedence(d.Status, d.Key.Extra) {
		d.Key, d.Status = RecordKey{userID, d.Date, record.Extra}, record.Status()
		if d.Status == workday.StatusBefore && now.Before(record.OpensAt(month)) {
			d.Status = workday.StatusNotDue
		}
	}
	d.Flags |= record.Flags
	if record.WorkedMin != unknownMin {
		*worked += int(record.WorkedMin)
		d.WorkedMin = worked
	}
	d.OvertimeMin += int(record.OvertimeMin)
	d.NightMin += int(record.NightMin)
	d.HolidayMin += int(record.HolidayMin)
	d.HolidayOverMin += int(record.HolidayOverMin)
	if record.HasBalance && !record.isAhead() {
		balance := int(record.BalanceMin)
		d.BalanceMin = &balance
	}
	d.Arrived = d.Arrived || record.Arrived
}

// precedence is the greater, the more a record decides the status of a date with two: the
// date's own does, unless only the other one lacks something that has to be repaired.
func precedence(status workday.Status, isExtra bool) int {
	precedence := 0
	switch status {
	case workday.StatusMissingDeparture, workday.StatusMissingArrival:
		precedence = 2
	case workday.StatusLate, workday.StatusEarlyLeave, workday.StatusLateAndEarly, workday.StatusAbsent:
		if !isExtra {
			precedence = 2
		}
	}
	if !isExtra {
		precedence++
	}
	return precedence
}

// chooses reports whether the filter chooses a user with such days.
func (r *periodReader) chooses(p *PersonPeriod) bool {
	statuses := r.filter.statuses()
	chosen, edited := statuses == nil, !r.filter.Edited
	for i := range p.Days {
		d := &p.Days[i]
		chosen, edited = chosen || slices.Contains(statuses, string(d.Status)), edited || d.Edited()
	}
	return chosen && edited
}
