package handlers_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"officeconsole/handlers"
	"officeconsole/queries/hiding"
	"officeconsole/queries/queriestest"
)

func searchFor(prefix, text string) string {
	return prefix + "/search?" + url.Values{"q": {text}}.Encode()
}

// results returns the same browser asking as the dialog does.
func (c *client) results() *client { return c.with("HX-Request", "true").with("Accept", "text/html") }

func TestSearch(t *testing.T) {
	s := newSite(t)
	created := queriestest.CreatePolicy(t, s.db, queriestest.PolicyDraft("외부 반출 규정", queriestest.DepartmentTarget(queriestest.Sales), queriestest.UserTarget(queriestest.Kim)))
	policyID := strconv.FormatInt(created.ID, 10)
	notice := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "송년회 안내", Body: "본문", PublishAt: s.clock.Now()})
	s.exec("insert into links (company_id, position, name, description, url, visible, icon_visible, banner, updated_at) values (1, 1, '복지몰', '포인트', 'https://shop.example', true, true, '', now())")
	admin := s.as(queriestest.Admin)
	for _, test := range []struct{ prefix, text, first string }{ // the first result
		{"", "김철수", "/policies/communication/status/6"},
		{"", norm.NFD.String("김철"), "/policies/communication/status/6"},
		{"", "ㄱㅊㅅ", "/policies/communication/status/6"},
		{"", "김ㅊ", "/policies/communication/status/6"},
		{"/en", "ＯＬＩＶＩＡ", "/en/policies/communication/status/7"},
		{"/ja", "佐藤", "/ja/policies/communication/status/8"},
		{"", "kim.cs@hanbit", "/policies/communication/status/6"},
		{"", "H0006", "/policies/communication/status/6"},
		{"", "국내영업", "/policies/communication/status?department_id=3"},
		{"", "ㄱㄴㅇㅇㅌ", "/policies/communication/status?department_id=3"},
		{"", "영업본부 해외", "/policies/communication/status?department_id=4"},
		{"", "외부 반출", "/policies/communication/" + policyID},
		{"", "세션 유지", "/policies/communication/1#setting-session_time_sec"},
		{"/en", "Session time", "/en/policies/communication/1#setting-session_time_sec"},
		{"/ja", "セッション時間", "/ja/policies/communication/1#setting-session_time_sec"},
		{"/en", "ㅅㅅㅇㅈ", "/en/policies/communication/1#setting-session_time_sec"}, // by initials, in another language
		{"", "휴일 달력", "/policies/workingattitude/2#setting-holiday_calendar"},
		{"", "최소 버전", "/manage/use/install#minimum"},
		{"/en", "minimum version", "/en/manage/use/install#minimum"},
		{"/ja", "最低バージョン", "/ja/manage/use/install#minimum"},
		{"/ja", "最小バージョン", "/ja/manage/use/install#minimum"},
		{"", "강제 업데이트", "/manage/use/install#minimum"},
		{"", "메시지 토큰", "/manage/use/webhook#tokens-title"},
		{"/en", "days to add", "/en/manage/security/factors#grace_days"},
		{"", "열람 권한자에게 보이는 개인정보", "/manage/security/retention#disclosure-title"},
		{"", "이메일 도메인", "/manage/security/providers#domains"},
		{"", "휴일 추가", "/manage/use/holidays?create=1"},
		{"", "지도 서비스 키", "/manage/use/map#0.key"},
		{"", "접속 이력", "/manage/security/access"},
		{"", "웹훅", "/manage/use/webhook"},
		{"/en", "hidden users", "/en/manage/use/hidden"},
		{"/ja", "月別", "/ja/logs/workingattitude/month"},
		{"", "송년회", "/manage/notice/" + strconv.FormatInt(notice, 10)},
		{"", "복지몰", "/manage/link/common?edit=1"},
	} {
		for _, c := range []*client{admin, admin.results()} {
			a := c.get(searchFor(test.prefix, test.text)).want(http.StatusOK)
			if got := firstResult(a); got != test.first {
				t.Errorf("%s: the first result is %q, want %q", test.text, got, test.first)
			}
		}
	}
	a := admin.results().get(searchFor("", "김철"))
	for _, link := range []string{
		"/policies/communication/status/6", "/policies/workingattitude/status/6", "/logs/workingattitude/week?user_id=6", "/logs/communication/file?sender_id=6", // of the person
		"/policies/communication/" + policyID, "/policies/communication/status?policy_id=" + policyID, // the policy by its target
		"/logs/workingattitude/day?q=%EA%B9%80%EC%B2%A0",
	} {
		if !strings.Contains(a.text(), `href="`+link+`"`) {
			t.Errorf("%s is missing", link)
		}
		if strings.HasSuffix(link, "6") {
			admin.get(link).want(http.StatusOK)
		}
	}
	a.shows("<mark>김철</mark>수", "대상 <mark>김철</mark>수 외 1", "결과 ")
	if strings.Contains(a.body, "<html") {
		t.Error("a script gets a whole page")
	}
}

