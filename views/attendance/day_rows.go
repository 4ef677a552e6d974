package attendance

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"officeconsole/queries/attendance"
	"officeconsole/views"
)

// dayRows are the rows of the log of a day.
func dayRows(l DayList) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		back := html.EscapeString("?" + url.Values{"back": {l.Frame.Path}}.Encode())
		for i := range l.Page.Rows {
			writeDayRow(m, &l.Page.Rows[i], back, l.Frame.Zone())
		}
	})
}

func writeDayRow(m *views.Markup, r *attendance.Row, back string, zone *time.Location) {
	m.Raw(`<tr><th scope="row" data-col="name"><span class="row"><a class="truncate" href="`, m.Locale.Prefix(), dayPath, `/`, r.Key().String(), back)
	m.Wrap(`" title="`, r.Name, `"><bdi>`)
	m.Wrap("", r.Name, `</bdi></a> <span class="sub" data-low>`)
	m.Wrap("", r.EmployeeID, `</span> `)
	if r.Hidden {
		m.Wrap(`<span class="badge">`, m.T("attendance.hidden"), `</span> `)
	}
	if r.Extra {
		m.Wrap(`<span class="badge">`, m.T("attendance.extra"), `</span>`)
	}
	m.Raw(`</span></th><td data-col="department">`)
	m.Truncated(r.DepartmentName)
	m.Raw(`</td><td class="end" data-col="arrival">`)
	writeClockTime(m, &r.Record, r.ArrivalAt, zone)
	m.Raw(`</td><td class="end" data-col="departure">`)
	writeClockTime(m, &r.Record, r.DepartureAt, zone)
	m.Raw(`</td><td class="end" data-col="worked">`)
	m.TextOrDash(workedText(r))
	m.Raw(`</td><td class="end" data-col="break" data-low>`)
	m.TextOrDash(hoursOrNone(int(r.BreakMin)))
	m.Raw(`</td><td class="end" data-col="overtime" data-low>`)
	m.TextOrDash(hoursOrNone(int(r.OvertimeMin)))
	m.Raw(`</td><td class="end" data-col="holiday" data-high>`)
	m.TextOrDash(hoursOrNone(int(r.HolidayMin + r.HolidayOverMin)))
	m.Raw(`</td><td class="end" data-col="night" data-high>`)
	m.TextOrDash(hoursOrNone(int(r.NightMin)))
	m.Raw(`</td><td class="nowrap" data-col="device">`)
	m.TextOrDash(platformWord(m.Context, r.Device))
	m.Raw(`</td><td data-col="place" data-low>`)
	writePlace(m, r.Place)
	m.Raw(`</td><td data-col="state">`)
	writeState(m, &r.Record)
	m.Raw(`</td></tr>`)
}

// writePlace writes the name of a place, or a dash.
func writePlace(m *views.Markup, place string) {
	if place == "" {
		m.Dash()
	} else {
		m.Truncated(place)
	}
}

// writeClockTime writes a time of a record, with the number of days after
// its work date.
func writeClockTime(m *views.Markup, r *attendance.Record, at *time.Time, zone *time.Location) {
	if at == nil {
		m.Dash()
		return
	}
	shown := at.In(zone)
	m.Moment(shown, func() { m.Clock(shown) })
	m.Raw(` `)
	if behind := daysBehind(r, shown); behind != 0 {
		m.Raw(`<small class="sub"><span aria-hidden="true">`, signed(behind), `</span> <span class="vh">`)
		m.Wrap("", m.Locale.ShortDate(shown, shown), `</span></small>`)
	}
}

// writeState writes the status of a record and its remarks.
func writeState(m *views.Markup, r *attendance.Record) {
	m.Raw(`<span class="row stateful">`)
	writeStatus(m, r.Status)
	if r.Edited() {
		edited := m.T("record.flag.edited")
		m.Wrap(`<span class="edited" title="`, edited, `">`)
		m.Icon("edit")
		m.Wrap(`<span class="vh">`, edited, `</span></span>`)
	}
	if words := remarks(m.Context, r); len(words) > 0 {
		m.Wrap(`<span class="sub truncate" title="`, strings.Join(words, ", "), `">`)
		m.Wrap("", strings.Join(words, " · "), `</span>`)
	}
	m.Raw(`</span>`)
}

func placeCell(place string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writePlace(m, place) })
}

func clockTime(r attendance.Record, at *time.Time, zone *time.Location) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeClockTime(m, &r, at, zone) })
}

func stateCell(r attendance.Record) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeState(m, &r) })
}

// workedText is the time worked; "–" if it is unknown, or if it is 0 and
// there was no arrival.
func workedText(r *attendance.Row) string {
	if r.WorkedMin == nil || *r.WorkedMin == 0 && r.ArrivalAt == nil {
		return "–"
	}
	return hours(int(*r.WorkedMin))
}

// signed writes a number with its sign.
func signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
