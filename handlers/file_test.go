package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/exports"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

const filesPath = "/logs/communication/file"

// save stores saved files of Kim's, each a minute older than the one before.
func (s *site) save(names ...string) {
	s.t.Helper()
	var events []usage.FileEvent
	for i, name := range names {
		events = append(events, usage.FileEvent{
			EventID: fmt.Sprint(name, i), UserID: queriestest.Kim, ReceiverIDs: []int64{queriestest.Employee, queriestest.Hidden}, Folder: "공유/설계", Name: name, Size: 1536,
			Platform: "mobile_web", SavedAt: s.clock.Now().Add(-time.Duration(i+1) * time.Minute),
		})
	}
	results, err := s.db.Usage.TakeFileEvents(s.t.Context(), queriestest.Hanbit, events)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range results {
		if r.Status != usage.Accepted {
			s.t.Fatalf("%+v", r)
		}
	}
}

func TestSavedFiles(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(filesPath).want(200).shows("저장된 파일이 없습니다", `href="/logs/communication/file" aria-current="page"`).hides("<table", `type="search"`)
	s.save("견적서\u202efdp.exe", "<script>alert(1)</script>.pdf", "회의록.docx")
	page := admin.get(filesPath).want(200)
	page.shows("김철수", "국내영업팀", "이준호 외 1명", "공유/설계", "회의록.docx", "1.5KB", "모바일 웹", "11/20 09:59", `견적서<span class="spoof"`, "U+202E</span>fdp</span>.exe", "이름을 위장한 파일", "전체 3개 중 1–3")
	if strings.Contains(page.body, "<script>alert") || strings.ContainsRune(page.body, '\u202e') {
		t.Error("a name is a script or turns the text around")
	}
	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?q=회의록", 200, "회의록.docx", "alert(1)"},
		{"?q=회의록", 200, "<dt>파일</dt><dd>1</dd>", "합계를 표시하지"},
		{"?q=회의록", 200, "<dt>크기</dt><dd>1.5KB</dd>", "합계를 표시하지"},
		{"?in=sender&q=철수", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?in=receiver&q=정하윤", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?in=receiver&q=철수", 200, "조건에 맞는 파일이 없습니다", "<table"},
		{"?sender_id=6", 200, "보낸 사람: 김철수", "조건에 맞는 파일이 없습니다"},
		{"?receiver_id=5&sender_id=6", 200, "받은 사람: 정하윤", "조건에 맞는 파일이 없습니다"},
		{"?sender_id=7", 200, "조건에 맞는 파일이 없습니다", "<table"},
		{"?platform=mobile_web", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?platform=pc", 200, "조건에 맞는 파일이 없습니다", "<table"},
		{"?department_id=2", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?department_id=5", 200, "조건에 맞는 파일이 없습니다", "<table"},
		{"?deceptive=1", 200, "U+202E", "회의록.docx"},
		{"?from=1900-01-01&to=2200-12-31", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?from=2026-11-21", 200, "조건에 맞는 파일이 없습니다", "<table"},
		{"?from=2026-11-20&to=2026-11-19", 422, "끝 날짜는 시작 날짜보다 빠를 수 없습니다", "조건에 맞는 파일이 없습니다"},
		{"?q=가", 422, "검색어는 2자 이상", "조건에 맞는 파일"},
		{"?platform=fridge", 404, "", "<table"},
		{"?from=1899-12-31", 404, "", "<table"},
		{"?deceptive=2", 404, "", "<table"},
		{"?cursor=x", 404, "", "<table"},
		{"?sender_id=11", 404, "", "<table"}, // of another company
		{"?receiver_id=999", 404, "", "<table"},
		{"?department_id=5&department_id=2", 200, "회의록.docx", "조건에 맞는 파일이 없습니다"},
		{"?department_id=2&department_id=5&department_id=3&department_id=4", 422, "부서를 3개까지 선택할 수 있습니다", "조건에 맞는 파일"}, // one more than the filter takes
		{"?department_id=2&department_id=9", 404, "", "<table"},
		{"?department_id=9", 404, "", "<table"}, // of another company
	} {
		path := filesPath + "?" + strings.ReplaceAll(url.PathEscape(test.query[1:]), "%26", "&")
		if a := admin.get(path); a.status != test.status || !strings.Contains(a.text(), test.shows) || strings.Contains(a.body, test.hides) {
			t.Errorf("%s answers %d; shows %q: %t, hides %q: %t", test.query, a.status, test.shows, strings.Contains(a.text(), test.shows), test.hides, !strings.Contains(a.body, test.hides))
		}
	}
	for _, who := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		for _, path := range []string{filesPath, filesPath + "/export?format=csv", filesPath + "/1-1", filesPath + "/exports/1"} {
			s.as(who).get(path).leads("/logs/workingattitude/day")
		}
	}
	s.as(queriestest.OtherAdmin).get(filesPath).want(200).shows("저장된 파일이 없습니다")
}

func TestSavedFilesByPage(t *testing.T) {
	s := newSite(t)
	var names []string
	for i := range 120 {
		names = append(names, fmt.Sprintf("보고서_%03d.pdf", i))
	}
	s.save(names...)
	admin := s.as(queriestest.Admin)
	cursor := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	page, seen := admin.get(filesPath).want(200), ""
	for i := range 3 {
		page.shows(fmt.Sprintf("%03d.pdf", i*50), fmt.Sprintf("전체 120개 중 %d–%d", i*50+1, min(i*50+50, 120)))
		seen += page.body
		if next := cursor.FindStringSubmatch(page.text()); next != nil {
			page = admin.get(next[1]).want(200)
		} else if i != 2 {
			t.Fatalf("page %d is the last one", i)
		}
	}
	for _, name := range names {
		if strings.Count(seen, ">"+name) > 1 || !strings.Contains(seen, name) {
			t.Errorf("%s is not listed once", name)
		}
	}
}

// A file leads to its sender, to the policy that applied, and to the changes of it;
// reading it is recorded.
func TestSavedFile(t *testing.T) {
	s := newSite(t)
	s.save("견적서\u202efdp.exe")
	admin := s.as(queriestest.Admin)
	path := regexp.MustCompile(filesPath + `/[0-9]+-[0-9]+`).FindString(admin.get(filesPath).body)
	page := admin.get(path).want(200)
	page.shows("김철수", "이준호", "정하윤", "숨김", "공유/설계", "영업본부 외근 정책", "버전 2", "허용", "아직 열어 본 사람이 없습니다",
		"/policies/communication/status/6?at=2026-11-20T00:59:00Z", "저장 시각의 정책", "/policies/communication/5?history=all#history", "보이지 않거나 글자 방향을 바꾸는 문자가 있습니다")
	if strings.ContainsRune(page.body, '\u202e') {
		t.Error("the name turns the text around")
	}
	admin.get(path).want(200).hides("아직 열어 본 사람이 없습니다")
	if n := s.count("select count(*) from changes where action = 'file.viewed' and object_type = 'file' and actor_user_id = 1"); n != 2 {
		t.Errorf("%d views are recorded", n)
	}
	s.as(queriestest.OtherAdmin).get(path).want(404)
	admin.get(filesPath + "/1-1").want(404)
	admin.get(filesPath + "/99999999999999999999-1").want(404)
	for _, prefix := range []string{"/en", "/ja"} {
		admin.get(prefix + path).want(200).shows("U+202E")
	}
}

// The page of a file and the explanation that it links to name the same version, also
// where one begins within the minute, the second, and the hour that occurs twice.
func TestSavedFileIsExplainedAtItsInstant(t *testing.T) {
	s := newSite(t)
	s.exec("update companies set time_zone = 'America/New_York' where id = 1")
	saved := time.Date(2026, 11, 1, 6, 30, 50, 700_000_000, time.UTC) // the second 01:30:50 of the day
	s.exec("update policy_versions set effective_from = $1 where policy_id = 5 and no = 2", saved.Add(-time.Millisecond))
	s.exec("update companies set policy_version = policy_version + 1")
	if _, err := s.db.Usage.TakeFileEvents(t.Context(), queriestest.Hanbit, []usage.FileEvent{{EventID: "a", UserID: queriestest.Kim, Name: "a.pdf", Platform: "pc", SavedAt: saved}}); err != nil {
		t.Fatal(err)
	}
	admin := s.as(queriestest.Admin)
	path := regexp.MustCompile(filesPath + `/[0-9]+-[0-9]+`).FindString(admin.get(filesPath).body)
	page := admin.get(path).want(200).shows("버전 2")
	why := regexp.MustCompile(`href="(/policies/communication/status/6[^"]*)"`).FindStringSubmatch(page.text())
	if why == nil {
		t.Fatal("the page does not lead to the explanation")
	}
	admin.get(why[1]).want(200).shows("버전 2", `value="2026-11-01T01:30:50"`, `step="1"`).hides("버전 1")
}

// A file that the policy did not allow to save is not shown as an allowed one.
func TestForbiddenSavedFile(t *testing.T) {
	s := newSite(t)
	s.save("회의록.docx")
	const forbidden = "이 정책은 파일 저장을 허용하지 않았지만 파일이 저장되었습니다."
	admin := s.as(queriestest.Admin)
	path := regexp.MustCompile(filesPath + `/[0-9]+-[0-9]+`).FindString(admin.get(filesPath).body)
	admin.get(path).want(200).shows("저장 시각의 정책").hides(forbidden)
	s.exec(`update policy_versions set settings = settings || '{"file_save": {"pc": "allow", "web": "allow", "mobile": "allow", "mobile_web": "block"}}' where policy_id = 5`)
	s.exec("update companies set policy_version = policy_version + 1")
	admin.get(path).want(200).shows("저장 시각의 정책", forbidden).hides("저장을 허용한")
	admin.get("/en" + path).want(200).shows("This policy did not allow saving the file, but the file was saved.")
	admin.get("/ja" + path).want(200).shows("このポリシーではファイルの保存が許可されていませんでしたが、ファイルは保存されました。")
}

func TestExportOfSavedFiles(t *testing.T) {
	s := newSite(t)
	s.save("견적서\u202efdp.exe", "=cmd|' /C calc'!A0", "회의록.docx")
	admin := s.as(queriestest.Admin)
	file := admin.get(filesPath + "/export?format=csv").want(200)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="saved-files.csv"` {
		t.Error(got)
	}
	for _, text := range []string{"견적서[U+202E]fdp.exe", "'=cmd|", "회의록.docx,1536,모바일 웹", "보낸 사람,사번,부서,받은 사람", "김철수,H0006,국내영업팀,\"이준호 / H0002 / 메신저팀, 정하윤 (숨김) / H0005 / 연구소\"", "2026-11-20 09:59:00"} {
		if !strings.Contains(file.body, text) {
			t.Errorf("the file lacks %q: %s", text, file.body)
		}
	}
	admin.get(filesPath + "/export?format=csv&q=" + url.QueryEscape("회의록")).want(200).hides("fdp.exe")
	admin.get(filesPath + "/export?format=xlsx&from=2026-11-01&to=2026-11-20").want(200)
	admin.get(filesPath + "/export?format=pdf").want(404)
	admin.get(filesPath + "/export?format=csv&platform=fridge").want(404)
	admin.get(filesPath + "/export?format=csv&sender_id=11").want(404)
	admin.get(filesPath + "/export?format=csv&q=a").want(http.StatusUnprocessableEntity)
	admin.get(filesPath + "/export?format=csv&from=2026-11-20&to=2026-11-19").want(http.StatusUnprocessableEntity)
	if n := s.count("select count(*) from changes where action = 'export.downloaded'"); n != 3 {
		t.Errorf("%d downloads are recorded", n)
	}
}

// A cancelled export stops, and nothing of it stays.
func TestCancelExport(t *testing.T) {
	s := newSite(t)
	s.save("회의록.docx")
	admin := s.as(queriestest.Admin)
	s.exec(`insert into exports (company_id, user_id, request, file_name, state, created_at, expires_at)
		values (1, 1, '{"list": "files", "format": "csv", "locale": "ko"}', 'saved-files.csv', 'running', now(), '2030-01-01')`)
	page := fmt.Sprint(filesPath, "/exports/", s.count("select id from exports"))
	admin.get(page).want(200).shows(page+"/cancellation", "내보내기 취소")
	s.as(queriestest.OtherAdmin).post(page + "/cancellation").want(404)
	admin.post(page + "/cancellation").leads(filesPath)
	admin.get(filesPath).shows("내보내기를 취소했습니다")
	admin.get(page).want(404)
	admin.post(page + "/cancellation").want(404)
	if n := s.count("select count(*) from changes where action = 'export.cancelled' and object_name = 'saved-files.csv'"); n != 1 {
		t.Errorf("%d cancellations are recorded", n)
	}
	s.exec(`insert into exports (company_id, user_id, request, file_name, created_at, expires_at)
		values (1, 1, '{"list": "files", "format": "csv", "locale": "ko"}', 'saved-files.csv', now(), '2030-01-01')`)
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	page = fmt.Sprint(filesPath, "/exports/", s.count("select id from exports"))
	admin.get(page).want(200).shows("파일이 준비되었습니다")
	admin.post(page + "/cancellation").leads(page) // a complete file stays
	admin.get(page + "/file").want(200).shows("회의록.docx")
}
