package views

import (
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// AttendancePageSize is how many records a page shows.
const AttendancePageSize = 50

// AttendanceChoice is what was chosen for a list of attendance, and what there is
// to choose from.
type AttendanceChoice struct {
	attendance.Filter
	Refused     string                  // id of the message why the search cannot be; "" for none
	Departments []attendance.Department // to choose from
}

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (c AttendanceChoice) url(name, value string) string {
	return chosenOtherwise(unitPath(c.Unit), c.Values(), name, value)
}

// pageURL is the address of the list at a cursor.
func (c AttendanceChoice) pageURL(cursor string) string { return c.url("cursor", cursor) }

func (c AttendanceChoice) filtered() bool { return c.narrow() || c.Status != "" || c.DepartmentID != 0 }

// narrow reports whether more was chosen than what is counted by.
func (c AttendanceChoice) narrow() bool { return c.Query != "" || c.Device != "" || c.Edited }

func (c AttendanceChoice) devices(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "attendance.device.any")}}
	for _, d := range attendance.Devices {
		options = append(options, Option{d, platformWord(ctx, d)})
	}
	return options
}

func (c AttendanceChoice) statuses(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "attendance.status.any")}}
	for _, s := range attendance.Statuses {
		options = append(options, Option{string(s), locales.T(ctx, "record.status."+string(s))})
	}
	return options
}

func (c AttendanceChoice) departments(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "department.all")}}
	for _, d := range c.Departments {
		options = append(options, Option{idText(d.ID), strings.Repeat("\u2003", d.Depth) + d.Name})
	}
	return options
}

// AttendanceDayList is the log of a day.
type AttendanceDayList struct {
	AttendanceChoice
	Frame   Frame
	Day     time.Time // in the zone of the company
	Holiday string    // see workday.Policy.HolidayOn
	OwnOnly bool      // the reader sees nobody else
	Page    lists.Page[attendance.Row]
	Counts  attendance.StatusCounts
}

func dayPath(day time.Time) string {
	return attendanceDayPath + "?date=" + day.Format(time.DateOnly)
}

// on is the address of the same list of another day.
func (l AttendanceDayList) on(day time.Time) string { return l.url("date", day.Format(time.DateOnly)) }

// today is the address of the same list of the day that it is.
func (l AttendanceDayList) today() string { return l.url("date", "") }

// sorted gives how the list is sorted by an order, "" for not at all, and the
// address at which it is, or is the other way round.
func (l AttendanceDayList) sorted(order attendance.Order) (direction, path string) {
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

func (l AttendanceDayList) pager(ctx context.Context) Pager {
	page := l.Page
	if !l.narrow() {
		page.Total = l.count(l.Status)
	}
	return pagerOf(ctx, page, "attendance.total", l.pageURL)
}

// count is how many records of the day have a status; of all for "".
func (l AttendanceDayList) count(status workday.Status) int {
	if status == "" {
		return l.Counts.Total
	}
	return l.Counts.ByStatus[status]
}

// chips are the statuses to choose from: those that there are, and the chosen one.
func (l AttendanceDayList) chips() []workday.Status {
	return slices.DeleteFunc(slices.Clone(attendance.Statuses), func(s workday.Status) bool { return l.count(s) == 0 && s != l.Status })
}

// countedAt says when the counts were made, "" for just now.
func (l AttendanceDayList) countedAt(ctx context.Context) string {
	if l.Frame.Now.Sub(l.Counts.At) < time.Second {
		return ""
	}
	return locales.T(ctx, "attendance.counted", "Time", l.Counts.At.In(l.Frame.Zone()).Format("15:04:05"))
}

func isToday(day, now time.Time) bool {
	return day.Format(time.DateOnly) == now.Format(time.DateOnly)
}

// attendanceSentence says whose records the reader may see (spec §6).
func attendanceSentence(ctx context.Context, l AttendanceDayList) string {
	switch {
	case l.OwnOnly:
		return locales.T(ctx, "attendance.text.own")
	case l.Frame.Person.IsAdmin:
		return locales.T(ctx, "attendance.text.everybody")
	}
	return locales.T(ctx, "attendance.text.scope")
}

// An attendanceColumn is a column of a list of records; low ones are left out on
// a narrow page, those with an order can be sorted by.
type attendanceColumn struct {
	key, title string
	low, end   bool
	order      attendance.Order
}

var dayColumns = []attendanceColumn{
	{"name", "attendance.column.name", false, false, attendance.ByName},
	{"department", "attendance.column.department", false, false, ""},
	{"arrival", "attendance.column.arrival", false, true, attendance.ByArrival},
	{"departure", "attendance.column.departure", false, true, ""},
	{"worked", "attendance.column.worked", false, true, attendance.ByWorked},
	{"break", "attendance.column.break", true, true, ""},
	{"overtime", "attendance.column.overtime", true, true, ""},
	{"device", "attendance.column.device", false, false, ""},
	{"place", "attendance.column.place", true, false, ""},
	{"state", "attendance.column.state", false, false, ""},
}

// remarks are the flags of a record that its status does not say.
func remarks(ctx context.Context, r *attendance.Record) []string {
	const said = workday.FlagLate | workday.FlagEarlyLeave | workday.FlagHolidayWork | workday.FlagEdited
	return flagWords(ctx, int32(workday.Flags(r.Flags)&^said))
}

// daysBehind is how many days after the date of a record a time lies.
func daysBehind(r *attendance.Record, at time.Time) int {
	return int(workday.DateOf(at) - workday.DateOf(r.WorkDate))
}

// scheduleText is when somebody was due, "" where nothing was.
func scheduleText(ctx context.Context, r attendance.Record, zone *time.Location) string {
	if r.StartsAt == nil || r.EndsAt == nil {
		return ""
	}
	return locales.T(ctx, "attendance.schedule", "From", locales.Time(ctx, r.StartsAt.In(zone)), "To", locales.Time(ctx, r.EndsAt.In(zone)))
}
