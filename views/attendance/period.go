package attendance

import (
	"context"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// PeriodPageSize is the number of people on a page.
const PeriodPageSize = 50

// The units of a period. They are part of the addresses.
const (
	WeekUnit  = attendance.WeekUnit
	MonthUnit = attendance.MonthUnit
)

// statutoryWeek is the working time of a week by law in minutes (Labour Standards
// Act, Article 50).
const statutoryWeek = 40 * 60

// Period is the log of a week or a month.
type Period struct {
	Choice
	Frame   views.Frame
	Start   time.Weekday // first day of the week
	OwnOnly bool         // whether the reader sees only their own records

	Page  lists.Page[attendance.PersonPeriod]
	Count *attendance.PeriodCount // totals of all people, if the reader asked for them; else nil
	Board attendance.WeekBoard

	Forecasts Forecasts         // of the current week
	Own       *workday.Forecast // of the reader's current week if it is near the limit; else nil

	userID int64 // the person of the page; 0 for a list
}

// HasBoard reports whether the period is a week that has begun. The board of
// people close to the limit needs hours worked, and is of one department or all.
func (p Period) HasBoard() bool {
	return p.Unit == WeekUnit && p.First <= p.today() && len(p.DepartmentIDs) < 2
}

// HasForecast reports whether the period is the current week, of one department or all.
func (p Period) HasForecast() bool {
	return p.Unit == WeekUnit && p.isCurrent() && len(p.DepartmentIDs) < 2
}

func (p Period) today() workday.Date { return workday.DateOf(p.Frame.Now) }

// isCurrent reports whether the period includes the current day.
func (p Period) isCurrent() bool { return p.First <= p.today() && p.today() <= p.Last }

func (p Period) isMonth() bool { return p.Unit == MonthUnit }

// countedAt says when the totals were computed; "" for less than a second
// ago.
func (p Period) countedAt(ctx context.Context) string {
	if p.Frame.Now.Sub(p.Count.At) < time.Second {
		return ""
	}
	return locales.T(ctx, "period.board.at", "Time", p.Count.At.In(p.Frame.Zone()).Format("15:04:05"))
}

// isFiltered reports whether a filter may have excluded people.
func (p Period) isFiltered() bool { return p.ChoosesPeople() || len(p.DepartmentIDs) > 0 }

// ChoosesPeople reports whether a filter may have excluded people of the chosen
// departments.
func (p Period) ChoosesPeople() bool {
	return p.Query != "" || p.Status != "" || p.Edited || p.Over != 0
}

// title names the period.
func (p Period) title(ctx context.Context) string {
	if p.isMonth() {
		return locales.Month(ctx, p.First.Time())
	}
	return locales.DateRange(ctx, p.First.Time(), p.Last.Time())
}

func (p Period) sentence(ctx context.Context) string {
	if p.isMonth() {
		return locales.T(ctx, "period.month.text")
	}
	return locales.T(ctx, "period.week.text")
}

func (p Period) heading(ctx context.Context) string {
	if p.isMonth() {
		return locales.T(ctx, "period.month")
	}
	return locales.T(ctx, "period.week")
}

func (p Period) previousText(ctx context.Context) string {
	if p.isMonth() {
		return locales.T(ctx, "period.month.previous")
	}
	return locales.T(ctx, "period.week.previous")
}

func (p Period) nextText(ctx context.Context) string {
	if p.isMonth() {
		return locales.T(ctx, "period.month.next")
	}
	return locales.T(ctx, "period.week.next")
}

func (p Period) presentText(ctx context.Context) string {
	if p.isMonth() {
		return locales.T(ctx, "period.month.present")
	}
	return locales.T(ctx, "period.week.present")
}

func (p Period) statuses(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "period.status.any")}}
	for _, s := range attendance.PeriodStatuses {
		options = append(options, views.Option{Value: string(s), Text: locales.T(ctx, "record.status."+string(s))})
	}
	return options
}

// overs are the choices of the filter by weekly hours.
func (p Period) overs(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "period.over.any")}}
	for _, hours := range attendance.PeriodOvers {
		options = append(options, views.Option{Value: strconv.Itoa(hours), Text: p.overText(ctx, hours)})
	}
	return options
}

