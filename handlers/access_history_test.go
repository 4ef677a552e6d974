package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const accessPath = "/manage/security/access"

// fail lets somebody fail to sign in.
func (s *site) fail(email string) {
	s.t.Helper()
	s.nobody().post("/login", "email", email, "password", "wrong").want(http.StatusUnprocessableEntity)
}

func TestAccessHistory(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for range 5 {
		s.fail("employee@hanbit.example")
	}
	s.fail("<script>alert(1)</script>\u202e@hanbit.example")
	s.fail("nobody@hanbit.example")
	page := admin.get(accessPath).want(200)
	page.shows("이준호", "로그인 실패", "비밀번호 불일치", "실패 5회", "계정 잠김", "없는 계정", "U+202E", "표시 기준", `href="/manage/security/access" aria-current="page"`, "2026년 11월 20일")
	if strings.Contains(page.body, "<script>alert") || strings.ContainsRune(page.body, '\u202e') {
		t.Error("an account is a script or turns the text around")
	}
	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?q=준호", 200, "이준호", "조건에 맞는 접속 이력이 없습니다"},
		{"?q=Nobody@hanbit.example", 200, "nobody@hanbit.example", "이준호"},
		{"?q=127.0.0.1", 200, "이준호", "조건에 맞는 접속 이력이 없습니다"},
		{"?q=198.51.100.1", 200, "조건에 맞는 접속 이력이 없습니다", "<table"},
		{"?q=198.51.100.1", 200, "기간을 넓히거나", "주소의 일부나 대역"},
		{"?q=127.0.0.", 200, "주소의 일부나 대역으로는 찾을 수 없습니다", "<table"},
		{"?q=127.0.0.0/8", 200, "주소의 일부나 대역으로는 찾을 수 없습니다", "<table"},
		{"?q=2001:db8::/32", 200, "주소의 일부나 대역으로는 찾을 수 없습니다", "<table"},
		{"?user_id=2", 200, "사람: 이준호", "조건에 맞는 접속 이력이 없습니다"},
		{"?user_id=2", 200, "잠겨 있습니다", "<script>alert"},
		{"?user_id=7", 200, "조건에 맞는 접속 이력이 없습니다", "<table"},
		{"?result=failed", 200, "비밀번호 불일치", "계정 실패 누적"},
		{"?kind=locked", 200, "계정 실패 누적", "비밀번호 불일치"},
		{"?pattern=failures", 200, "실패 5회", "계정 실패 누적"},
		{"?pattern=device", 200, "조건에 맞는 접속 이력이 없습니다", "<table"},
		{"?from=2026-11-20&to=2026-11-20", 200, "이준호", "조건에 맞는 접속 이력이 없습니다"},
		{"?from=2026-11-21", 200, "조건에 맞는 접속 이력이 없습니다", "<table"},
		{"?from=2026-11-20&to=2026-11-19", 422, "끝 날짜는 시작 날짜보다 빠를 수 없습니다", "조건에 맞는 접속 이력이 없습니다"},
		{"?from=1900-01-01&to=2200-12-31", 200, "이준호", "조건에 맞는 접속 이력이 없습니다"},
		{"?q=가", 422, "검색어는 2자 이상", "조건에 맞는"},
		{"?kind=dance", 404, "", "<table"},
		{"?result=perhaps", 404, "", "<table"},
		{"?pattern=far", 404, "", "<table"},
		{"?from=1899-12-31", 404, "", "<table"},
		{"?cursor=x", 404, "", "<table"},
		{"?open=1-1", 404, "", "<table"},
		{"?open=x", 404, "", "<table"},
		{"?user_id=11", 404, "", "<table"}, // of another company
	} {
		path := accessPath + "?" + strings.ReplaceAll(url.PathEscape(test.query[1:]), "%26", "&")
		if a := admin.get(path); a.status != test.status || !strings.Contains(a.text(), test.shows) || strings.Contains(a.body, test.hides) {
			t.Errorf("%s answers %d; shows %q: %t, hides %q: %t", test.query, a.status, test.shows, strings.Contains(a.text(), test.shows), test.hides, !strings.Contains(a.body, test.hides))
		}
	}
	for _, who := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		s.exec("delete from sign_in_failures")
		for _, path := range []string{accessPath, accessPath + "/export?format=csv", accessPath + "/exports/1"} {
			s.as(who).get(path).leads("/logs/workingattitude/day")
		}
		for _, path := range []string{"/people/2/sessions/delete", "/people/2/sessions/1/delete", "/people/2/tokens/1/delete", "/people/2/unlocking"} {
			s.as(who).post(accessPath + path).leads("/logs/workingattitude/day")
		}
	}
	s.as(queriestest.OtherAdmin).get(accessPath).want(200).hides("이준호")
	for _, prefix := range []string{"/en", "/ja"} {
		admin.get(prefix + accessPath).want(200).hides("⟦")
	}
}

