package views

import (
	"context"
	"html"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// Markup is a buffer of HTML to which the rows of long tables are written,
// since a component for every cell would take longer than writing the cell
// itself. Raw writes constants; every other value goes through a method that
// escapes it.
type Markup struct {
	Context context.Context // of the page, only while it is rendered
	Locale  locales.Locale  // of Context

	out  []byte
	dash string // the markup of Dash, once it was needed

	// The date that Moment wrote last, since most times of a table are of one day:
	// year and day of the year, and its escaped words up to the time of day.
	day  int
	date string
}

var markups = sync.Pool{New: func() any { return new(Markup) }}

// MarkupFunc returns a component that writes HTML through a Markup, in one
// call to the writer.
func MarkupFunc(write func(m *Markup)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		m := markups.Get().(*Markup)
		defer markups.Put(m)
		locale := locales.FromContext(ctx)
		*m = Markup{out: m.out[:0], Context: ctx, Locale: locale}
		write(m)
		m.Context = nil
		_, err := w.Write(m.out)
		return err
	})
}

// String returns the HTML written so far.
func (m *Markup) String() string { return string(m.out) }

// Raw writes markup that is a constant or already escaped.
func (m *Markup) Raw(constants ...string) {
	for _, s := range constants {
		m.out = append(m.out, s...)
	}
}

// Text writes a value, escaped.
func (m *Markup) Text(value string) { m.out = append(m.out, html.EscapeString(value)...) }

// Wrap writes a value, escaped, between two pieces of constant markup.
func (m *Markup) Wrap(before, value, behind string) {
	m.Raw(before)
	m.Text(value)
	m.Raw(behind)
}

// Int writes a number in decimal digits.
func (m *Markup) Int(n int64) { m.out = strconv.AppendInt(m.out, n, 10) }

// T translates a message into the page's language.
func (m *Markup) T(id string, args ...any) string { return m.Locale.T(id, args...) }

// Href writes the attribute href for a path without language prefix.
func (m *Markup) Href(path string) { m.Wrap(` href="`, m.Locale.Path(path), `"`) }

// Icon writes what the component Icon renders.
func (m *Markup) Icon(name string) {
	m.Wrap(`<svg class="icon" aria-hidden="true"><use href="#i-`, name, `"></use></svg>`)
}

// Badge writes what the component Badge renders.
func (m *Markup) Badge(tone, name, text string) {
	m.Raw(`<span class="badge"`)
	if tone != "" {
		m.Wrap(` data-tone="`, tone, `"`)
	}
	m.Raw(`>`)
	m.Icon(name)
	m.Wrap("", text, `</span>`)
}

// Dash writes the dash that stands for a missing value.
func (m *Markup) Dash() {
	if m.dash == "" {
		m.dash = dashes[m.Locale]()
	}
	m.Raw(m.dash)
}

// TextOrDash writes a text, or Dash if it is "" or "–".
func (m *Markup) TextOrDash(text string) {
	switch text {
	case "", "–":
		m.Dash()
	default:
		m.Text(text)
	}
}

// Truncated writes a name that the stylesheet may cut off; its full text is
// the title.
func (m *Markup) Truncated(name string) {
	m.Wrap(`<span class="truncate" title="`, name, `"><bdi>`)
	m.Wrap("", name, `</bdi></span>`)
}

// Lang writes the attribute of Lang.
func (m *Markup) Lang(text string) {
	if language := langOf(m.Locale, text); language != "" {
		m.Raw(` lang="`, string(language), `"`)
	}
}

// Moment writes a time element around what show writes. Its title is the
// exact time.
func (m *Markup) Moment(t time.Time, show func()) {
	m.Raw(`<time datetime="`)
	m.out = t.AppendFormat(m.out, time.RFC3339)
	m.Raw(`" title="`)
	if day := t.Year()*1000 + t.YearDay(); day != m.day {
		m.day, m.date = day, html.EscapeString(strings.TrimSuffix(m.Locale.DateTime(t), m.Locale.Time(t)))
	}
	m.Raw(m.date)
	m.Clock(t)
	m.Raw(`">`)
	show()
	m.Raw(`</time>`)
}

// Clock writes a time of day on a 24-hour clock: "09:05".
func (m *Markup) Clock(t time.Time) {
	hour, minute, _ := t.Clock()
	m.out = append(m.out, byte('0'+hour/10), byte('0'+hour%10), ':', byte('0'+minute/10), byte('0'+minute%10))
}

// dashes are the markup of a missing value in each language.
var dashes = map[locales.Locale]func() string{
	locales.Korean:   sync.OnceValue(func() string { return newDash(locales.Korean) }),
	locales.English:  sync.OnceValue(func() string { return newDash(locales.English) }),
	locales.Japanese: sync.OnceValue(func() string { return newDash(locales.Japanese) }),
}

func newDash(l locales.Locale) string {
	m := Markup{Locale: l}
	m.Wrap(`<span class="sub" role="img" aria-label="`, m.T("frame.none"), `">–</span>`)
	return m.String()
}

// Icon is a picture of 16 px, hidden from screen readers. Use it beside a
// text or in a control with an accessible name.
func Icon(name string) templ.Component { return MarkupFunc(func(m *Markup) { m.Icon(name) }) }

// Badge is a small label with an icon. Tone is accent, success, warning,
// danger, info or "" for none; name is that of the icon.
func Badge(tone, name, text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.Badge(tone, name, text) })
}

// Moment is a time element that shows text; its title is the exact time.
func Moment(t time.Time, text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.Moment(t, func() { m.Text(text) }) })
}

// Dash stands for a missing value.
func Dash() templ.Component { return MarkupFunc((*Markup).Dash) }

// TextOrDash is a text, or Dash if it is "" or "–".
func TextOrDash(text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.TextOrDash(text) })
}
