package queries

import (
	"context"
	"slices"
	"time"

	"officeconsole/workday"
)

// sees tells whether a record is shown.
func (r *periodReader) sees(userID, departmentID int64) bool {
	if _, in := slices.BinarySearch(r.branch, departmentID); r.branch != nil && !in {
		return false
	}
	return r.scope.Sees(userID, departmentID)
}

// read gives those of the people who have a record to show, in their order.
func (r *periodReader) read(ctx context.Context, people []periodPeopleRow) ([]PersonPeriod, error) {
	first := workday.WeekOf(r.filter.First, r.start)
	last := workday.WeekOf(r.filter.Last, r.start) + 6
	ids := make([]int64, len(people))
	rows := make(map[int64][]periodRecordsRow, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	records, err := r.periodRecords(ctx, periodRecordsParams{r.reader.CompanyID, ids, first.Time(), last.Time()})
	if err != nil {
		return nil, err
	}
	for _, row := range records {
		if r.sees(row.UserID, row.DepartmentID) {
			rows[row.UserID] = append(rows[row.UserID], row)
		}
	}
	found := make([]PersonPeriod, 0, len(people))
	var moved []int64
	for _, one := range people {
		p := r.person(one)
		if !r.add(&p, rows[one.ID]) || !r.chooses(p) {
			continue
		}
		if p.DepartmentID != one.DepartmentID {
			moved = append(moved, p.DepartmentID)
		}
		found = append(found, p)
	}
	return found, r.nameDepartments(ctx, found, moved)
}

// nameDepartments names those that people have left since.
func (r *periodReader) nameDepartments(ctx context.Context, found []PersonPeriod, moved []int64) error {
	if len(moved) == 0 {
		return nil
	}
	rows, err := r.departmentsByID(ctx, departmentsByIDParams{r.reader.CompanyID, moved})
	if err != nil {
		return err
	}
	for _, row := range rows {
		for i := range found {
			if found[i].DepartmentID == row.ID {
				found[i].DepartmentName = row.Name
			}
		}
	}
	return nil
}

// person is somebody without any record.
func (r *periodReader) person(one periodPeopleRow) PersonPeriod {
	p := PersonPeriod{
		UserID: one.ID, Name: one.Name, EmployeeID: one.EmployeeID, Hidden: one.Hidden,
		DepartmentID: one.DepartmentID, DepartmentName: one.DepartmentName,
		Days: make([]PeriodDay, r.filter.Last-r.filter.First+1),
	}
	for i := range p.Days {
		p.Days[i].Date = r.filter.First + workday.Date(i)
	}
	for week := workday.WeekOf(r.filter.First, r.start); week <= r.filter.Last; week += 7 {
		p.Weeks = append(p.Weeks, PeriodWeek{First: week})
	}
	return p
}

// add puts records into their places. It tells whether the period has one.
func (r *periodReader) add(p *PersonPeriod, rows []periodRecordsRow) bool {
	var latest workday.Date
	shown, department := false, p.DepartmentID
	for _, row := range rows {
		date := workday.DateOf(row.WorkDate)
		if row.WorkedMin != nil {
			p.Weeks[(date-p.Weeks[0].First)/7].WorkedMin += int(*row.WorkedMin)
		}
		p.LeftMin += row.left()
		p.begun = max(p.begun, date)
		if date < r.filter.First || date > r.filter.Last {
			continue
		}
		p.Days[date-r.filter.First].add(row, r.now)
		if !shown || date >= latest {
			latest, department = date, row.DepartmentID
		}
		shown = true
	}
	if department != p.DepartmentID {
		p.DepartmentID, p.DepartmentName = department, ""
	}
	for _, d := range p.Days {
		p.Totals.count(d)
	}
	return shown
}

// add puts the day's own record or the extra one beside it into the day.
func (d *PeriodDay) add(row periodRecordsRow, now time.Time) {
	if d.Status == "" || !row.Extra {
		d.Key = RecordKey{row.UserID, d.Date, row.Extra}
		d.Status, d.Type, d.Holiday = workday.Status(row.Status), workday.DayType(row.DayType), row.Holiday
		if d.Status == workday.StatusBefore && now.Before(row.OpensAt) {
			d.Status = workday.StatusNotDue
		}
	}
	d.Flags |= workday.Flags(row.Flags)
	if row.WorkedMin != nil {
		worked := int(*row.WorkedMin)
		if d.WorkedMin != nil {
			worked += *d.WorkedMin
		}
		d.WorkedMin = &worked
	}
	d.OvertimeMin += int(row.OvertimeMin)
	d.NightMin += int(row.NightMin)
	d.Arrived = d.Arrived || row.Arrived
}

// chooses tells whether the filter of the days lets the person through.
func (r *periodReader) chooses(p PersonPeriod) bool {
	statuses := r.filter.statuses()
	any := func(is func(PeriodDay) bool) bool { return slices.ContainsFunc(p.Days, is) }
	return (statuses == nil || any(func(d PeriodDay) bool { return slices.Contains(statuses, string(d.Status)) })) &&
		(!r.filter.Edited || any(PeriodDay.Edited))
}
