package attendance

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// ForecastPath is the list of the people whose current week is near its limit.
const ForecastPath = "/logs/workingattitude/week/forecast"

// ForecastPageSize is the number of people on a page of the list, and BoardForecasts
// that on the board of the week.
const (
	ForecastPageSize = 50
	BoardForecasts   = 5
)

// Forecasts is the forecast of the current week, on its page or on the board.
type Forecasts struct {
	Frame       views.Frame
	Filter      attendance.ForecastFilter
	Week        attendance.WeekForecast
	Departments []attendance.Department
	MayTell     func(attendance.ForecastRow) bool
}

// url is the address of the list with one more choice; "" removes a choice.
func (f Forecasts) url(name, value string) string {
	chosen := url.Values{}
	if f.Filter.DepartmentID != 0 {
		chosen.Set("department_id", views.IDText(f.Filter.DepartmentID))
	}
	if f.Filter.Level != "" {
		chosen.Set("level", string(f.Filter.Level))
	}
	return views.ListURL(ForecastPath, chosen, name, value)
}

// of is the address of the people of a department, 0 for the chosen one, and a
// level.
func (f Forecasts) of(departmentID int64, level workday.ForecastLevel) string {
	if departmentID != 0 {
		f.Filter.DepartmentID = departmentID
	}
	return f.url("level", string(level))
}

func (f Forecasts) pageURL(cursor string) string { return f.url("cursor", cursor) }

func (f Forecasts) isFiltered() bool { return f.Filter.Level != "" || f.Filter.DepartmentID != 0 }

func (f Forecasts) tellsAnybody() bool { return slices.ContainsFunc(f.Week.Page.Rows, f.tells) }

// tells reports whether the managers of a row can be told.
func (f Forecasts) tells(r attendance.ForecastRow) bool { return r.ToldAt == nil && f.MayTell(r) }

func levelText(ctx context.Context, level workday.ForecastLevel) string {
	return locales.T(ctx, "forecast.level."+string(level))
}

func (f Forecasts) levels(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "forecast.level.any")}}
	for _, level := range attendance.ForecastLevels {
		options = append(options, views.Option{Value: string(level), Text: levelText(ctx, level)})
	}
	return options
}

func (f Forecasts) departments(ctx context.Context) []views.Option {
	return departmentOptions(ctx, f.Departments)
}

// levelLooks are the tone and the icon of a level.
var levelLooks = map[workday.ForecastLevel][2]string{
	workday.ForecastPassed: {"danger", "error"}, workday.ForecastExpected: {"danger", "alert"}, workday.ForecastNear: {"warning", "clock"},
}

// timeText is a time of the week within a sentence: "오늘 17:32" or "27일(금) 14:10".
func (f Forecasts) timeText(ctx context.Context, at time.Time) string {
	return timeOfWeek(ctx, at.In(f.Frame.Zone()), f.Frame.Now.In(f.Frame.Zone()))
}

func timeOfWeek(ctx context.Context, at, now time.Time) string {
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return locales.T(ctx, "forecast.today", "Time", locales.Time(ctx, at))
	}
	return locales.T(ctx, "forecast.on", "Day", strconv.Itoa(at.Day()), "Weekday", locales.ShortWeekday(ctx, at), "Time", locales.Time(ctx, at))
}

// alone begins a text that is no part of a sentence with a capital letter.
func alone(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// passesText says when the limit passes; "" if it does not. Without a time it is the
// day.
func (f Forecasts) passesText(ctx context.Context, r attendance.ForecastRow) string {
	switch {
	case !r.PassesAt.IsZero():
		return f.timeText(ctx, r.PassesAt)
	case r.PassesOn != 0:
		on := r.PassesOn.Time()
		return locales.T(ctx, "period.day", "Day", strconv.Itoa(on.Day()), "Weekday", locales.ShortWeekday(ctx, on))
	}
	return ""
}

func (f Forecasts) lastText(ctx context.Context, r attendance.ForecastRow) string {
	if r.LastDeparture.IsZero() {
		return ""
	}
	return f.timeText(ctx, r.LastDeparture)
}

// ToldText says whose managers were told, and of whom not.
func ToldText(ctx context.Context, told attendance.ManagersTold) string {
	var parts []string
	var managers []string
	for _, p := range told.People {
		managers = append(managers, p.Managers...)
	}
	slices.Sort(managers)
	names := nameList(ctx, slices.Compact(managers))
	switch n := len(told.People); n {
	case 0:
	case 1:
		parts = append(parts, locales.T(ctx, "forecast.told.one", "Name", told.People[0].Name, "Managers", names))
	default:
		parts = append(parts, locales.N(ctx, "forecast.told", n, "Managers", names))
	}
	if told.Already > 0 {
		parts = append(parts, locales.N(ctx, "forecast.told.already", told.Already))
	}
	if len(told.Unmanaged) > 0 {
		parts = append(parts, locales.T(ctx, "forecast.told.unmanaged", "Names", nameList(ctx, told.Unmanaged)))
	}
	return strings.Join(parts, " ")
}

// mostNames is the number of names in a sentence.
const mostNames = 3

// nameList writes some names, each with its form of address, and how many more
// there are.
func nameList(ctx context.Context, names []string) string {
	more := len(names) - mostNames
	var some []string
	for _, name := range names[:min(len(names), mostNames)] {
		some = append(some, locales.T(ctx, "forecast.name", "Name", name))
	}
	text := strings.Join(some, ", ")
	if more > 0 {
		return locales.N(ctx, "forecast.names", more, "Names", text)
	}
	return text
}

// ownForecast says in one sentence how long the reader may work.
func (p Period) ownForecast(ctx context.Context) string {
	f := p.Own
	limit := limitText(f.CapMin)
	zone := p.Frame.Zone()
	at := func(t time.Time) string { return timeOfWeek(ctx, t.In(zone), p.Frame.Now.In(zone)) }
	left := hours(max(0, f.RemainingMin()))
	switch {
	case f.Level() == workday.ForecastPassed:
		return locales.T(ctx, "forecast.own.passed", "Limit", limit, "Over", hours(-f.RemainingMin()))
	case !f.LastDeparture.IsZero():
		return locales.T(ctx, "forecast.own.leave", "Limit", limit, "Left", left, "At", at(f.LastDeparture))
	case f.Level() == workday.ForecastExpected:
		return locales.T(ctx, "forecast.own.expected", "Limit", limit, "Left", left, "At", at(f.PassesAt))
	}
	return locales.T(ctx, "forecast.own.near", "Limit", limit, "Left", left, "Projected", hours(f.ProjectedMin))
}
