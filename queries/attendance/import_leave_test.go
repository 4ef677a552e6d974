package attendance_test

import (
	"strings"
	"testing"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func importFile(t *testing.T, db *areas.Areas, options attendance.ImportOptions, file string) attendance.ImportReport {
	t.Helper()
	report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: "근태.csv", Content: strings.NewReader(file)}}, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func grantsOf(t *testing.T, db *areas.Areas) string {
	t.Helper()
	return queriestest.LookUp(t, db, "select coalesce(string_agg(user_id || ' ' || work_date || ' ' || leave || ' ' || overtime_min, ', ' order by user_id, work_date), '') from attendance_grants")
}

const leaveFile = `사번,근무일자,출근시간,퇴근시간,근태구분
H0006,2026. 11. 2.,9:00,18:00,정상
H0006,2026. 11. 3.,,,연차
H0006,2026. 11. 4.,14:00,18:00,오전 반차
H0006,2026. 11. 5.,09:00,14:00,PM half
H0006,2026. 11. 6.,有給,,
H0002,2026. 11. 3.,09:00,18:00,
`

func TestImportLeave(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, overtime_min) values (1, 6, '2026-11-04', 60)")
	if r := importFile(t, db, attendance.ImportOptions{DryRun: true}, leaveFile); r.Leave != 4 || r.Created != 6 || r.RefusedRows != 0 || grantsOf(t, db) != "6 2026-11-04  60" {
		t.Fatalf("dry run: %+v, grants %s", r, grantsOf(t, db))
	}
	r := importFile(t, db, attendance.ImportOptions{}, leaveFile)
	const granted = "6 2026-11-03 leave 0, 6 2026-11-04 half_leave_am 60, 6 2026-11-05 half_leave_pm 0, 6 2026-11-06 leave 0"
	if r.Leave != 4 || grantsOf(t, db) != granted {
		t.Fatalf("%+v, grants %s", r, grantsOf(t, db))
	}
	for date, want := range map[string]string{"2026-11-02": "[on_time 09:00 18:00 480]", "2026-11-03": "[leave - - 0]", "2026-11-04": "[on_time 14:00 18:00 240]", "2026-11-05": "[on_time 09:00 14:00 240]", "2026-11-06": "[leave - - 0]"} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if again := importFile(t, db, attendance.ImportOptions{}, leaveFile); again.Unchanged != 6 || again.Created != 0 || again.Leave != 0 {
		t.Errorf("again: %+v", again)
	}

	// A day that has its times already gets only the leave.
	added := strings.Replace(leaveFile, "H0002,2026. 11. 3.,09:00,18:00,", "H0002,2026. 11. 3.,09:00,18:00,오후반차", 1)
	second := importFile(t, db, attendance.ImportOptions{}, added)
	if second.Created != 1 || second.Unchanged != 5 || second.Leave != 1 || queriestest.LookUp(t, db, "select count(*) from clock_events where user_id = 2") != "2" {
		t.Errorf("with leave added: %+v", second)
	}

	// Leave that somebody has edited since remains.
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	half := workday.HalfLeaveAM
	err := db.Attendance.EditRecords(t.Context(), queries.Actor{CompanyID: 1, UserID: 1, Name: "김서연"}, attendanceScopeOf(t, db, admin),
		[]attendance.RecordEdit{{Key: keyOf(queriestest.Kim, "2026-11-06"), Leave: &half, Reason: "오전만"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{second.ID, r.ID} {
		if _, err := db.Attendance.RevertImport(t.Context(), operator, id); err != nil {
			t.Fatal(err)
		}
	}
	if got := grantsOf(t, db); got != "6 2026-11-04  60, 6 2026-11-06 half_leave_am 0" {
		t.Errorf("after the reversal: %s", got)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-03"); got != "" {
		t.Errorf("a reverted day of leave is %s", got)
	}
}

func TestImportReplacesLeave(t *testing.T) {
	db := queriestest.New(t)
	first := importFile(t, db, attendance.ImportOptions{}, leaveFile)
	corrected := strings.Replace(leaveFile, ",,,연차", ",09:00,18:00,", 1)
	if r := importFile(t, db, attendance.ImportOptions{ReplacesID: first.ID, DryRun: true}, corrected); r.RefusedRows != 0 || r.Created != 6 {
		t.Fatalf("dry run: %+v", r)
	}
	if r := importFile(t, db, attendance.ImportOptions{ReplacesID: first.ID}, corrected); !r.Written || r.Leave != 3 || strings.Contains(grantsOf(t, db), "2026-11-03") {
		t.Errorf("%+v, grants %s", r, grantsOf(t, db))
	}
}

func TestImportRefusesLeave(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, 6, '2026-11-03', 'half_leave_am')")
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-09-01', now(), 1)")
	for row, want := range map[string]string{
		"H0006,2026-11-03,,,연차":       "2 근태구분 연차: import.attendance.leave_taken",
		"H0006,2026-11-04,,,쉬었음":      "2 근태구분 쉬었음: import.attendance.leave",
		"H0006,2026-11-04,연차,,반차(오전)": "2 근태구분 반차(오전): import.attendance.leave_conflict",
		"H0006,2026-11-07,,,연차":       "2 근태구분 연차: record.leave.free", // a Saturday
		"H0006,2026-09-03,,,연차":       "2 근무일자 2026-09-03: import.attendance.locked",
	} {
		r := importFile(t, db, attendance.ImportOptions{}, "사번,근무일자,출근시간,퇴근시간,근태구분\n"+row+"\n")
		if got := summary(r); got != "rows 1 created 0 unchanged 0 refused 1 written false\n"+want || r.Leave != 0 {
			t.Errorf("%s: %s, %d", row, got, r.Leave)
		}
	}
}

func TestImportWideLeave(t *testing.T) {
	db := queriestest.New(t)
	arrivals := "사번,2026-11-03,2026-11-04\nH0006,연차,14:00\n"
	departures := "사번,2026-11-03,2026-11-04\nH0006,연차,午前半休\n"
	report, err := db.Attendance.Import(t.Context(), operator, wideFiles(arrivals, departures), attendance.ImportOptions{})
	if err != nil || report.Leave != 2 || grantsOf(t, db) != "6 2026-11-03 leave 0, 6 2026-11-04 half_leave_am 0" {
		t.Errorf("%+v, grants %s (%v)", report, grantsOf(t, db), err)
	}
}

// A departure after midnight of somebody who does not work at night can be imported
// by saying so.
func TestImportOvernight(t *testing.T) {
	db := queriestest.New(t)
	const row = "H0006,2026-11-09,15:00,01:10,,"
	if got := summary(importLong(t, db, attendance.ImportOptions{}, row)); !strings.Contains(got, "import.attendance.overnight") {
		t.Errorf("without the option: %s", got)
	}
	if r := importLong(t, db, attendance.ImportOptions{Overnight: true}, row); r.Created != 1 || r.RefusedRows != 0 {
		t.Errorf("with it: %+v", r)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-09"); got != "[late 15:00 01:10 610]" {
		t.Errorf("the day is %s", got)
	}
}

// The preview says what leave is understood, and does not name hidden people.
func TestPreviewOfLeaveAndHiddenPeople(t *testing.T) {
	db := queriestest.New(t)
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const beginning = "사번,근무일자,출근시간,퇴근시간,근태구분\nH0006,2026-11-03,,,연차\nH0006,2026-11-06,有給,,정상\nH0005,2026-11-03,,,休日\nH0404,2026-11-03,,,무엇\n"
	stored, err := db.Attendance.UploadImportFile(t.Context(), operator, files, attendance.ImportFile{Name: "근태.csv", Content: strings.NewReader(beginning)})
	if err != nil {
		t.Fatal(err)
	}
	id, err := db.Attendance.CreateImport(t.Context(), operator, []attendance.StoredFile{stored}, attendance.ImportOptions{}, attendance.ImportDraft)
	if err != nil {
		t.Fatal(err)
	}
	row, err := db.Attendance.Imported(t.Context(), attendance.ImportedParams{CompanyID: 1, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	p, err := db.Attendance.PreviewImport(t.Context(), row, attendance.ImportOptions{}, files)
	if err != nil {
		t.Fatal(err)
	}
	if p.Files[0].Columns[4].Name != "leave" {
		t.Errorf("columns %+v", p.Files[0].Columns)
	}
	cell := func(row, column int) attendance.PreviewCell { return p.Files[0].Rows[row].Cells[column] }
	if cell(0, 4).Leave != workday.Leave || cell(1, 2).Leave != workday.Leave || cell(1, 4).Leave != "" || cell(1, 4).Reason != "" || cell(3, 4).Reason != "import.attendance.leave" {
		t.Errorf("rows %+v", p.Files[0].Rows)
	}
	if one := cell(0, 0); one.Understood != "김철수" || one.IsPerson {
		t.Errorf("a person: %+v", one)
	}
	if one := cell(2, 0); one.Understood != "" || one.Reason != "" || !one.IsPerson {
		t.Errorf("a hidden person: %+v", one)
	}
	if one := cell(3, 0); one.Reason != "import.attendance.employee" || one.IsPerson {
		t.Errorf("nobody: %+v", one)
	}
	hidden := importFile(t, db, attendance.ImportOptions{}, "사번,근무일자,출근시간,퇴근시간\nH0005,2026-10-13,09:00,18:00\n")
	if hidden.Created != 1 {
		t.Errorf("the history of a hidden user: %+v", hidden)
	}
}
