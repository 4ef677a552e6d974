package attendance_test

import (
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// What a list shows of users and departments is the same with and without caches, and
// is read again when the version of the directory has changed.
func TestListsNameRecordsByTheVersionOfTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	attendanceCrowd(t, db, 10)
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	day := workday.NewDate(2026, 11, 20)
	rows := func(version int64) []attendance.Row {
		t.Helper()
		page, err := db.Attendance.Day(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, attendance.Filter{First: day, Limit: 50, DirectoryVersion: version})
		if err != nil || len(page.Rows) == 0 {
			t.Fatalf("%d rows (%v)", len(page.Rows), err)
		}
		return page.Rows
	}
	for range 2 { // of which the second comes from the caches
		cached := rows(7)
		for i, want := range rows(0) {
			if got := cached[i]; got.EmployeeID != want.EmployeeID || got.Hidden != want.Hidden || got.DepartmentName != want.DepartmentName {
				t.Errorf("%s: %q %t %q, not %q %t %q", want.Name, got.EmployeeID, got.Hidden, got.DepartmentName, want.EmployeeID, want.Hidden, want.DepartmentName)
			}
		}
	}
	before := rows(7)[0]
	queriestest.Exec(t, db, "update users set employee_id = 'E-777', hidden_at = now() where company_id = $1 and id = $2", queriestest.Hanbit, before.UserID)
	queriestest.Exec(t, db, "update departments set name = '새 부서' where company_id = $1 and id = $2", queriestest.Hanbit, before.DepartmentID)
	if got := rows(7)[0]; got.EmployeeID != before.EmployeeID || got.Hidden || got.DepartmentName != before.DepartmentName {
		t.Errorf("the same version: %q %t %q", got.EmployeeID, got.Hidden, got.DepartmentName)
	}
	if got := rows(8)[0]; got.EmployeeID != "E-777" || !got.Hidden || got.DepartmentName != "새 부서" {
		t.Errorf("the next version: %q %t %q", got.EmployeeID, got.Hidden, got.DepartmentName)
	}
}
