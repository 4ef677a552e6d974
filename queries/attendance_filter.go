package queries

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/workday"
)

// AttendanceUnit is one of the lists of attendance, as addresses name it.
type AttendanceUnit string

// The lists: records of a day, people with the days of a week or month, and the
// log of records with their edits.
const (
	AttendanceOfDay   AttendanceUnit = "day"
	AttendanceOfWeek  AttendanceUnit = "week"
	AttendanceOfMonth AttendanceUnit = "month"
	AttendanceLog     AttendanceUnit = "management"
)

// OfPeople reports whether the rows are people with their days.
func (u AttendanceUnit) OfPeople() bool { return u == AttendanceOfWeek || u == AttendanceOfMonth }

// AttendanceFilter is what somebody chose for a list of attendance. Its zero
// value but for unit, dates and limit chooses all that is not deleted, by name.
// Exports store it as JSON.
type AttendanceFilter struct {
	Unit         AttendanceUnit  `json:"unit"`
	First        workday.Date    `json:"first"`
	Last         workday.Date    `json:"last"`
	DepartmentID int64           `json:"department_id,omitempty"` // on the day, with all its descendants; 0 for every department
	Status       workday.Status  `json:"status,omitempty"`        // as DayRecord.AsOf gives it, of people at least one such day; "" for every one
	Device       string          `json:"device,omitempty"`        // the platform of the arrival; "" for every one
	Edited       bool            `json:"edited,omitempty"`        // only edited records, or people with at least one
	Deleted      bool            `json:"deleted,omitempty"`       // only deleted ones
	Over         int             `json:"over,omitempty"`          // hours that the week will exceed, see PeriodOvers; 0 for any
	Query        string          `json:"q,omitempty"`             // what is searched for, as typed
	Order        AttendanceOrder `json:"sort,omitempty"`          // of people one of PeriodOrders, or "" by name
	Descending   bool            `json:"descending,omitempty"`

	Search Search  `json:"-"` // of Query, in the names, emails and employee ids that people have now
	Cursor *Cursor `json:"-"` // where the page is; nil begins
	Limit  int     `json:"-"`

	// Foreign names filters that the address has and the list has not.
	Foreign []string `json:"-"`
}

// AttendanceOrder is what a list of attendance is sorted by.
type AttendanceOrder string

// The orders of the records of a day. Where there is no arrival, or no worked
// time, the records come last.
const (
	AttendanceByName    AttendanceOrder = "name"
	AttendanceByArrival AttendanceOrder = "arrival"
	AttendanceByWorked  AttendanceOrder = "worked"
)

// AttendanceOrders lists the orders of the records of a day.
var AttendanceOrders = []AttendanceOrder{AttendanceByName, AttendanceByArrival, AttendanceByWorked}

// AttendanceStatuses are those of a record, in the order of chips and filters.
var AttendanceStatuses = []workday.Status{
	workday.StatusOnTime, workday.StatusLate, workday.StatusEarlyLeave, workday.StatusLateAndEarly, workday.StatusAbsent,
	workday.StatusMissingDeparture, workday.StatusWorking, workday.StatusBefore, workday.StatusLeave, workday.StatusHolidayWork,
	workday.StatusHoliday, workday.StatusNotDue,
}

// AttendanceDevices are the platforms that people clock with.
var AttendanceDevices = []string{"pc", "web", "mobile", "mobile_web"}

// Calendar is what an address leaves open: today's date, and the day on which
// weeks begin.
type Calendar struct {
	Today     workday.Date
	WeekStart time.Weekday
}

// usualLogDays is how many days the log shows where nobody chose any.
const usualLogDays = 7

// ReadAttendanceFilter reads the address of a list: date of a day or week, month
// of a month, from and to of the log, department_id, q, cursor, and status,
// device, edited, deleted, over and sort, of which each list has some. What
// cannot have been chosen is refused by FieldErrors; the rest is read all the
// same.
func ReadAttendanceFilter(query url.Values, unit AttendanceUnit, calendar Calendar) (AttendanceFilter, error) {
	f := AttendanceFilter{Unit: unit}
	r := addressReader{query: query}
	f.First, f.Last = readPeriod(&r, unit, calendar)
	f.DepartmentID = r.id("department_id")
	f.Edited = query.Get("edited") == "1"
	statuses := AttendanceStatuses
	if unit.OfPeople() {
		statuses = PeriodStatuses
	}
	f.Status = oneOf(&r, "status", statuses)
	f.readOwn(&r)
	f.Order, f.Descending = readOrder(&r, unit)
	f.Query, f.Search = r.search("q")
	if f.Cursor = r.cursor(f.list()); !f.Cursor.IsStart() && !unit.OfPeople() {
		if _, err := f.cursorKey(); err != nil {
			r.refuse("cursor")
		}
	}
	return f, r.err()
}

