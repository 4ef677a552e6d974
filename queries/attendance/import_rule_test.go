package attendance_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"

	"github.com/xuri/excelize/v2"
)

// A departure that is earlier than its arrival is on the next day for who works at
// night, and 24:00 is the end of the day for everybody.
func TestImportNights(t *testing.T) {
	db := queriestest.New(t)
	rows := []string{"H0006,2026-11-09,22:05,07:10,,", "H0006,2026-11-10,22:00,2026-11-11 07:00,,"}
	if got := summary(importLong(t, db, attendance.ImportOptions{DryRun: true}, rows...)); !strings.Contains(got, "2 departure 07:10: import.attendance.overnight") {
		t.Errorf("with hours of the day: %s", got)
	}
	const korean = "사번,근무일자,출근시간,퇴근시간\nH0006,2026. 11. 9.,오후 10:05,오전 7:10\n"
	if got := summary(importFile(t, db, attendance.ImportOptions{DryRun: true}, korean)); !strings.Contains(got, "2 퇴근시간 오전 7:10: import.attendance.overnight") {
		t.Errorf("as the file has it: %s", got)
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-12,13:00,24:00,,")); !strings.HasPrefix(got, "rows 1 created 1") {
		t.Errorf("until midnight: %s", got)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-12"); got != "[late 13:00 00:00 660]" {
		t.Errorf("until midnight: %s", got)
	}
	night := `{"work":true,"start":"22:00","end":"07:00","end_next_day":true}`
	db = queriestest.New(t)
	queriestest.Exec(t, db, fmt.Sprintf(`update policy_versions set settings = '{"week":{"mon":%s,"tue":%s}}' where company_id = 1 and policy_id = 2`, night, night))
	if got := summary(importLong(t, db, attendance.ImportOptions{}, rows...)); got != "rows 2 created 2 unchanged 0 refused 0 written true" {
		t.Errorf("with hours of the night: %s", got)
	}
	for date, want := range map[string]string{"2026-11-09": "[late 22:05 07:10 545]", "2026-11-10": "[on_time 22:00 07:00 540]", "2026-11-11": ""} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
}

func TestImportAsOfficesWrite(t *testing.T) {
	db := queriestest.New(t)
	file := "사번;이름;근무일자;출근시간;퇴근시간;기기;장소;비고\nH0006;김하늘;2015. 5. 11.;오전 9:02;오후 6:10;모바일;판교;외근\nH0006;;2015년 5월 12일(화);9:5;18시 30분;;;\nH0002;;20150511;0850;0.75;PC;;\n"
	run := func(options attendance.ImportOptions) attendance.ImportReport {
		t.Helper()
		report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: "근태.csv", Content: strings.NewReader(file)}}, options)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if got := summary(run(attendance.ImportOptions{})); got != "rows 0 created 0 unchanged 0 refused 1 written false\n1 비고 : import.column.unknown" {
		t.Errorf("an unknown column: %s", got)
	}
	if got := summary(run(attendance.ImportOptions{Columns: map[string]string{"비고": ""}})); got != "rows 3 created 3 unchanged 0 refused 0 written true" {
		t.Errorf("without the column: %s", got)
	}
	for date, want := range map[string]string{"2015-05-11": "[late 09:02 18:10 488]", "2015-05-12": "[late 09:05 18:30 505]"} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if got := dayOf(t, db, queriestest.Employee, "2015-05-11"); got != "[on_time 08:50 18:00 490]" {
		t.Errorf("a fraction of a day is %s", got)
	}
	file = "employee_id,work_date,arrival,departure\nH0006,03/02/2015,09:00,18:00\nH0006,04/02/2015,09:00,18:00\n"
	if got := summary(run(attendance.ImportOptions{SkipBad: true})); got != "rows 0 created 0 unchanged 0 refused 1 written false\n2 work_date 03/02/2015: import.attendance.date_order" {
		t.Errorf("day or month first: %s", got)
	}
	if got := summary(run(attendance.ImportOptions{DateFormat: "%d/%m/%Y"})); !strings.HasPrefix(got, "rows 2 created 2") {
		t.Errorf("day first: %s", got)
	}
}

