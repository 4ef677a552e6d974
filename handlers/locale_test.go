package handlers_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestLanguageIsDetected(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct{ accept, path, want string }{
		{"en-US,en;q=0.9", "/", "/en"},
		{"en-US,en;q=0.9", "/login", "/en/login"},
		{"en", "/login?next=%2Fprofile&x=1", "/en/login?next=%2Fprofile&x=1"},
		{"ja-JP,en;q=0.5", "/profile", "/ja/profile"},
		{"fr,ja;q=0.5,en;q=0.4", "/login", "/ja/login"},
		{"en;q=0.4,ja;q=0.5", "/nowhere", "/ja/nowhere"},
	} {
		a := s.nobody().with("Accept-Language", test.accept).get(test.path).want(http.StatusFound)
		if a.location() != test.want {
			t.Errorf("%s for %s: leads to %s, want %s", test.path, test.accept, a.location(), test.want)
		}
		if a.header.Get("Vary") == "" {
			t.Errorf("%s: shared caches would give everybody the same language", test.path)
		}
	}
	for _, accept := range []string{"", "ko", "ko-KR,en;q=0.8", "fr", "*", "broken;;;"} {
		s.nobody().with("Accept-Language", accept).get("/login").want(200).shows(`<html lang="ko"`)
	}
}

// Only GET requests of pages are redirected to another language.
func TestLanguageIsNotDetected(t *testing.T) {
	s := newSite(t)
	english := s.nobody().with("Accept-Language", "en")
	english.get("/ja/login").want(200).shows(`<html lang="ja"`)
	english.get("/en/login").want(200).shows(`<html lang="en"`)
	english.post("/logout").leads("/login")
	english.htmx().get("/profile").want(419)
	english.get("/images/users/1").leads("/login?next=%2Fimages%2Fusers%2F1")
	english.get("/session").leads("/login?next=%2Fsession")
	english.get("/enterprise").want(http.StatusFound) // not a language prefix, only begins like one
}

func TestLanguageOfTheCookie(t *testing.T) {
	s := newSite(t)
	c := s.nobody().with("Accept-Language", "en")
	c.setCookie("locale", "ja")
	if a := c.get("/").want(http.StatusFound); a.location() != "/ja" {
		t.Errorf("home leads to %s", a.location())
	}
	c.get("/login").want(200).shows(`<html lang="ko"`)
	c.get("/en/login").want(200).shows(`<html lang="en"`)
	c.get("/en").leads("/en/login")

	c.setCookie("locale", "ko")
	c.get("/").leads("/login")

	c.setCookie("locale", "xx")
	if a := c.get("/login").want(http.StatusFound); a.location() != "/en/login" {
		t.Errorf("with a broken cookie the sign-in page leads to %s", a.location())
	}
}

func TestChoosingALanguage(t *testing.T) {
	s := newSite(t)
	for _, c := range []*client{s.nobody(), s.as(queriestest.Admin), s.as(queriestest.Employee)} {
		a := c.post("/en/locale", "locale", "ja", "next", "/logs/workingattitude/day?date=2026-11-02").
			leads("/ja/logs/workingattitude/day?date=2026-11-02")
		cookie := a.setCookie("locale")
		if cookie == nil || cookie.Value != "ja" || cookie.Path != "/" || cookie.MaxAge != 365*24*60*60 || cookie.SameSite != http.SameSiteLaxMode {
			t.Fatalf("cookie %v", cookie)
		}
		c.post("/locale", "locale", "ko", "next", "/profile").leads("/profile")
		c.post("/locale", "locale", "en").leads("/en")
		c.post("/locale", "locale", "fr", "next", "/profile").want(404)
		if c.cookie("locale") != "en" {
			t.Errorf("the cookie is %q", c.cookie("locale"))
		}
	}
}

// The language switch of a page leads back to the same page with its query.
func TestLanguageSwitchKeepsThePage(t *testing.T) {
	s := newSite(t)
	path := "/logs/workingattitude/day?date=2026-11-02"
	s.as(queriestest.Employee).get("/ja"+path).want(200).shows(`action="/locale"`, `name="next" value="`+path+`"`)
	s.nobody().get("/en/login?next=%2Fprofile").want(200).shows(`name="next" value="/login?next=%2Fprofile"`)
}
