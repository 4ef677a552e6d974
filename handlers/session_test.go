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

const sessionCookie = "officeconsole_session"

func TestSignIn(t *testing.T) {
	s := newSite(t)
	admin := s.nobody()
	a := admin.signIn(queriestest.Admin).leads("/")
	cookie := a.setCookie(sessionCookie)
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Secure {
		t.Fatalf("cookie %v", cookie)
	}
	admin.get("/").leads(adminHome)

	employee := s.nobody()
	employee.post("/ja/login", "email", queriestest.Email(queriestest.Employee), "password", queriestest.Password,
		"next", "/profile?x=1").leads("/ja/profile?x=1")
	employee.get("/ja/").leads("/ja" + employeeHome)
}

func TestSessionCookieIsSecureBehindHTTPS(t *testing.T) {
	s := newSiteWith(t, handlers.Config{Secure: true})
	a := s.nobody().post("/login", "email", queriestest.Email(queriestest.Admin), "password", queriestest.Password, "remember", "1")
	b := s.nobody().post("/locale", "locale", "en")
	for _, cookie := range []*http.Cookie{a.setCookie("__Host-" + sessionCookie), a.setCookie("__Host-email"), a.setCookie("__Host-officeconsole_device"), b.setCookie("__Host-locale")} {
		if cookie == nil || !cookie.Secure || cookie.Path != "/" || cookie.Domain != "" {
			t.Errorf("cookie %v", cookie)
		}
	}
	// A browser sends the cookies of a host beside this one, too.
	s.nobody().with("Cookie", sessionCookie+"="+a.setCookie("__Host-"+sessionCookie).Value).get("/profile").leads("/login?next=%2Fprofile")
	s.nobody().with("Cookie", a.setCookie("__Host-"+sessionCookie).String()).get("/profile").want(200)
	if to := s.nobody().with("Cookie", "__Host-locale=en; locale=ja").get("/").want(http.StatusFound).location(); to != "/en" {
		t.Errorf("the language of another cookie: %s", to)
	}
}

