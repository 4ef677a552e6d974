package handlers_test

import (
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

// What can be done about a mistake is a button beside it, which checks the file again.
func TestImportRemedies(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	c := s.as(queriestest.Admin)
	const one = importsPath + "/1"
	c.uploadAs("file", importsPath, &file{"근태.csv", []byte("사번,근무일자,출근,퇴근,근태구분\nH0006,03/02/2015,15:00,1:10,\nH0006,04/02/2015,,,연차\nH0005,05/02/2015,14:00,18:00,오전 반차\nH0006,07/02/2015,,,연차\nH0006,06/02/2015,,,병결\n")}).leads(one)
	c.get(one).want(200).shows("휴가", "오전 반차", "등록된 사번", "휴가로 인식할 수 없는 값입니다").hides("정하윤", `name="remedy"`)
	fields := []string{"heading", "사번", "column", "employee_id", "heading", "근무일자", "column", "work_date", "heading", "출근", "column", "arrival", "heading", "퇴근", "column", "departure", "heading", "근태구분", "column", "leave"}
	remedy := func(value string, more ...string) answer {
		t.Helper()
		c.post(one, append(append([]string{"remedy", value}, more...), fields...)...).leads(one)
		if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
			t.Fatal(err)
		}
		return c.get(one).want(200)
	}
	remedy("").shows("일/월/연으로 읽기", "월/일/연으로 읽기", `value="date 02/01/2006"`)
	page := remedy("date 02/01/2006").shows("2015-02-03", "다음 날 퇴근으로 읽기", "휴가 열 빼기", "휴일과 휴무일에는 휴가를 넣을 수 없습니다.").hides("일/월/연으로 읽기</button>")
	page.shows("2일을 가져옵니다", ">휴가</dt>")
	remedy("overnight", "date_format", "02/01/2006").shows("3일을 가져옵니다", `name="overnight" value="1" checked`).hides("다음 날 퇴근으로 읽기")
	remedy("leave", "date_format", "02/01/2006", "overnight", "1").shows("5일을 가져옵니다").hides("휴가 열 빼기", ">휴가</dt>")
	remedy("format the disk", "date_format", "02/01/2006", "overnight", "1").shows("3일을 가져옵니다")
	if n := s.count("select count(*) from attendance_grants"); n != 0 {
		t.Errorf("dry runs granted %d days", n)
	}
	c.get("/en"+one).shows("Known employee ID", "Ignore the leave column")
	c.get("/ja"+one).shows("登録済みの社員番号", "休暇の列を除く")
	c.post(one, append([]string{"action", "import", "date_format", "02/01/2006", "overnight", "1"}, fields...)...).leads(one)
	if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	if n := s.count("select count(*) from attendance_grants where leave <> ''"); n != 2 {
		t.Errorf("%d days of leave were imported", n)
	}
}

// The page says how to write a date or a time, and names no option of the command.
func TestImportOfUnreadableCells(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	c := s.as(queriestest.Admin)
	const one = importsPath + "/1"
	c.uploadAs("file", importsPath, &file{"근태.csv", []byte("사번,근무일자,출근,퇴근\nH0006,2026-07-32,9:00,18:00\nH0006,2026-07-03,900,18:00\n")}).leads(one)
	c.post(one, "action", "check", "heading", "사번", "column", "employee_id", "heading", "근무일자", "column", "work_date", "heading", "출근", "column", "arrival", "heading", "퇴근", "column", "departure").leads(one)
	if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string][]string{
		"":    {"2026-07-02처럼 적거나 날짜 형식을 선택해 주세요.", "09:00처럼 적어 주세요."},
		"/en": {"Write it like 2026-07-02, or choose the date format.", "Write it like 09:00."},
		"/ja": {"2026-07-02のように入力するか、日付の形式を選択してください。", "09:00のように入力してください。"},
	} {
		c.get(language+one).want(200).shows(append(words, `name="date_format"`)...).hides("--date-format", "--time-format", `value="date `)
	}
	c.get("/ja"+one).shows("2行目", "「2026-07-32」").hides("‘2026-07-32’")
}
