package attendance_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

// operator is who imports by command.
var operator = queries.Actor{CompanyID: queriestest.Hanbit, Name: "officeconsole import attendance"}

func wideFiles(arrivals, departures string) attendance.ImportFiles {
	return attendance.ImportFiles{
		Arrivals: attendance.ImportFile{Name: "in.csv", Content: strings.NewReader(arrivals)}, Departures: attendance.ImportFile{Name: "out.csv", Content: strings.NewReader(departures)},
	}
}

func importLong(t *testing.T, db *areas.Areas, options attendance.ImportOptions, rows ...string) attendance.ImportReport {
	t.Helper()
	file := strings.NewReader("employee_id,work_date,arrival,departure,device,place\n" + strings.Join(rows, "\n"))
	report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: "clock.csv", Content: file}}, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func summary(r attendance.ImportReport) string {
	text := fmt.Sprintf("rows %d created %d unchanged %d refused %d written %v", r.Rows, r.Created, r.Unchanged, r.RefusedRows, r.Written)
	for _, refused := range r.Refused {
		text += "\n"
		if refused.File != "" {
			text += refused.File + " "
		}
		text += fmt.Sprintf("%d %s %s: %s", refused.Line, refused.Column, refused.Value, refused.Reason)
	}
	return text
}

func TestImportAttendance(t *testing.T) {
	db := queriestest.New(t)
	rows := []string{
		"H0006,2015-05-11,09:02,18:10,pc,판교",        // a Monday
		"H0006,2015-05-12,22:00,2015-05-13 03:30,,", // until the next morning
		"H0006,2015-05-13,,,,",
		"H0006,2015-05-16,10:00,12:00,mobile,", // a Saturday
		"H0002,2015-05-11,2015-05-11 08:50:30,2015-05-11 18:00:59,,",
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{DryRun: true}, rows...)); got != "rows 5 created 5 unchanged 0 refused 0 written false" {
		t.Errorf("dry run: %s", got)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from clock_events"); n != "0" {
		t.Errorf("a dry run wrote %s events", n)
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{}, rows...)); got != "rows 5 created 5 unchanged 0 refused 0 written true" {
		t.Errorf("imported: %s", got)
	}
	for date, want := range map[string]string{
		"2015-05-11": "[late 09:02 18:10 488]", "2015-05-12": "[late 22:00 03:30 330]", "2015-05-13": "[absent - - 0]", "2015-05-16": "[day_off 10:00 12:00 120]", "2015-05-14": "",
	} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{}, rows...)); got != "rows 5 created 0 unchanged 5 refused 0 written true" {
		t.Errorf("again: %s", got)
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{}, "H0006,2015-05-11,09:30,18:10,,")); got != "rows 1 created 0 unchanged 0 refused 1 written false\n2 arrival 09:30: import.attendance.taken" {
		t.Errorf("other times: %s", got)
	}
}

func TestImportRefusesOneself(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "update users set employee_id = 'H0001' where company_id = 1 and id = 1")
	file := func() attendance.ImportFiles {
		return attendance.ImportFiles{Long: attendance.ImportFile{Name: "clock.csv", Content: strings.NewReader("employee_id,work_date,arrival,departure\nH0001,2026-11-10,08:00,23:00\nH0006,2026-11-10,09:00,18:00")}}
	}
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), someone(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	report, err := db.Attendance.Import(t.Context(), by, file(), attendance.ImportOptions{SkipBad: true})
	if got := summary(report); err != nil || got != "rows 2 created 1 unchanged 0 refused 1 written true\n2 employee_id H0001: import.attendance.own" {
		t.Errorf("one of two administrators: %s (%v)", got, err)
	}
	queriestest.Exec(t, db, "update users set is_admin = false where company_id = 1 and id = $1", queriestest.Manager)
	report, err = db.Attendance.Import(t.Context(), by, file(), attendance.ImportOptions{})
	if got := summary(report); err != nil || got != "rows 2 created 1 unchanged 1 refused 0 written true" {
		t.Errorf("the only administrator: %s (%v)", got, err)
	}
}

