package attendance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const derived = `select coalesce(string_agg(r::text, ' ' order by user_id, work_date, extra), '') || (select coalesce(string_agg(m::text, ' ' order by user_id, month), '') from attendance_months m) from day_records r`

// revert reverts an import and returns what the report says.
func revert(t *testing.T, db *areas.Areas, id int64) string {
	t.Helper()
	r, err := db.Attendance.RevertImport(t.Context(), queriestest.Registrar, id)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("days %d people %d dropped %d edited %d", r.Days, r.People, r.Dropped, r.Total)
}

// A reverted import leaves every record and month as it was before, and its events,
// which no longer count.
func TestRevertImport(t *testing.T) {
	db := queriestest.New(t)
	accepted(t, take(t, db, clock("e1", queriestest.Employee, "in", at(t, "2026-11-19 09:00"))))
	before := queriestest.LookUp(t, db, derived)
	report := importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:00,18:00,,", "H0006,2015-05-12,13:00,2015-05-13 03:00,,", "H0006,2015-05-14,,,,", "H0002,2026-11-10,08:50,18:00,pc,")
	if report.ID == 0 || report.Created != 4 {
		t.Fatalf("%+v", report)
	}
	if row, r, err := db.Attendance.PreviewReversal(t.Context(), operator, report.ID); err != nil || row.State != attendance.ImportDone || r.Days != 4 || r.People != 2 || r.Total != 0 {
		t.Errorf("preview: %+v, %v", r, err)
	}
	if r, err := db.Attendance.TryReversal(t.Context(), operator, report.ID); err != nil || r.Days != 4 || r.People != 2 || r.Dropped != 4 {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
	if got := revert(t, db, report.ID); got != "days 4 people 2 dropped 4 edited 0" {
		t.Errorf("reverted: %s", got)
	}
	if after := queriestest.LookUp(t, db, derived); after != before {
		t.Errorf("records were\n%s\nand are\n%s", before, after)
	}
	if n := queriestest.LookUp(t, db, fmt.Sprintf("select count(*) from clock_events where import_id = %d", report.ID)); n != "6" {
		t.Errorf("%s events are stored", n)
	}
	if got := revert(t, db, report.ID); got != "import.revert.state" {
		t.Errorf("reverted again: %s", got)
	}
	for _, id := range []int64{0, report.ID + 1} {
		if _, err := db.Attendance.RevertImport(t.Context(), queriestest.Registrar, id); !errors.Is(err, queries.NotFound) {
			t.Errorf("import %d: %v", id, err)
		}
	}
	if _, err := db.Attendance.RevertImport(t.Context(), queries.Actor{CompanyID: queriestest.Other, Name: "x"}, report.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("import of another company: %v", err)
	}
	// The same days can be imported again.
	if got := summary(importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:30,18:00,,")); !strings.HasPrefix(got, "rows 1 created 1") {
		t.Errorf("again: %s", got)
	}
	if got := dayOf(t, db, queriestest.Kim, "2015-05-11"); got != "[late 09:30 18:00 450]" {
		t.Errorf("again: %s", got)
	}
}

// Records that somebody has edited since remain edited and are named; those that other
// events have, or had before, remain.
func TestRevertImportWithEdits(t *testing.T) {
	db := queriestest.New(t)
	accepted(t, take(t, db, clock("e1", queriestest.Kim, "break_start", at(t, "2026-11-18 12:00"))))
	report := importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:00,18:00,,", "H0006,2015-05-12,09:00,18:00,,", "H0006,2026-11-17,09:00,18:00,,", "H0006,2026-11-18,09:00,18:00,,")
	by, scope := editor(t, db, queriestest.Admin)
	edit := attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2015-05-12"), Arrival: changeTo(t, "2015-05-12 08:30"), Reason: "출입 기록"}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); err != nil {
		t.Fatal(err)
	}
	accepted(t, take(t, db, clock("e2", queriestest.Kim, "in", at(t, "2026-11-17 08:00"))))
	_, preview, err := db.Attendance.PreviewReversal(t.Context(), operator, report.ID)
	if err != nil || preview.Total != 1 || len(preview.Edited) != 1 || preview.Edited[0].Date.String() != "2015-05-12" || preview.Edited[0].Name == "" {
		t.Errorf("edited: %+v, %v", preview, err)
	}
	if got := revert(t, db, report.ID); got != "days 4 people 1 dropped 1 edited 1" {
		t.Errorf("reverted: %s", got)
	}
	for date, want := range map[string]string{"2015-05-11": "", "2015-05-12": "[missing_departure 08:30 - -]", "2026-11-17": "[missing_departure 08:00 - -]"} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
}

