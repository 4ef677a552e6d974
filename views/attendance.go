package views

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/workday"
)

// AttendancePageSize is how many records a page shows.
const AttendancePageSize = 50

// AttendanceChoice is what was chosen of the records of a list, as it stands in
// the address.
type AttendanceChoice struct {
	Query        string // what is searched for, as typed
	Refused      string // id of the message why it cannot be; "" for none
	Status       workday.Status
	Device       string
	Edited       bool
	DepartmentID int64
	Departments  []queries.AttendanceDepartment // to choose from
	First        int                            // the number of the first row; 0 where it is not known
}

// AttendanceStatuses are those of a record, as chips and filters name them.
var AttendanceStatuses = []workday.Status{
	workday.StatusOnTime, workday.StatusLate, workday.StatusEarlyLeave, workday.StatusLateAndEarly, workday.StatusAbsent,
	workday.StatusMissingDeparture, workday.StatusWorking, workday.StatusBefore, workday.StatusLeave, workday.StatusHolidayWork,
	workday.StatusHoliday, workday.StatusNotDue,
}

// AttendanceDevices are the platforms that people clock with.
var AttendanceDevices = []string{"pc", "web", "mobile", "mobile_web"}

func (c AttendanceChoice) filtered() bool { return c.narrow() || c.Status != "" || c.DepartmentID != 0 }

// narrow tells whether more was chosen than what is counted by.
func (c AttendanceChoice) narrow() bool { return c.Query != "" || c.Device != "" || c.Edited }

// values is the choice as a query, with one thing chosen otherwise; "" takes a
// choice back.
func (c AttendanceChoice) values(name, value string) url.Values {
	chosen := url.Values{}
	set := func(name, value string) {
		chosen.Del(name)
		if value != "" {
			chosen.Set(name, value)
		}
	}
	set("q", c.Query)
	set("status", string(c.Status))
	set("device", c.Device)
	set("department_id", idText(c.DepartmentID))
	if c.Edited {
		set("edited", "1")
	}
	set(name, value)
	return chosen
}

func (c AttendanceChoice) devices(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "attendance.device.any")}}
	for _, d := range AttendanceDevices {
		options = append(options, Option{d, platformWord(ctx, d)})
	}
	return options
}

