package attendance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest/golden"
	"officeconsole/search"
	"officeconsole/workday"
)

func TestGoldenRecordLists(t *testing.T) {
	found, refused := search.Parse("김철 hanbit")
	if refused != "" {
		t.Fatal(refused)
	}
	const first, last = workday.Date(20_770), workday.Date(20_777)
	now := first.Time().Add(6 * time.Hour)
	arrival, worked := now.Add(-time.Hour), int32(480)
	at := &attendancePosition{recordPlaceRow{Name: "김철수", UserID: 6, DepartmentID: 3, ArrivalAt: &arrival, WorkedMin: &worked}, first}
	day := attendancePart{first: first, last: first}
	log := attendancePart{first: first, last: last}
	blanks := attendancePart{first: first, last: first, blanks: true}
	everybody := RecordScope{directory.Scope{Everybody: true}, 1}
	some := RecordScope{directory.Scope{DepartmentIDs: []int64{2, 3, 4}}, 3}
	own := RecordScope{UserID: 2}
	many := make([]int64, directory.FewDepartments+1)
	for i := range many {
		many[i] = int64(i + 1)
	}

	type statement = attendanceStatement
	type list = attendanceList
	var text strings.Builder
	for _, choice := range []struct {
		name string
		statement
		list
	}{
		{"a day", statement{attendancePart: day}, list{scope: everybody}},
		{"a day after a record", statement{attendancePart: day, from: at}, list{scope: everybody}},
		{"a day before a record", statement{attendancePart: day, from: at, backward: true}, list{scope: everybody}},
		{"a day, names descending", statement{attendancePart: day, from: at}, list{scope: everybody, Filter: Filter{Descending: true}}},
		{"a day of a subtree", statement{attendancePart: day}, list{scope: everybody, departments: []int64{3, 4}, subtree: []int64{3, 4}}},
		{"a day of a large subtree", statement{attendancePart: day}, list{scope: everybody, departments: many, subtree: many}},
		{"a day of a scope", statement{attendancePart: day, from: at}, list{scope: some, departments: some.DepartmentIDs}},
		{"a day of a large scope", statement{attendancePart: day}, list{scope: some, departments: many}},
		{"a day of a subtree in a scope", statement{attendancePart: day}, list{scope: some, departments: []int64{3}, subtree: []int64{3, 9}}},
		{"a day of a user without a scope", statement{attendancePart: day}, list{scope: own}},
		{"a day of a subtree without a scope", statement{attendancePart: day}, list{scope: own, departments: []int64{}, subtree: []int64{3}}},

		{"a day, late", statement{attendancePart: day}, list{scope: everybody, Filter: Filter{Status: workday.StatusLate}}},
		{"a day, late in a scope", statement{attendancePart: day}, list{scope: some, departments: some.DepartmentIDs, Filter: Filter{Status: workday.StatusLate}}},
		{"a day, on time in a scope", statement{attendancePart: day}, list{scope: some, departments: some.DepartmentIDs, Filter: Filter{Status: workday.StatusOnTime}}},
		{"a day, before work", statement{attendancePart: day}, list{scope: everybody, Filter: Filter{Status: workday.StatusBefore}}},
		{"a day, not due", statement{attendancePart: day}, list{scope: everybody, Filter: Filter{Status: workday.StatusNotDue}}},
		{"a day, not due in a scope", statement{attendancePart: day}, list{scope: some, departments: some.DepartmentIDs, Filter: Filter{Status: workday.StatusNotDue}}},
		{"a day, of a device", statement{attendancePart: day}, list{scope: everybody, Filter: Filter{Device: "mobile"}}},
		{"a day, edited", statement{attendancePart: day}, list{scope: everybody, Filter: Filter{Edited: true}}},

		{"a day by arrival", statement{attendancePart: day, from: at}, list{scope: everybody, Filter: Filter{Order: ByArrival}}},
		{"a day by arrival, those without one", statement{attendancePart: blanks, from: at}, list{scope: everybody, Filter: Filter{Order: ByArrival, Descending: true}}},
		{"a day by worked time, descending", statement{attendancePart: day, from: at}, list{scope: some, departments: some.DepartmentIDs, Filter: Filter{Order: ByWorked, Descending: true}}},

		{"a day, searched along the list", statement{attendancePart: day, near: 210}, list{scope: everybody, Filter: Filter{Search: found}}},
		{"a day of users who were found", statement{attendancePart: day, people: []int64{6, 11}}, list{scope: some, departments: some.DepartmentIDs}},
		{"a day of the first users who were found", statement{attendancePart: day, people: []int64{6, 11}, until: 11}, list{scope: everybody}},
		{"a day of many users who were found", statement{attendancePart: day, people: make([]int64, fewPeople+1)}, list{scope: everybody}},

		{"the log", statement{attendancePart: log}, list{scope: everybody}},
		{"the log, backward", statement{attendancePart: log, backward: true}, list{scope: everybody}},
		{"the log of a scope", statement{attendancePart: log}, list{scope: some, departments: some.DepartmentIDs}},
		{"the log, deleted records", statement{attendancePart: log, people: []int64{6}}, list{scope: everybody, Filter: Filter{Deleted: true}}},
		{"the log, searched along the list", statement{attendancePart: log, near: 210}, list{scope: some, departments: some.DepartmentIDs, Filter: Filter{Search: found}}},
	} {
		s, l := choice.statement, choice.list
		l.companyID, l.now = 1, now
		s.attendanceList, s.size = &l, 21
		plan := "custom plan"
		if s.isGeneric() {
			plan = "generic plan"
		}
		fmt.Fprintf(&text, "-- %s (%s)\n%s;\n-- %.300s\n\n", choice.name, plan, s.text(), fmt.Sprint(s.args))
	}
	golden.Compare(t, "testdata/record_lists.sql", text.String())
}

func TestGoldenBulkInserts(t *testing.T) {
	records, months := recordColumns(make([]Record, 1)), monthColumns(make([]monthRow, 1))
	golden.Compare(t, "testdata/bulk_inserts.sql", strings.Join([]string{
		records.insert("day_records") + records.update(recordKey),
		months.insert("attendance_months") + months.update(monthsKey),
	}, ";\n\n")+";\n")
}