// A dry run that replaces an import counts the records that are gone as the replacement
// does: one that other events need since remains.
func TestReplaceImportCountsRecords(t *testing.T) {
	db := queriestest.New(t)
	first := importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-16,09:00,18:00,,", "H0006,2026-11-17,09:00,18:00,,")
	accepted(t, take(t, db, clock("e", queriestest.Kim, "in", at(t, "2026-11-17 08:00"))))
	before := queriestest.LookUp(t, db, derived)
	for _, isDry := range []bool{true, false} {
		report := importLong(t, db, attendance.ImportOptions{ReplacesID: first.ID, DryRun: isDry}, "H0006,2026-11-16,09:10,18:00,,")
		if report.Reverted == nil || report.Reverted.Dropped != 1 || report.Reverted.Days != 2 {
			t.Errorf("dry %v: %+v", isDry, report.Reverted)
		}
		if after := queriestest.LookUp(t, db, derived); isDry && after != before {
			t.Errorf("a dry run changed records to %s", after)
		}
	}
}

func changeTo(t *testing.T, text string) workday.Change {
	to := at(t, text)
	return workday.Change{Edited: true, To: &to}
}

// A corrected file replaces an import in one step: what is in it counts, what is not is
// gone, and an import that is refused leaves everything as it is.
func TestReplaceImport(t *testing.T) {
	db := queriestest.New(t)
	first := importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:30,18:00,,", "H0006,2015-05-12,09:00,18:00,,")
	before := queriestest.LookUp(t, db, derived)
	corrected := []string{"H0006,2015-05-11,09:00,18:00,,", "H0006,2015-05-13,09:00,18:00,,"}
	for name, options := range map[string]attendance.ImportOptions{"a dry run": {DryRun: true, ReplacesID: first.ID}, "without replacing": {}} {
		report := importLong(t, db, options, corrected...)
		if report.Written || queriestest.LookUp(t, db, derived) != before {
			t.Errorf("%s: %s", name, summary(report))
		}
		if refused := report.RefusedRows > 0; refused == options.DryRun {
			t.Errorf("%s: %s", name, summary(report))
		}
	}
	second := importLong(t, db, attendance.ImportOptions{ReplacesID: first.ID}, corrected...)
	if got := summary(second); got != "rows 2 created 2 unchanged 0 refused 0 written true" || second.Reverted == nil || second.Reverted.Days != 2 {
		t.Errorf("replaced: %s %+v", got, second.Reverted)
	}
	for date, want := range map[string]string{"2015-05-11": "[on_time 09:00 18:00 480]", "2015-05-12": "", "2015-05-13": "[on_time 09:00 18:00 480]"} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	log := queriestest.LookUp(t, db, "select string_agg(action || object_id, ' ' order by id) from changes where object_type = 'attendance_import'")
	if want := fmt.Sprintf("attendance.imported%d attendance.import_reverted%d attendance.imported%d", first.ID, first.ID, second.ID); log != want {
		t.Errorf("change log: %s", log)
	}
	if _, err := db.Attendance.Import(t.Context(), operator, wideFiles("a", "b"), attendance.ImportOptions{ReplacesID: first.ID}); err != nil {
		t.Errorf("files without days: %v", err)
	}
	file := attendance.ImportFiles{Long: attendance.ImportFile{Content: strings.NewReader("employee_id,work_date,arrival,departure\nH0006,2015-05-15,,\n")}}
	if _, err := db.Attendance.Import(t.Context(), operator, file, attendance.ImportOptions{ReplacesID: first.ID}); !attendance.IsImportRefusal(err) {
		t.Errorf("an import that was replaced before: %v", err)
	}
}

