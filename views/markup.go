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

// Markup is HTML that the rows of long tables are written to: a component for
// every cell would cost more than what it shows. Constants are written by raw,
// and every value by text, which escapes it.
type Markup struct {
	out     []byte
	Context context.Context
	Locale  locales.Locale
	day     int    // of the latest date, as year and day of the year
	date    string // the latest date in words, escaped, up to the time of day
}

var markups = sync.Pool{New: func() any { return new(Markup) }}

// MarkupFunc is a component that writes its markup at once.
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

// String is the markup that was written.
func (m *Markup) String() string { return string(m.out) }

func (m *Markup) Raw(constants ...string) {
	for _, s := range constants {
		m.out = append(m.out, s...)
	}
}

func (m *Markup) Text(value string) { m.out = append(m.out, html.EscapeString(value)...) }

// Wrap writes a value between constants, as in raw, text, raw.
func (m *Markup) Wrap(before, value, behind string) {
	m.Raw(before)
	m.Text(value)
	m.Raw(behind)
}

func (m *Markup) Int(n int64) { m.out = strconv.AppendInt(m.out, n, 10) }

func (m *Markup) T(id string, args ...any) string { return m.Locale.T(id, args...) }

// Href is the attribute of a path of the console in the reader's language.
func (m *Markup) Href(path string) { m.Wrap(` href="`, m.Locale.Path(path), `"`) }

func (m *Markup) Icon(name string) {
	m.Wrap(`<svg class="icon" aria-hidden="true"><use href="#i-`, name, `"></use></svg>`)
}

// Badge is as the component badge.
func (m *Markup) Badge(tone, name, text string) {
	m.Raw(`<span class="badge"`)
	if tone != "" {
		m.Wrap(` data-tone="`, tone, `"`)
	}
	m.Raw(`>`)
	m.Icon(name)
	m.Wrap("", text, `</span>`)
}

// Dash stands where there is no value.
func (m *Markup) Dash() { m.Raw(dashes[m.Locale]) }

// TextOrDash is a text of a list; where there is none, a dash.
func (m *Markup) TextOrDash(text string) {
	switch text {
	case "", "–":
		m.Dash()
	default:
		m.Text(text)
	}
}

// Truncated is a name that may be cut off.
func (m *Markup) Truncated(name string) {
	m.Wrap(`<span class="truncate" title="`, name, `"><bdi>`)
	m.Wrap("", name, `</bdi></span>`)
}

// Moment opens and closes the element of a time; what is shown of it comes
// between. The exact time is for the pointer and for machines.
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

// Clock is a time of day of 24 hours: "09:05".
func (m *Markup) Clock(t time.Time) {
	hour, minute, _ := t.Clock()
	m.out = append(m.out, byte('0'+hour/10), byte('0'+hour%10), ':', byte('0'+minute/10), byte('0'+minute%10))
}

// dashes are the markup of a missing value in each language.
var dashes = func() map[locales.Locale]string {
	all := map[locales.Locale]string{}
	for _, l := range locales.All() {
		m := Markup{}
		m.Wrap(`<span class="sub"><span aria-hidden="true">–</span><span class="vh">`, l.T("frame.none"), `</span></span>`)
		all[l] = string(m.out)
	}
	return all
}()

// Icon is a picture of 16 px. It always stands beside a text, or in a control
// with an accessible name.
func Icon(name string) templ.Component { return MarkupFunc(func(m *Markup) { m.Icon(name) }) }

// Badge is a state: a word and a shape. Tone is accent, success, warning,
// danger, info or "" for none.
func Badge(tone, name, text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.Badge(tone, name, text) })
}

// Moment is a date, with the exact time for the pointer and for machines.
func Moment(t time.Time, text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.Moment(t, func() { m.Text(text) }) })
}

func Dash() templ.Component { return MarkupFunc((*Markup).Dash) }

func TextCell(text string) templ.Component {
	return MarkupFunc(func(m *Markup) { m.TextOrDash(text) })
}
