package attendance

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// Unit is one of the lists of attendance, by its name in URLs.
type Unit string

// The lists: records of a day, people with the days of a week or month, and the
// log of records with their edits.
const (
	DayUnit   Unit = "day"
	WeekUnit  Unit = "week"
	MonthUnit Unit = "month"
	LogUnit   Unit = "management"
)

// OfPeople reports whether the rows of the list are people with their days.
func (u Unit) OfPeople() bool { return u == WeekUnit || u == MonthUnit }

// Filter is what somebody chose for a list of attendance. With only Unit,
// First, Last and Limit set, it chooses all records that are not deleted, by
// name. Exports store it as JSON.
type Filter struct {
	Unit          Unit                `json:"unit"`
	First         workday.Date        `json:"first"`
	Last          workday.Date        `json:"last"`
	DepartmentIDs lists.DepartmentIDs `json:"department_id,omitempty"` // the departments on the date
	Status        workday.Status      `json:"status,omitempty"`        // the status of Record.AsOf; of people at least one such day; "" for every status
	Device        string              `json:"device,omitempty"`        // the platform of the arrival; "" for every device
	Edited        bool                `json:"edited,omitempty"`        // only edited records, or people with at least one
	Uncounted     bool                `json:"uncounted,omitempty"`     // only records with events that have no part in their figures
	Deleted       bool                `json:"deleted,omitempty"`       // only deleted ones
	Over          int                 `json:"over,omitempty"`          // the hours that the week will exceed, one of PeriodOvers; 0 for any
	Query         string              `json:"q,omitempty"`             // the search text as typed
	Order         Order               `json:"sort,omitempty"`          // of people one of PeriodOrders; "" for by name
	Descending    bool                `json:"descending,omitempty"`

	Usual  Order         `json:"-"` // of a day, the order without one in the URL; "" for by name
	Search search.Search `json:"-"` // of Query, in the names, emails and employee ids that people have now
	Cursor *lists.Cursor `json:"-"` // the cursor of the page; nil for the first page
	Limit  int           `json:"-"`

	// DirectoryVersion is that of the reader's company, by which what a list of
	// records shows of users and departments is cached; 0 to read it.
	DirectoryVersion int64 `json:"-"`

	// Foreign are the filters in the URL that the list does not have.
	Foreign []string `json:"-"`
}

// Order is what a list of attendance is sorted by.
type Order string

// The orders of the records of a day. Where there is no arrival, or no worked
// time, the records come last.
const (
	ByName    Order = "name"
	ByArrival Order = "arrival"
	ByWorked  Order = "worked"
)

// Orders lists the orders of the records of a day.
var Orders = []Order{ByName, ByArrival, ByWorked}

// Statuses are the statuses of a record, in the order of chips and filters.
var Statuses = []workday.Status{
	workday.StatusOnTime, workday.StatusLate, workday.StatusEarlyLeave, workday.StatusLateAndEarly, workday.StatusAbsent,
	workday.StatusMissingDeparture, workday.StatusMissingArrival, workday.StatusWorking, workday.StatusBefore, workday.StatusLeave, workday.StatusHolidayWork,
	workday.StatusHoliday, workday.StatusDayOff, workday.StatusNotDue,
}

// Devices are the platforms that people clock with.
var Devices = []string{"pc", "web", "mobile", "mobile_web"}

// Calendar completes an address that names no date or order: today's date, the day
// on which weeks begin, and the dates on which hardly anybody works, so that those
// who did come first. IsDayOff may be nil.
type Calendar struct {
	Today     workday.Date
	WeekStart time.Weekday
	IsDayOff  func(workday.Date) bool
}

// usualLogDays is the number of days of the log if none were chosen.
const usualLogDays = 7

// ReadFilter reads the filter of a list from a URL: date of a day or week,
// month of a month, from and to of the log, department_id, q, cursor, and those
// of status, device, edited, deleted, uncounted, over and sort that the list has. Values
// that no page offers are refused with FieldErrors; the others are read
// nevertheless.
func ReadFilter(query url.Values, unit Unit, calendar Calendar) (Filter, error) {
	f := Filter{Unit: unit}
	r := lists.AddressReader{Query: query}
	f.First, f.Last = readPeriod(&r, unit, calendar)
	f.DepartmentIDs = r.Departments("department_id")
	f.Edited = query.Get("edited") == "1"
	statuses := Statuses
	if unit.OfPeople() {
		statuses = PeriodStatuses
	}
	f.Status = lists.OneOf(&r, "status", statuses)
	f.readOwn(&r)
	if unit == DayUnit && calendar.IsDayOff != nil && calendar.IsDayOff(f.First) {
		f.Usual = ByArrival
	}
	f.Order, f.Descending = readOrder(&r, unit, cmp.Or(f.Usual, ByName))
	f.Query, f.Search = r.Search("q")
	if f.Cursor = r.Cursor(f.list()); !f.Cursor.IsStart() && !unit.OfPeople() {
		if _, err := f.cursorKey(); err != nil {
			r.Refuse("cursor")
		}
	}
	return f, r.Err()
}

