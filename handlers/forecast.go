package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// forecasts lists the people whose current week is near its limit. department_id and
// level select some of them.
func (h *handlers) forecasts(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	f := attendance.ForecastFilter{Level: workday.ForecastLevel(query.Get("level")), Limit: attendanceviews.ForecastPageSize}
	if f.Level != "" && !slices.Contains(attendance.ForecastLevels, f.Level) {
		return errPageNotFound
	}
	var err error
	if f.DepartmentID, err = idIn(query, "department_id"); err != nil {
		return err
	}
	if f.Cursor, err = lists.ParseCursor(query.Get("cursor")); err != nil {
		return err
	}
	p := person(r).Person
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if scope.OwnOnly() {
		return errPageNotFound
	}
	if f.First, err = h.currentWeek(r, p); err != nil {
		return err
	}
	view, err := h.forecastView(r, scope, f)
	if err != nil {
		return err
	}
	if view.Departments, err = h.db.Attendance.Departments(r.Context(), p, scope, f.DepartmentID); err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadWeek, Query: attendance.Filter{Unit: attendance.WeekUnit, First: f.First, DepartmentIDs: lists.OneDepartment(f.DepartmentID)}.Values(), Rows: len(view.Week.Page.Rows)})
	return h.render(w, r, attendanceviews.ForecastPage(view))
}

// currentWeek returns the first day of the current week.
func (h *handlers) currentWeek(r *http.Request, p directory.Person) (workday.Date, error) {
	start, err := h.db.Attendance.WeekStart(r.Context(), p)
	return workday.WeekOf(workday.DateOf(h.db.Now().In(zone(person(r)))), start), err
}

func (h *handlers) forecastView(r *http.Request, scope attendance.RecordScope, f attendance.ForecastFilter) (attendanceviews.Forecasts, error) {
	view := attendanceviews.Forecasts{Frame: h.frame(r), Filter: f}
	view.MayTell = func(row attendance.ForecastRow) bool { return scope.Edits(row.UserID, row.DepartmentID) }
	var err error
	view.Week, err = h.db.Attendance.WeekForecast(r.Context(), person(r).Person, scope, f)
	return view, err
}

// tellManagers tells the managers of the chosen people about their week. What is
// refused is said in a toast, as there is nothing to correct.
func (h *handlers) tellManagers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	var ids []int64
	for _, text := range r.PostForm["user_id"] {
		id, err := rowID(text)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	back := backToForecast(r.PostForm.Get("back"))
	p := person(r).Person
	first, err := h.currentWeek(r, p)
	if err != nil {
		return err
	}
	told, err := h.db.Attendance.TellManagers(r.Context(), actor(r), p, first, ids)
	var invalid queries.Invalid
	switch {
	case errors.As(err, &invalid):
		return h.redirectWithToast(w, r, back, string(invalid))
	case err != nil:
		return err
	}
	return h.redirectWithUndo(w, r, back, attendanceviews.ToldText(r.Context(), told), "")
}

// backToForecast returns the list that a form came from: the forecast, the week or the desk.
func backToForecast(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Host != "" || u.Path != attendanceviews.ForecastPath && u.Path != "/logs/workingattitude/week" && u.Path != employeeHome {
		return attendanceviews.ForecastPath
	}
	return u.RequestURI()
}
