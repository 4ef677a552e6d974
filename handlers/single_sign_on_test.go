package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

// newSignOnSite returns a site whose first company has a provider.
func newSignOnSite(t *testing.T) (*site, *queriestest.SignOnProvider) {
	t.Helper()
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	p.Enters("s-2", "employee@hanbit.example", "이준호")
	return s, p
}

// visited follows the page that leads to a provider, and returns the address at the
// console to which the provider sends the browser back.
func (a answer) visited(t *testing.T, p *queriestest.SignOnProvider) string {
	t.Helper()
	a.want(http.StatusOK)
	address, found := strings.CutPrefix(a.header.Get("Refresh"), "0; url=")
	if !found {
		t.Fatalf("no way to the provider: %v", a.header)
	}
	return "/oauth?" + p.Visit(t, address).Encode()
}

// visitCookie returns the cookie that is set whose name begins with a text; nil without
// one.
func (a answer) visitCookie(name string) *http.Cookie {
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if strings.HasPrefix(cookie.Name, name) && cookie.MaxAge > 0 {
			return cookie
		}
	}
	return nil
}

// Two tabs can be at the provider at once.
func TestSingleSignOnInTwoTabs(t *testing.T) {
	s, p := newSignOnSite(t)
	c := s.nobody()
	begin := func() string { return c.post("/sso", "email", "employee@hanbit.example").visited(t, p) }
	visits := func() (n int) {
		site, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		for _, cookie := range c.http.Jar.Cookies(site) {
			if strings.HasPrefix(cookie.Name, "officeconsole_visit_") {
				n++
			}
		}
		return n
	}
	first, second := begin(), begin()
	c.get(first).leads("/")
	c.get(second).leads("/")
	if n := visits(); n != 0 {
		t.Errorf("%d cookies of visits are left", n)
	}
	for range 12 {
		begin()
	}
	if n := visits(); n > 5 {
		t.Errorf("%d cookies of visits", n)
	}
}

func TestSingleSignOn(t *testing.T) {
	s, p := newSignOnSite(t)
	c := s.nobody()
	c.get("/ja/login?next=/profile").want(200).shows("SSOでログイン", `href="/ja/sso?next=%2Fprofile"`)
	c.get("/ja/sso?next=/profile").want(200).shows(`name="next" value="/profile"`)
	leaving := c.post("/ja/sso", "email", "employee@hanbit.example", "next", "/profile")
	cookie := leaving.visitCookie("officeconsole_visit_")
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 600 {
		t.Fatalf("cookie %v", cookie)
	}
	back := leaving.visited(t, p)
	c.get(back).leads("/ja/profile")
	c.get("/ja/profile").want(200).shows("employee@hanbit.example")
	c.get(back).want(422).shows("처음부터 다시 시도해 주세요")
}

func TestSingleSignOnIsRefused(t *testing.T) {
	s, p := newSignOnSite(t)
	a := s.nobody().post("/en/sso", "email", `"><script>@elsewhere.example`, "next", "//evil.example").want(422).
		shows("not set up for this email domain", `"><script>@elsewhere.example`, `name="next" value=""`)
	if strings.Contains(a.body, "<script>@") {
		t.Error("the email is not escaped")
	}
	for language, text := range map[string]string{"": "회사 이메일을 입력해 주세요.", "/en": "Please enter your work email.", "/ja": "会社のメールアドレスを入力してください。"} {
		s.nobody().post(language+"/sso", "email", " ", "next", "/profile").want(422).
			shows(text, `aria-describedby="email-error"`, `id="email-error"`, `name="next" value="/profile"`).hides(`class="note"`)
	}

	c := s.nobody()
	back := c.post("/en/sso", "email", "employee@hanbit.example", "next", "/profile").visited(t, p)
	s.nobody().get(back).want(422).shows("처음부터 다시 시도해 주세요")
	p.Enters("s-9", "nobody@hanbit.example", "")
	c.get(back).want(422).shows("Nobody in the organization has this email", `href="/en/sso?next=%2Fprofile"`, `href="/en/login?next=%2Fprofile"`)
	c.get("/profile").leads("/login?next=%2Fprofile")

	back = c.post("/en/sso", "email", "employee@hanbit.example").visited(t, p)
	s.exec("update providers set enabled = false")
	c.get(back).want(422).shows("switched off in the meantime")
	s.exec("update providers set enabled = true")
	s.as(queriestest.Admin).get("/en"+accessPath).want(200).shows("Not identified", "Single sign-on switched off").hides("Service token</a>")

	p.Answer = http.NotFound
	s.clock.Advance(11 * time.Minute) // what the provider said about itself has expired
	s.nobody().post("/sso", "email", "employee@hanbit.example").want(422).shows("로그인 서버에 연결하지 못했습니다")
	s.as(queriestest.Admin).get(adminHome).want(200) // with a password
}

