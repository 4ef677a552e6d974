package attendance

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// PeriodPageSize is how many people a page of a period shows.
const PeriodPageSize = 50

// The units of a period, which are also their places in the addresses.
const (
	WeekUnit  = attendance.WeekUnit
	MonthUnit = attendance.MonthUnit
)

// The hours of a week by law: what is owed and the limit (Labour Standards Act,
// Articles 50 and 53).
const (
	statutoryWeek = 40 * 60
	limitWeek     = 52 * 60
	warnWeek      = 48 * 60
)

// Period is the log of a week or month.
type Period struct {
	Choice
	Frame   views.Frame
	Start   time.Weekday // of weeks
	OwnOnly bool         // the reader sees nobody else

	Page  queries.Page[attendance.PersonPeriod]
	Count *attendance.PeriodCount // of everybody, where it was asked for
	Board attendance.WeekBoard

	userID int64 // whose page it is; 0 for a list
}

// HasBoard reports whether the week has begun: nobody is on course before.
func (p Period) HasBoard() bool {
	return p.Unit == WeekUnit && p.First <= p.today()
}

func (p Period) today() workday.Date { return workday.DateOf(p.Frame.Now) }

// current reports whether the period is the present one.
func (p Period) isCurrent() bool { return p.First <= p.today() && p.today() <= p.Last }

func (p Period) isMonth() bool { return p.Unit == MonthUnit }

// countedAt says when everybody was counted, "" for just now.
func (p Period) countedAt(ctx context.Context) string {
	if p.Frame.Now.Sub(p.Count.At) < time.Second {
		return ""
	}
	return locales.T(ctx, "period.board.at", "Time", p.Count.At.In(p.Frame.Zone()).Format("15:04:05"))
}

func (p Period) isFiltered() bool {
	return p.Query != "" || p.Status != "" || p.Edited || p.Over != 0 || p.DepartmentID != 0
}

// title names the period: "2026년 11월", "2026년 11월 16일 – 22일".
func (p Period) title(ctx context.Context) string {
	if p.isMonth() {
		return locales.Month(ctx, p.First.Time())
	}
	return locales.T(ctx, "period.range", "First", locales.Date(ctx, p.First.Time()), "Last", locales.ShortDate(ctx, p.Last.Time(), p.First.Time()))
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

func (p Period) overs(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "period.over.any")}}
	for _, hours := range attendance.PeriodOvers {
		options = append(options, views.Option{Value: strconv.Itoa(hours), Text: p.overText(ctx, hours)})
	}
	return options
}

// overText names those who exceed hours: of a week that goes on, by what is
// still to come too.
func (p Period) overText(ctx context.Context, hours int) string {
	if p.isCurrent() {
		return locales.T(ctx, "period.over.expected", "Hours", strconv.Itoa(hours))
	}
	return locales.T(ctx, "period.over", "Hours", strconv.Itoa(hours))
}

func (p Period) overValue() string {
	if p.Over == 0 {
		return ""
	}
	return strconv.Itoa(p.Over)
}

// dates head the columns of a table, each with the holiday that most of the
// people on the page have.
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

// section is what the columns of the table are remembered by.
func (p Period) section() string { return "attendance-" + string(p.Unit) }

// columns are those that can be hidden.
func (p Period) columns() []column {
	if p.isMonth() {
		return monthColumns
	}
	return weekColumns
}

var weekColumns = []column{
	{key: "hours", title: "period.column.hours"},
	{key: "state", title: "period.column.state"},
}

var monthColumns = []column{
	{key: "days", title: "period.column.count", order: attendance.ByDays},
	{key: "hours", title: "period.column.hours", order: attendance.ByWorked},
	{key: "late", title: "period.column.late", order: attendance.ByLate},
	{key: "absent", title: "period.column.absent", order: attendance.ByAbsent},
	{key: "missing", title: "period.column.missing", order: attendance.ByMissing},
	{key: "overtime", title: "period.column.overtime", order: attendance.ByOvertime},
	{key: "longest", title: "period.column.longest", order: attendance.ByLongest},
}

// totals are the sums of the people on the page.
func (p Period) totals() attendance.PeriodTotals {
	var sum attendance.PeriodTotals
	for _, one := range p.Page.Rows {
		sum.Add(one.Totals)
	}
	return sum
}

func (p Period) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, p.Page, "period.total", p.pageURL)
}

// hours is a length of time in a table: "8:05".
func hours(minutes int) string {
	text := strconv.Itoa(minutes/60) + ":"
	if minutes%60 < 10 {
		text += "0"
	}
	return text + strconv.Itoa(minutes%60)
}

// longHours is one of many people: "47,161:28".
func longHours(ctx context.Context, minutes int) string {
	return locales.Number(ctx, int64(minutes/60)) + hours(minutes % 60)[1:]
}

// hoursOrNone is "–" for none.
func hoursOrNone(minutes int) string {
	if minutes == 0 {
		return "–"
	}
	return hours(minutes)
}

func countOrNone(ctx context.Context, n int) string {
	if n == 0 {
		return "–"
	}
	return locales.Number(ctx, int64(n))
}

func (p Period) isToday(d workday.Date) bool { return d == p.today() }
