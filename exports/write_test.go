package exports_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

var friday = workday.NewDate(2026, 11, 20)

// filled is a database in which Kim, of 국내영업팀, came and left on three days.
func filled(t *testing.T) *areas.Areas {
	t.Helper()
	db := queriestest.New(t)
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	var events []attendance.ClockInput
	for day := range 3 {
		in := queriestest.Now.AddDate(0, 0, -3+day).Add(-time.Duration(day) * time.Hour)
		for kind, at := range map[workday.Kind]time.Time{workday.In: in, workday.Out: in.Add(9*time.Hour + 30*time.Minute)} {
			events = append(events, attendance.ClockInput{EventID: fmt.Sprint(kind, day), UserID: queriestest.Kim, Kind: kind, OccurredAt: at, Offline: true, Platform: "pc"})
		}
	}
	results, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, events)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Status != attendance.ClockAccepted {
			t.Fatalf("%+v", r)
		}
	}
	return db
}

func reader(t *testing.T, db *areas.Areas, id int64) directory.Person {
	t.Helper()
	p, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, db *areas.Areas, who int64, r exports.List) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := exports.Write(t.Context(), &file, db, reader(t, db, who), r, exports.Options{}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func readCSV(t *testing.T, content []byte) [][]string {
	t.Helper()
	text, marked := bytes.CutPrefix(content, []byte("\xef\xbb\xbf"))
	if !marked {
		t.Error("the file does not say that it is UTF-8")
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestExportDay(t *testing.T) {
	db := filled(t)
	request := exports.Request{Filter: attendance.Filter{Unit: attendance.DayUnit, First: friday - 3, Last: friday - 3}, Format: exports.CSV, Locale: locales.Korean}
	rows := readCSV(t, write(t, db, queriestest.Admin, request))
	if got := strings.Join(rows[0][:8], " "); got != "날짜 이름 사번 부서 출근 퇴근 기기 근무시간" {
		t.Errorf("heading: %s", got)
	}
	if got := strings.Join(rows[1], "|"); got != "2026-11-17|김철수|H0006|한빛테크/영업본부/국내영업팀|10:00|19:30|PC|8:30|1:00|0:30|0:00|0:00|0:00||1:00|0:00||근무일|지각|지각, 연장근로" {
		t.Errorf("row: %s", got)
	}
	if len(rows) != 2 {
		t.Errorf("%d rows", len(rows))
	}
	if got := readCSV(t, write(t, db, queriestest.Employee, request)); len(got) != 1 {
		t.Errorf("an employee exports others: %v", got)
	}
	if got := readCSV(t, write(t, db, queriestest.Viewer, request)); len(got) != 2 {
		t.Errorf("a viewer of the department exports %v", got)
	}
}

func TestExportMonth(t *testing.T) {
	db := filled(t)
	content := write(t, db, queriestest.Admin, exports.Request{
		Filter: attendance.Filter{Unit: attendance.MonthUnit, First: workday.NewDate(2026, 11, 1), Last: workday.NewDate(2026, 11, 30), Query: "김철수"},
		Format: exports.XLSX, Locale: locales.English,
	})
	book, err := excelize.OpenReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows("Month")
	if err != nil || len(rows) != 2 {
		t.Fatalf("rows %v (%v)", rows, err)
	}
	cells := map[string]string{}
	for i, head := range rows[0] {
		if i < len(rows[1]) {
			cells[head] = rows[1][i]
		}
	}
	for head, want := range map[string]string{
		"Name": "김철수", "2026-11-17": "8:30", "2026-11-18": "8:30", "2026-11-20": "Not yet in", "Days worked": "3", "Late": "1", "Worked": "25:30",
	} {
		if cells[head] != want {
			t.Errorf("%s is %q, not %q", head, cells[head], want)
		}
	}
	if sum, err := book.CalcCellValue("Month", "AH2"); err != nil || sum == "" {
		t.Errorf("a figure is not a number: %q (%v)", sum, err)
	}
}

func TestExportHarmlessCells(t *testing.T) {
	var file bytes.Buffer
	f, err := exports.NewFile(&file, exports.CSV, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Row("=1+1", "+1", "-1", "@A1", "\tx", "＝1+1", "＋1", "－1", "＠A1", "좋아요", -1, nil, exports.Minutes(65)); err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(readCSV(t, file.Bytes())[0], "|"); got != "'=1+1|'+1|'-1|'@A1|'\tx|'＝1+1|'＋1|'－1|'＠A1|좋아요|-1||1:05" {
		t.Errorf("cells: %s", got)
	}
}

// A workbook has times as numbers, in columns that are wide enough to show them; CSV has
// them as text.
func TestTimesInFiles(t *testing.T) {
	seoul := time.FixedZone("", 9*60*60)
	at := time.Date(2026, 11, 20, 23, 59, 58, 999, time.UTC).In(seoul)
	content := func(format string) []byte {
		t.Helper()
		var file bytes.Buffer
		f, err := exports.NewFile(&file, format, "List")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Row(exports.Wide("at"), "seen"), f.Row(exports.Seconds(at), at), f.Finish()); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	if got := fmt.Sprint(readCSV(t, content(exports.CSV))); got != "[[at seen] [2026-11-21 08:59:58 2026-11-21 08:59]]" {
		t.Errorf("CSV has %s", got)
	}
	book, err := excelize.OpenReader(bytes.NewReader(content(exports.XLSX)))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	shown, err := book.GetRows("List")
	if got := fmt.Sprint(shown); err != nil || got != "[[at seen] [2026-11-21 08:59:58 2026-11-21 08:59]]" {
		t.Errorf("a workbook shows %s, %v", got, err)
	}
	stored, err := book.GetRows("List", excelize.Options{RawCellValue: true})
	if got := fmt.Sprint(stored); err != nil || !strings.HasPrefix(got, "[[at seen] [46347.374") {
		t.Errorf("a workbook has %s, %v", got, err)
	}
	wide, err := book.GetColWidth("List", "A")
	usual, err2 := book.GetColWidth("List", "B")
	if err != nil || err2 != nil || wide < 19 || usual > 10 {
		t.Errorf("columns of %f and %f characters, %v, %v", wide, usual, err, err2)
	}
}

// A list has its times as cells of times.
func TestListHasTimes(t *testing.T) {
	db := filled(t)
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), reader(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(write(t, db, queriestest.Admin, exports.ChangeRequest{List: exports.ChangesList, Format: exports.XLSX, Locale: locales.English})))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	sheet := book.GetSheetName(0)
	if kind, err := book.GetCellType(sheet, "A2"); err != nil || kind != excelize.CellTypeUnset {
		t.Errorf("the time is of kind %d, %v", kind, err)
	}
	if width, err := book.GetColWidth(sheet, "A"); err != nil || width < 19 {
		t.Errorf("the column has %f characters, %v", width, err)
	}
}

// The times in what the change log stores are in the zone of the other times of the file.
func TestChangesHaveTimesOfTheCompany(t *testing.T) {
	db := queriestest.New(t)
	by, stored := queriestest.AdminActor(t, db), time.FixedZone("of the server", -(3*60+30)*60)
	err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		return queries.New(tx).RecordChange(ctx, by, db.Now(), queries.Change{
			Action: "token.ended", ObjectType: "token", ObjectName: "메신저",
			Old: map[string]any{"expires_at": time.Date(2027, 1, 1, 20, 30, 0, 5e8, stored), "name": "2027-01-01T20:30 까지"}, New: map[string]any{"expires_at": nil},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := readCSV(t, write(t, db, queriestest.Admin, exports.ChangeRequest{List: exports.ChangesList, Format: exports.CSV, Locale: locales.English}))
	got := strings.Join(rows[1][6:], " ")
	if want := `{"name": "2027-01-01T20:30 까지", "expires_at": "2027-01-02T09:00:00.5+09:00"} {"expires_at": null}`; got != want {
		t.Errorf("old and new are %s", got)
	}
}

// What waits is written by the next run, and by another process when the first
// one is gone.
func TestExportInTheBackground(t *testing.T) {
	db := filled(t)
	request := exports.Request{Filter: attendance.Filter{Unit: attendance.DayUnit, First: friday, Last: friday}, Format: exports.CSV, Locale: locales.Japanese}
	var file bytes.Buffer
	if _, err := exports.Write(t.Context(), &file, db, reader(t, db, queriestest.Admin), request, exports.Options{MaxRows: 3}); !errors.Is(err, exports.ErrTooLarge) {
		t.Fatalf("seven rows where three are allowed: %v", err)
	}
	by := directory.ActorFrom(reader(t, db, queriestest.Admin), queries.Actor{}.Address)
	id, err := db.Exports.Request(t.Context(), by, request.FileName(), request)
	if err != nil {
		t.Fatal(err)
	}
	now := db.Now()
	if _, err := db.Exports.Claim(t.Context(), export.ClaimParams{Now: &now, Lost: now.Add(-time.Minute)}); err != nil {
		t.Fatal(err) // by a process that dies
	}
	if err := exports.Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	of := func(user int64) (export.Export, error) {
		return db.Exports.ByID(t.Context(), export.ByIDParams{CompanyID: queriestest.Hanbit, UserID: user, ID: id, Now: db.Now()})
	}
	if e, err := of(queriestest.Admin); err != nil || e.State != "running" {
		t.Fatalf("somebody still writes it: %+v (%v)", e, err)
	}
	if _, err := db.Pool().Exec(t.Context(), "update exports set seen_at = seen_at - interval '3 minutes'"); err != nil {
		t.Fatal(err)
	}
	if err := exports.Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	e, err := of(queriestest.Admin)
	if err != nil || e.State != "done" || e.Rows != 7 {
		t.Fatalf("written: %+v (%v)", e, err)
	}
	var sent bytes.Buffer
	if err := db.Exports.Send(t.Context(), e, &sent); err != nil || int64(sent.Len()) != e.Bytes {
		t.Errorf("%d of %d bytes (%v)", sent.Len(), e.Bytes, err)
	}
	if rows := readCSV(t, sent.Bytes()); rows[0][1] != "氏名" || len(rows) != 8 {
		t.Errorf("sent %v", rows)
	}
	if _, err := of(queriestest.Viewer); !errors.Is(err, queries.NotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := db.Exports.Write(t.Context(), e, func(io.Writer) (int64, error) { return 0, errors.New("broken") }); err == nil {
		t.Error("a failure is none")
	}
	if e, err := of(queriestest.Admin); err != nil || e.State != "failed" {
		t.Errorf("failed: %+v (%v)", e, err)
	}
}

// A workbook has dates, times of day and durations as numbers, which a spreadsheet can
// subtract and add up.
func TestWorkbookHasNumbers(t *testing.T) {
	db := filled(t)
	open := func(unit attendance.Unit, first, last workday.Date) (rows []map[string]string) {
		t.Helper()
		content := write(t, db, queriestest.Admin, exports.Request{
			Filter: attendance.Filter{Unit: unit, First: first, Last: last, Query: "김철수"}, Format: exports.XLSX, Locale: locales.English,
		})
		book, err := excelize.OpenReader(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		cells, err := book.GetRows(book.GetSheetName(0), excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range cells[1:] {
			row := map[string]string{}
			for i, value := range line {
				row[cells[0][i]] = value
			}
			rows = append(rows, row)
		}
		return rows
	}
	number := func(text string) float64 {
		t.Helper()
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Errorf("%q is no number", text)
		}
		return n
	}
	day := open(attendance.DayUnit, friday-3, friday-3)[0]
	if got, err := excelize.ExcelDateToTime(number(day["Date"]), false); err != nil || workday.DateOf(got) != friday-3 {
		t.Errorf("the date is %v, %v", got, err)
	}
	if presence := (number(day["Departure"]) - number(day["Arrival"])) * 24 * 60; math.Abs(presence-570) > 0.01 {
		t.Errorf("the presence is %f minutes", presence)
	}
	if worked := number(day["Worked"]) * 24 * 60; math.Abs(worked-510) > 0.01 {
		t.Errorf("the work is %f minutes", worked)
	}
	month := open(attendance.MonthUnit, friday-19, friday+10)[0]
	if month["Department"] != "한빛테크/영업본부/국내영업팀" || !strings.Contains(month["Late on"], "2026-11-17") {
		t.Errorf("the month has the department %q and is late on %q", month["Department"], month["Late on"])
	}
}