// Wrong current passwords and refused tokens are in the history, with their reasons in
// every language.
func TestAccessHistoryOfPasswordsAndTokens(t *testing.T) {
	s := newSite(t)
	admin, employee := s.as(queriestest.Admin), s.as(queriestest.Employee)
	employee.post("/profile/password", "current", "Wrong!2026", "new", "Another!2026", "confirmation", "Another!2026").want(http.StatusUnprocessableEntity)
	if _, err := s.db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: "made up", CompanyID: queriestest.Hanbit}); err == nil {
		t.Fatal("not refused")
	}
	for prefix, words := range map[string][2]string{
		"":    {"비밀번호 변경 실패", "없는 토큰"},
		"/en": {"Password change failed", "No such token"},
		"/ja": {"パスワード変更の失敗", "存在しないトークン"},
	} {
		admin.get(prefix+accessPath+"?kind=password_changed&result=failed").want(200).shows("이준호", words[0])
		admin.get(prefix + accessPath + "?kind=token_refused").want(200).shows(words[1])
		admin.get(prefix + accessPath + "?kind=password_changed&result=ok").want(200).hides("<table")
	}
	file := admin.get(accessPath + "/export?format=csv&result=refused").want(200)
	if !strings.Contains(file.body, "없는 토큰,,,토큰 거부,차단,없는 토큰,API") {
		t.Errorf("the file is %s", file.body)
	}
}

