package attendance

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/views"
	"officeconsole/workday"
)

// heatCell is the width of a day in a heat strip, in pixels.
const heatCell = 20

var (
	heatSymbolsOnce = views.Once(heatSymbols())
	heatLegendOnce  = views.Once(heatLegend())
)

// HeatDay is a day of a heat strip: a row of small cells, one for each day
// of a month.
type HeatDay struct {
	Status workday.Status // "" for an empty cell
	Half   bool           // whether half of the day is leave
	Record heatRecord
}

// heatRecord is whether a day of a heat strip has a record that can be opened, as the
// attribute of its cells.
type heatRecord string

const (
	heatRecordUsual heatRecord = ""
	heatRecordNone  heatRecord = ` data-none`
	heatRecordExtra heatRecord = ` data-suffix="-x"` // at the end of its address
)

// HeatDate is the heading of a day of heat strips.
type HeatDate struct {
	Date    time.Time
	Holiday string // name in the reader's language; "" for none
}

// class is the CSS class of the heading.
func (d HeatDate) class() string {
	switch day := d.Date.Weekday(); {
	case d.Holiday != "":
		return "holiday"
	case day == time.Saturday || day == time.Sunday:
		return "weekend"
	}
	return "workday"
}

// heatWeekday is the first letter of a weekday. A longer text does not fit
// into a cell.
func heatWeekday(ctx context.Context, date time.Time) string {
	word := locales.ShortWeekday(ctx, date)
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}

// heatHalf is the kind of a cell for half a day of leave without anything
// else to report.
const heatHalf = "half_leave"

// heatKinds are the kinds of cells in the order of the legend. All have a
// letter, except the quiet ones.
var heatKinds = []struct {
	kind  string
	quiet bool
}{
	{string(workday.StatusOnTime), true},
	{string(workday.StatusLate), false},
	{string(workday.StatusEarlyLeave), false},
	{string(workday.StatusLateAndEarly), false},
	{string(workday.StatusAbsent), false},
	{string(workday.StatusMissingDeparture), false},
	{string(workday.StatusMissingArrival), false},
	{string(workday.StatusLeave), false},
	{heatHalf, false},
	{string(workday.StatusHolidayWork), false},
	{string(workday.StatusHoliday), true},
	{string(workday.StatusDayOff), true},
	{string(workday.StatusWorking), true},
	{string(workday.StatusBefore), true},
	{string(workday.StatusNotDue), true},
}

// kind is the kind of the cell of a day.
func (d *HeatDay) kind() string {
	switch d.Status {
	case workday.StatusOnTime, workday.StatusWorking, workday.StatusBefore, workday.StatusNotDue:
		if d.Half {
			return heatHalf
		}
	}
	return string(d.Status)
}

// heatWord is the name of a kind of cell.
func heatWord(l locales.Locale, kind string) string {
	if kind == heatHalf {
		return l.T("heat.half")
	}
	return l.T("record.status." + kind)
}

// heatTitles are what the cells of each language say, by their kind and the day of the
// month. A page has more than a thousand cells.
var heatTitles = map[locales.Locale]func() map[string]*[32]string{
	locales.Korean:   sync.OnceValue(func() map[string]*[32]string { return newHeatTitles(locales.Korean) }),
	locales.English:  sync.OnceValue(func() map[string]*[32]string { return newHeatTitles(locales.English) }),
	locales.Japanese: sync.OnceValue(func() map[string]*[32]string { return newHeatTitles(locales.Japanese) }),
}

// newHeatTitles leaves out the kinds that screen readers pass over.
func newHeatTitles(l locales.Locale) map[string]*[32]string {
	titles := map[string]*[32]string{}
	for _, k := range heatKinds {
		if k.quiet && k.kind != string(workday.StatusWorking) {
			continue
		}
		titles[k.kind] = new([32]string)
		for day := range titles[k.kind] {
			titles[k.kind][day] = templ.EscapeString(heatTitle(l, strconv.Itoa(day), k.kind))
		}
	}
	return titles
}