// An import with one's own attendance is reverted, or replaced, by another administrator.
func TestRevertImportOfOneself(t *testing.T) {
	db := queriestest.New(t)
	rows := []string{"H0001,2015-05-11,09:00,18:00,,", "H0006,2015-05-11,09:00,18:00,,"}
	report := importLong(t, db, attendance.ImportOptions{}, rows...)
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), someone(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	by := queriestest.AdminActor(t, db)
	const refused = queries.Invalid("import.revert.own")
	if _, _, err := db.Attendance.RequestReversal(t.Context(), by, report.ID); !errors.Is(err, refused) {
		t.Errorf("reverting: %v", err)
	}
	if _, _, err := db.Attendance.PreviewReversal(t.Context(), by, report.ID); !errors.Is(err, refused) {
		t.Errorf("asking: %v", err)
	}
	if _, err := db.Attendance.CreateImport(t.Context(), by, []attendance.StoredFile{{Name: "a.csv"}}, attendance.ImportOptions{ReplacesID: report.ID}, attendance.ImportDraft); !errors.Is(err, refused) {
		t.Errorf("replacing: %v", err)
	}
	if _, err := db.Attendance.RevertImport(t.Context(), queriestest.ManagerActor(t, db), report.ID); err != nil {
		t.Errorf("another administrator: %v", err)
	}
	if report = importLong(t, db, attendance.ImportOptions{}, rows...); queriestest.LookUp(t, db, "select count(*) from attendance_import_people where user_id = 1") == "0" {
		t.Fatal("nothing was imported again")
	}
	queriestest.Exec(t, db, "update users set is_admin = false where id = $1", queriestest.Manager)
	if got := revert(t, db, report.ID); !strings.HasPrefix(got, "days 2 people 2") {
		t.Errorf("the only administrator: %s", got)
	}
}

func TestRevertImportOfLockedMonth(t *testing.T) {
	db := queriestest.New(t)
	report := importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:00,18:00,,", "H0006,2015-07-13,09:00,18:00,,")
	before := queriestest.LookUp(t, db, derived)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2015-07-01', now(), 1)")
	if got := revert(t, db, report.ID); got != "import.revert.locked" {
		t.Errorf("with a locked month: %s", got)
	}
	if after := queriestest.LookUp(t, db, derived); after != before {
		t.Errorf("records have changed: %s", after)
	}
	if row, err := db.Attendance.Imported(t.Context(), attendance.ImportedParams{CompanyID: queriestest.Hanbit, ID: report.ID}); err != nil || row.State != attendance.ImportDone || row.RevertedAt != nil {
		t.Errorf("the import is %s, %v", row.State, err)
	}
	queriestest.Exec(t, db, "delete from attendance_locks")
	if got := revert(t, db, report.ID); got != "days 2 people 1 dropped 2 edited 0" {
		t.Errorf("unlocked: %s", got)
	}
}

// Rows of a locked month that an import refused are not its days: they neither prevent
// reverting or replacing it, nor count as its dates and people.
func TestRevertImportThatRefusedLockedRows(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2015-10-01', now(), 1), (1, '2015-12-01', now(), 1)")
	rows := []string{"H0006,2015-10-15,09:00,18:00,,", "H0006,2015-11-04,09:00,18:00,,", "H0006,2015-11-05,09:00,18:00,,", "H0002,2015-12-01,09:00,18:00,,"}
	report := importLong(t, db, attendance.ImportOptions{SkipBad: true}, rows...)
	row, err := db.Attendance.Imported(t.Context(), attendance.ImportedParams{CompanyID: queriestest.Hanbit, ID: report.ID})
	if err != nil {
		t.Fatal(err)
	}
	if first, last, _ := row.Dates(); first.String() != "2015-11-04" || last.String() != "2015-11-05" || row.Days != 2 || row.People != 1 || report.RefusedRows != 2 {
		t.Errorf("%d days of %d people from %s to %s, %d refused", row.Days, row.People, first, last, report.RefusedRows)
	}
	// Imports of before have the dates of refused rows too.
	queriestest.Exec(t, db, "update attendance_imports set first_date = '2015-10-15', last_date = '2015-12-01'")
	replacing := importLong(t, db, attendance.ImportOptions{ReplacesID: report.ID}, rows[1])
	if replacing.Created != 1 || replacing.Reverted == nil || replacing.Reverted.Days != 2 {
		t.Errorf("replaced: %s", summary(replacing))
	}
	if again := importLong(t, db, attendance.ImportOptions{}, rows[1]); again.Unchanged != 1 || again.People != 0 {
		t.Errorf("again: %s, %d people", summary(again), again.People)
	} else if row, err = db.Attendance.Imported(t.Context(), attendance.ImportedParams{CompanyID: queriestest.Hanbit, ID: again.ID}); err != nil || row.FirstDate != nil || row.LastDate != nil {
		t.Errorf("without new days: from %v to %v (%v)", row.FirstDate, row.LastDate, err)
	}
	if got := revert(t, db, replacing.ID); got != "days 1 people 1 dropped 1 edited 0" {
		t.Errorf("reverted: %s", got)
	}
}