func TestImportRefusesDeletedRecords(t *testing.T) {
	db := queriestest.New(t)
	importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-10,09:00,18:00,,", "H0006,2026-11-11,,,,")
	by, scope := editor(t, db, queriestest.Admin)
	for _, date := range []string{"2026-11-10", "2026-11-11"} {
		if err := db.Attendance.DeleteRecord(t.Context(), by, scope, keyOf(queriestest.Kim, date), "x", nil); err != nil {
			t.Fatal(err)
		}
	}
	got := summary(importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-10,09:00,18:00,,", "H0006,2026-11-11,09:00,18:00,,"))
	if got != "rows 2 created 0 unchanged 0 refused 2 written false\n2 work_date 2026-11-10: import.attendance.deleted\n3 work_date 2026-11-11: import.attendance.deleted" {
		t.Error(got)
	}
}

func TestImportRefusesAttendance(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-09-01', now(), 1)")
	accepted(t, take(t, db, clock("e", queriestest.Kim, "in", at(t, "2026-11-19 09:00"))))
	rows := map[string]string{
		"H9999,2026-11-10,09:00,18:00,,":                       "2 employee_id H9999: import.attendance.employee",
		",2026-11-10,09:00,18:00,,":                            "2 employee_id : import.attendance.employee",
		"H0006,10 Nov,09:00,18:00,,":                           "2 work_date 10 Nov: import.attendance.date",
		"H0006,2026-11-10(월),09:00,18:00,,":                    "2 work_date 2026-11-10(월): import.attendance.weekday",
		"H0006,2026-11-10,2026-11-11 (화) 09:00,18:00,,":        "2 arrival 2026-11-11 (화) 09:00: import.attendance.weekday",
		"H0006,2026-11-10,09:00,03:00,,":                       "2 departure 03:00: import.attendance.overnight",
		"H0006,2026-11-10,9:00,오전 9:00,,":                      "2 departure 오전 9:00: import.attendance.same_time",
		"H0006,2026-11-10,10:00,2026-11-11 09:30,,":            "2 departure 2026-11-11 09:30: import.attendance.outside",
		"H0006,2026-11-10,03:00,18:00,,":                       "2 arrival 03:00: import.attendance.outside",
		"H0006,2009-12-31,09:00,18:00,,":                       "2 work_date 2009-12-31: import.attendance.too_early",
		"H0006,2026-11-21,09:00,18:00,,":                       "2 work_date 2026-11-21: import.attendance.future",
		"H0006,2026-11-20,09:00,18:00,,":                       "2 departure 18:00: import.attendance.future",
		"H0006,2026-11-10,nine,18:00,,":                        "2 arrival nine: import.attendance.time",
		"H0006,2026-11-10,09:00,48:00,,":                       "2 departure 48:00: import.attendance.time",
		"H0006,2026-11-10,09:00,翌25:00,,":                      "2 departure 翌25:00: import.attendance.time",
		"H0006,2026-11-10,09:00,33:30,,":                       "2 departure 33:30: import.attendance.too_long",
		"H0006,2026-11-10,26:00,25:00,,":                       "2 departure 25:00: import.attendance.order",
		"H0006,11月10日,09:00,18:00,,":                           "2 work_date 11月10日: import.attendance.year",
		"H0006,令和8年11月10日（月）,09:00,18:00,,":                    "2 work_date 令和8年11月10日（月）: import.attendance.weekday",
		"H0006,2026-11-10,2026-11-12 09:00,,,":                 "2 arrival 2026-11-12 09:00: import.attendance.other_day",
		"H0006,2026-11-10,09:00,18:00,fax,":                    "2 device fax: import.attendance.device",
		"H0006,2026-09-10,09:00,18:00,,":                       "2 work_date 2026-09-10: import.attendance.locked",
		"H0006,2026-11-19,08:00,18:00,,":                       "2 arrival 08:00: import.attendance.taken",
		"H0006,2026-11-10,2026-11-10 09:00,2026-11-10 08:00,,": "2 departure 2026-11-10 08:00: import.attendance.order",
	}
	for row, want := range rows {
		if got := summary(importLong(t, db, attendance.ImportOptions{}, row)); got != "rows 1 created 0 unchanged 0 refused 1 written false\n"+want {
			t.Errorf("%s: %s", row, got)
		}
	}
	report := importLong(t, db, attendance.ImportOptions{SkipBad: true}, "H0006,2026-11-10,09:00,18:00,,", "H0006,2026-11-10,10:00,18:00,,", "H0006,2026-11-11,9,18:00,,")
	if got := summary(report); got != "rows 3 created 1 unchanged 0 refused 2 written true\n3 work_date 2026-11-10: import.attendance.twice\n4 arrival 9: import.attendance.time" {
		t.Errorf("with bad rows skipped: %s", got)
	}
	var said strings.Builder
	if err := report.Write(&said, locales.English, importfile.Brief); err != nil || !strings.Contains(said.String(), "3 days of people: 1 created, 0 unchanged, 2 refused") || !strings.Contains(said.String(), "Encoding: utf-8\n") || !strings.Contains(said.String(), "Write it like 09:00.") {
		t.Errorf("report says %s (%v)", said.String(), err)
	}
}

// A time that the clocks skip is refused on its date, also for who leaves on the next
// morning. On other dates it is a time like others. In Israel summer time begins on a
// Friday.
func TestImportOnTheNightSummerTimeBegins(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "update companies set time_zone = 'Asia/Jerusalem' where id = 1")
	options := attendance.ImportOptions{SkipBad: true, Overnight: true}
	got := summary(importLong(t, db, options,
		"H0006,2026-03-20,18:00,02:30,,", "H0006,2026-03-26,18:00,02:30,,", "H0006,2026-03-27,18:00,02:30,,"))
	const want = "rows 3 created 2 unchanged 0 refused 1 written true\n3 departure 02:30: record.time.skipped"
	if got != want {
		t.Errorf("got %s", got)
	}
	events := queriestest.LookUp(t, db, "select string_agg(to_char(at, 'DD HH24:MI'), ', ' order by at) from clock_events where user_id = 6 and kind = 'out' and at < '2026-04-01'")
	if events != "21 00:30, 27 23:30" {
		t.Errorf("departures %s", events)
	}
	if got := summary(importLong(t, db, options, "H0008,2026-03-27,02:30,18:00,,")); !strings.HasSuffix(got, "2 arrival 02:30: record.time.skipped") {
		t.Errorf("an arrival: %s", got)
	}
}

