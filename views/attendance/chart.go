package attendance

import (
	"context"
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
	Day    int            // of the month
	Status workday.Status // "" for an empty cell
	Half   bool           // whether half of the day is leave
	URL    string         // address of the day's record without language prefix; "" for none
	href   [2]string      // the escaped address in two parts, if the caller knows it already
}

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

// A heatLook is the markup of a kind of cell. A page has more than a thousand cells, so
// what is the same for every person is rendered once.
type heatLook struct {
	openings [31]string // up to the title, by index in the strip
	titles   [32]string // by day of the month
	quiet    bool       // whether screen readers pass over it
}

// heatMarkup are the looks of each language by their kind.
var heatMarkup = map[locales.Locale]func() map[string]*heatLook{
	locales.Korean:   sync.OnceValue(func() map[string]*heatLook { return newHeatLooks(locales.Korean) }),
	locales.English:  sync.OnceValue(func() map[string]*heatLook { return newHeatLooks(locales.English) }),
	locales.Japanese: sync.OnceValue(func() map[string]*heatLook { return newHeatLooks(locales.Japanese) }),
}

func newHeatLooks(l locales.Locale) map[string]*heatLook {
	looks := map[string]*heatLook{}
	for _, k := range heatKinds {
		look := &heatLook{quiet: k.quiet && k.kind != string(workday.StatusWorking)}
		for i := range look.openings {
			look.openings[i] = `<use href="#h-` + k.kind + `" x="` + strconv.Itoa(i*heatCell) + `"><title>`
		}
		for day := range look.titles {
			look.titles[day] = templ.EscapeString(l.T("heat.title", "Day", strconv.Itoa(day), "Status", heatWord(l, k.kind)))
		}
		looks[k.kind] = look
	}
	return looks
}

// heatStrip shows the days of a month, or of a part of it, of one person.
// Screen readers read the days that differ from a normal day.
func heatStrip(days []HeatDay) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeHeatStrip(m, days) })
}

func writeHeatStrip(m *views.Markup, days []HeatDay) {
	looks := heatMarkup[m.Locale]()
	m.Raw(`<svg class="heat-strip" viewBox="0 0 `)
	m.Int(int64(len(days) * heatCell))
	m.Raw(` 24" aria-hidden="true">`)
	var told []string
	for i := range days[:min(len(days), len(heatLook{}.openings))] {
		d := &days[i]
		look, ok := looks[d.kind()]
		if !ok {
			continue
		}
		writeHeatMark(m, d, look.openings[i], look.titles[d.Day])
		if !look.quiet {
			told = append(told, look.titles[d.Day])
		}
	}
	m.Raw(`</svg> <span class="vh">`, views.Enumeration(m.Context, told), `</span>`)
}

// writeHeatMark writes the cell of a day.
func writeHeatMark(m *views.Markup, d *HeatDay, opening, title string) {
	switch {
	case d.href[0] != "":
		m.Raw(`<a tabindex="-1" href="`, d.href[0], d.href[1], `">`, opening, title, `</title></use></a>`)
	case d.URL != "":
		m.Raw(`<a tabindex="-1"`)
		m.Href(d.URL)
		m.Raw(`>`, opening, title, `</title></use></a>`)
	default:
		m.Raw(opening, title, `</title></use>`)
	}
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
