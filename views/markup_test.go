package views

import (
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/views/viewstest"
)

func TestMomentsSayTheExactTime(t *testing.T) {
	seoul := time.FixedZone("KST", 9*60*60)
	times := []time.Time{
		time.Date(2026, 11, 20, 0, 5, 7, 0, seoul), time.Date(2026, 11, 20, 23, 59, 0, 0, seoul),
		time.Date(2026, 11, 21, 9, 0, 0, 0, seoul), time.Date(2025, 11, 21, 10, 30, 0, 0, seoul), time.Date(2026, 1, 1, 1, 1, 1, 0, time.UTC),
	}
	for _, l := range locales.All() {
		var got, want []string
		p, _ := viewstest.Render(t, l, MarkupFunc(func(m *Markup) {
			for _, at := range times {
				m.Moment(at, func() { m.Clock(at) })
			}
		}))
		for i, e := range p {
			got = append(got, e.Attr["datetime"]+" "+e.Attr["title"]+" "+e.Text)
			want = append(want, times[i].Format(time.RFC3339)+" "+l.DateTime(times[i])+" "+times[i].Format("15:04"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", l, got, want)
		}
	}
}

// A component that was rendered leaves nothing behind for the next one.
func TestMarkupIsRenderedAnew(t *testing.T) {
	for _, text := range []string{"a longer text & more", "short"} {
		for _, l := range locales.All() {
			if got, want := viewstest.HTML(t, l, TextOrDash(text)), html.EscapeString(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := viewstest.HTML(t, l, Dash()); !strings.Contains(got, l.T("frame.none")) {
				t.Errorf("%s: %q", l, got)
			}
		}
	}
}

func TestOnceIsRenderedInEachLanguage(t *testing.T) {
	view := Once(Dash())
	for range 2 {
		for _, l := range locales.All() {
			if got, want := viewstest.HTML(t, l, view), viewstest.HTML(t, l, Dash()); got != want {
				t.Errorf("%s: %q, want %q", l, got, want)
			}
		}
	}
}
