package handlers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
)

const readsPath = "/manage/security/reads"

// reads returns how many reads the log has by now.
func (s *site) reads() int {
	s.t.Helper()
	if err := s.db.Audit.WriteReads(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return s.count("select count(*) from reads")
}

// readLogs are the beginnings of the addresses of logs, without API and the caller.
var readLogs = []string{"/logs/", "/manage/use/agent/", "/manage/security/access", "/security/access", "/installations"}

// isReadLog reports whether a place shows a log.
func isReadLog(place string) bool {
	path := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(place, "GET "), "API "), "/companies/{company_id}/users/{id}")
	return slices.ContainsFunc(readLogs, func(log string) bool { return strings.HasPrefix(path, log) })
}

// notRead are the addresses of logs that show nobody's data. Exports have
// TestReadsOfExports.
var notRead = map[string]string{
	"GET /logs/workingattitude/management/records/count":                "a number",
	"GET /logs/workingattitude/management/imports":                      "files and numbers",
	"GET /logs/workingattitude/month/payroll":                           "months",
	"API /companies/{company_id}/users/{id}/logs/workingattitude/locks": "months",
}

// Every page and every call of the logs is in the log of reads, each time.
func TestEveryLogIsRead(t *testing.T) {
	w := newHiddenWalk(t)
	at := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
	w.exec(`insert into saved_files (company_id, saved_at, event_id, user_id, department_id, receiver_ids, room, folder, name, deceptive, size, sha256, platform, received_at, search_text, search_grams)
		values (1, $1, 'e', 6, 3, '{}', 'r', 'f', 'a.pdf', false, 1, '', 'pc', $1, '', '{}')`, at)
	file := fmt.Sprintf("%d-%d", at.UnixMicro(), w.count("select id from saved_files"))
	found := 0
	for place := range w.places() {
		if !isReadLog(place) || notRead[place] != "" || strings.Contains(place, "/exports/") {
			continue
		}
		address := strings.NewReplacer("{file:[0-9]+-[0-9]+}", file, "{record}", "6-2026-11-20", "{record_id}", "6-2026-11-20", "{company_id}", "1", "{id}", "1").
			Replace(strings.TrimPrefix(strings.TrimPrefix(place, "GET "), "API "))
		switch {
		case strings.HasSuffix(place, "/export"):
			address += "?format=csv"
		case strings.HasSuffix(place, "/records"):
			address += "?action=delete&record=6-2026-11-20"
		case strings.HasPrefix(place, "API"):
			address = "/api/v1" + address + "?platform=pc"
		}
		for range 2 {
			before := w.reads()
			if w.read(place, address).status != 200 { // a form's address
				continue
			}
			if found++; w.reads() == before {
				t.Errorf("%s is not in the log of reads", place)
			}
		}
	}
	if found < 2*20 {
		t.Errorf("only %d places were read", found)
	}
}

