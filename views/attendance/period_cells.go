package attendance

import (
	"cmp"
	"context"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// periodCells writes the cells of the days, of which a table of a period has
// hundreds. Their common parts are computed once for a page.
type periodCells struct {
	ctx    context.Context
	record string    // address of a record, up to its key
	person [2]string // address of a person's page, before and after the id
	today  workday.Date
	dates  []string // as in addresses
	words  map[dayLook]string
	cells  []HeatDay
}

// dayLook is everything that the word of a day depends on.
type dayLook struct {
	status  workday.Status
	kind    workday.DayType
	holiday string
}

func newPeriodCells(ctx context.Context, p Period) *periodCells {
	c := &periodCells{ctx: ctx, record: html.EscapeString(string(views.Link(ctx, dayPath+"/"))), today: p.today(), words: map[dayLook]string{}}
	before, after, _ := strings.Cut(html.EscapeString(string(views.Link(ctx, p.personURL(math.MaxInt64)))), strconv.Itoa(math.MaxInt64))
	c.person = [2]string{before, after}
	for date := p.First; date <= p.Last; date++ {
		c.dates = append(c.dates, date.String())
	}
	return c
}

// name is the heading of a person's row.
func (c *periodCells) name(one *attendance.PersonPeriod) string {
	name, department := html.EscapeString(one.Name), html.EscapeString(one.DepartmentName)
	hidden := ""
	if one.Hidden {
		hidden = ` <span class="badge">` + html.EscapeString(locales.T(c.ctx, "attendance.hidden")) + `</span>`
	}
	return `<th scope="row"><span class="name"><a href="` + c.person[0] + strconv.FormatInt(one.UserID, 10) + c.person[1] + `" title="` + name + `"><bdi>` + name +
		`</bdi></a> <small title="` + department + `"><bdi>` + department + `</bdi></small>` + hidden + `</span></th>`
}

// monthRows are the rows of a month.
func monthRows(p Period) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		cells := newPeriodCells(m.Context, p)
		for i := range p.Page.Rows {
			writeMonthRow(m, cells, &p.Page.Rows[i])
		}
	})
}

func writeMonthRow(m *views.Markup, cells *periodCells, one *attendance.PersonPeriod) {
	m.Raw(`<tr>`, cells.name(one), `<td>`)
	writeHeatStrip(m, cells.strip(one))
	m.Raw(`</td>`)
	writeMonthTotals(m, &one.Totals)
	writeLongestWeek(m, one.LongestWeek(), one.CapMin)
	m.Raw(`</tr>`)
}

func monthTotals(t attendance.PeriodTotals) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeMonthTotals(m, &t) })
}

// writeMonthTotals writes the cells with the totals of a month.
func writeMonthTotals(m *views.Markup, t *attendance.PeriodTotals) {
	m.Raw(`<td class="end" data-col="days">`, countOrNone(m.Context, t.Days))
	m.Raw(`</td><td class="end" data-col="hours">`, hoursOrNone(t.WorkedMin))
	m.Raw(`</td><td class="end" data-col="late">`, countOrNone(m.Context, t.Late))
	m.Raw(`</td><td class="end" data-col="absent">`, countOrNone(m.Context, t.Absent))
	m.Raw(`</td><td class="end" data-col="missing">`, countOrNone(m.Context, t.MissingArrival+t.MissingDeparture))
	m.Raw(`</td>`)
	writePremiumTotals(m, t)
}

func premiumTotals(t attendance.PeriodTotals) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writePremiumTotals(m, &t) })
}

// writePremiumTotals writes the cells of premiumColumns.
func writePremiumTotals(m *views.Markup, t *attendance.PeriodTotals) {
	m.Raw(`<td class="end" data-col="overtime">`, hoursOrNone(t.OvertimeMin))
	m.Raw(`</td><td class="end" data-col="holiday">`, hoursOrNone(t.HolidayMin+t.HolidayOverMin))
	m.Raw(`</td><td class="end" data-col="night">`, hoursOrNone(t.NightMin), `</td>`)
}

// writeLongestWeek writes the cell with the longest of the weeks that
// overlap the month.
func writeLongestWeek(m *views.Markup, w attendance.PeriodWeek, limit int) {
	m.Raw(`<td class="end" data-col="longest">`)
	if w.WorkedMin > limit {
		exceeded := m.T("period.exceeded")
		m.Wrap(`<b class="over-week" title="`, exceeded, `">`)
		m.Icon("alert")
		m.Raw(hours(w.WorkedMin))
		m.Wrap(` <span class="vh">`, exceeded, `</span></b>`)
	} else {
		m.Raw(hoursOrNone(w.WorkedMin))
	}
	m.Raw(`</td>`)
}

