package attendance_test

import (
	"strings"
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

// A file that lists only days of work settles like one that lists every day, once the days
// without a row count as days without clocking.
func TestImportFillsDays(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week"}' where company_id = 1 and policy_id = 2`)
	before := queriestest.LookUp(t, db, derived)
	rows := []string{
		"H0006,2026-11-02,09:00,21:00,,", "H0006,2026-11-03,09:00,21:00,,", "H0006,2026-11-05,09:00,21:00,,", "H0006,2026-11-06,09:00,21:00,,", "H0006,2026-11-09,09:00,18:00,,",
		"H0002,2026-11-02,09:00,18:00,,",
	}
	const overtime = "select sum(overtime_min) from day_records where user_id = 6 and work_date between '2026-11-02' and '2026-11-08'"
	without := importLong(t, db, attendance.ImportOptions{}, rows...)
	if got := queriestest.LookUp(t, db, overtime); without.Filled != 0 || without.Created != 6 || got != "720" { // 44 hours of 32
		t.Errorf("without the choice: %d filled, overtime %s, %s", without.Filled, got, summary(without))
	}
	revert(t, db, without.ID)

	const counts = "rows 6 created 9 unchanged 0 refused 0 written "
	if dry := importLong(t, db, attendance.ImportOptions{FillDays: true, DryRun: true}, rows...); dry.Filled != 3 || summary(dry) != counts+"false" {
		t.Errorf("dry run: %d filled, %s", dry.Filled, summary(dry))
	}
	report := importLong(t, db, attendance.ImportOptions{FillDays: true}, rows...)
	if report.Filled != 3 || summary(report) != counts+"true" {
		t.Errorf("%d filled, %s", report.Filled, summary(report))
	}
	for date, want := range map[string]string{
		"2026-11-01": "", "2026-11-04": "[absent - - 0]", "2026-11-07": "[day_off - - 0]", "2026-11-08": "[holiday - - 0]", "2026-11-10": "",
	} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if got := dayOf(t, db, queriestest.Employee, "2026-11-03"); got != "" {
		t.Errorf("after the last date of a person: %s", got)
	}
	if got := queriestest.LookUp(t, db, overtime); got != "240" { // 44 hours of 40
		t.Errorf("overtime of the week is %s", got)
	}
	if again := importLong(t, db, attendance.ImportOptions{FillDays: true}, rows...); again.Filled != 0 || again.Created != 0 || again.Unchanged != 6 {
		t.Errorf("again: %d filled, %s", again.Filled, summary(again))
	}
	if got := revert(t, db, report.ID); got != "days 9 people 2 dropped 9 edited 0" {
		t.Errorf("reverted: %s", got)
	}
	if after := queriestest.LookUp(t, db, derived); after != before {
		t.Errorf("records were\n%s\nand are\n%s", before, after)
	}
}

// Days that have a record, are in a locked month or may be those of a refused row remain as
// they are, and so do one's own. A row of a day that was filled is imported later.
func TestImportFillsOnlyDaysWithoutRecord(t *testing.T) {
	db := queriestest.New(t)
	options := attendance.ImportOptions{FillDays: true, SkipBad: true}
	importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-03,,,,", "H0006,2026-11-04,09:00,18:00,,")
	by, scope := editor(t, db, queriestest.Admin)
	if err := db.Attendance.DeleteRecord(t.Context(), by, scope, keyOf(queriestest.Kim, "2026-11-03"), "x", nil); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, 6, '2026-11-05', 'leave')")
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-10-01', now(), 1)")
	report := importLong(t, db, options, "H0006,2026-09-30,09:00,18:00,,", "H0006,2026-11-06,09:00,18:00,,")
	if got := summary(report); report.Filled != 3 || got != "rows 2 created 5 unchanged 0 refused 0 written true" {
		t.Errorf("%d filled, %s", report.Filled, got)
	}
	for date, want := range map[string]string{
		"2026-10-05": "", "2026-11-01": "[holiday - - 0]", "2026-11-02": "[absent - - 0]", "2026-11-04": "[on_time 09:00 18:00 480]", "2026-11-05": "[leave - - 0]",
	} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if n := queriestest.LookUp(t, db, "select count(*) from day_records where user_id = 6 and work_date = '2026-11-03' and deleted_at is not null"); n != "1" {
		t.Error("a deleted record is no longer deleted")
	}
	if late := importLong(t, db, options, "H0006,2026-11-02,09:00,18:00,,"); late.Created != 1 || dayOf(t, db, queriestest.Kim, "2026-11-02") != "[on_time 09:00 18:00 480]" {
		t.Errorf("a row of a filled day: %s", summary(late))
	}

	for name, row := range map[string]string{"a time": "H0002,2026-11-03,nine,18:00,,", "a date": "H0002,3 Nov,09:00,18:00,,"} {
		if bad := importLong(t, db, options, "H0002,2026-11-02,09:00,18:00,,", row, "H0002,2026-11-05,09:00,18:00,,"); bad.Filled != 0 || bad.RefusedRows != 1 {
			t.Errorf("%s that cannot be read: %d filled, %s", name, bad.Filled, summary(bad))
		}
	}
	wide := options
	wide.AllowMissing = true
	report, err := db.Attendance.Import(t.Context(), operator, wideFiles("id,2026-10-30,2026-11-03\nH0008,09:00,bad\nH0003,09:00,09:00\n", "id,2026-11-05\nH0008,18:00\nH0003,18:00\n"), wide)
	if err != nil || report.Filled != 3 || dayOf(t, db, queriestest.Kim, "2026-10-31") != "" { // of the second, in November
		t.Errorf("wide files: %d filled, %s (%v)", report.Filled, summary(report), err)
	}

	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), someone(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	own := "employee_id,work_date,arrival,departure\nH0001,2026-11-02,09:00,18:00\nH0001,2026-11-05,09:00,18:00\n"
	report, err = db.Attendance.Import(t.Context(), by, attendance.ImportFiles{Long: attendance.ImportFile{Content: strings.NewReader(own)}}, options)
	if err != nil || report.Filled != 0 || report.RefusedRows != 2 {
		t.Errorf("of oneself: %d filled, %s (%v)", report.Filled, summary(report), err)
	}
}
