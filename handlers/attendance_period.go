package handlers

import (
	"net/http"

	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
)

// attendanceWeek shows the log of a week, the current one by default, for all
// users in scope or for one user.
func (h *handlers) attendanceWeek(w http.ResponseWriter, r *http.Request) error {
	return h.attendancePeriod(w, r, attendance.WeekUnit)
}

// attendanceMonth shows the log of a month: that of the URL's month or else date, the
// current one by default.
func (h *handlers) attendanceMonth(w http.ResponseWriter, r *http.Request) error {
	return h.attendancePeriod(w, r, attendance.MonthUnit)
}

// attendancePeriod shows a week or month. The filters are in the URL, see
// attendance.Filter; user_id selects one user and totals=1 adds the sums over
// all users. A reader who sees only their own records gets their own period.
func (h *handlers) attendancePeriod(w http.ResponseWriter, r *http.Request, unit attendance.Unit) error {
	p, query := person(r).Person, r.URL.Query()
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	view := attendanceviews.Period{Frame: h.frame(r), OwnOnly: scope.OwnOnly()}
	if view.Start, err = h.db.Attendance.WeekStart(r.Context(), p); err != nil {
		return err
	}
	userID, err := idIn(query, "user_id")
	if err != nil {
		return err
	}
	if userID == 0 && view.OwnOnly {
		userID = p.ID
	}
	if userID != 0 {
		query = datesOf(query)
	}
	if view.Filter, view.Refused, err = h.attendanceFilter(r, query, unit); err != nil {
		return err
	}
	if userID != 0 {
		return h.attendanceOf(w, r, view, scope, userID)
	}
	if view.Departments, err = h.db.Attendance.DepartmentChoices(r.Context(), p, scope, view.DepartmentIDs); err != nil {
		return err
	}
	if err := h.fillPeriod(r, &view, scope); err != nil {
		return err
	}
	if view.Frame.Corrections, err = h.db.Attendance.PendingCorrectionCount(r.Context(), p, scope, attendanceviews.MostCorrections+1); err != nil {
		return err
	}
	return h.renderStatus(w, r, statusOf(view.Refused), attendanceviews.PeriodPage(view))
}

func (h *handlers) fillPeriod(r *http.Request, view *attendanceviews.Period, scope attendance.RecordScope) (err error) {
	p := person(r).Person
	if view.Page, err = h.db.Attendance.Period(r.Context(), p, scope, view.Filter); err != nil {
		return err
	}
	if err := h.db.Attendance.AddDaysOff(r.Context(), p, view.Page.Rows); err != nil {
		return err
	}
	if err := h.db.Attendance.AddLimits(r.Context(), p, view.Page.Rows); err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadKind(view.Unit), Query: view.Filter.Values(), Rows: len(view.Page.Rows)})
	if r.URL.Query().Get("totals") == "1" {
		count, err := h.db.Attendance.PeriodCount(r.Context(), p, scope, view.Filter)
		if err != nil {
			return err
		}
		view.Count = &count
	}
	switch {
	case view.HasForecast():
		f := attendance.ForecastFilter{First: view.First, DepartmentID: view.DepartmentIDs.Last()}
		if !view.ChoosesPeople() && view.Cursor.IsStart() { // otherwise the list below shows others
			f.Limit = attendanceviews.BoardForecasts
		}
		view.Forecasts, err = h.forecastView(r, scope, f)
	case view.HasBoard():
		view.Board, err = h.db.Attendance.WeekBoard(r.Context(), p, scope, view.First, view.DepartmentIDs.Last())
	}
	return err
}

func (h *handlers) attendanceOf(w http.ResponseWriter, r *http.Request, view attendanceviews.Period, scope attendance.RecordScope, userID int64) error {
	one, err := h.db.Attendance.Own(r.Context(), person(r).Person, scope, userID, view.First, view.Last)
	if err != nil {
		return err
	}
	if userID != person(r).ID {
		h.noteRead(r, audit.Read{Kind: audit.ReadKind(view.Unit), Query: view.Filter.Values(), Rows: 1, SubjectID: userID})
	}
	if userID == person(r).ID && view.HasForecast() {
		if view.Own, err = h.db.Attendance.OwnForecast(r.Context(), person(r).Person, view.First); err != nil {
			return err
		}
	}
	return h.render(w, r, attendanceviews.PersonPage(view, one))
}
