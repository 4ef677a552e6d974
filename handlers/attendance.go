package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/views"
	"officeconsole/workday"
)

// attendanceDay is the log of one day, today's without a date. What somebody
// chose is in the address: department_id, status, device, edited, q, sort and
// the place in the list. Who sees nobody else sees their own record.
func (h *handlers) attendanceDay(w http.ResponseWriter, r *http.Request) error {
	day, err := dayOf(r, h.db.Now().In(zone(person(r))))
	if err != nil {
		return err
	}
	p, date := person(r).Person, workday.DateOf(day)
	scope, err := h.db.AttendanceScope(r.Context(), p)
	if err != nil {
		return err
	}
	view := views.AttendanceDayList{Frame: h.frame(r), Day: day, OwnOnly: scope.OwnOnly()}
	filter := queries.AttendanceFilter{Limit: views.AttendancePageSize}
	if !view.OwnOnly {
		if filter, err = h.dayChoice(r, &view); err != nil {
			return err
		}
	}
	if view.Holiday, err = h.db.HolidayOn(r.Context(), p, date); err != nil {
		return err
	}
	if view.Refused != "" {
		return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.AttendanceDay(view))
	}
	if view.Page, err = h.db.AttendanceDay(r.Context(), p.CompanyID, scope, date, filter); err != nil {
		return err
	}
	if !view.OwnOnly {
		if view.Counts, err = h.db.AttendanceCounts(r.Context(), p.CompanyID, scope, date, filter.DepartmentID); err != nil {
			return err
		}
		if view.Frame.Corrections, err = h.db.PendingCorrectionCount(r.Context(), p.CompanyID, scope, views.MostCorrections+1); err != nil {
			return err
		}
	}
	return h.render(w, r, views.AttendanceDay(view))
}

func (h *handlers) dayChoice(r *http.Request, view *views.AttendanceDayList) (queries.AttendanceFilter, error) {
	filter, err := h.attendanceChoice(r, &view.AttendanceChoice)
	if err != nil {
		return filter, err
	}
	sort := r.URL.Query().Get("sort")
	if sort == "" {
		sort = string(queries.AttendanceByName)
	}
	filter.Order, filter.Descending = queries.ParseAttendanceOrder(sort)
	if !slices.Contains(queries.AttendanceOrders, filter.Order) {
		return filter, errPageNotFound
	}
	view.Order, view.Descending = filter.Order, filter.Descending
	return filter, nil
}

// attendanceChoice reads what was chosen of the records of a list. What cannot
// have been chosen on a page is no page; a search that is too short or too long
// is refused in the choice.
func (h *handlers) attendanceChoice(r *http.Request, c *views.AttendanceChoice) (filter queries.AttendanceFilter, err error) {
	query := r.URL.Query()
	c.Query, c.Status, c.Device, c.Edited = query.Get("q"), workday.Status(query.Get("status")), query.Get("device"), query.Get("edited") == "1"
	filter = queries.AttendanceFilter{Status: c.Status, Device: c.Device, Edited: c.Edited, Limit: views.AttendancePageSize}
	if c.Status != "" && !slices.Contains(views.AttendanceStatuses, c.Status) || c.Device != "" && !slices.Contains(views.AttendanceDevices, c.Device) {
		return filter, errPageNotFound
	}
	if filter.DepartmentID, err = idIn(query, "department_id"); err != nil {
		return filter, err
	}
	c.DepartmentID = filter.DepartmentID
	if c.Departments, err = h.db.AttendanceDepartments(r.Context(), person(r).Person, filter.DepartmentID); err != nil {
		return filter, err
	}
	if filter.After, err = recordIn(query, "after"); err != nil {
		return filter, err
	}
	if filter.Before, err = recordIn(query, "before"); err != nil {
		return filter, err
	}
	if c.First, err = strconv.Atoi(query.Get("first")); err != nil || c.First < 0 {
		c.First = 0
	}
	filter.Search, err = queries.ParseSearch(c.Query)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		c.Refused, err = string(refused), nil
	}
	return filter, err
}

// recordIn reads the key of a record; nil without one.
func recordIn(query url.Values, name string) (*queries.RecordKey, error) {
	if query.Get(name) == "" {
		return nil, nil
	}
	key, err := queries.ParseRecordKey(query.Get(name))
	return &key, err
}

// dayOf reads the date of an address. What is none is a page that does not
// exist (spec §5).
func dayOf(r *http.Request, today time.Time) (time.Time, error) {
	given := r.URL.Query().Get("date")
	if given == "" {
		return today, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, given, today.Location())
	if err != nil || day.Year() < 1900 || day.Year() > 2200 {
		return time.Time{}, errPageNotFound
	}
	return day, nil
}
