package views

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"

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

// An element of a rendered page, in the order of the page. Text is its own and
// that of what is in it.
type element struct {
	name   string
	attr   map[string]string
	text   string
	around page
}

type page []*element

func (p page) all(match func(*element) bool) page {
	var found page
	for _, e := range p {
		if match(e) {
			found = append(found, e)
		}
	}
	return found
}

func (p page) named(name string) page {
	return p.all(func(e *element) bool { return e.name == name })
}

func (p page) with(attribute, value string) page {
	return p.all(func(e *element) bool { v, ok := e.attr[attribute]; return ok && v == value })
}

func (p page) inside(outer *element) page {
	return p.all(func(e *element) bool { return slices.Contains(e.around, outer) })
}

func (p page) texts() []string {
	var texts []string
	for _, e := range p {
		texts = append(texts, strings.Join(strings.Fields(e.text), " "))
	}
	return texts
}

func render(t *testing.T, l locales.Locale, view templ.Component) (page, string) {
	t.Helper()
	var out bytes.Buffer
	if err := view.Render(locales.NewContext(context.Background(), l), &out); err != nil {
		t.Fatal(err)
	}
	return parse(t, out.String()), out.String()
}

func parse(t *testing.T, html string) page {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var elements, open page
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attr: map[string]string{}, around: slices.Clone(open)}
			for _, a := range token.Attr {
				name := a.Name.Local
				if a.Name.Space != "" {
					name = a.Name.Space + ":" + name
				}
				e.attr[name] = a.Value
			}
			elements, open = append(elements, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

func TestPages(t *testing.T) {
	pages := map[string]templ.Component{
		"layout":           Layout(frame(nil), "Title"),
		"employee":         Error(employeeOn("/logs/workingattitude/day"), http.StatusNotFound, "error.not_found"),
		"login":            Login(frame(signedOut), LoginForm{}),
		"login refused":    Login(frame(signedOut), LoginForm{Email: "a@b.example", Error: "session.refused"}),
		"not found":        Error(frame(nil), http.StatusNotFound, "error.not_found"),
		"invalid access":   Error(frame(nil), http.StatusForbidden, InvalidAccess),
		"unexpected":       Error(frame(nil), http.StatusInternalServerError, "error.unexpected"),
		"error signed out": Error(frame(signedOut), http.StatusInternalServerError, "error.unexpected"),
	}
	for name, view := range pages {
		for _, l := range locales.All() {
			t.Run(name+" "+string(l), func(t *testing.T) {
				p, html := render(t, l, view)
				checkPage(t, l, p, html)
				if got := len(p.named("h1")); got != 1 && name != "layout" {
					t.Errorf("the page has %d h1", got)
				}
			})
		}
	}
}

// checkPage checks what is true of every page.
func checkPage(t *testing.T, l locales.Locale, p page, html string) {
	t.Helper()
	if got := p.named("html")[0].attr["lang"]; got != string(l) {
		t.Errorf("lang is %q", got)
	}
	if got := p.named("title")[0].text; !strings.HasSuffix(got, " · "+l.T("frame.product")) {
		t.Errorf("the title is %q", got)
	}
	if len(p.named("main")) != 1 {
		t.Errorf("the page has %d mains", len(p.named("main")))
	}
	for _, bad := range []string{"%!", "⟦", "⟧", "style=", "onclick", "<i>"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	checkReferences(t, p)
	for _, e := range p.named("use") {
		if id := strings.TrimPrefix(e.attr["href"], "#"); len(p.with("id", id)) != 1 {
			t.Errorf("the sprite has no %q", id)
		}
	}
}

// checkReferences checks that ids are unique and that whatever names one finds it.
func checkReferences(t *testing.T, p page) {
	t.Helper()
	ids := map[string]int{}
	for _, e := range p {
		if id, ok := e.attr["id"]; ok {
			ids[id]++
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for _, e := range p {
		for _, name := range []string{"for", "form", "aria-labelledby", "aria-describedby", "popovertarget", "data-dialog", "data-copy"} {
			for id := range strings.FieldsSeq(e.attr[name]) {
				if ids[id] == 0 {
					t.Errorf("<%s %s=%q> finds nothing", e.name, name, id)
				}
			}
		}
	}
	for _, e := range p.all(func(e *element) bool { return e.name == "input" && e.attr["type"] != "hidden" }) {
		if len(p.with("for", e.attr["id"])) == 0 && e.attr["aria-label"] == "" && e.attr["type"] != "checkbox" {
			t.Errorf("the input %q has no label", e.attr["name"])
		}
	}
}

func TestLayoutIsPlainForThoseSignedOut(t *testing.T) {
	p, _ := render(t, locales.Korean, Layout(frame(signedOut), "제목"))
	body := p.named("body")[0]
	if body.attr["class"] != "sign-in" || len(p.with("id", "support")) != 0 {
		t.Error("the page has the frame of somebody who is signed in")
	}
	if _, ok := body.attr["data-session"]; ok {
		t.Error("the page tells of a session")
	}
}

func TestSessionOfThePage(t *testing.T) {
	p, _ := render(t, locales.Japanese, Layout(frame(nil), "題名"))
	var got map[string]any
	if err := json.Unmarshal([]byte(p.named("body")[0].attr["data-session"]), &got); err != nil {
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
	p, _ := render(t, locales.English, Layout(frame(nil), "Title"))
	if got := p.with("name", "next")[0].attr["value"]; got != "/policies/communication/management?q=a&sort=name" {
		t.Errorf("the switch leads back to %q", got)
	}
	var offered []string
	for _, e := range p.with("name", "locale") {
		offered = append(offered, e.attr["value"]+" "+e.attr["aria-current"])
	}
	if !slices.Equal(offered, []string{"ko ", "en true", "ja "}) {
		t.Errorf("the switch offers %q", offered)
	}
}

func TestProductName(t *testing.T) {
	p, _ := render(t, locales.Korean, Layout(frame(func(f *Frame) { f.ProductName = "한빛 콘솔" }), "제목"))
	if got := p.named("title").texts(); !slices.Equal(got, []string{"제목 · 한빛 콘솔"}) {
		t.Errorf("the title is %q", got)
	}
	if got := p.with("class", "brand").texts(); !slices.Equal(got, []string{"한빛 콘솔"}) {
		t.Errorf("the brand is %q", got)
	}
}

func TestToast(t *testing.T) {
	p, _ := render(t, locales.Korean, Layout(frame(func(f *Frame) { f.Toast = "저장했습니다" }), "제목"))
	if got := p.with("class", "toast").texts(); !slices.Equal(got, []string{"저장했습니다"}) {
		t.Errorf("the toasts are %q", got)
	}
}