func TestOAuthByHandover(t *testing.T) {
	s := newSite(t)
	code := func(userID int64) string {
		h, err := s.db.Identity.IssueHandover(t.Context(), queriestest.Hanbit, userID)
		if err != nil {
			t.Fatal(err)
		}
		return "/en/oauth?code=" + h.Code
	}
	c := s.nobody()
	address := code(queriestest.Employee)
	if a := s.nobody().do(http.MethodHead, address, ""); a.status != http.StatusNoContent || a.header.Get("Set-Cookie") != "" { // does not take the code
		t.Errorf("HEAD: %d %s", a.status, a.header.Get("Set-Cookie"))
	}
	c.get(address).leads("/en")
	c.get("/en").leads("/en" + employeeHome)
	s.nobody().get(address).want(422).shows("<h1>Open the console from the messenger</h1>", "Please open the console from the messenger again", `href="/en/login"`).hides("Try again", `href="/en/sso"`)
	// In a browser with another person, the messenger's counts.
	c.get(code(queriestest.Admin)).leads("/en")
	c.get("/en").leads("/en" + adminHome)
	// A state makes it the answer of a provider.
	s.nobody().get(code(queriestest.Employee) + "&state=x").want(422).shows("Please start again")
}

func TestSignOutAtTheProvider(t *testing.T) {
	s, p := newSignOnSite(t)
	c := s.nobody()
	c.get(c.post("/sso", "email", "employee@hanbit.example").visited(t, p)).leads("/")
	leaving := c.post("/ja/logout").want(200).shows("ログアウトしました")
	to, err := url.Parse(strings.TrimPrefix(leaving.header.Get("Refresh"), "0; url="))
	if err != nil {
		t.Fatal(err)
	}
	query := to.Query()
	if !strings.HasPrefix(to.String(), p.URL+"/logout?") || query.Get("client_id") != queriestest.SignOnClient || query.Get("post_logout_redirect_uri") != s.url+"/ja" || query.Get("id_token_hint") == "" {
		t.Errorf("to %s", to)
	}
	c.get("/profile").leads("/login?next=%2Fprofile")
	s.as(queriestest.Employee).post("/logout").leads("/") // who came with a password

	c.get(c.post("/sso", "email", "employee@hanbit.example").visited(t, p)).leads("/")
	p.Answer = http.NotFound
	s.clock.Advance(11 * time.Minute)
	c.post("/logout").leads("/")
}

func TestVisitCookieIsSecureBehindHTTPS(t *testing.T) {
	s := newSiteWith(t, handlers.Config{Secure: true})
	p := queriestest.NewSignOnProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	a := s.nobody().post("/sso", "email", "employee@hanbit.example").want(200)
	if cookie := a.visitCookie("__Host-officeconsole_visit_"); cookie == nil || !cookie.Secure {
		t.Errorf("cookie %v", cookie)
	}
	if to := a.header.Get("Refresh"); !strings.Contains(to, url.QueryEscape("https://"+strings.TrimPrefix(s.url, "http://")+"/oauth")) {
		t.Errorf("to %s", to)
	}
}