// overText names the people who exceed hours. In the current week that
// includes those who are expected to.
func (p Period) overText(ctx context.Context, hours int) string {
	if p.isCurrent() {
		return locales.T(ctx, "period.over.expected", "Hours", strconv.Itoa(hours))
	}
	return locales.T(ctx, "period.over", "Hours", strconv.Itoa(hours))
}

// overValue is the chosen value of the filter by weekly hours; "" for none.
func (p Period) overValue() string {
	if p.Over == 0 {
		return ""
	}
	return strconv.Itoa(p.Over)
}

// dates are the headings of the days, each with the holiday that most people
// on the page have.
func (p Period) dates(ctx context.Context) []HeatDate {
	dates := make([]HeatDate, 0, p.Last-p.First+1)
	for date := p.First; date <= p.Last; date++ {
		head := HeatDate{Date: date.Time()}
		count := map[string]int{}
		for _, one := range p.Page.Rows {
			if day := &one.Days[date-p.First]; day.Type == workday.Holiday {
				if count[day.Holiday]++; count[day.Holiday] > len(p.Page.Rows)/2 {
					head.Holiday = holidayName(ctx, day.Holiday)
				}
			}
		}
		dates = append(dates, head)
	}
	return dates
}

// holidays names the holidays of a week, whose columns are too narrow for the names;
// "" for a month or without any.
func (p Period) holidays(ctx context.Context) string {
	if p.isMonth() {
		return ""
	}
	var named []string
	for _, d := range p.dates(ctx) {
		if d.Holiday != "" {
			named = append(named, locales.T(ctx, "period.holiday", "Date", locales.ShortDate(ctx, d.Date, p.Frame.Now), "Name", d.Holiday))
		}
	}
	return strings.Join(named, " · ")
}

// section is the name under which the browser stores the reader's choice of
// columns.
func (p Period) section() string { return "attendance-" + string(p.Unit) }

// columns are the columns that the reader can change.
func (p Period) columns() []column {
	name := []column{{key: "name", title: "period.column.name"}}
	if p.isMonth() {
		return append(name, monthColumns...)
	}
	return append(name, weekColumns...)
}

// premiumColumns are the columns of premium time.
var premiumColumns = []column{
	{key: "overtime", title: "period.column.overtime", order: attendance.ByOvertime},
	{key: "holiday", title: "period.column.holiday", order: attendance.ByHoliday},
	{key: "night", title: "period.column.night", order: attendance.ByNight},
}

var weekColumns = []column{
	premiumColumns[0], premiumColumns[1], premiumColumns[2],
	{key: "hours", title: "period.column.hours"},
	{key: "state", title: "period.column.state"},
}

var monthColumns = []column{
	{key: "days", title: "period.column.count", order: attendance.ByDays},
	{key: "hours", title: "period.column.hours", order: attendance.ByWorked},
	{key: "late", title: "period.column.late", order: attendance.ByLate},
	{key: "absent", title: "period.column.absent", order: attendance.ByAbsent},
	{key: "missing", title: "period.column.missing", order: attendance.ByMissing},
	premiumColumns[0], premiumColumns[1], premiumColumns[2],
	{key: "longest", title: "period.column.longest", order: attendance.ByLongest},
}

// totals sums the people on the page.
func (p Period) totals() attendance.PeriodTotals {
	var sum attendance.PeriodTotals
	for _, one := range p.Page.Rows {
		sum.Add(one.Totals)
	}
	return sum
}

func (p Period) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, p.Page, "period.total", p.pageURL).Exported()
}

// hours writes a duration in minutes for a table: "8:05", "47,161:28". Every language
// groups digits alike.
func hours(minutes int) string {
	text := locales.Korean.Number(int64(minutes/60)) + ":"
	if minutes%60 < 10 {
		text += "0"
	}
	return text + strconv.Itoa(minutes%60)
}

// limitText writes the limit of a week for "{{.Hours}} hours": "52", "44:30".
func limitText(minutes int) string {
	if minutes%60 == 0 {
		return strconv.Itoa(minutes / 60)
	}
	return hours(minutes)
}

// hoursOrNone writes a duration, "–" for 0.
func hoursOrNone(minutes int) string {
	if minutes == 0 {
		return "–"
	}
	return hours(minutes)
}

// countOrNone writes a number, "–" for 0.
func countOrNone(ctx context.Context, n int) string {
	if n == 0 {
		return "–"
	}
	return locales.Number(ctx, int64(n))
}

func (p Period) isToday(d workday.Date) bool { return d == p.today() }