func TestReads(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(readsPath).want(200).shows("조회 기록이 없습니다", `href="/manage/security/reads" aria-current="page"`).hides("<table", `popovertarget="export"`)
	// What somebody reads of themselves is nobody else's.
	own := s.as(queriestest.Employee)
	own.get("/logs/workingattitude/day").want(200)
	own.get("/logs/workingattitude/week").want(200)
	own.get("/logs/workingattitude/day/2-2026-11-20").want(200)
	s.as(queriestest.Manager).get("/logs/workingattitude/day?q=zz&date=1899-01-01").want(404)
	if n := s.reads(); n != 0 {
		t.Errorf("%d reads of oneself", n)
	}

	for _, list := range []string{readsPath, readsPath + "/export"} {
		admin.get(list + "?format=csv&subject=999999").want(404)
	}
	admin.get("/logs/workingattitude/day?department_id=2&q=김철&status=late").want(200)
	manager := s.as(queriestest.Manager)
	manager.get("/logs/workingattitude/day/6-2026-11-20").want(200)
	manager.get("/logs/workingattitude/day/6-2026-11-20").want(200)
	manager.get("/logs/workingattitude/week?user_id=6").want(200)
	admin.get("/logs/communication/file?platform=web").want(200)
	page := admin.get(readsPath).want(200)
	page.shows("최유진", "김철수", "11월 20일 기록", "영업본부", "검색 ‘김철’", "지각", "웹 브라우저", `href="/logs/workingattitude/day/6-2026-11-20"`, "127.0.0.1")
	if n := s.count("select count(*) from reads where kind = 'record' and reader_id = 4 and subject_id = 6 and address = '127.0.0.1'"); n != 2 {
		t.Errorf("%d reads of the record", n)
	}

	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?reader=4", 200, "김철수", "<td>김서연"},
		{"?subject=6", 200, "조회된 사람: 김철수", "영업본부"},
		{"?kind=files", 200, "파일 저장 로그", "검색 ‘김철’"},
		{"?via=api", 200, "조건에 맞는 조회 기록이 없습니다", "<table"},
		{"?positions=1", 200, "조건에 맞는 조회 기록이 없습니다", "<table"},
		{"?from=2026-11-21", 200, "조건에 맞는 조회 기록이 없습니다", "<table"},
		{"?from=2026-11-20&to=2026-11-19", 422, "끝 날짜는 시작 날짜보다 빠를 수 없습니다", "조건에 맞는 조회 기록이 없습니다"},
		{"?to=2026-11-20", 200, "김철수", "조건에 맞는 조회 기록이 없습니다"},
		{"?kind=car", 404, "", "<table"}, {"?via=car", 404, "", "<table"}, {"?reader=x", 404, "", "<table"}, {"?subject=11", 404, "", "<table"},
		{"?from=1899-12-31", 404, "", "<table"}, {"?cursor=x", 404, "", "<table"}, {"?positions=2", 404, "", "<table"},
	} {
		a := admin.get(readsPath + test.query).want(test.status).hides(test.hides)
		if test.shows != "" {
			a.shows(test.shows)
		}
	}
	s.as(queriestest.OtherAdmin).get(readsPath).want(200).shows("조회 기록이 없습니다")

	file := admin.get(readsPath + "/export?format=csv&reader=4").want(200)
	file.shows("최유진", "근태 기록", "6-2026-11-20", "김철수", "127.0.0.1").hides("김서연")
	admin.get(readsPath + "/export?format=pdf").want(404)
	admin.get(readsPath + "/export?format=csv&from=2026-11-20&to=2026-11-19").want(422)
	admin.get(readsPath + "?via=export&kind=reads").want(200).shows("최유진")
}

// An export that was written in the background is read when its file is fetched.
func TestReadsOfExports(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	s := newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", queriestest.Blobs(t))})
	admin := s.as(queriestest.Admin)
	for _, path := range []string{"/policies/communication/status/export?format=csv", "/logs/workingattitude/month/export?format=xlsx", "/logs/communication/file/export?format=csv"} {
		before := s.reads()
		admin.get(path).want(200)
		if n := s.reads(); n != before+1 {
			t.Errorf("%s: %d reads", path, n-before)
		}
	}
	s.exec(`insert into exports (company_id, user_id, request, file_name, state, rows, bytes, created_at, expires_at)
		values (1, 1, '{"unit": "day", "first": "2026-11-20", "last": "2026-11-20", "format": "csv"}', 'a.csv', 'done', 7, 0, $1, $2)`, clock.Now(), clock.Now().Add(time.Hour))
	id := s.count("select max(id) from exports")
	before := s.reads()
	admin.get(fmt.Sprintf("/logs/workingattitude/day/exports/%d/file", id)).want(200)
	admin.with("Sec-Fetch-Site", "same-origin").get(fmt.Sprintf("/api/v1/companies/1/users/1/exports/%d/file", id)).want(200)
	if n := s.reads(); n != before+2 || s.count("select count(*) from reads where kind = 'day' and via = 'export' and rows = 7") != 2 {
		t.Errorf("%d reads", n-before)
	}
}
