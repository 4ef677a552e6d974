package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// refusedSearch is the message id of a search that was refused in the address of
// a list, for its page to show. Anything else that was refused cannot have been
// chosen there and is no page.
func refusedSearch(err error) (refused string, _ error) {
	var fields queries.FieldErrors
	if !errors.As(err, &fields) {
		return "", err
	}
	for name, why := range fields {
		if name != "q" {
			return "", errPageNotFound
		}
		refused = string(why)
	}
	return refused, nil
}

// attendanceFilter reads the address of a list of attendance, and why its search
// is refused. People are sorted by what their table has columns of.
func (h *handlers) attendanceFilter(r *http.Request, query url.Values, unit attendance.Unit) (f attendance.Filter, refused string, err error) {
	calendar, err := h.calendar(r)
	if err != nil {
		return f, "", err
	}
	f, err = attendance.ReadFilter(query, unit, calendar)
	if refused, err = refusedSearch(err); err != nil {
		return f, "", err
	}
	if unit.OfPeople() && f.Order != "" && !slices.Contains(views.PeriodColumnOrders(unit), f.Order) {
		return f, "", errPageNotFound
	}
	f.Limit = views.AttendancePageSize
	return f, refused, nil
}

// calendar is what the addresses of attendance leave open.
func (h *handlers) calendar(r *http.Request) (attendance.Calendar, error) {
	start, err := h.db.Attendance.WeekStart(r.Context(), person(r).Person)
	return attendance.Calendar{Today: workday.DateOf(h.db.Now().In(zone(person(r)))), WeekStart: start}, err
}

// datesOf is the address of a list without all that was chosen but its dates.
func datesOf(query url.Values) url.Values {
	dates := url.Values{}
	for _, name := range []string{"date", "month"} {
		if query.Has(name) {
			dates.Set(name, query.Get(name))
		}
	}
	return dates
}
