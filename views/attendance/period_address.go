package attendance

import (
	"slices"
	"strconv"

	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

func unitPath(unit attendance.Unit) string { return "/logs/workingattitude/" + string(unit) }

// url is the address of the list with one thing chosen otherwise; "" takes a
// choice back.
func (p Period) url(name, value string) string {
	chosen := p.Values()
	if p.userID != 0 {
		chosen.Set("user_id", views.IDText(p.userID))
	}
	return views.ListURL(unitPath(p.Unit), chosen, name, value)
}

// at is the address of the same list at another time.
func (p Period) at(first workday.Date) string {
	p.First = first
	return p.url("", "")
}

func (p Period) previous() string {
	if p.isMonth() {
		return p.at(workday.DateOf(p.First.Time().AddDate(0, -1, 0)))
	}
	return p.at(p.First - 7)
}

func (p Period) next() string { return p.at(p.Last + 1) }

// present is the address of the same list of the present week or month.
func (p Period) present() string {
	if p.isMonth() {
		return p.url("month", "")
	}
	return p.url("date", "")
}

// plain is the same week or month of everybody with nothing else chosen.
func (p Period) plain() Period {
	return Period{Choice: Choice{Filter: attendance.Filter{Unit: p.Unit, First: p.First, Last: p.Last}}}
}

// PeriodColumnOrders are those of the columns of a table of people, besides that
// of the names.
func PeriodColumnOrders(unit attendance.Unit) []attendance.Order {
	if unit == MonthUnit {
		return attendance.PeriodOrders
	}
	return []attendance.Order{attendance.ByWorked}
}

// sortedURL is the address at which people are sorted by an order, the most
// first, or, where they are, the other way round. By name there is one way.
func (p Period) sortedURL(order attendance.Order) string {
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

// countable reports whether there are people beyond the page whose sums can be
// asked for.
func (p Period) canCount() bool {
	return p.Count == nil && (p.Page.Next != nil || p.Page.Previous != nil)
}

// countURL is the address of the page with the sums of everybody.
func (p Period) countURL() string { return p.url("totals", "1") }

// personURL leads to one person's page of the same period.
func (p Period) personURL(userID int64) string {
	one := p.plain()
	one.userID = userID
	return one.url("", "")
}

// otherUnit leads to another unit at the same time.
func (p Period) otherUnit(unit attendance.Unit) string {
	if p.isCurrent() {
		p.First = p.today()
	}
	if unit == attendance.DayUnit {
		return dayURL(p.First.Time())
	}
	p.Unit = unit
	if !slices.Contains(PeriodColumnOrders(unit), p.Order) {
		p.Order, p.Descending = "", false
	}
	return p.url("", "")
}

// boardURL leads to those of a department who exceed hours; 0 is the one chosen.
func (p Period) boardURL(departmentID int64, hours int) string {
	if departmentID == 0 {
		departmentID = p.DepartmentID
	}
	address := unitPath(WeekUnit) + "?date=" + p.First.String()
	if departmentID != 0 {
		address += "&department_id=" + views.IDText(departmentID)
	}
	return address + "&over=" + strconv.Itoa(hours)
}