// readOwn reads the filters that not every list has.
func (f *AttendanceFilter) readOwn(r *addressReader) {
	has := map[string]bool{"device": !f.Unit.OfPeople(), "deleted": f.Unit == AttendanceLog, "over": f.Unit == AttendanceOfWeek, "sort": f.Unit != AttendanceLog}
	for _, name := range []string{"device", "deleted", "over", "sort"} {
		if !has[name] && r.query.Get(name) != "" {
			f.Foreign = append(f.Foreign, name)
		}
	}
	if has["device"] {
		f.Device = oneOf(r, "device", AttendanceDevices)
	}
	if has["deleted"] {
		f.Deleted = r.query.Get("deleted") == "1"
	}
	if has["over"] {
		f.Over = r.number("over", PeriodOvers)
	}
}

// readPeriod reads the dates of a list.
func readPeriod(r *addressReader, unit AttendanceUnit, calendar Calendar) (first, last workday.Date) {
	switch unit {
	case AttendanceOfWeek:
		first = workday.WeekOf(r.date("date", calendar.Today), calendar.WeekStart)
		return first, first + 6
	case AttendanceOfMonth:
		year, month, _ := r.month("month", calendar.Today).Time().Date()
		return workday.NewDate(year, month, 1), workday.NewDate(year, month+1, 1) - 1
	case AttendanceLog:
		last = r.date("to", calendar.Today)
		return r.date("from", last-usualLogDays+1), last
	}
	first = r.date("date", calendar.Today)
	return first, first
}

// readOrder reads the order of a list: with - the other way round.
func readOrder(r *addressReader, unit AttendanceUnit) (AttendanceOrder, bool) {
	text, descending := strings.CutPrefix(r.query.Get("sort"), "-")
	order := AttendanceOrder(text)
	switch {
	case unit == AttendanceLog:
		return AttendanceByName, false
	case unit == AttendanceOfDay && order == "" && !descending:
		return AttendanceByName, false
	case unit == AttendanceOfDay && slices.Contains(AttendanceOrders, order), unit.OfPeople() && slices.Contains(PeriodOrders, order):
		return order, descending
	case unit.OfPeople() && !descending && (order == "" || order == AttendanceByName):
		return "", false
	}
	r.refuse("sort")
	return "", false
}

// Values is the filter as an address, without the cursor: what
// ReadAttendanceFilter reads, and of it only what the list has.
func (f AttendanceFilter) Values() url.Values {
	query := url.Values{}
	set := func(name, value string, has bool) {
		if has && value != "" {
			query.Set(name, value)
		}
	}
	set("month", f.First.Time().Format("2006-01"), f.Unit == AttendanceOfMonth)
	set("date", f.First.String(), f.Unit == AttendanceOfDay || f.Unit == AttendanceOfWeek)
	set("from", f.First.String(), f.Unit == AttendanceLog)
	set("to", f.Last.String(), f.Unit == AttendanceLog)
	set("q", f.Query, true)
	set("status", string(f.Status), true)
	set("department_id", strconv.FormatInt(f.DepartmentID, 10), f.DepartmentID != 0)
	set("device", f.Device, !f.Unit.OfPeople())
	set("edited", "1", f.Edited)
	set("deleted", "1", f.Deleted && f.Unit == AttendanceLog)
	set("over", strconv.Itoa(f.Over), f.Over != 0 && f.Unit == AttendanceOfWeek)
	set("sort", f.Sort(), f.Unit != AttendanceLog)
	return query
}

// Sort is the order as an address has it; "" by name.
func (f AttendanceFilter) Sort() string {
	orders := AttendanceOrders
	if f.Unit.OfPeople() {
		orders = PeriodOrders
	}
	switch {
	case !slices.Contains(orders, f.Order), f.Order == AttendanceByName && !f.Descending:
		return ""
	case f.Descending:
		return "-" + string(f.Order)
	}
	return string(f.Order)
}

// list names the list and its order, for its cursors.
func (f AttendanceFilter) list() string {
	list := string(f.Unit)
	if sort := f.Sort(); sort != "" && f.Unit != AttendanceLog {
		list += ":" + sort
	}
	return list
}

// cursor is the position next to a record.
func (f AttendanceFilter) cursor(row AttendanceRow) Cursor {
	return Cursor{List: f.list(), Value: row.Key().String()}
}

// cursorKey is the record of the cursor, on a date of the list.
func (f AttendanceFilter) cursorKey() (RecordKey, error) {
	if err := f.Cursor.Check(f.list()); err != nil {
		return RecordKey{}, err
	}
	key, err := ParseRecordKey(f.Cursor.Value)
	if err != nil || !between(key.Date, f.First, f.Last) {
		return key, fmt.Errorf("record %q: %w", f.Cursor.Value, ErrCursor)
	}
	return key, nil
}