// What the database cannot store in a text is a refusal like others.
func TestImportRefusesCharacters(t *testing.T) {
	db := queriestest.New(t)
	options := attendance.ImportOptions{SkipBad: true, Encoding: "utf-8"}
	got := summary(importLong(t, db, options,
		"H0006,2015-05-11,09:00,18:00,pc,\x00판교", "H0006,2015-05-12,09:00,18:00,pc,\xff판교", "H00\x0006,2015-05-13,09:00,18:00,,", "H0006,2015-05-14,09\x00:00,18:00,,", "H0006,2015-05-15,09:00,18:00,,"))
	const want = "rows 5 created 1 unchanged 0 refused 4 written true\n2 place �판교: import.value.characters\n3 place �판교: import.value.characters\n" +
		"4 employee_id H00�06: import.attendance.employee\n5 arrival 09�:00: import.attendance.time"
	if got != want {
		t.Errorf("got %s", got)
	}
	file := attendance.ImportFiles{Long: attendance.ImportFile{Name: "clock.csv", Content: strings.NewReader("employee_id,work_date,arrival,departure,no\x00te\nH0006,2015-05-11,,,\n")}}
	report, err := db.Attendance.Import(t.Context(), operator, file, options)
	if got := summary(report); err != nil || got != "rows 0 created 0 unchanged 0 refused 1 written false\n1 no�te : import.column.unknown" {
		t.Errorf("a heading: %s (%v)", got, err)
	}
	report, err = db.Attendance.Import(t.Context(), operator, wideFiles("id,a\x00,b\x00\nH0006,09:00,\n", "id\n"), options)
	if got := summary(report); err != nil || !strings.HasSuffix(got, " a�, b� : import.attendance.date") {
		t.Errorf("a heading of a wide file: %s (%v)", got, err)
	}
}

func TestImportWideAttendance(t *testing.T) {
	db := queriestest.New(t)
	arrivals := "\"\",05/01/2015,06/01/2015,07/01/2015,10/01/2015\nH0006,2015-01-05 09:00:12,NA,2015-01-07 09:30:00,NA\nH0002,2015-01-05 08:00:00,2015-01-06 08:00:00,bad,NA\nH0404,NA,NA,NA,NA\n"
	departures := "\"\",05/01/2015,06/01/2015,07/01/2015,10/01/2015\nH0006,2015-01-05 18:00:40,NA,2015-01-07 17:00:00,NA\nH0002,2015-01-05 17:00:00,2015-01-06 07:00:00,2015-01-07 18:00:00,NA\n"
	run := func(options attendance.ImportOptions) attendance.ImportReport {
		t.Helper()
		options.DateFormat, options.TimeFormat = "%d/%m/%Y", "2006-01-02 15:04:05"
		report, err := db.Attendance.Import(t.Context(), operator, wideFiles(arrivals, departures), options)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	refused := "\nin.csv 3 07/01/2015 bad: import.attendance.time\nin.csv 4 employee_id H0404: import.attendance.employee\nout.csv 3 2015-01-06 08:00–07:00: import.attendance.order"
	if got := summary(run(attendance.ImportOptions{})); got != "rows 9 created 6 unchanged 0 refused 3 written false"+refused {
		t.Errorf("all or nothing: %s", got)
	}
	if got := summary(run(attendance.ImportOptions{SkipBad: true})); got != "rows 9 created 6 unchanged 0 refused 3 written true"+refused {
		t.Errorf("the good ones: %s", got)
	}
	for date, want := range map[string]string{
		"2015-01-05": "[on_time 09:00 18:00 480]", "2015-01-06": "[absent - - 0]", "2015-01-07": "[late_and_early 09:30 17:00 390]", "2015-01-10": "[day_off - - 0]",
	} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if got := dayOf(t, db, queriestest.Employee, "2015-01-07"); got != "" {
		t.Errorf("a refused day was imported: %s", got)
	}
	if got := summary(run(attendance.ImportOptions{SkipBad: true})); got != "rows 9 created 0 unchanged 6 refused 3 written true"+refused {
		t.Errorf("again: %s", got)
	}
}
