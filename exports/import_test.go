package exports_test

import (
	"bytes"
	"strings"
	"testing"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// The list of records, as it is exported in any language and format, can be imported
// into another console.
func TestExportsCanBeImported(t *testing.T) {
	operator := queries.Actor{CompanyID: queriestest.Hanbit, Name: "test"}
	bring := func(db *areas.Areas, name string, content []byte) attendance.ImportReport {
		t.Helper()
		report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: name, Content: bytes.NewReader(content)}}, attendance.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	from := queriestest.New(t)
	const rows = "employee_id,work_date,arrival,departure,device,place,leave\n" +
		"H0006,2026-11-09,09:00,2026-11-10 00:00,pc,판교,\nH0006,2026-11-10,09:30,17:00,mobile_web,,\nH0006,2026-11-11,,,,,leave\nH0006,2026-11-12,14:00,18:00,mobile,,am half\n" +
		"H0006,2026-11-13,,,,,\nH0006,2026-11-14,10:00,12:00,web,,\nH0006,2026-11-16,09:00,,,,\n"
	if report := bring(from, "clock.csv", []byte(rows)); report.Created != 7 {
		t.Fatalf("%+v", report)
	}
	reader := queriestest.Person(t, from, queriestest.Hanbit, queriestest.Admin)
	for _, locale := range []locales.Locale{locales.Korean, locales.English, locales.Japanese} {
		for _, format := range []string{"csv", "xlsx"} {
			f := attendance.Filter{Unit: attendance.LogUnit, First: day("2026-11-09"), Last: day("2026-11-16"), Query: "H0006"}
			var file bytes.Buffer
			if _, err := exports.Write(t.Context(), &file, from, reader, exports.Request{Filter: f, Format: format, Locale: locale}, exports.Options{}); err != nil {
				t.Fatal(err)
			}
			to := queriestest.New(t)
			report := bring(to, "export."+format, file.Bytes())
			if report.Created != 7 || report.RefusedRows != 0 || report.Leave != 2 {
				t.Errorf("%v %s: %+v", locale, format, report)
				continue
			}
			const times = "select string_agg(to_char(at, 'DD HH24:MI ') || kind, ', ' order by at) from clock_events"
			if before, after := queriestest.LookUp(t, from, times), queriestest.LookUp(t, to, times); before != after {
				t.Errorf("%v %s: times %s, not %s", locale, format, after, before)
			}
		}
	}
}

func day(text string) workday.Date {
	date, err := workday.ParseDate(strings.TrimSpace(text))
	if err != nil {
		panic(err)
	}
	return date
}
