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
	"officeconsole/workday"
)

// markup is HTML that the rows of long tables are written to: a component for
// every cell would cost more than what it shows. Constants are written by raw,
// and every value by text, which escapes it.
type markup struct {
	out    []byte
	ctx    context.Context
	locale locales.Locale
	words  *rowWords
	day    int    // of the latest date, as year and day of the year
	date   string // the latest date in words, escaped, up to the time of day
}

var markups = sync.Pool{New: func() any { return new(markup) }}

// written is a component that writes its markup at once.
func written(write func(m *markup)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		m := markups.Get().(*markup)
		defer markups.Put(m)
		locale := locales.FromContext(ctx)
		*m = markup{out: m.out[:0], ctx: ctx, locale: locale, words: wordsIn[locale]()}
		write(m)
		m.ctx = nil
		_, err := w.Write(m.out)
		return err
	})
}

func (m *markup) raw(constants ...string) {
	for _, s := range constants {
		m.out = append(m.out, s...)
	}
}

func (m *markup) text(value string) { m.out = append(m.out, html.EscapeString(value)...) }

// texts writes a value between constants, as in raw, text, raw.
func (m *markup) texts(before, value, behind string) {
	m.raw(before)
	m.text(value)
	m.raw(behind)
}

func (m *markup) int(n int64) { m.out = strconv.AppendInt(m.out, n, 10) }

func (m *markup) t(id string, args ...any) string { return m.locale.T(id, args...) }

// href is the attribute of a path of the console in the reader's language.
func (m *markup) href(path string) { m.texts(` href="`, m.locale.Path(path), `"`) }

func (m *markup) icon(name string) {
	m.texts(`<svg class="icon" aria-hidden="true"><use href="#i-`, name, `"></use></svg>`)
}

// badge is as the component badge.
func (m *markup) badge(tone, name, text string) {
	m.raw(`<span class="badge"`)
	if tone != "" {
		m.texts(` data-tone="`, tone, `"`)
	}
	m.raw(`>`)
	m.icon(name)
	m.texts("", text, `</span>`)
}

// nothing stands where there is no value.
func (m *markup) nothing() { m.raw(m.words.nothing) }

// textOrNothing is a text of a list; where there is none, a dash.
func (m *markup) textOrNothing(text string) {
	switch text {
	case "", "–":
		m.nothing()
	default:
		m.text(text)
	}
}

// truncated is a name that may be cut off.
func (m *markup) truncated(name string) {
	m.texts(`<span class="truncate" title="`, name, `"><bdi>`)
	m.texts("", name, `</bdi></span>`)
}

// moment opens and closes the element of a time; what is shown of it comes
// between. The exact time is for the pointer and for machines.
func (m *markup) moment(t time.Time, show func()) {
	m.raw(`<time datetime="`)
	m.out = t.AppendFormat(m.out, time.RFC3339)
	m.raw(`" title="`)
	if day := t.Year()*1000 + t.YearDay(); day != m.day {
		m.day, m.date = day, html.EscapeString(strings.TrimSuffix(m.locale.DateTime(t), m.locale.Time(t)))
	}
	m.raw(m.date)
	m.clock(t)
	m.raw(`">`)
	show()
	m.raw(`</time>`)
}

// clock is a time of day of 24 hours: "09:05".
func (m *markup) clock(t time.Time) {
	hour, minute, _ := t.Clock()
	m.out = append(m.out, byte('0'+hour/10), byte('0'+hour%10), ':', byte('0'+minute/10), byte('0'+minute%10))
}

// status is what a day came to: a word and a shape.
func (m *markup) status(status string) {
	if badge, ok := m.words.statuses[workday.Status(status)]; ok {
		m.raw(badge)
		return
	}
	look := statusLooks[workday.Status(status)]
	m.badge(look.tone, look.icon, m.t("record.status."+status))
}

// rowWords are the parts of rows that depend on the language alone, as markup.
type rowWords struct {
	nothing  string
	statuses map[workday.Status]string
}

var wordsIn = map[locales.Locale]func() *rowWords{
	locales.Korean:   sync.OnceValue(func() *rowWords { return newRowWords(locales.Korean) }),
	locales.English:  sync.OnceValue(func() *rowWords { return newRowWords(locales.English) }),
	locales.Japanese: sync.OnceValue(func() *rowWords { return newRowWords(locales.Japanese) }),
}

func newRowWords(l locales.Locale) *rowWords {
	w := &rowWords{statuses: map[workday.Status]string{}}
	m := markup{locale: l, words: w}
	m.texts(`<span class="sub"><span aria-hidden="true">–</span><span class="vh">`, l.T("frame.none"), `</span></span>`)
	w.nothing = string(m.out)
	for status, look := range statusLooks {
		m.out = m.out[:0]
		m.badge(look.tone, look.icon, l.T("record.status."+string(status)))
		w.statuses[status] = string(m.out)
	}
	return w
}

// icon is a picture of 16 px. It always stands beside a text, or in a control
// with an accessible name.
func icon(name string) templ.Component { return written(func(m *markup) { m.icon(name) }) }

// badge is a state: a word and a shape. Tone is accent, success, warning,
// danger, info or "" for none.
func badge(tone, name, text string) templ.Component {
	return written(func(m *markup) { m.badge(tone, name, text) })
}

// moment is a date, with the exact time for the pointer and for machines.
func moment(t time.Time, text string) templ.Component {
	return written(func(m *markup) { m.moment(t, func() { m.text(text) }) })
}

func nothing() templ.Component { return written((*markup).nothing) }

func textCell(text string) templ.Component {
	return written(func(m *markup) { m.textOrNothing(text) })
}

func recordStatus(status string) templ.Component {
	return written(func(m *markup) { m.status(status) })
}