func TestRefusedSignIn(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct{ path, email, password, reason string }{
		{"/login", "admin@hanbit.example", "Wrong!2026", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/en/login", "admin@hanbit.example", "Wrong!2026", "Please check your email and password"},
		{"/login", "nobody@hanbit.example", "Wrong!2026", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/login", "", "", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/login", `"><script>alert(1)</script>`, "Wrong!2026", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/login", "admin@hanbit.example\x00", "Wrong\x00!2026", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/login", "\xff\xfe", "Wrong!\xff", "이메일 또는 비밀번호를 확인해 주세요"},
		{"/login", "hidden@hanbit.example", queriestest.Password, "사용이 중지된 계정입니다"},
	} {
		c := s.nobody()
		a := c.post(test.path, "email", test.email, "password", test.password, "next", "/profile").want(422)
		a.shows(test.reason, test.email, `name="next" value="/profile"`)
		if test.password != "" {
			a.hides(test.password)
		}
		if strings.Contains(a.body, "<script>") {
			t.Errorf("%q is not escaped", test.email)
		}
		c.get("/profile").leads("/login?next=%2Fprofile")
	}
	s.nobody().htmx().post("/en/login", "email", "admin@hanbit.example", "password", "x").want(422).
		shows(`"code":"session.refused"`, `"message":"Please check your email and password`)
}

func TestTooManyFailedSignIns(t *testing.T) {
	s := newSite(t)
	for range 5 {
		s.nobody().post("/login", "email", "admin@hanbit.example", "password", "x").want(422).shows("5회 틀리면")
	}
	s.nobody().signIn(queriestest.Admin).want(422).shows("여러 번 틀려 잠겼습니다")
	s.clock.Advance(10*time.Minute + time.Second)
	s.nobody().signIn(queriestest.Admin).leads("/")
}

// Signing in replaces a session id that somebody else may have planted.
func TestSignInChangesTheSessionID(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	before := c.cookie(sessionCookie)
	c.signIn(queriestest.Admin).leads("/")
	if after := c.cookie(sessionCookie); after == before || after == "" {
		t.Fatalf("session id %q, then %q", before, after)
	}
	planted := s.nobody()
	planted.setCookie(sessionCookie, before)
	planted.get("/profile").leads("/login?next=%2Fprofile")
	if n := s.count("select count(*) from sign_ins where user_id = $1 and ended_at is null", queriestest.Employee); n != 0 {
		t.Error("signing in left the browser's earlier sign-in open")
	}
}

// Nobody who reads the database can use the sessions and tokens in it.
func TestSessionsAreStoredByHash(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	secret := c.cookie(sessionCookie)
	if n := s.count("select count(*) from sessions where token = $1 or data::text like '%' || $1 || '%'", secret); n != 0 {
		t.Error("the cookie of a session is stored")
	}
	stolen := s.nobody()
	stolen.setCookie(sessionCookie, queriestest.LookUp(t, s.db, "select token from sessions"))
	stolen.get("/profile").leads("/login?next=%2Fprofile")
	c.get("/profile").want(200)
}

// A browser that somebody signed in with is known again, and not locked by guesses of
// others.
func TestGuessesDoNotLockAKnownBrowser(t *testing.T) {
	s := newSite(t)
	c := s.nobody()
	cookie := c.signIn(queriestest.Admin).setCookie("officeconsole_device")
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 365*24*60*60 {
		t.Fatalf("cookie %v", cookie)
	}
	c.post("/logout").leads("/")
	for range 6 {
		s.fail("admin@hanbit.example")
	}
	s.nobody().signIn(queriestest.Admin).want(422).shows("여러 번 틀려 잠겼습니다")
	again := c.signIn(queriestest.Admin).leads("/").setCookie("officeconsole_device")
	if again == nil || again.Value != cookie.Value {
		t.Errorf("the browser has another cookie: %v", again)
	}
	c.post("/logout").leads("/")
	c.with("Cookie", "officeconsole_device=made up").signIn(queriestest.Kim).want(422)
}

func TestSignInAgainByScript(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	s.clock.Advance(9 * time.Hour)
	script := c.with("Accept", "application/json")
	script.get("/session").want(419)
	script.signIn(queriestest.Employee).want(http.StatusNoContent)
	script.get("/session").want(200).shows(`"user_id":2`, `"company_id":1`, `"idle_seconds":1800`, `"expired_at":"2026-11-20T`)
	c.get("/profile").want(200)
}

// A page of one person does nothing once somebody else has signed in with its browser, but
// that person can sign in again.
func TestPageOfSomebodyElse(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get("/en/profile").want(200).shows(`data-other="Somebody else has signed in with this browser."`, `action="/en/sso" target="_blank"`)
	const retention = "/manage/security/retention"
	shorter := []string{"version", "0", "access", "24", "files", "3", "clients", "0", "confirmed", "1"}
	for _, of := range []string{"1/2", "2/1", "1"} {
		page := admin.with("Console-Person", of)
		page.htmx().post(retention, shorter...).want(419)
		page.with("Accept", "application/json").post("/session/activity").want(419)
	}
	if n := s.count("select count(*) from retentions"); n != 0 {
		t.Error("it was saved in the name of somebody else")
	}
	admin.with("Console-Person", "1/1").htmx().post(retention, shorter...).leads(retention)
	admin.with("Accept", "application/json").with("Console-Person", "").signIn(queriestest.Employee).want(http.StatusNoContent)
	admin.with("Console-Person", "1/2").with("Accept", "application/json").post("/session/activity").want(http.StatusNoContent)
}

func TestSignOut(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	kept := c.cookie(sessionCookie)
	c.post("/en/logout").leads("/en")
	if c.cookie(sessionCookie) != "" {
		t.Error("the cookie is still there")
	}
	stolen := s.nobody()
	stolen.setCookie(sessionCookie, kept)
	stolen.get("/profile").leads("/login?next=%2Fprofile")
	if n := s.count("select count(*) from sign_ins where ended_at is null"); n != 0 {
		t.Error("the sign-in goes on")
	}
}

func TestSessionEnds(t *testing.T) {
	ended := map[string]func(*site){
		"after eight hours": func(s *site) {
			for range 9 * 6 { // with continuous activity
				s.clock.Advance(10 * time.Minute)
				s.exec("update sign_ins set seen_at = $1", s.clock.Now())
			}
		},
		"after being idle": func(s *site) { s.clock.Advance(32 * time.Minute) },
		"when hidden":      func(s *site) { s.exec("update users set hidden_at = now() where id = $1", queriestest.Employee) },
		"when ended elsewhere": func(s *site) {
			s.as(queriestest.Employee).post("/profile/sessions/delete", "password", queriestest.Password).leads("/profile")
		},
	}
	for name, end := range ended {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c := s.as(queriestest.Employee)
			kept := c.cookie(sessionCookie)
			end(s)
			c.htmx().get("/en/profile").want(419).shows(`"message":"Your connection has ended. Please sign in again."`)
			if c.cookie(sessionCookie) != "" {
				t.Error("the browser keeps a cookie of no use")
			}
			again := s.nobody()
			again.setCookie(sessionCookie, kept)
			again.get("/en/profile").leads("/en/login?next=%2Fprofile")
			c.post("/profile/password").leads("/login")
			c.get("/login").want(200)
		})
	}
}

// Requests that a page sends on its own do not extend the session; a person's
// activity does.
func TestActivityExtendsTheSession(t *testing.T) {
	s := newSite(t)
	watching, working := s.as(queriestest.Employee), s.as(queriestest.Employee)
	for range 4 {
		s.clock.Advance(10 * time.Minute)
		working.htmx().post("/session/activity").want(http.StatusNoContent)
		watching.htmx().get("/session")
	}
	watching.htmx().get("/session").want(419)
	working.htmx().get("/session").want(200)
}