// Pages are found by the words that people type for them in each language.
func TestSearchFindsPagesByOtherWords(t *testing.T) {
	s := newSite(t)
	admin, employee := s.as(queriestest.Admin).results(), s.as(queriestest.Employee).results()
	for _, test := range []struct{ prefix, words, path string }{
		{"/en", "policy,policies,rule,rules", "/policies/communication/management"},
		{"/en", "audit,history,log", "/manage/security/changes"},
		{"/en", "audit,sign in,login", "/manage/security/access"},
		{"/en", "profile,account,password", "/profile"},
		{"/en", "installed,installation,client", "/manage/use/agent/pc"},
		{"/en", "notice,announcements", "/manage/notice"},
		{"/en", "viewer,permission", "/policies/workingattitude/manager"},
		{"/en", "clock in,export", "/logs/workingattitude/day"},
		{"/en", "logs,export", "/logs/communication/file"},
		{"/ja", "ログ,記録", "/logs/communication/file"},
		{"", "정책,규칙,규정", "/policies/workingattitude/management"},
		{"", "감사,이력", "/manage/security/changes"},
		{"", "비밀번호,프로필,계정", "/profile"},
		{"", "내보내기,로그,기록,다운로드", "/logs/communication/file"},
		{"", "설치,버전", "/manage/use/agent/mobile"},
		{"", "출퇴근,근무시간", "/logs/workingattitude/month"},
		{"/ja", "ポリシー,規則,ルール", "/policies/communication/management"},
		{"/ja", "監査,履歴", "/manage/security/reads"},
		{"/ja", "パスワード,プロフィール,アカウント", "/profile"},
		{"/ja", "インストール,アプリ", "/manage/use/install"},
	} {
		for word := range strings.SplitSeq(test.words, ",") {
			if a := admin.get(searchFor(test.prefix, word)).want(http.StatusOK); !strings.Contains(a.text(), `href="`+test.prefix+test.path+`"`) {
				t.Errorf("%s does not find %s", word, test.path)
			}
		}
	}
	employee.get(searchFor("/en", "password")).want(http.StatusOK).shows(`/en/profile`)
	employee.get(searchFor("/en", "audit")).want(http.StatusOK).hides("/manage/security")
}

// The first result of an answer.
func firstResult(a answer) string {
	_, rest, found := strings.Cut(a.text(), `<a class="found"`)
	_, rest, _ = strings.Cut(rest, `href="`)
	link, _, _ := strings.Cut(rest, `"`)
	if !found {
		return ""
	}
	return link
}

