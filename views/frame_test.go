package views

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/views/viewstest"

	"github.com/a-h/templ"
)

// Friday 20 November 2026, 10:00 in Korea.
var now = time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)

func frame(change func(*Frame)) Frame {
	person := identity.SignedIn{
		Person: directory.Person{
			CompanyID: 7, ID: 42, Name: `<i>"김&서연`, Email: "admin@hanbit.example", IsAdmin: true,
			CompanyName: "한빛테크", TimeZone: "Asia/Seoul", OrganizationURL: "https://org.example/",
		},
		ExpiresAt: now.Add(8 * time.Hour), IdleSeconds: 3600,
	}
	f := Frame{
		Version: "2026.11.2",
		Asset:   func(name string) string { return "/static/" + name },
		Path:    "/policies/communication/management?q=a&sort=name",
		Person:  &person,
		Now:     now,
	}
	if change != nil {
		change(&f)
	}
	return f
}

func employeeOn(path string) Frame {
	return frame(func(f *Frame) { f.Path, f.Person.IsAdmin = path, false })
}

func signedOut(f *Frame) { f.Path, f.Person = "/login?next=%2Fprofile", nil }

func TestPages(t *testing.T) {
	pages := map[string]templ.Component{
		"layout":           Layout(frame(nil), "Title"),
		"employee":         Error(employeeOn("/logs/workingattitude/day"), http.StatusNotFound, "error.not_found", "error.not_found.text"),
		"login":            Login(frame(signedOut), LoginForm{}),
		"login refused":    Login(frame(signedOut), LoginForm{Email: "a@b.example", Error: "session.refused"}),
		"not found":        Error(frame(nil), http.StatusNotFound, "error.not_found", "error.not_found.text"),
		"invalid access":   Error(frame(nil), http.StatusForbidden, InvalidAccess, "error.invalid_access.text"),
		"unexpected":       Error(frame(nil), http.StatusInternalServerError, "error.unexpected", "error.unexpected.text"),
		"error signed out": Error(frame(signedOut), http.StatusInternalServerError, "error.unexpected", "error.unexpected.text"),
	}
	for name, view := range pages {
		for _, l := range locales.All() {
			t.Run(name+" "+string(l), func(t *testing.T) {
				p, html := viewstest.Render(t, l, view)
				checkPage(t, l, p, html)
				if got := len(p.Named("h1")); got != 1 && name != "layout" {
					t.Errorf("the page has %d h1", got)
				}
			})
		}
	}
}

// checkPage checks what is true of every page.
func checkPage(t *testing.T, l locales.Locale, p viewstest.Page, html string) {
	t.Helper()
	if got := p.Named("html")[0].Attr["lang"]; got != string(l) {
		t.Errorf("lang is %q", got)
	}
	if got := p.Named("title")[0].Text; !strings.HasSuffix(got, " · "+l.T("frame.product")) {
		t.Errorf("the title is %q", got)
	}
	if len(p.Named("main")) != 1 {
		t.Errorf("the page has %d mains", len(p.Named("main")))
	}
	for _, bad := range []string{"%!", "⟦", "⟧", "style=", "onclick", "<i>"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	viewstest.CheckReferences(t, p)
	for _, e := range p.Named("use") {
		if id := strings.TrimPrefix(e.Attr["href"], "#"); len(p.With("id", id)) != 1 {
			t.Errorf("the sprite has no %q", id)
		}
	}
}

func TestLayoutIsPlainForThoseSignedOut(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Korean, Layout(frame(signedOut), "제목"))
	body := p.Named("body")[0]
	if body.Attr["class"] != "sign-in" || len(p.With("id", "support")) != 0 {
		t.Error("the page has the frame of somebody who is signed in")
	}
	if _, ok := body.Attr["data-session"]; ok {
		t.Error("the page tells of a session")
	}
}

func TestSessionOfThePage(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Japanese, Layout(frame(nil), "題名"))
	var got map[string]any
	if err := json.Unmarshal([]byte(p.Named("body")[0].Attr["data-session"]), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"user_id": 42.0, "company_id": 7.0, "expired_at": "2026-11-20T09:00:00Z",
		"idle_seconds": 3600.0, "locale": "ja", "prefix": "/ja",
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is %v, want %v", key, got[key], value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the page says more of the session: %v", got)
	}
}

func TestLanguageSwitchKeepsThePage(t *testing.T) {
	p, _ := viewstest.Render(t, locales.English, Layout(frame(nil), "Title"))
	if got := p.With("name", "next")[0].Attr["value"]; got != "/policies/communication/management?q=a&sort=name" {
		t.Errorf("the switch leads back to %q", got)
	}
	var offered []string
	for _, e := range p.With("name", "locale") {
		offered = append(offered, e.Attr["value"]+" "+e.Attr["aria-current"])
	}
	if !slices.Equal(offered, []string{"ko ", "en true", "ja "}) {
		t.Errorf("the switch offers %q", offered)
	}
}

func TestProductName(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Korean, Layout(frame(func(f *Frame) { f.ProductName = "한빛 콘솔" }), "제목"))
	if got := p.Named("title").Texts(); !slices.Equal(got, []string{"제목 · 한빛 콘솔"}) {
		t.Errorf("the title is %q", got)
	}
	if got := p.With("class", "brand").Texts(); !slices.Equal(got, []string{"한빛 콘솔"}) {
		t.Errorf("the brand is %q", got)
	}
}

func TestToast(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Korean, Layout(frame(func(f *Frame) { f.Toast = "저장했습니다" }), "제목"))
	if got := p.With("class", "toast").Texts(); !slices.Equal(got, []string{"저장했습니다"}) {
		t.Errorf("the toasts are %q", got)
	}
}
