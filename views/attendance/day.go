// Package attendance renders the pages of attendance: the lists of days, weeks and
// months, records and their corrections, exports, and who may view attendance.
package attendance

import (
	"context"
	"slices"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// DayList is the log of a day.
type DayList struct {
	Choice
	Frame   views.Frame
	Day     time.Time // in the time zone of the company
	Holiday string    // see workday.Policy.HolidayOn
	OwnOnly bool      // whether the reader sees only their own record
	HasDesk bool      // whether the reader has a desk
	Page    lists.Page[attendance.Row]
	Counts  attendance.StatusCounts
}

// dayURL is the address of the log of a day.
func dayURL(day time.Time) string {
	return dayPath + "?date=" + day.Format(time.DateOnly)
}

// on is the address of the same list on another day; "" where there is none.
func (l DayList) on(day time.Time) string {
	if !hasList(workday.DateOf(day)) {
		return ""
	}
	return l.url("date", day.Format(time.DateOnly))
}

// today is the address of the same list on the current day. Without any parameter it
// would be that of the desk.
func (l DayList) today() string {
	query := l.Values()
	query.Del("date")
	return views.ListURL(dayPath, query, "view", "all")
}

// sorted returns the direction in which the list is sorted by an order, ""
// for not at all, and the address that sorts by it or reverses the
// direction.
func (l DayList) sorted(order attendance.Order) (direction, path string) {
	if order == "" {
		return "", ""
	}
	by := l
	by.Order, by.Descending = order, false
	if l.Order == order {
		direction, by.Descending = "ascending", !l.Descending
		if l.Descending {
			direction = "descending"
		}
	}
	return direction, by.url("", "")
}

func (l DayList) pager(ctx context.Context) views.Pager {
	page := l.Page
	if !l.isNarrowed() {
		page.Total = l.count(l.Status)
	}
	return views.NewPager(ctx, page, "attendance.total", l.pageURL).Exported()
}

// count is the number of records of the day with a status, or of all records
// for "".
func (l DayList) count(status workday.Status) int {
	if status == "" {
		return l.Counts.Total
	}
	return l.Counts.ByStatus[status]
}

// chips are the statuses offered as filters: those that occur on the day,
// and the chosen one.
func (l DayList) chips() []workday.Status {
	return slices.DeleteFunc(slices.Clone(attendance.Statuses), func(s workday.Status) bool { return l.count(s) == 0 && s != l.Status })
}

// countedAt says when the records were counted; "" for less than a second
// ago.
func (l DayList) countedAt(ctx context.Context) string {
	if l.Frame.Now.Sub(l.Counts.At) < time.Second {
		return ""
	}
	return locales.T(ctx, "attendance.counted", "Time", l.Counts.At.In(l.Frame.Zone()).Format("15:04:05"))
}

// isToday reports whether day is the date of now.
func isToday(day, now time.Time) bool {
	return day.Format(time.DateOnly) == now.Format(time.DateOnly)
}

// daySentence says whose records the reader may see (spec §6).
func daySentence(ctx context.Context, l DayList) string {
	switch {
	case l.OwnOnly:
		return locales.T(ctx, "attendance.text.own")
	case l.Frame.Person.IsAdmin:
		return locales.T(ctx, "attendance.text.everybody")
	}
	return locales.T(ctx, "attendance.text.scope")
}

// dayColumns are the columns of the log of a day.
var dayColumns = []column{
	{key: "name", title: "attendance.column.name", order: attendance.ByName},
	{key: "department", title: "attendance.column.department"},
	{key: "arrival", title: "attendance.column.arrival", end: true, order: attendance.ByArrival},
	{key: "departure", title: "attendance.column.departure", end: true},
	{key: "worked", title: "attendance.column.worked", end: true, order: attendance.ByWorked},
	{key: "break", title: "attendance.column.break", low: true, end: true},
	{key: "overtime", title: "attendance.column.overtime", low: true, end: true},
	{key: "holiday", title: "attendance.column.holiday", high: true, end: true},
	{key: "night", title: "attendance.column.night", high: true, end: true},
	{key: "device", title: "attendance.column.device"},
	{key: "place", title: "attendance.column.place", low: true},
	{key: "state", title: "attendance.column.state"},
}

// remarks are the words of the flags of a record that its status does not
// imply, and of its events that do not count.
func remarks(ctx context.Context, r *attendance.Record) []string {
	const shown = workday.FlagLate | workday.FlagEarlyLeave | workday.FlagHolidayWork | workday.FlagEdited
	words := flagWords(ctx, int32(workday.Flags(r.Flags)&^shown))
	if r.Uncounted > 0 {
		words = append(words, uncountedText(ctx, r))
	}
	return words
}

// uncountedText says how many events of the record and its date do not count.
func uncountedText(ctx context.Context, r *attendance.Record) string {
	return locales.T(ctx, "attendance.uncounted.count", "N", locales.Number(ctx, int64(r.Uncounted)))
}

// daysBehind is how many days a time is after the work date of a record.
func daysBehind(r *attendance.Record, at time.Time) int {
	return int(workday.DateOf(at) - workday.DateOf(r.WorkDate))
}

// scheduleText is when work was scheduled; "" if it was not.
func scheduleText(ctx context.Context, r attendance.Record, zone *time.Location) string {
	if r.StartsAt == nil || r.EndsAt == nil {
		return ""
	}
	return locales.T(ctx, "attendance.schedule", "From", locales.Time(ctx, r.StartsAt.In(zone)), "To", locales.Time(ctx, r.EndsAt.In(zone)))
}
