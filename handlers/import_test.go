package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

const importsPath = "/logs/workingattitude/management/imports"

// An administrator uploads a file, sees how it is understood, corrects that, checks it,
// imports it and reverts it, without scripts.
func TestImportPages(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	c := s.as(queriestest.Admin)
	run := func() {
		t.Helper()
		if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
			t.Fatal(err)
		}
	}
	c.get(recordLog).shows(importsPath)
	c.get(importsPath).want(200).shows("아직 가져온 내역이 없습니다", `name="file"`)
	c.get(importsPath+"?wide=1").want(200).shows(`name="arrivals"`, `name="departures"`)
	c.uploadAs("file", importsPath, nil).want(422).shows("파일을 선택해 주세요.", `aria-invalid="true"`)
	c.uploadAs("file", importsPath, &file{"a.csv", nil}).want(422).shows("파일이 비어 있습니다.")
	content := "사번,성명,근무일자,출근,퇴근,비고\nH0006,김철수,03/02/2015,오전 9:05,오후 6:12,외근\nH9999,누구,04/02/2015,9:00,18:00,\nH0006,김철수,05/02/2015,9:00,3:10,\n"
	one := importsPath + "/1"
	c.uploadAs("file", importsPath, &file{"근태 2015.csv", []byte(content)}).leads(one)
	c.get(one).want(200).shows("근태 2015.csv", "알 수 없는 열이 있습니다: 비고", "일과 월의 순서를 알 수 없는", "자동: UTF-8", "김철수", "18:12", `value="check"`)
	fields := []string{"heading", "사번", "column", "employee_id", "heading", "성명", "column", "name", "heading", "근무일자", "column", "work_date", "heading", "출근", "column", "arrival",
		"heading", "퇴근", "column", "departure", "heading", "비고", "column", ""}
	send := func(action string, more ...string) answer {
		t.Helper()
		return c.post(one, append(append([]string{"action", action}, more...), fields...)...)
	}
	send("read", "date_format", "02/01/2006").leads(one)
	c.get(one).want(200).shows("2015-02-03", "이 사번의 직원이 없습니다.").hides("일과 월의 순서를 알 수 없는")
	send("import", "date_format", "02/01/2006").leads(one) // is checked first
	if a := c.get(one).want(200).shows("시험 실행을 하고 있습니다"); a.header.Get("Refresh") == "" {
		t.Error("the page does not reload while the import is checked")
	}
	c.post(one + "/delete").leads(importsPath)
	c.get(one).want(404)

	one = importsPath + "/2"
	c.uploadAs("file", importsPath, &file{"근태.csv", []byte(content)}).leads(one)
	send("check", "date_format", "02/01/2006").leads(one)
	run()
	c.get(one).want(200).shows("시험 실행 결과", "1일을 가져옵니다.", "거부된 2행은 빠집니다.", "1일 가져오기", "퇴근이 출근보다 이릅니다", "3:10", "‘H9999’", "<title>시험 실행함 · 근태 기록 가져오기").hides(`<h2 id="result" tabindex="-1" autofocus>`)
	c.with("Referer", s.url+one).get(one).want(200).shows(`<h2 id="result" tabindex="-1" autofocus>`)
	if n := s.count("select count(*) from clock_events"); n != 0 {
		t.Errorf("a dry run stored %d events", n)
	}
	if a := c.get(one+"/report").want(200).shows("H9999", "근태.csv", "퇴근이 출근보다 이릅니다"); !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the report is sent as %v", a.header)
	}
	send("import", "date_format", "01/02/2006").leads(one) // read otherwise, so it is checked again
	run()
	send("check", "date_format", "02/01/2006").leads(one)
	run()
	send("import", "date_format", "02/01/2006").leads(one)
	c.get(one).want(200).shows("가져오고 있습니다")
	run()
	c.get(one).want(200).shows("가져온 결과", "되돌리기", "고친 파일로 바꾸기")
	if n := s.count("select count(*) from day_records where work_date = '2015-02-03' and arrival_at is not null"); n != 1 {
		t.Errorf("%d records were imported", n)
	}
	send("check").leads(one) // it is imported already
	c.get(one).want(200).shows("이미 가져왔거나 처리 중입니다.")
	c.get(importsPath).want(200).shows("근태.csv", "가져옴", "2015")
	c.get("/manage/security/changes").want(200).shows("근태.csv", "파일에서 가져옴")

	c.get(importsPath + "?replace=2").want(200).shows("가져오기 2(근태.csv)")
	s.exec("insert into attendance_locks values (1, '2015-02-01', now(), 1)")
	c.get(one).want(200).shows("먼저 마감을 해제해 주세요.")
	c.post(one + "/reversal").want(422).shows("먼저 마감을 해제해 주세요.")
	s.exec("delete from attendance_locks")
	c.get(one+"/reversal").want(200).shows("1명의 1일을 되돌리시겠습니까?", "1일 되돌리기")
	c.post(one + "/reversal").leads(one)
	c.get(one).want(200).shows("가져오기를 되돌렸습니다.", "김서연 님이")
	if n := s.count("select count(*) from day_records where work_date = '2015-02-03'"); n != 0 {
		t.Errorf("%d records remain", n)
	}
	c.get("/en" + one).want(200).shows("reverted it")
	c.get("/ja" + one).want(200).shows("取り消しました")
}

