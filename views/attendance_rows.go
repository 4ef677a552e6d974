package views

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"officeconsole/queries/attendance"
)

// dayRows are the records of a day.
func dayRows(l AttendanceDayList) templ.Component {
	return written(func(m *markup) {
		back := html.EscapeString("?" + url.Values{"back": {l.Frame.Path}}.Encode())
		for i := range l.Page.Rows {
			m.dayRow(&l.Page.Rows[i], back, l.Frame.Zone())
		}
	})
}

func (m *markup) dayRow(r *attendance.Row, back string, zone *time.Location) {
	m.raw(`<tr><th scope="row" data-col="name"><span class="row"><a class="truncate" href="`, m.locale.Prefix(), attendanceDayPath, `/`, r.Key().String(), back)
	m.texts(`" title="`, r.Name, `"><bdi>`)
	m.texts("", r.Name, `</bdi></a> <span class="sub" data-low>`)
	m.texts("", r.EmployeeID, `</span> `)
	if r.Extra {
		m.texts(`<span class="badge">`, m.t("attendance.extra"), `</span>`)
	}
	m.raw(`</span></th><td data-col="department">`)
	m.truncated(r.DepartmentName)
	m.raw(`</td><td class="end" data-col="arrival">`)
	m.clockTime(&r.Record, r.ArrivalAt, zone)
	m.raw(`</td><td class="end" data-col="departure">`)
	m.clockTime(&r.Record, r.DepartureAt, zone)
	m.raw(`</td><td class="end" data-col="worked">`)
	m.textOrNothing(workedText(r))
	m.raw(`</td><td class="end" data-col="break" data-low>`)
	m.textOrNothing(hoursOrNone(int(r.BreakMin)))
	m.raw(`</td><td class="end" data-col="overtime" data-low>`)
	m.textOrNothing(hoursOrNone(int(r.OvertimeMin)))
	m.raw(`</td><td class="nowrap" data-col="device">`)
	m.textOrNothing(platformWord(m.ctx, r.Device))
	m.raw(`</td><td data-col="place" data-low>`)
	m.place(r.Place)
	m.raw(`</td><td data-col="state">`)
	m.state(&r.Record)
	m.raw(`</td></tr>`)
}

func (m *markup) place(place string) {
	if place == "" {
		m.nothing()
	} else {
		m.truncated(place)
	}
}

// clockTime is a time of a record, with the days that it lies behind the date.
func (m *markup) clockTime(r *attendance.Record, at *time.Time, zone *time.Location) {
	if at == nil {
		m.nothing()
		return
	}
	shown := at.In(zone)
	m.moment(shown, func() { m.clock(shown) })
	m.raw(` `)
	if behind := daysBehind(r, shown); behind != 0 {
		m.raw(`<small class="sub"><span aria-hidden="true">`, signed(behind), `</span> <span class="vh">`)
		m.texts("", m.locale.ShortDate(shown, shown), `</span></small>`)
	}
}

// state is the status of a record with what else is remarkable.
func (m *markup) state(r *attendance.Record) {
	m.raw(`<span class="row stateful">`)
	m.status(r.Status)
	if r.Edited() {
		edited := m.t("record.flag.edited")
		m.texts(`<span class="edited" title="`, edited, `">`)
		m.icon("edit")
		m.texts(`<span class="vh">`, edited, `</span></span>`)
	}
	if words := remarks(m.ctx, r); len(words) > 0 {
		m.texts(`<span class="sub truncate" title="`, strings.Join(words, ", "), `">`)
		m.texts("", strings.Join(words, " · "), `</span>`)
	}
	m.raw(`</span>`)
}

func placeCell(place string) templ.Component { return written(func(m *markup) { m.place(place) }) }

func clockTime(r attendance.Record, at *time.Time, zone *time.Location) templ.Component {
	return written(func(m *markup) { m.clockTime(&r, at, zone) })
}

func stateCell(r attendance.Record) templ.Component {
	return written(func(m *markup) { m.state(&r) })
}

// workedText is how long somebody worked, "–" where that is not known or where
// nobody came.
func workedText(r *attendance.Row) string {
	if r.WorkedMin == nil || *r.WorkedMin == 0 && r.ArrivalAt == nil {
		return "–"
	}
	return hours(int(*r.WorkedMin))
}

func signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