// heatTitle is what a cell says.
func heatTitle(l locales.Locale, day, kind string) string {
	return l.T("heat.title", "Day", day, "Status", heatWord(l, kind))
}

// heatVertices are the parts of a path that reach the cells of a strip.
var heatVertices = func() (vertices [31]string) {
	for i := range vertices {
		vertices[i] = "H" + strconv.Itoa(i*heatCell)
	}
	return vertices
}()

// A HeatStrip shows the days of a month of one person, from the first one.
// Screen readers read the days that differ from a normal day.
type HeatStrip struct {
	Days    []HeatDay
	Person  string // escaped address of the person's month
	Records string // escaped address of the days' records, up to the day of the month
}

func (s HeatStrip) component() templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeHeatStrip(m, s) })
}

// writeHeatStrip writes one path for each kind of cell. A marker on each of its inner
// vertices draws the cell, because a page has more than a thousand of them, and as many
// elements would be most of its work. The script of .heat leads from a cell to its record;
// without scripts the strip leads to the person's month, where each day has a link.
func writeHeatStrip(m *views.Markup, s HeatStrip) {
	days := s.Days[:min(len(s.Days), len(heatVertices))]
	m.Raw(`<a class="heat" tabindex="-1" aria-hidden="true" href="`, s.Person, `" data-records="`, s.Records, `"><svg class="heat-strip" viewBox="0 0 `)
	m.Int(int64(len(days) * heatCell))
	m.Raw(` 24">`)
	var looks [len(heatVertices)]heatLook
	var told []string
	titles := heatTitles[m.Locale]()
	for i := range days {
		looks[i] = heatLook{days[i].kind(), days[i].Record}
		if of := titles[looks[i].kind]; of != nil {
			told = append(told, of[i+1])
		}
	}
	for i, look := range looks[:len(days)] {
		if look.kind != "" && !slices.Contains(looks[:i], look) {
			m.Raw(`<path marker-mid="url(#h-`, look.kind, `)"`, string(look.record), ` d="M0 0`)
			for j := i; j < len(days); j++ {
				if looks[j] == look {
					m.Raw(heatVertices[j])
				}
			}
			m.Raw(`H0"/>`)
		}
	}
	m.Raw(`</svg></a> <span class="vh">`, views.Enumeration(m.Context, told), `</span>`)
}

// heatLook is all that the cells of two days can differ in.
type heatLook struct {
	kind   string
	record heatRecord
}

// heatHead is the heading of heat strips: days of the month and weekdays.
func heatHead(dates []HeatDate) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		m.Raw(`<svg class="heat-strip heat-head" viewBox="0 0 `)
		m.Int(int64(len(dates) * heatCell))
		m.Raw(` 32" aria-hidden="true">`)
		for i, d := range dates {
			m.Raw(`<g class="`, d.class(), `" transform="translate(`)
			m.Int(int64(i*heatCell + heatCell/2))
			m.Raw(`)"><text y="13">`)
			m.Int(int64(d.Date.Day()))
			m.Wrap(`</text> <text y="27">`, heatWeekday(m.Context, d.Date), `</text> `)
			if d.Holiday != "" {
				m.Wrap(`<title>`, d.Holiday, `</title>`)
			}
			m.Raw(`</g>`)
		}
		m.Raw(`</svg>`)
	})
}

// weekScale is the time that the full width of a week's bar represents, in
// minutes: 60 hours, or more if the limit requires it.
func weekScale(limit int) int { return max(60*60, limit*15/13) }

// A weekPart is a section of a week's bar, in minutes.
type weekPart struct {
	class    string
	from, to int
}

// weekParts divides the minutes worked at the statutory time and at the
// limit.
func weekParts(worked, statutory, limit int) []weekPart {
	worked = min(worked, weekScale(limit))
	var parts []weekPart
	from := 0
	for _, p := range []weekPart{{class: "base", to: min(statutory, limit)}, {class: "over", to: limit}, {class: "beyond", to: worked}} {
		if p.from, p.to = from, min(p.to, worked); p.to > p.from {
			parts = append(parts, p)
			from = p.to
		}
	}
	return parts
}
