package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/views"
	"officeconsole/workday"
)

// attendanceWeek is the log of a week, this one's without a date: of everybody
// in scope, or of one person.
func (h *handlers) attendanceWeek(w http.ResponseWriter, r *http.Request) error {
	day, err := dayOf(r, h.db.Now().In(zone(person(r))))
	if err != nil {
		return err
	}
	start, err := h.db.WeekStart(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	first := workday.WeekOf(workday.DateOf(day), start)
	return h.attendancePeriod(w, r, views.Period{Unit: views.WeekUnit, First: first, Last: first + 6, Start: start})
}

// attendanceMonth is the log of a month, this one's without one.
func (h *handlers) attendanceMonth(w http.ResponseWriter, r *http.Request) error {
	first, err := monthOf(r, h.db.Now().In(zone(person(r))))
	if err != nil {
		return err
	}
	start, err := h.db.WeekStart(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	return h.attendancePeriod(w, r, views.Period{
		Unit: views.MonthUnit, First: workday.DateOf(first), Last: workday.DateOf(first.AddDate(0, 1, -1)), Start: start,
	})
}

// monthOf reads the month of an address, "2026-11". What is none is a page that
// does not exist (spec §5).
func monthOf(r *http.Request, today time.Time) (time.Time, error) {
	given := r.URL.Query().Get("month")
	if given == "" {
		return time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC), nil
	}
	first, err := time.Parse("2006-01", given)
	if err != nil || first.Year() < 1900 || first.Year() > 2200 {
		return time.Time{}, errPageNotFound
	}
	return first, nil
}

// attendancePeriod shows a period. What somebody chose is in the address:
// department_id, status, edited, over, q, sort and, as the last ids of the pages
// before, the place in the list; or user_id, for one person. totals=1 adds the
// sums of everybody. Who sees nobody else sees their own.
func (h *handlers) attendancePeriod(w http.ResponseWriter, r *http.Request, view views.Period) error {
	p := person(r).Person
	view.Frame = h.frame(r)
	scope, err := h.db.AttendanceScope(r.Context(), p)
	if err != nil {
		return err
	}
	view.OwnOnly = scope.OwnOnly()
	userID, err := idIn(r.URL.Query(), "user_id")
	if err != nil {
		return err
	}
	if userID == 0 && view.OwnOnly {
		userID = p.ID
	}
	if userID != 0 {
		return h.attendanceOf(w, r, view, userID)
	}
	filter, err := periodChoice(r.URL.Query(), &view)
	if err != nil {
		return err
	}
	if view.Departments, err = h.db.AttendanceDepartments(r.Context(), p, filter.DepartmentID); err != nil {
		return err
	}
	status := http.StatusUnprocessableEntity
	if view.Refused == "" {
		status = http.StatusOK
		if err := h.fillPeriod(r, &view, filter); err != nil {
			return err
		}
		if view.Frame.Corrections, err = h.db.PendingCorrectionCount(r.Context(), p.CompanyID, scope, views.MostCorrections+1); err != nil {
			return err
		}
	}
	return h.renderStatus(w, r, status, views.AttendancePeriod(view))
}

// periodChoice reads the address. What cannot have been chosen on the page is
// no page; a search that is too short or too long is refused in the view.
func periodChoice(query url.Values, view *views.Period) (filter queries.PeriodFilter, err error) {
	view.Query, view.Status, view.Edited = query.Get("q"), workday.Status(query.Get("status")), query.Get("edited") == "1"
	filter = queries.PeriodFilter{First: view.First, Last: view.Last, Status: view.Status, Edited: view.Edited, Size: views.PeriodPageSize + 1}
	if view.Status != "" && !slices.Contains(queries.PeriodStatuses, view.Status) {
		return filter, errPageNotFound
	}
	if over := query.Get("over"); over != "" && view.Unit == views.WeekUnit {
		view.Over, err = strconv.Atoi(over)
		if err != nil || !slices.Contains(queries.PeriodOvers, view.Over) {
			return filter, errPageNotFound
		}
		filter.Over = view.Over
	}
	sort := query.Get("sort")
	view.Order, view.Descending = queries.ParseAttendanceOrder(sort)
	if sort != "" && !slices.Contains(view.Orders(), view.Order) {
		return filter, errPageNotFound
	}
	filter.Order, filter.Descending = view.Order, view.Descending
	if filter.DepartmentID, err = idIn(query, "department_id"); err != nil {
		return filter, err
	}
	view.DepartmentID = filter.DepartmentID
	if view.Trail, err = trailIn(query); err != nil {
		return filter, err
	}
	filter.Search, err = queries.ParseSearch(view.Query)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		view.Refused, err = string(refused), nil
	}
	return filter, err
}

// trailIn reads the last ids of the pages before, joined by dots.
func trailIn(query url.Values) ([]int64, error) {
	if query.Get("after") == "" {
		return nil, nil
	}
	var trail []int64
	for text := range strings.SplitSeq(query.Get("after"), ".") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id <= 0 {
			return nil, errPageNotFound
		}
		trail = append(trail, id)
	}
	return trail, nil
}

func (h *handlers) fillPeriod(r *http.Request, view *views.Period, filter queries.PeriodFilter) error {
	p := person(r).Person
	if last := view.Behind(); last != 0 {
		behind, err := h.db.Person(r.Context(), queries.PersonParams{CompanyID: p.CompanyID, ID: last})
		if err != nil {
			return err
		}
		filter.After = queries.DirectoryPlace{Name: behind.Name, ID: last}
	}
	people, err := h.db.AttendancePeriod(r.Context(), p, filter)
	if err != nil {
		return err
	}
	view.Later = len(people) > views.PeriodPageSize
	view.People = people[:min(len(people), views.PeriodPageSize)]
	if r.URL.Query().Get("totals") == "1" {
		count, err := h.db.AttendancePeriodCount(r.Context(), p, filter)
		if err != nil {
			return err
		}
		view.Count = &count
	}
	if view.HasBoard() {
		view.Board, err = h.db.WeekBoard(r.Context(), p, view.First, filter.DepartmentID)
	}
	return err
}

func (h *handlers) attendanceOf(w http.ResponseWriter, r *http.Request, view views.Period, userID int64) error {
	one, err := h.db.AttendanceOf(r.Context(), person(r).Person, userID, view.First, view.Last)
	if err != nil {
		return err
	}
	return h.render(w, r, views.AttendanceOf(view, one))
}