func (c AttendanceChoice) statuses(ctx context.Context) []Option {
	options := []Option{{"", locales.T(ctx, "attendance.status.any")}}
	for _, s := range AttendanceStatuses {
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

// pager leads to the rows before and behind; total is -1 where nobody counted.
func (c AttendanceChoice) pager(ctx context.Context, page queries.AttendancePage, total int, url func(place string, key queries.RecordKey, first int) string) Pager {
	first, last := c.First, c.First+len(page.Rows)-1
	if first <= 0 || !page.Earlier {
		first, last = 1, len(page.Rows)
	}
	known := c.First > 0 || !page.Earlier
	if known && total < 0 && !page.Later {
		total = last
	}
	var p Pager
	switch firstText, lastText := locales.Number(ctx, int64(first)), locales.Number(ctx, int64(last)); {
	case !known:
	case total < last:
		p.Text = locales.T(ctx, "status.range.open", "First", firstText, "Last", lastText)
	default:
		p.Text = locales.T(ctx, "attendance.total", "First", firstText, "Last", lastText, "Total", locales.Number(ctx, int64(total)))
	}
	if page.Earlier {
		before := 0
		if known {
			before = max(1, first-AttendancePageSize)
		}
		p.Previous = url("before", page.Rows[0].Key(), before)
	}
	if page.Later {
		next := 0
		if known {
			next = last + 1
		}
		p.Next = url("after", page.Rows[len(page.Rows)-1].Key(), next)
	}
	return p
}

// AttendanceDayList is the log of a day.
type AttendanceDayList struct {
	AttendanceChoice
	Frame      Frame
	Day        time.Time // in the zone of the company
	Holiday    string    // see workday.Policy.HolidayOn
	OwnOnly    bool      // the reader sees nobody else
	Order      queries.AttendanceOrder
	Descending bool
	Page       queries.AttendancePage
	Counts     queries.AttendanceCounts
}

func dayPath(day time.Time) string {
	return attendanceDayPath + "?date=" + day.Format(time.DateOnly)
}

// on is the address of the same list of another day.
func (l AttendanceDayList) on(day time.Time) string { return l.address(day, "", "") }

// today is the address of the same list of the day that it is.
func (l AttendanceDayList) today() string { return l.address(l.Day, "date", "") }

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back. A place in the list does not outlive what it was a place in.
func (l AttendanceDayList) url(name, value string) string { return l.address(l.Day, name, value) }

func (l AttendanceDayList) address(day time.Time, name, value string) string {
	chosen := l.chosen(day, name, value)
	if len(chosen) == 0 {
		return attendanceDayPath
	}
	return attendanceDayPath + "?" + chosen.Encode()
}

func (l AttendanceDayList) chosen(day time.Time, name, value string) url.Values {
	chosen := l.values("", "")
	chosen.Set("date", day.Format(time.DateOnly))
	if l.sort() != "" {
		chosen.Set("sort", l.sort())
	}
	chosen.Del(name)
	if value != "" {
		chosen.Set(name, value)
	}
	return chosen
}

// sort is the order as it stands in the address; "" by name.
func (l AttendanceDayList) sort() string {
	switch {
	case l.Descending:
		return "-" + string(l.Order)
	case l.Order == queries.AttendanceByName:
		return ""
	}
	return string(l.Order)
}

// sorted gives how the list is sorted by an order, "" for not at all, and the
// address at which it is, or is the other way round.
func (l AttendanceDayList) sorted(order queries.AttendanceOrder) (direction, path string) {
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

func (l AttendanceDayList) pagerOf(ctx context.Context) Pager {
	total := -1
	if !l.narrow() {
		total = l.count(l.Status)
	}
	return l.pager(ctx, l.Page, total, func(place string, key queries.RecordKey, first int) string {
		chosen := l.chosen(l.Day, place, key.String())
		if first > 0 {
			chosen.Set("first", strconv.Itoa(first))
		}
		return attendanceDayPath + "?" + chosen.Encode()
	})
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
	return slices.DeleteFunc(slices.Clone(AttendanceStatuses), func(s workday.Status) bool { return l.count(s) == 0 && s != l.Status })
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
	order      queries.AttendanceOrder
}

var dayColumns = []attendanceColumn{
	{"name", "attendance.column.name", false, false, queries.AttendanceByName},
	{"department", "attendance.column.department", false, false, ""},
	{"arrival", "attendance.column.arrival", false, true, queries.AttendanceByArrival},
	{"departure", "attendance.column.departure", false, true, ""},
	{"worked", "attendance.column.worked", false, true, queries.AttendanceByWorked},
	{"break", "attendance.column.break", true, true, ""},
	{"overtime", "attendance.column.overtime", true, true, ""},
	{"device", "attendance.column.device", false, false, ""},
	{"place", "attendance.column.place", true, false, ""},
	{"state", "attendance.column.state", false, false, ""},
}

// remarks are the flags of a record that its status does not say.
func remarks(ctx context.Context, r *queries.DayRecord) []string {
	const said = workday.FlagLate | workday.FlagEarlyLeave | workday.FlagHolidayWork | workday.FlagEdited
	return flagWords(ctx, int32(workday.Flags(r.Flags)&^said))
}

// daysBehind is how many days after the date of a record a time lies.
func daysBehind(r *queries.DayRecord, at time.Time) int {
	return int(workday.DateOf(at) - workday.DateOf(r.WorkDate))
}

// scheduleText is when somebody was due, "" where nothing was.
func scheduleText(ctx context.Context, r queries.DayRecord, zone *time.Location) string {
	if r.StartsAt == nil || r.EndsAt == nil {
		return ""
	}
	return locales.T(ctx, "attendance.schedule", "From", locales.Time(ctx, r.StartsAt.In(zone)), "To", locales.Time(ctx, r.EndsAt.In(zone)))
}
