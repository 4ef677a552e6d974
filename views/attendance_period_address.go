package views

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"officeconsole/queries"
	"officeconsole/workday"
)

func unitPath(unit string) string { return "/logs/workingattitude/" + unit }

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back. A place in the list does not outlive what it was a place in.
func (p Period) url(name, value string) string {
	return p.address(p.Unit, p.First, name, value)
}

// at is the address of the same list at another time.
func (p Period) at(first workday.Date) string { return p.address(p.Unit, first, "", "") }

func (p Period) previous() string {
	if p.month() {
		return p.at(workday.DateOf(p.First.Time().AddDate(0, -1, 0)))
	}
	return p.at(p.First - 7)
}

func (p Period) next() string { return p.at(p.Last + 1) }

func (p Period) present() string { return p.address(p.Unit, 0, "", "") }

// address is that of a unit from a date on; 0 is now.
func (p Period) address(unit string, first workday.Date, name, value string) string {
	chosen := url.Values{}
	set := func(name, value string) {
		chosen.Del(name)
		if value != "" {
			chosen.Set(name, value)
		}
	}
	switch {
	case first == 0:
	case unit == MonthUnit:
		set("month", first.Time().Format("2006-01"))
	default:
		set("date", first.String())
	}
	set("q", p.Query)
	set("status", string(p.Status))
	set("department_id", idText(p.DepartmentID))
	set("user_id", idText(p.userID))
	if p.Edited {
		set("edited", "1")
	}
	if p.Over != 0 && unit == WeekUnit {
		set("over", strconv.Itoa(p.Over))
	}
	if slices.Contains(Period{Unit: unit}.Orders(), p.Order) {
		set("sort", p.sort())
	}
	set(name, value)
	if len(chosen) == 0 {
		return unitPath(unit)
	}
	return unitPath(unit) + "?" + chosen.Encode()
}

// Orders are those of the columns of its table, besides that of the names.
func (p Period) Orders() []queries.AttendanceOrder {
	if p.month() {
		return queries.PeriodOrders
	}
	return []queries.AttendanceOrder{queries.AttendanceByWorked}
}

// sort is the order as it stands in the address; "" by name.
func (p Period) sort() string {
	if p.Descending {
		return "-" + string(p.Order)
	}
	return string(p.Order)
}

// sortedURL is the address at which people are sorted by an order, the most
// first, or, where they are, the other way round. By name there is one way.
func (p Period) sortedURL(order queries.AttendanceOrder) string {
	by := p
	by.Order, by.Descending = order, order != "" && (p.Order != order || !p.Descending)
	return by.url("", "")
}

func (p Period) direction() string {
	if p.Descending {
		return "descending"
	}
	return "ascending"
}

// countable tells whether there are people beyond the page whose sums can be
// asked for.
func (p Period) countable() bool { return p.Count == nil && (p.Later || len(p.Trail) > 0) }

// countURL is the address of the page with the sums of everybody.
func (p Period) countURL() string { return p.url("totals", "1") }

// personURL leads to one person's page of the same period.
func (p Period) personURL(userID int64) string {
	return Period{Unit: p.Unit, userID: userID}.address(p.Unit, p.First, "", "")
}

// otherUnit leads to another unit at the same time.
func (p Period) otherUnit(unit string) string {
	first := p.First
	if p.current() {
		first = p.today()
	}
	if unit == "day" {
		return dayPath(first.Time())
	}
	return p.address(unit, first, "", "")
}

// boardURL leads to those of a department who exceed hours; 0 is the one chosen.
func (p Period) boardURL(departmentID int64, hours int) string {
	if departmentID == 0 {
		departmentID = p.DepartmentID
	}
	address := unitPath(WeekUnit) + "?date=" + p.First.String()
	if departmentID != 0 {
		address += "&department_id=" + idText(departmentID)
	}
	return address + "&over=" + strconv.Itoa(hours)
}

// trailText is a way through a list as an address has it.
func trailText(trail []int64) string {
	texts := make([]string, len(trail))
	for i, id := range trail {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ".")
}