// readOwn reads the filters that not every list has.
func (f *Filter) readOwn(r *lists.AddressReader) {
	has := map[string]bool{"device": !f.Unit.OfPeople(), "deleted": f.Unit == LogUnit, "uncounted": f.Unit == LogUnit, "over": f.Unit == WeekUnit, "sort": f.Unit != LogUnit}
	for _, name := range []string{"device", "deleted", "uncounted", "over", "sort"} {
		if !has[name] && r.Query.Get(name) != "" {
			f.Foreign = append(f.Foreign, name)
		}
	}
	if has["device"] {
		f.Device = lists.OneOf(r, "device", Devices)
	}
	if has["deleted"] {
		f.Deleted = r.Query.Get("deleted") == "1"
	}
	if has["uncounted"] {
		f.Uncounted = r.Query.Get("uncounted") == "1"
	}
	if has["over"] {
		f.Over = r.Number("over", PeriodOvers)
	}
}

// readPeriod reads the dates of a list.
func readPeriod(r *lists.AddressReader, unit Unit, calendar Calendar) (first, last workday.Date) {
	switch unit {
	case WeekUnit:
		first = workday.WeekOf(r.Date("date", calendar.Today), calendar.WeekStart)
		return first, first + 6
	case MonthUnit:
		year, month, _ := r.Month("month", r.Date("date", calendar.Today)).Time().Date()
		return workday.NewDate(year, month, 1), workday.NewDate(year, month+1, 1) - 1
	case LogUnit:
		last = r.Date("to", calendar.Today)
		return r.Date("from", last-usualLogDays+1), last
	}
	first = r.Date("date", calendar.Today)
	return first, first
}

// readOrder reads the order of a list. A minus sign in front of it reverses it.
func readOrder(r *lists.AddressReader, unit Unit, usualOfDay Order) (Order, bool) {
	text, descending := strings.CutPrefix(r.Query.Get("sort"), "-")
	order := Order(text)
	switch {
	case unit == LogUnit:
		return ByName, false
	case unit == DayUnit && order == "" && !descending:
		return usualOfDay, false
	case unit == DayUnit && slices.Contains(Orders, order), unit.OfPeople() && slices.Contains(PeriodOrders, order):
		return order, descending
	case unit.OfPeople() && !descending && (order == "" || order == ByName):
		return "", false
	}
	r.Refuse("sort")
	return "", false
}

// Values returns the filter as parameters of a URL, without the cursor: what
// ReadFilter reads.
func (f Filter) Values() url.Values {
	query := url.Values{}
	set := func(name, value string, has bool) {
		if has && value != "" {
			query.Set(name, value)
		}
	}
	set("month", f.First.Time().Format("2006-01"), f.Unit == MonthUnit)
	set("date", f.First.String(), f.Unit == DayUnit || f.Unit == WeekUnit)
	set("from", f.First.String(), f.Unit == LogUnit)
	set("to", f.Last.String(), f.Unit == LogUnit)
	set("q", f.Query, true)
	set("status", string(f.Status), true)
	f.DepartmentIDs.Set(query, "department_id")
	set("device", f.Device, !f.Unit.OfPeople())
	set("edited", "1", f.Edited)
	set("deleted", "1", f.Deleted && f.Unit == LogUnit)
	set("uncounted", "1", f.Uncounted && f.Unit == LogUnit)
	set("over", strconv.Itoa(f.Over), f.Over != 0 && f.Unit == WeekUnit)
	set("sort", f.Sort(), f.Unit != LogUnit)
	return query
}

// Sort returns the order as it is in URLs; "" for the usual one.
func (f Filter) Sort() string {
	orders := Orders
	if f.Unit.OfPeople() {
		orders = PeriodOrders
	}
	switch {
	case !slices.Contains(orders, f.Order), f.Order == cmp.Or(f.Usual, ByName) && !f.Descending:
		return ""
	case f.Descending:
		return "-" + string(f.Order)
	}
	return string(f.Order)
}

// list returns the name of the list and its order, for cursors.
func (f Filter) list() string {
	list := string(f.Unit)
	if sort := f.Sort(); sort != "" && f.Unit != LogUnit {
		list += ":" + sort
	}
	return list
}

// cursor returns the cursor next to a record.
func (f Filter) cursor(row Row) lists.Cursor {
	return lists.Cursor{List: f.list(), Value: row.Key().String()}
}

// cursorKey returns the record of the cursor, which is on a date of the list.
func (f Filter) cursorKey() (RecordKey, error) {
	if err := f.Cursor.Check(f.list()); err != nil {
		return RecordKey{}, err
	}
	key, err := ParseRecordKey(f.Cursor.Value)
	if err != nil || !isBetween(key.Date, f.First, f.Last) {
		return key, fmt.Errorf("record %q: %w", f.Cursor.Value, lists.ErrCursor)
	}
	return key, nil
}