// A row leads to what its person has open, which is ended from there. What ended
// meanwhile is no error.
func TestEndSessions(t *testing.T) {
	s := newSite(t)
	admin, employee := s.as(queriestest.Admin), s.as(queriestest.Employee)
	token, err := s.db.Identity.IssueAccessToken(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\?open=[0-9]+-[0-9]+`).FindString(admin.get(accessPath + "?q=준호").body)
	if row == "" {
		row = regexp.MustCompile(`open=[0-9]+-[0-9]+`).FindString(admin.get(accessPath + "?user_id=2").body)
	}
	opened := accessPath + "?" + strings.TrimPrefix(row, "?")
	page := admin.get(opened).want(200)
	page.shows("로그인 중", "API 토큰", "최근 7일", "192.0.2.7")
	session := accessPath + fmt.Sprintf("/people/2/sessions/%d/delete", s.count("select max(id) from sign_ins where user_id = 2 and token_hash is null"))
	page.shows(session)
	admin.post(session, "back", "https://evil.example/").leads(accessPath)
	admin.get(accessPath).shows("세션을 종료했습니다")
	employee.get("/logs/workingattitude/day").leads("/login?next=%2Flogs%2Fworkingattitude%2Fday")
	admin.post(session, "back", opened).leads(opened)
	admin.get(opened).shows("이미 끝난 세션입니다")
	admin.post(strings.Replace(session, "people/2", "people/6", 1)).want(404)
	s.as(queriestest.OtherAdmin).post(session).want(404)

	end := accessPath + fmt.Sprintf("/people/2/sessions/%d/delete", s.count("select max(id) from sign_ins where user_id = 2 and token_hash is not null"))
	admin.post(end).leads(accessPath)
	if _, err := s.db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token}); err == nil {
		t.Error("the token is valid")
	}
	admin.post(end).leads(accessPath)
	admin.get(accessPath).shows("이미 끝난 세션입니다")
	if n := s.count("select count(*) from access_events where kind in ('session_revoked', 'token_revoked') and user_id = 2 and actor_id = 1 and reason = 'administrator'"); n != 2 {
		t.Errorf("%d ends are recorded", n)
	}

	s.as(queriestest.Employee)
	admin.post(accessPath + "/people/2/sessions/delete").leads(accessPath)
	admin.get(accessPath).shows("세션과 토큰을 모두 종료했습니다")
	if n := s.count("select count(*) from sign_ins where user_id = 2 and ended_at is null"); n != 0 {
		t.Errorf("%d sessions of the employee", n)
	}
	s.as(queriestest.Admin)
	admin.get(accessPath+"?user_id=1").want(200).shows("이 세션", "내 정보에서 로그아웃").hides("/people/1/sessions")
	admin.post(accessPath + "/people/1/sessions/delete").leads("/profile")
	admin.get(accessPath + "?user_id=1").want(200).shows(`href="/profile/factors">내 정보에서 관리</a>`)
	if n := s.count("select count(*) from sign_ins where user_id = 1 and ended_at is null"); n != 2 {
		t.Errorf("%d sessions of the administrator", n)
	}

	for range 5 {
		s.fail("employee@hanbit.example")
	}
	admin.post(accessPath+"/people/2/unlocking", "back", accessPath+"?user_id=2").leads(accessPath + "?user_id=2")
	admin.get(accessPath + "?user_id=2").want(200).shows("잠금을 해제했습니다").hides("잠겨 있습니다")
	s.as(queriestest.Employee)
	admin.post(accessPath + "/people/2/unlocking").leads(accessPath)
	admin.get(accessPath).shows("이미 잠금이 풀려 있습니다")
}

func TestExportOfAccess(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.fail("employee@hanbit.example")
	s.fail("=cmd@hanbit.example")
	s.fail("hidden@hanbit.example")
	file := admin.get(accessPath + "/export?format=csv").want(200)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="access.csv"` {
		t.Error(got)
	}
	for _, text := range []string{"이준호,H0002,메신저팀,로그인,실패,비밀번호 불일치,콘솔,", "'=cmd@hanbit.example,,,로그인", "2026-11-20 10:00:00", "김서연,H0001,한빛테크,로그인,성공", "정하윤 (숨김),H0005,연구소,로그인,실패"} {
		if !strings.Contains(file.body, text) {
			t.Errorf("the file lacks %q: %s", text, file.body)
		}
	}
	admin.get(accessPath + "/export?format=csv&result=failed&from=2026-11-20").want(200).hides("김서연,H0001,한빛테크,로그인,성공")
	admin.get(accessPath + "/export?format=xlsx").want(200)
	admin.get(accessPath + "/export?format=pdf").want(404)
	admin.get(accessPath + "/export?format=csv&kind=dance").want(404)
	admin.get(accessPath + "/export?format=csv&user_id=11").want(404)
	admin.get(accessPath + "/export?format=csv&q=a").want(http.StatusUnprocessableEntity)
	admin.get(accessPath + "/export?format=csv&from=2026-11-20&to=2026-11-19").want(http.StatusUnprocessableEntity)
}

// Twice as many readers as the pool has connections are all answered, while people
// sign in.
func TestAccessHistoryUnderLoad(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	callers := 2 * int(s.db.Pool().Config().MaxConns)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			if a := admin.get(accessPath + "?user_id=2"); a.status != 200 {
				t.Errorf("answers %d", a.status)
			}
		})
		all.Go(func() {
			c := identity.Credentials{Email: "employee@hanbit.example", Password: queriestest.Password, Address: queriestest.OfficeAddress}
			if _, err := s.db.Identity.SignIn(t.Context(), c); err != nil && !strings.Contains(err.Error(), "session.locked") {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
