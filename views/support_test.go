package views

import (
	"slices"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/views/viewstest"
)

func TestSupportAnswers(t *testing.T) {
	for _, test := range []struct {
		korean string
		want   bool
	}{
		{"2026-11-20 08:59", false},
		{"2026-11-20 09:00", true},
		{"2026-11-20 11:59", true},
		{"2026-11-20 12:00", false},
		{"2026-11-20 12:59", false},
		{"2026-11-20 13:00", true},
		{"2026-11-20 17:59", true},
		{"2026-11-20 18:00", false},
		{"2026-11-21 10:00", false},
		{"2026-11-22 10:00", false},
		{"2026-11-23 10:00", true},
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04", test.korean, korea)
		if err != nil {
			t.Fatal(err)
		}
		if got := supportAnswers(at.UTC()); got != test.want {
			t.Errorf("at %s somebody answers: %t, want %t", test.korean, got, test.want)
		}
	}
}

func TestSupportDrawer(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Korean, SupportDrawer(frame(nil)))
	drawer := p.With("id", "support")[0]
	if got := p.With("href", "tel:1661-5975").Texts(); !slices.Equal(got, []string{"1661-5975"}) {
		t.Errorf("the telephone is %q", got)
	}
	if got := p.With("class", "badge").Inside(drawer).Texts(); !slices.Equal(got, []string{"지금 상담 가능"}) {
		t.Errorf("at ten on a Friday the drawer says %q", got)
	}
	for _, text := range []string{"메일 문의", "원격 지원"} {
		i := slices.Index(p.Named("button").Texts(), text)
		if i < 0 {
			t.Fatalf("no button %q", text)
		}
		if _, hidden := p.Named("button")[i].Attr["hidden"]; !hidden {
			t.Errorf("the button %q is shown", text)
		}
	}
	facts := p.Named("dd").Inside(p.With("id", "support-facts")[0]).Texts()
	if want := []string{"한빛테크 7", `<i>"김&서연 · admin@hanbit.example`, "2026.11.2", ""}; !slices.Equal(facts, want) {
		t.Errorf("the facts are %q, want %q", facts, want)
	}
}

func TestManuals(t *testing.T) {
	links := func(f Frame) []string {
		p, _ := viewstest.Render(t, locales.Korean, SupportDrawer(f))
		var found []string
		for _, e := range p.Named("a").Inside(p.With("id", "support")[0]) {
			found = append(found, e.Attr["href"])
		}
		return found
	}
	if got := links(frame(nil)); !slices.Equal(got, []string{"tel:1661-5975"}) {
		t.Errorf("without manuals the drawer leads to %q", got)
	}
	got := links(frame(func(f *Frame) {
		f.Person.ProductSettings.AdminManualURL = "https://manuals.example/admin.pdf"
		f.Person.ProductSettings.UserManualURL = "javascript://manuals.example/%0Aalert(1)"
	}))
	if !slices.Equal(got, []string{"tel:1661-5975", "https://manuals.example/admin.pdf"}) {
		t.Errorf("with manuals the drawer leads to %q", got)
	}
}