// What Japanese offices write is read, and a mark of the next day needs no hours that
// cross midnight: it says which day is meant.
func TestImportAsJapaneseOfficesWrite(t *testing.T) {
	db := queriestest.New(t)
	file := "社員番号,氏名,所属,日付,出社時刻,退社時刻,区分\n" +
		"H0006,金,開発部,2026年11月2日（月）,９：００,１８：００,\n" +
		"H0006,金,開発部,令和8年11月4日,9:00,25:30,\n" +
		"H0006,金,開発部,R8.11.5,15:00,翌1:10,\n" +
		"H0006,金,開発部,11月6日,―,ー,夏季休暇\n" +
		"H0006,金,開発部,11月9日（月）,－,—,午前有休\n" +
		"H0006,金,開発部,11月10日,13:00,翌日 1:30,休日出勤\n"
	report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: "勤怠.csv", Content: strings.NewReader(file)}},
		attendance.ImportOptions{Columns: map[string]string{"区分": "leave"}})
	if got := summary(report); err != nil || got != "rows 6 created 6 unchanged 0 refused 0 written true" || report.Leave != 2 {
		t.Fatalf("%s, %d of leave (%v)", got, report.Leave, err)
	}
	for date, want := range map[string]string{
		"2026-11-02": "[on_time 09:00 18:00 480]", "2026-11-04": "[on_time 09:00 01:30 930]", "2026-11-05": "[late 15:00 01:10 610]", "2026-11-06": "[leave - - 0]", "2026-11-10": "[late 13:00 01:30 750]",
	} {
		if got := dayOf(t, db, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
}

// A date without its year waits for the other dates of the file, wherever they are.
func TestImportDatesWithoutYear(t *testing.T) {
	db := queriestest.New(t)
	const twice = "\n3 work_date 11月2日: import.attendance.twice"
	got := summary(importLong(t, db, attendance.ImportOptions{SkipBad: true}, "H0006,11月2日,09:00,18:00,,", "H0006,11月2日,09:00,18:00,,", "H0006,2026-11-04,09:00,18:00,,"))
	if got != "rows 3 created 2 unchanged 0 refused 1 written true"+twice {
		t.Errorf("beside one year: %s", got)
	}
	got = summary(importLong(t, db, attendance.ImportOptions{SkipBad: true}, "H0002,11月2日,09:00,18:00,,", "H0002,2026-11-04,09:00,18:00,,", "H0002,2025-11-04,09:00,18:00,,"))
	if got != "rows 3 created 2 unchanged 0 refused 1 written true\n2 work_date 11月2日: import.attendance.year" {
		t.Errorf("beside two years: %s", got)
	}
	report, err := db.Attendance.Import(t.Context(), operator, wideFiles("社員番号,11月9日（月）,2026年11月10日\nH0006,9:00,9:00\n", "社員番号,2026/11/9,11月10日\nH0006,18:00,26:00\n"), attendance.ImportOptions{})
	if got := summary(report); err != nil || got != "rows 2 created 2 unchanged 0 refused 0 written true" {
		t.Errorf("headings: %s (%v)", got, err)
	}
	report, err = db.Attendance.Import(t.Context(), operator, wideFiles("社員番号,11月9日\nH0006,9:00\n", "社員番号,11月9日\nH0006,18:00\n"), attendance.ImportOptions{DryRun: true})
	if got := summary(report); err != nil || !strings.HasSuffix(got, "in.csv 1 11月9日 : import.attendance.year") {
		t.Errorf("headings without any year: %s (%v)", got, err)
	}
}

func TestImportWorkbook(t *testing.T) {
	db := queriestest.New(t)
	book := excelize.NewFile()
	defer book.Close()
	for cell, value := range map[string]any{
		"A1": "사번", "B1": "날짜", "C1": "출근", "D1": "퇴근", "A2": "H0006", "B2": 42135, "C2": 0.375, "D2": 0.75, // 2015-05-11
		"A3": "H0006", "B3": "2015-05-12", "C3": "09:00", "D3": 42136.7604166667,
		"A4": "H0006", "B4": 42137, "C4": 0.5, "D4": 1, // midnight
	} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	report, err := db.Attendance.Import(t.Context(), operator, attendance.ImportFiles{Long: attendance.ImportFile{Name: "근태.xlsx", Content: &file}}, attendance.ImportOptions{})
	if err != nil || summary(report) != "rows 3 created 3 unchanged 0 refused 0 written true" || report.Encodings != nil {
		t.Fatalf("%s, %v", summary(report), err)
	}
	if got := dayOf(t, db, queriestest.Kim, "2015-05-11") + dayOf(t, db, queriestest.Kim, "2015-05-12") + dayOf(t, db, queriestest.Kim, "2015-05-13"); got != "[on_time 09:00 18:00 480][on_time 09:00 18:15 495][late 12:00 00:00 660]" {
		t.Errorf("imported %s", got)
	}
}

// What only one of two files has would silently become missing departures or arrivals.
func TestImportFilesThatDiffer(t *testing.T) {
	db := queriestest.New(t)
	const in = "id,2015-05-11,2015-05-12\nH0006,09:00,09:00\nH0002,08:00,08:00\n"
	for _, test := range []struct{ name, in, out, want string }{
		{"the same file", in, in, "rows 4 created 0 unchanged 0 refused 1 written false\n0  : import.attendance.same_file"},
		{"a person fewer", in, "id,2015-05-11,2015-05-12\nH0006,18:00,18:00\n", "rows 3 created 2 unchanged 0 refused 1 written false\nin.csv 3 employee_id H0002: import.attendance.missing_person"},
		{"a date fewer", in, "id,2015-05-11\nH0006,18:00\nH0002,18:00\n", "rows 3 created 2 unchanged 0 refused 1 written false\nin.csv 1 2015-05-12 : import.attendance.missing_date"},
		{"a date more", in, "id,2015-05-11,2015-05-12,2015-05-13\nH0006,18:00,18:00,18:00\nH0002,18:00,18:00,18:00\n", "rows 5 created 4 unchanged 0 refused 1 written false\nout.csv 1 2015-05-13 : import.attendance.missing_date"},
		{"a person twice", in + "H0006,10:00,10:00\n", "id,2015-05-11,2015-05-12\nH0006,18:00,18:00\nH0002,18:00,18:00\n", "rows 5 created 4 unchanged 0 refused 1 written false\nin.csv 4 employee_id H0006: import.attendance.person_twice"},
		{"a date twice", "id,2015-05-11,2015/5/11\nH0006,09:00,09:00\n", in, "rows 0 created 0 unchanged 0 refused 1 written false\nin.csv 1 2015/5/11 : import.column.twice"},
		{"a date of another weekday", "id,2015-05-11(월),2015-05-12(월)\nH0006,09:00,09:00\n", in, "rows 0 created 0 unchanged 0 refused 1 written false\nin.csv 1 2015-05-12(월) : import.attendance.weekday"},
		{"no dates", "id,name,team\nH0006,a,b\n", in, "rows 0 created 0 unchanged 0 refused 1 written false\nin.csv 1 name, team : import.attendance.date"},
	} {
		report, err := db.Attendance.Import(t.Context(), operator, wideFiles(test.in, test.out), attendance.ImportOptions{DryRun: true})
		if got := summary(report); err != nil || got != test.want {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
	}
	report, err := db.Attendance.Import(t.Context(), operator, wideFiles(in, "id,2015-05-11\nH0006,18:00\n"), attendance.ImportOptions{AllowMissing: true})
	if got := summary(report); err != nil || got != "rows 4 created 4 unchanged 0 refused 0 written true" {
		t.Errorf("if that is allowed: %s, %v", got, err)
	}
}

// The report names the encoding of text, whether it was recognized or chosen.
func TestImportNamesEncodings(t *testing.T) {
	db := queriestest.New(t)
	const row = "employee_id,work_date,arrival,departure,place\nH0006,2026-11-09,09:00,18:00,"
	for place, want := range map[string]string{"본사": "[utf-8]", "\xba\xbb\xbb\xe7": "[cp949]", "\xb0\xec\xb9\xab\xc2\xa5": "[gbk]", "HQ": "[utf-8]", "\xc7\xb0\xcc\xa8": "[]"} {
		if report := importFile(t, db, attendance.ImportOptions{DryRun: true}, row+place+"\n"); fmt.Sprint(report.Encodings) != want {
			t.Errorf("%q is read in %s: %s", place, report.Encodings, summary(report))
		}
	}
	report, err := db.Attendance.Import(t.Context(), operator, wideFiles("id,2026-11-09,\nH0006,09:00,é\n", "id,2026-11-09\nH0006,18:00\n"), attendance.ImportOptions{DryRun: true, Encoding: "latin1"})
	if fmt.Sprint(report.Encodings) != "[windows-1252]" || err != nil {
		t.Errorf("a column for each day: %s, %v", report.Encodings, err)
	}
}

// The same mistake in every row is one reason with its count, and only the first rows
// are listed.
func TestImportCountsReasons(t *testing.T) {
	db := queriestest.New(t)
	rows := []string{"H9999,2015-05-11,09:00,18:00,,"}
	for day := range 28 {
		rows = append(rows, fmt.Sprintf("H0006,2015-05-%02d,9,18:00,,", day+1))
	}
	report := importLong(t, db, attendance.ImportOptions{}, rows...)
	if got := fmt.Sprint(report.Reasons, len(report.Refused)); got != "[{import.attendance.time 28} {import.attendance.employee 1}] 29" {
		t.Errorf("reasons %s", got)
	}
	var said bytes.Buffer
	if err := report.Write(&said, words{}, 20); err != nil || strings.Count(said.String(), "import.attendance.time") != 21 || !strings.Contains(said.String(), "28  import.attendance.time") {
		t.Errorf("report %s (%v)", said.String(), err)
	}
}

// words are message ids as they are.
type words struct{}

func (words) N(id string, _ int, _ ...any) string { return id }
func (words) Duration(int) string                 { return "" }
func (words) Number(int64) string                 { return "" }
func (words) T(id string, _ ...any) string        { return id }