// Everybody finds only what they may enter.
func TestSearchScope(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct {
		who                int64
		text               string
		finds, doesNotFind []string
	}{
		{queriestest.Employee, "김철수", nil, []string{"user_id=6", "/status/6"}},
		{queriestest.Employee, "이준호", nil, []string{"user_id=2"}},
		{queriestest.Employee, "주별", []string{"/logs/workingattitude/week"}, nil},
		{queriestest.Employee, "내 정보", []string{"/profile"}, nil},
		{queriestest.Employee, "세션", nil, []string{"setting-"}},
		{queriestest.Employee, "정책", nil, []string{"/policies/"}},
		{queriestest.Employee, "최소 버전", nil, []string{"/manage/"}},
		{queriestest.Employee, "영업", nil, []string{"department_id"}},
		{queriestest.Employee, "", []string{"/profile", "/notice", "/logs/workingattitude/day"}, []string{"/policies/", "/manage/"}},
		{queriestest.Viewer, "김철수", []string{"/logs/workingattitude/week?user_id=6", "/logs/workingattitude/day?q="}, []string{"/policies/", "/logs/communication"}},
		{queriestest.Viewer, "이준호", nil, []string{"user_id=2"}},
		{queriestest.Viewer, "영업", nil, []string{"department_id"}},
		{queriestest.Admin, "정하윤", nil, []string{"/status/5", "user_id=5"}}, // hidden
		{queriestest.Admin, "공지봇", nil, []string{"/status/9"}},
		{queriestest.Admin, "한도윤", nil, []string{"/status/10"}}, // of the other company
		{queriestest.OtherAdmin, "김철수", []string{"/status/11"}, []string{"/status/6"}},
		{queriestest.OtherAdmin, "국내영업", nil, []string{"department_id"}},
		{queriestest.OtherAdmin, "세션 유지", []string{"/policies/communication/3#setting-session_time_sec"}, nil},
	} {
		a := s.as(test.who).get(searchFor("", test.text)).want(http.StatusOK)
		_, main, _ := strings.Cut(a.text(), `id="main"`)
		for _, link := range test.finds {
			if !strings.Contains(main, link) {
				t.Errorf("%d, %q: %s is missing", test.who, test.text, link)
			}
		}
		for _, link := range test.doesNotFind {
			if strings.Contains(main, link) {
				t.Errorf("%d, %q: shows %s", test.who, test.text, link)
			}
		}
	}
	if _, err := s.db.Hidings.Hide(t.Context(), queriestest.AdminActor(t, s.db), hiding.Draft{UserIDs: []int64{queriestest.Kim}, Kind: hiding.Leaver}); err != nil {
		t.Fatal(err)
	}
	for _, who := range []int64{queriestest.Admin, queriestest.Viewer} {
		if a := s.as(who).get(searchFor("", "김철수")); strings.Contains(a.text(), "user_id=6") {
			t.Errorf("%d finds a person who was hidden", who)
		}
	}
	s.nobody().get("/search").want(http.StatusSeeOther)
}

func TestSearchRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for text, message := range map[string]string{
		"김": "검색어는 2자 이상 입력해 주세요.", "\u1100\u1175\u11b7": "검색어는 2자 이상 입력해 주세요.", "a\x00": "검색어는 2자 이상 입력해 주세요.",
		strings.Repeat("가", 201): "검색어는 200자까지 입력할 수 있습니다.", strings.Repeat("x", 900_000): "검색어는 200자까지 입력할 수 있습니다.",
	} {
		admin.get(searchFor("", text)).want(http.StatusUnprocessableEntity).shows(message)
		if a := admin.results().get(searchFor("", text)).want(http.StatusOK).shows(message); len(a.body) > 4096 {
			t.Errorf("%d bytes", len(a.body))
		}
	}
	for _, text := range []string{"\xff\xfe", "\u202e김철수", "%%", "__", `\\`, "<script>alert(1)</script>", "\uffff\uffff", strings.Repeat("가 ", 100), "\r\n\t 김철수"} {
		a := admin.get(searchFor("", text)).want(http.StatusOK)
		if strings.Contains(a.body, "<script>alert") {
			t.Error("a script is in the page")
		}
	}
	admin.get(searchFor("", "뷁쀍")).want(http.StatusOK).shows("일치하는 결과가 없습니다")
}

// Twice as many callers as the pool has connections are all answered.
func TestSearchWithManyCallers(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin).results()
	statuses := make(chan int)
	callers := 2 * int(s.db.Pool().Config().MaxConns)
	for range callers {
		go func() {
			request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+searchFor("", "김철수"), nil)
			request.Header = admin.header.Clone()
			response, err := admin.http.Do(request)
			if err != nil {
				statuses <- 0
				return
			}
			response.Body.Close()
			statuses <- response.StatusCode
		}()
	}
	for range callers {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("got %d", status)
		}
	}
}

// The link in the header names the keys of the reader's keyboard.
func TestSearchLink(t *testing.T) {
	s := newSiteWith(t, handlers.Config{})
	for agent, keys := range map[string]string{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)": "Meta+K", "Mozilla/5.0 (Windows NT 10.0)": "Control+K"} {
		for _, who := range []int64{queriestest.Admin, queriestest.Employee} {
			s.as(who).with("User-Agent", agent).get("/en/profile").want(http.StatusOK).shows(`href="/en/search" data-command aria-keyshortcuts="` + keys + `"`)
		}
	}
}
