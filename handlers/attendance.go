package handlers

import (
	"net/http"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
)

// attendanceDay shows the log of one day, today's by default. The filters are
// in the URL, see attendance.Filter. A reader who sees only their own records
// gets their record of the day; one who may edit attendance gets the desk unless
// the URL has parameters.
func (h *handlers) attendanceDay(w http.ResponseWriter, r *http.Request) error {
	p := person(r).Person
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if isDesk(r.URL.Query(), scope) {
		return h.desk(w, r, scope)
	}
	view := attendanceviews.DayList{Frame: h.frame(r), OwnOnly: scope.OwnOnly(), HasDesk: scope.EditsAnybody()}
	query := r.URL.Query()
	if view.OwnOnly {
		query = datesOf(query)
	}
	if view.Filter, view.Refused, err = h.attendanceFilter(r, query, attendance.DayUnit); err != nil {
		return err
	}
	year, month, day := view.First.Time().Date()
	view.Day = time.Date(year, month, day, 0, 0, 0, 0, view.Frame.Zone())
	if !view.OwnOnly {
		if view.Departments, err = h.db.Attendance.DepartmentChoices(r.Context(), p, scope, view.DepartmentIDs); err != nil {
			return err
		}
	}
	if view.Holiday, err = h.db.Attendance.HolidayOn(r.Context(), p, view.First); err != nil {
		return err
	}
	if view.Page, err = h.db.Attendance.Day(r.Context(), p, scope, view.Filter); err != nil {
		return err
	}
	if !view.OwnOnly {
		h.noteRead(r, audit.Read{Kind: audit.ReadDay, Query: view.Filter.Values(), Rows: len(view.Page.Rows)})
		if view.Counts, err = h.db.Attendance.StatusCounts(r.Context(), p, scope, view.First, view.DepartmentIDs); err != nil {
			return err
		}
		if view.Frame.Corrections, err = h.db.Attendance.PendingCorrectionCount(r.Context(), p, scope, attendanceviews.MostCorrections+1); err != nil {
			return err
		}
	}
	return h.renderStatus(w, r, statusOf(view.Refused), attendanceviews.DayPage(view))
}