func TestReadingWritesNothing(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	s.clock.Advance(59 * time.Second)
	before := s.count("select count(*) from sign_ins where seen_at = $1", s.clock.Now())
	c.get("/profile").want(200)
	if after := s.count("select count(*) from sign_ins where seen_at = $1", s.clock.Now()); before != 0 || after != 0 {
		t.Error("a page that was only read wrote down that it was")
	}
}

func TestBrokenCookies(t *testing.T) {
	s := newSite(t)
	for _, value := range []string{"x", strings.Repeat("A", 4000), "%00", "' or 1=1 --", "../../etc"} {
		c := s.nobody().with("Cookie", sessionCookie+"="+value+"; locale="+value+"; email="+value)
		c.get("/profile").leads("/login?next=%2Fprofile")
		c.get("/login").want(200)
	}
	s.nobody().with("Cookie", "email=%ff%00; officeconsole_session=\xff\xfe").get("/login").want(200)
}

func TestRememberedEmail(t *testing.T) {
	s := newSite(t)
	email := queriestest.Email(queriestest.Admin)
	checked := `name="remember" value="1" checked`

	c := s.nobody()
	c.get("/login").hides(email, checked)
	a := c.post("/login", "email", " Admin@Hanbit.example", "password", queriestest.Password, "remember", "1").leads("/")
	cookie := a.setCookie("email")
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.MaxAge != 365*24*60*60 {
		t.Fatalf("cookie %v", cookie)
	}
	c.post("/logout").leads("/")
	c.get("/ja/login").shows(`value="`+email+`"`, checked)

	c.post("/login", "email", email, "password", "wrong").want(422).hides(checked)
	c.get("/login").shows(`value="` + email + `"`) // a failed sign-in changes nothing

	if a := c.with("Accept", "application/json").signIn(queriestest.Admin).want(204); a.setCookie("email") != nil {
		t.Error("signing in again in place touched the remembered email")
	}
	c.post("/logout").leads("/")
	c.signIn(queriestest.Admin).leads("/")
	c.post("/logout").leads("/")
	c.get("/login").hides(email, checked)
}

// After signing in, a person is redirected only to pages of this console.
func TestNext(t *testing.T) {
	s := newSite(t)
	for next, want := range map[string]string{
		"/profile?a=b":          "/en/profile?a=b",
		"/ja/profile":           "/en/profile",
		"":                      "/en",
		"https://evil.example/": "/en",
		"//evil.example":        "/en",
		"///evil.example":       "/en",
		`/\evil.example`:        "/en",
		`\\evil.example`:        "/en",
		"/\t/evil.example":      "/en",
		"/\n/evil.example":      "/en",
		"/\x00/evil.example":    "/en",
		"/en//evil.example":     "/en",
		"/.//evil.example":      "/en/evil.example",
		"javascript:alert(1)":   "/en",
	} {
		c := s.nobody()
		a := c.post("/en/login", "email", queriestest.Email(queriestest.Admin), "password", queriestest.Password, "next", next)
		a.leads(want)
		c.post("/locale", "locale", "en", "next", next).leads(want)
	}
	for _, next := range []string{"/login", "/ja/login?next=%2Fprofile", "/logout", "/en/logout?x=1"} {
		credentials := []string{"email", queriestest.Email(queriestest.Admin), "password", queriestest.Password, "next", next}
		s.nobody().post("/en/login", credentials...).leads("/en")
		for _, page := range []string{"/login", "/sso"} {
			s.nobody().get(page + "?next=" + url.QueryEscape(next)).want(200).shows(`name="next" value=""`)
		}
	}
	s.nobody().get("/login?next=//evil.example").want(200).shows(`name="next" value=""`)
	s.nobody().get("/login?next=%2Fprofile").want(200).shows(`name="next" value="/profile"`)
}

func TestTooLargeForms(t *testing.T) {
	s := newSite(t)
	large := strings.Repeat("a", 10<<20)
	s.nobody().post("/en/login", "email", large, "password", "x").want(413).shows("What you sent is too large.")
	s.as(queriestest.Admin).htmx().post("/profile/password", "current", large).want(413).shows(`"code":"error.too_large"`)
	s.nobody().post("/locale", "locale", large).want(413)
}

func TestMalformedForms(t *testing.T) {
	s := newSite(t)
	s.nobody().do(http.MethodPost, "/login", "email=%zz").want(422).shows("읽을 수 없는 문자")
	s.as(queriestest.Admin).do(http.MethodPost, "/profile/password", "new=%").want(422)
}

func TestWithoutDatabase(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	s.exec("alter table sign_ins rename to away")
	c.get("/en/profile").want(500).shows("Failed to communicate with the server").hides("sign_ins", "SQLSTATE", "goroutine")
	c.htmx().get("/profile").want(500).shows(`"code":"error.unexpected"`).hides("SQLSTATE")
	s.exec("alter table away rename to sign_ins")
	c.get("/profile").want(200)
}
