package attendance_test

import (
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
	"officeconsole/workday"
)

// Whom a search finds, and who is in a department, is read again when the version of the
// directory has changed.
func TestListsFindPeopleByTheVersionOfTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	attendanceCrowd(t, db, 100)
	computeMonths(t, db)
	reader := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	day := workday.NewDate(2026, 11, 20)
	keyword, _ := search.Parse("unheard")
	var person int64
	err := db.Pool().QueryRow(t.Context(), "select user_id from day_records where company_id = 1 and work_date = '2026-11-20' and not extra and deleted_at is null and name = 'Anna Smith' and department_id = $1 and user_id not in (select user_id from user_history) limit 1", queriestest.Messenger).Scan(&person)
	if err != nil {
		t.Fatal(err)
	}
	searched := attendance.Filter{Unit: attendance.MonthUnit, First: day - 19, Last: day + 10, Limit: 100, Search: keyword}
	ofDepartment := attendance.Filter{Unit: attendance.MonthUnit, First: day - 19, Last: day + 10, Limit: 100, DepartmentIDs: lists.OneDepartment(queriestest.Messenger)}
	inDay := func(version int64) bool {
		page, err := db.Attendance.Day(t.Context(), reader, everything, attendance.Filter{First: day, Limit: 100, Search: searched.Search, DirectoryVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Rows) > 0 && page.Rows[0].UserID == person
	}
	inMonth := func(version int64, f attendance.Filter) string {
		reader := reader
		reader.DirectoryVersion = version
		page, err := db.Attendance.Period(t.Context(), reader, everything, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			if row.UserID == person {
				return row.Name
			}
		}
		return ""
	}
	check := func(version int64, found bool, name string) {
		t.Helper()
		for range 2 { // of which the second comes from the caches
			if inDay(version) != found || (inMonth(version, searched) != "") != found || inMonth(version, ofDepartment) != name {
				t.Errorf("version %d: in the day %t, in the month %q, of the department %q", version, inDay(version), inMonth(version, searched), inMonth(version, ofDepartment))
			}
		}
	}
	check(7, false, "Anna Smith")
	queriestest.Exec(t, db, "update users set search_text = 'anna unheard' where company_id = 1 and id = $1", person)
	check(7, false, "Anna Smith")
	check(8, true, "Anna Smith")
	queriestest.Exec(t, db, "update users set name = 'Anna Jones' where company_id = 1 and id = $1", person)
	check(8, true, "Anna Smith")
	check(9, true, "Anna Jones")
}
