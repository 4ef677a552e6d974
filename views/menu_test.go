package views

import (
	"slices"
	"testing"

	"officeconsole/locales"
	"officeconsole/views/viewstest"
)

func TestMenus(t *testing.T) {
	for _, test := range []struct {
		name  string
		frame Frame
		top   []string // top links and side entries; the current one has a star
		side  []string
	}{
		{
			"policies", frame(nil),
			[]string{"/en/policies/communication/management*", "/en/logs/communication/file", "/en/manage/use/install"},
			[]string{"/en/policies/communication/management*", "/en/policies/communication/status", "/en/policies/workingattitude/management", "/en/policies/workingattitude/manager", "/en/policies/workingattitude/status", "https://org.example/"},
		},
		{
			"logs", frame(func(f *Frame) { f.Path = "/logs/workingattitude/day?date=2026-11-20" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file*", "/en/manage/use/install"},
			[]string{"/en/logs/communication/file", "/en/logs/workingattitude/day*", "/en/logs/workingattitude/week", "/en/logs/workingattitude/month", "/en/logs/workingattitude/management", "https://org.example/"},
		},
		{
			"profile", frame(func(f *Frame) { f.Path = "/profile" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install"},
			[]string{"/en/notice", "/en/profile*", "https://org.example/"},
		},
		{
			"notices to read", frame(func(f *Frame) { f.Path, f.Person.OrganizationURL = "/notice", "" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install"},
			[]string{"/en/notice*", "/en/profile"},
		},
		{
			"unknown page", frame(func(f *Frame) { f.Path, f.Person.OrganizationURL = "/nowhere", "" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install"},
			[]string{"/en/policies/communication/management", "/en/policies/communication/status", "/en/policies/workingattitude/management", "/en/policies/workingattitude/manager", "/en/policies/workingattitude/status"},
		},
		{
			"address that runs a script", frame(func(f *Frame) { f.Path, f.Person.OrganizationURL = "/profile", "javascript://org.example/%0Aalert(1)" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install"},
			[]string{"/en/notice", "/en/profile*"},
		},
		{
			"links", frame(func(f *Frame) { f.Path = "/manage/link/convenience?platform=web" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install*"},
			[]string{"/en/manage/use/install", "/en/manage/use/agent/pc", "/en/manage/use/agent/mobile", "/en/manage/use/webhook", "/en/manage/use/webhook/outgoing", "/en/manage/use/hidden", "/en/manage/use/map", "/en/manage/use/holidays", "/en/manage/notice", "/en/manage/link/common", "/en/manage/link/convenience*", "/en/manage/security/access", "/en/manage/security/locks", "/en/manage/security/tokens", "/en/manage/security/changes", "/en/manage/security/reads", "/en/manage/security/providers", "/en/manage/security/factors", "/en/manage/security/retention", "https://org.example/"},
		},
		{
			"backups", frame(func(f *Frame) { f.Path, f.IsOperator, f.Person.OrganizationURL = "/manage/operation/backups", true, "" }),
			[]string{"/en/policies/communication/management", "/en/logs/communication/file", "/en/manage/use/install*"},
			[]string{"/en/manage/use/install", "/en/manage/use/agent/pc", "/en/manage/use/agent/mobile", "/en/manage/use/webhook", "/en/manage/use/webhook/outgoing", "/en/manage/use/hidden", "/en/manage/use/map", "/en/manage/use/holidays", "/en/manage/notice", "/en/manage/link/common", "/en/manage/link/convenience", "/en/manage/security/access", "/en/manage/security/locks", "/en/manage/security/tokens", "/en/manage/security/changes", "/en/manage/security/reads", "/en/manage/security/providers", "/en/manage/security/factors", "/en/manage/security/retention", "/en/manage/operation/backups*"},
		},
		{"employee", employeeOn("/logs/workingattitude/day"), nil, []string{"/en/logs/workingattitude/day*", "/en/logs/workingattitude/week", "/en/logs/workingattitude/month", "/en/notice", "/en/profile"}},
		{"employee's profile", employeeOn("/profile"), nil, []string{"/en/logs/workingattitude/day", "/en/logs/workingattitude/week", "/en/logs/workingattitude/month", "/en/notice", "/en/profile*"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := viewstest.Render(t, locales.English, Layout(test.frame, "Title"))
			if got := links(p, "top", "true"); !slices.Equal(got, test.top) {
				t.Errorf("the top links are %q, want %q", got, test.top)
			}
			if got, want := links(p, "side", "page"), append(test.side, "/en/support"); !slices.Equal(got, want) {
				t.Errorf("the side menu is %q, want %q", got, want)
			}
		})
	}
}

// links lists the addresses in the nav of a class, with a star where
// aria-current has the given value.
func links(p viewstest.Page, class, here string) []string {
	var found []string
	for _, e := range p.Named("a").Inside(p.With("class", class)[0]) {
		star := ""
		if e.Attr["aria-current"] == here {
			star = "*"
		}
		found = append(found, e.Attr["href"]+star)
	}
	return found
}

// An entry whose path is above that of another entry is not the current one on
// the page of the other.
func TestOneCurrentEntry(t *testing.T) {
	p, _ := viewstest.Render(t, locales.English, Layout(frame(func(f *Frame) { f.Path = "/manage/use/webhook/outgoing?status=failed" }), "Title"))
	if got := links(p, "side", "true"); slices.Contains(got, "/en/manage/use/webhook*") {
		t.Errorf("the side menu is %q", got)
	}
	if got := links(p, "side", "page"); !slices.Contains(got, "/en/manage/use/webhook/outgoing*") {
		t.Errorf("the side menu is %q", got)
	}
}
