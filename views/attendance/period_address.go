package attendance

import (
	"net/url"
	"slices"
	"strconv"

	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// unitPath is the page of a unit: day, week, month or the management of
// records.
func unitPath(unit attendance.Unit) string { return "/logs/workingattitude/" + string(unit) }

// url is the address of the list with one more choice; the value "" removes
// a choice.
func (p Period) url(name, value string) string {
	chosen := p.Values()
	if p.userID != 0 {
		chosen.Set("user_id", views.IDText(p.userID))
	}
	return views.ListURL(unitPath(p.Unit), chosen, name, value)
}

// hasList reports whether there are lists of a date: whether the address of one is read.
func hasList(date workday.Date) bool {
	r := lists.AddressReader{Query: url.Values{"date": {date.String()}}}
	r.Date("date", date)
	return r.Err() == nil
}

// at is the address of the same list in another period; "" where there is none.
func (p Period) at(first workday.Date) string {
	if !hasList(first) {
		return ""
	}
	p.First = first
	return p.url("", "")
}

// previous is the address of the previous week or month; "" where there is none.
func (p Period) previous() string {
	if p.isMonth() {
		return p.at(workday.DateOf(p.First.Time().AddDate(0, -1, 0)))
	}
	return p.at(p.First - 7)
}

// next is the address of the next week or month; "" where there is none.
func (p Period) next() string { return p.at(p.Last + 1) }

// present is the address of the same list in the current week or month.
func (p Period) present() string {
	if p.isMonth() {
		return p.url("month", "")
	}
	return p.url("date", "")
}

// plain is the same week or month without filters.
func (p Period) plain() Period {
	return Period{Choice: Choice{Filter: attendance.Filter{Unit: p.Unit, First: p.First, Last: p.Last}}}
}

// PeriodColumnOrders are the orders of the columns of a table of people,
// except that of the names.
func PeriodColumnOrders(unit attendance.Unit) []attendance.Order {
	if unit == MonthUnit {
		return attendance.PeriodOrders
	}
	return []attendance.Order{attendance.ByWorked, attendance.ByOvertime, attendance.ByHoliday, attendance.ByNight}
}

// sortedURL is the address that sorts people by an order, the greatest
// first, or reverses the direction if they already are. Names have one
// direction.
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

// canCount reports whether the reader can ask for the totals of all people:
// there are people beyond the page.
func (p Period) canCount() bool {
	return p.Count == nil && (p.Page.Next != nil || p.Page.Previous != nil)
}

// countURL is the address of the page with the totals of all people.
func (p Period) countURL() string { return p.url("totals", "1") }

// personURL is the address of one person's page of the same period.
func (p Period) personURL(userID int64) string {
	one := p.plain()
	one.userID = userID
	return one.url("", "")
}

// otherUnit is the address of another unit at the same time.
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

// boardURL is the address of the people of a department who exceed hours; 0
// is the chosen department.
func (p Period) boardURL(departmentID int64, hours int) string {
	if departmentID == 0 {
		departmentID = p.DepartmentIDs.Last()
	}
	address := unitPath(WeekUnit) + "?date=" + p.First.String()
	if departmentID != 0 {
		address += "&department_id=" + views.IDText(departmentID)
	}
	return address + "&over=" + strconv.Itoa(hours)
}