// week is the cells of the days of a week: the hours, and a word if they do
// not say everything.
func (c *periodCells) week(p Period, one *attendance.PersonPeriod) string {
	var b strings.Builder
	b.Grow(len(one.Days) * 160)
	for i := range one.Days {
		d := &one.Days[i]
		b.WriteString(`<td class="end week-day`)
		if d.Type.IsDayOff() {
			b.WriteString(` off`)
		}
		b.WriteString(`"`)
		if p.isToday(d.Date) {
			b.WriteString(` aria-current="date"`)
		}
		b.WriteString(`>`)
		if d.Status == "" {
			b.WriteString(cmp.Or(c.word(d), `<span class="sub">–</span>`))
			b.WriteString(`</td>`)
			continue
		}
		b.WriteString(`<a href="`)
		b.WriteString(c.record)
		b.WriteString(strconv.FormatInt(d.Key.UserID, 10))
		b.WriteString(`-`)
		b.WriteString(c.dates[i])
		if d.Key.Extra {
			b.WriteString(`-x`)
		}
		b.WriteString(`">`)
		word := c.word(d)
		if d.WorkedMin != nil && (*d.WorkedMin > 0 || d.Arrived) {
			b.WriteString(`<span>`)
			b.WriteString(hours(*d.WorkedMin))
			b.WriteString(`</span> `)
		} else if word == "" {
			b.WriteString(`<span class="sub">–</span>`)
		}
		b.WriteString(word)
		b.WriteString(`</a></td>`)
	}
	return b.String()
}

// word is the markup of dayWord.
func (c *periodCells) word(d *attendance.PeriodDay) string {
	look := dayLook{d.Status, d.Type, d.Holiday}
	element, known := c.words[look]
	if !known {
		if word := html.EscapeString(dayWord(c.ctx, *d)); word != "" {
			element = `<small data-tone="` + dayTone(*d) + `" title="` + word + `">` + word + `</small>`
		}
		c.words[look] = element
	}
	return element
}

// strip is the days of a month as a heat strip. It is valid until the next call.
func (c *periodCells) strip(one *attendance.PersonPeriod) HeatStrip {
	id := strconv.FormatInt(one.UserID, 10)
	c.cells = c.cells[:0]
	for i := range one.Days {
		d := &one.Days[i]
		cell := HeatDay{Status: d.Status, Half: d.Half()}
		switch {
		case d.Status == "":
			cell.Record = heatRecordNone
			switch { // records are opened one day ahead
			case d.Type == workday.DayOff:
				cell.Status = workday.StatusDayOff
			case d.Type == workday.Holiday:
				cell.Status = workday.StatusHoliday
			case d.Date > c.today:
				cell.Status = workday.StatusNotDue
			}
		case d.Key.Extra:
			cell.Record = heatRecordExtra
		}
		c.cells = append(c.cells, cell)
	}
	return HeatStrip{Days: c.cells, Person: c.person[0] + id + c.person[1], Records: c.record + id + "-" + c.dates[0][:len("2026-11-")]}
}

// weekMarks is the markup of a week's bar.
func weekMarks(worked, statutory, limit int) string {
	scale := strconv.Itoa(weekScale(limit))
	var b strings.Builder
	b.Grow(320)
	for _, s := range []string{`<svg class="hours" viewBox="0 0 `, scale, ` 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="`, scale, `" height="8"></rect>`} {
		b.WriteString(s)
	}
	for _, p := range weekParts(worked, statutory, limit) {
		for _, s := range []string{`<rect class="`, p.class, `" x="`, strconv.Itoa(p.from), `" width="`, strconv.Itoa(p.to - p.from), `" height="8"></rect>`} {
			b.WriteString(s)
		}
	}
	for _, s := range []string{`<path d="M`, strconv.Itoa(statutory), `-2v12"></path><path class="limit" d="M`, strconv.Itoa(limit), `-3v14"></path></svg>`} {
		b.WriteString(s)
	}
	return b.String()
}

// weekState is how close a person is to the weekly limit, as a badge.
type weekState struct{ tone, icon, text string }

// stateOfWeek compares the time worked and the remaining scheduled time with
// the limit of the person.
func stateOfWeek(ctx context.Context, one *attendance.PersonPeriod) weekState {
	worked, expected := one.Totals.WorkedMin, one.Totals.WorkedMin+one.RemainingMin
	switch {
	case worked > one.CapMin:
		return weekState{"danger", "error", locales.T(ctx, "period.exceeded")}
	case expected > one.CapMin:
		return weekState{"danger", "alert", locales.T(ctx, "period.over.expected", "Hours", limitText(one.CapMin))}
	}
	left := locales.T(ctx, "period.left", "Time", hours(one.CapMin-worked))
	if expected >= one.WarnMin {
		return weekState{"warning", "alert", left}
	}
	return weekState{"", "", left}
}

// dayWord is what a cell of a week says besides the hours; "" if they say
// everything.
func dayWord(ctx context.Context, d attendance.PeriodDay) string {
	switch d.Status {
	case "":
		return plannedWord(ctx, d)
	case workday.StatusOnTime, workday.StatusNotDue:
		if d.Half() {
			return dayTypeWord(ctx, string(d.Type))
		}
		return ""
	case workday.StatusHoliday:
		if name := holidayName(ctx, d.Holiday); name != "" {
			return name
		}
	}
	return locales.T(ctx, "record.status."+string(d.Status))
}

// dayTone is the tone of the word.
func dayTone(d attendance.PeriodDay) string { return statusLooks[d.Status].tone }