// Imports are for administrators of their company only.
func TestImportsAreForAdministrators(t *testing.T) {
	s := newSite(t)
	s.as(queriestest.Admin).uploadAs("file", importsPath, &file{"a.csv", []byte("사번\n")}).leads(importsPath + "/1")
	s.as(queriestest.Manager).get(importsPath).leads(employeeHome)
	other := s.as(queriestest.OtherAdmin)
	other.get(importsPath).want(200).hides("a.csv")
	for _, path := range []string{"/1", "/1/report", "/1/reversal", "?replace=1", "?cursor=x", "?replace=x", "/99999999999999999999"} {
		other.get(importsPath + path).want(404)
	}
	for _, path := range []string{"/1", "/1/delete", "/1/reversal"} {
		other.post(importsPath + path).want(404)
	}
	if n := s.count("select count(*) from attendance_imports where state = 'draft'"); n != 1 {
		t.Errorf("%d imports are left", n)
	}
}

// A change log entry of an import is reverted with the import.
func TestRevertImportInTheChangeLog(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	c := s.as(queriestest.Admin)
	c.uploadAs("file", importsPath, &file{"a.csv", []byte("사번,날짜,출근,퇴근\nH0006,2015-02-03,9:00,18:00\n")}).leads(importsPath + "/1")
	c.post(importsPath+"/1", "action", "check").leads(importsPath + "/1")
	if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	c.post(importsPath+"/1", "action", "import").leads(importsPath + "/1")
	if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	id := s.count("select id from changes where action = 'attendance.imported'")
	if a := c.post(fmt.Sprintf("/manage/security/changes/%d/reversal", id)); a.status != 303 {
		t.Errorf("reverted with %d: %s", a.status, a.text())
	}
	if n := s.count("select count(*) from attendance_imports where state = 'reverted'"); n != 1 {
		t.Errorf("%d imports are reverted", n)
	}
}

// Days without a row get a record if the form says so: the dry run says how many, and the
// import is checked again where the choice changes.
func TestImportFillsDays(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	c := s.as(queriestest.Admin)
	run := func() {
		t.Helper()
		if err := s.db.Attendance.RunImports(t.Context(), files); err != nil {
			t.Fatal(err)
		}
	}
	one := importsPath + "/1"
	c.uploadAs("file", importsPath, &file{"근태.csv", []byte("사번,근무일자,출근,퇴근\nH0006,2015-02-03,9:00,18:00\nH0006,2015-02-06,9:00,18:00\n")}).leads(one)
	c.get(one).want(200).shows("행이 없는 날은 출퇴근 없는 날로 가져오기", `name="fill_days" value="1">`)
	c.post(one, "action", "check").leads(one)
	run()
	c.get(one).want(200).shows("2일을 가져옵니다.").hides("<dt>행이 없는 날</dt>")
	c.post(one, "action", "import", "fill_days", "1").leads(one)
	run()
	c.get(one).want(200).shows("시험 실행 결과", "4일을 가져옵니다.", "<dt>행이 없는 날</dt>", `name="fill_days" value="1" checked>`)
	c.post(one, "action", "import", "fill_days", "1").leads(one)
	run()
	c.get(one).want(200).shows("가져온 결과", "<dt>행이 없는 날</dt>")
	if n := s.count("select count(*) from day_records where user_id = 6 and work_date between '2015-02-04' and '2015-02-05' and status = 'absent'"); n != 2 {
		t.Errorf("%d absences", n)
	}
	c.post(one + "/reversal").leads(one)
	if n := s.count("select count(*) from day_records where work_date < '2016-01-01'"); n != 0 {
		t.Errorf("%d records remain", n)
	}
}
