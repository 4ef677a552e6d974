package handlers

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// refusedFilter returns the message id of an invalid search text, of too many
// departments or of a reversed period, which the page shows. Any other invalid value
// cannot be selected on the page and is errPageNotFound.
func refusedFilter(err error) (refused string, _ error) {
	var fields queries.FieldErrors
	if !errors.As(err, &fields) {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "q" && fields[name] != lists.TooManyDepartments && fields[name] != lists.ReversedPeriod {
			return "", errPageNotFound
		}
		refused = string(fields[name])
	}
	return refused, nil
}

// attendanceFilter reads the filter of an attendance list from the URL, and the
// message id of a refused value. People can be sorted only by columns that
// the unit's table has.
func (h *handlers) attendanceFilter(r *http.Request, query url.Values, unit attendance.Unit) (f attendance.Filter, refused string, err error) {
	calendar, err := h.calendar(r)
	if err != nil {
		return f, "", err
	}
	f, err = attendance.ReadFilter(query, unit, calendar)
	if refused, err = refusedFilter(err); err != nil {
		return f, "", err
	}
	if unit.OfPeople() && f.Order != "" && !slices.Contains(attendanceviews.PeriodColumnOrders(unit), f.Order) {
		return f, "", errPageNotFound
	}
	f.Limit, f.DirectoryVersion = attendanceviews.PageSize, person(r).DirectoryVersion
	return f, refused, nil
}

// statusOf returns the status of a list of which a filter may have been refused; the
// list then has the rows that it has without that filter.
func statusOf(refused string) int {
	if refused != "" {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// withPicked returns the address of a list in which the same rows are ticked as in a
// form of its bar, so that cancelling what the form asks loses none.
func withPicked(list string, picked []string, all bool) string {
	if len(picked) == 0 {
		return list
	}
	path, query, _ := strings.Cut(withoutPicked(list), "?")
	ticked := url.Values{"picked": picked}
	if all {
		ticked.Set("all", "1")
	}
	return path + "?" + strings.TrimPrefix(query+"&"+ticked.Encode(), "&")
}

// withoutPicked returns the address of a list with no row ticked, its other parameters in
// the same order.
func withoutPicked(list string) string {
	u, err := url.Parse(list)
	if err != nil || !u.Query().Has("picked") {
		return list
	}
	parameters := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(parameter string) bool {
		name, _, _ := strings.Cut(parameter, "=")
		return name == "picked" || name == "all"
	})
	u.RawQuery = strings.Join(parameters, "&")
	return u.RequestURI()
}

// calendar returns the date and settings that complete a partial URL of
// attendance.
func (h *handlers) calendar(r *http.Request) (attendance.Calendar, error) {
	start, err := h.db.Attendance.WeekStart(r.Context(), person(r).Person)
	if err != nil {
		return attendance.Calendar{}, err
	}
	daysOff, err := h.db.Attendance.DaysOff(r.Context(), person(r).Person)
	return attendance.Calendar{Today: workday.DateOf(h.db.Now().In(zone(person(r)))), WeekStart: start, IsDayOff: daysOff}, err
}

// datesOf returns the parameters of a list's URL that select its dates.
func datesOf(query url.Values) url.Values {
	dates := url.Values{}
	for _, name := range []string{"date", "month"} {
		if query.Has(name) {
			dates.Set(name, query.Get(name))
		}
	}
	return dates
}

// backToListAt returns the address of the list at a path that a form came from, with
// its filters: the form's field back, or the parameter of an undo. Without one, or
// with that of another page, it is the path.
func backToListAt(r *http.Request, path string) string {
	back := localPath(r.FormValue("back"))
	if list, _, _ := strings.Cut(back, "?"); list != path {
		return path
	}
	return back
}

// withBack returns the address of an undo, if there is one, that leads back to a list.
// A list without filters needs no parameter.
func withBack(undo, list string) string {
	if undo == "" || !strings.Contains(list, "?") {
		return undo
	}
	separator := "?"
	if strings.Contains(undo, "?") {
		separator = "&"
	}
	return undo + separator + "back=" + url.QueryEscape(list)
}