// An uploaded import is checked and imported by a job; one whose process died is begun
// again, and what cannot be done says so.
func TestRunImports(t *testing.T) {
	db := queriestest.New(t)
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	content := "employee_id,work_date,arrival,departure\nH0006,2015-05-11,09:00,18:00\nH0006,2015-05-12,9,18:00\n"
	blob, err := files.Put(t.Context(), queriestest.Hanbit, strings.NewReader(content), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	stored := []attendance.StoredFile{{Name: "clock.csv", Key: blob.Key}}
	by := queriestest.Registrar
	id, err := db.Attendance.CreateImport(t.Context(), by, stored, attendance.ImportOptions{}, attendance.ImportChecking)
	if err != nil {
		t.Fatal(err)
	}
	run := func() attendance.Import {
		t.Helper()
		if err := db.Attendance.RunImports(t.Context(), files); err != nil {
			t.Fatal(err)
		}
		row, err := db.Attendance.Imported(t.Context(), attendance.ImportedParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	if row := run(); row.State != attendance.ImportChecked || row.ImportReport().RefusedRows != 1 || row.ImportReport().Refused[0].Line != 3 {
		t.Errorf("checked: %s %s", row.State, row.Report)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from clock_events"); n != "0" {
		t.Errorf("checking wrote %s events", n)
	}
	used, err := db.Attendance.ImportFilesInUse(t.Context(), attendance.ImportFilesInUseParams{CompanyID: queriestest.Hanbit, Keys: []string{blob.Key, "1/x"}})
	if err != nil || len(used) != 1 {
		t.Errorf("files in use: %v, %v", used, err)
	}
	if err := db.Attendance.BeginImport(t.Context(), by, id, attendance.ImportOptions{SkipBad: true}, attendance.ImportImporting); err != nil {
		t.Fatal(err)
	}
	// Another process works on it, and then no longer reports.
	queriestest.Exec(t, db, "update attendance_imports set seen_at = $1", db.Now())
	if row := run(); row.State != attendance.ImportImporting {
		t.Errorf("taken from another process: %s", row.State)
	}
	queriestest.Exec(t, db, "update attendance_imports set seen_at = $1", db.Now().Add(-time.Hour))
	if row := run(); row.State != attendance.ImportDone || row.Days != 1 || row.StoredFiles()[0].Key != "" || len(row.StoredFiles()[0].SHA256) != 64 {
		t.Errorf("imported: %s %s %s", row.State, row.Report, row.Files)
	}
	if err := db.Attendance.BeginImport(t.Context(), by, id, attendance.ImportOptions{}, attendance.ImportChecking); !attendance.IsImportRefusal(err) {
		t.Errorf("begun again: %v", err)
	}
	if err := db.Attendance.DeleteImport(t.Context(), by, id); !attendance.IsImportRefusal(err) {
		t.Errorf("deleted: %v", err)
	}
	queriestest.Exec(t, db, "update attendance_imports set state = 'reverting'")
	if row := run(); row.State != attendance.ImportReverted || row.RevertedAt == nil {
		t.Errorf("reverted: %s", row.State)
	}
	stored[0].Key = "1/ab/" + strings.Repeat("ab", 32)
	if id, err = db.Attendance.CreateImport(t.Context(), by, stored, attendance.ImportOptions{}, attendance.ImportImporting); err != nil {
		t.Fatal(err)
	}
	if row := run(); row.State != attendance.ImportFailed {
		t.Errorf("without its file: %s", row.State)
	}
	queriestest.Exec(t, db, "update attendance_imports set created_at = created_at - interval '2 days'")
	if err := db.Attendance.DeleteOldImports(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := queriestest.LookUp(t, db, "select string_agg(state, ' ') from attendance_imports"); n != "reverted" {
		t.Errorf("after two days there is %s", n)
	}
}
