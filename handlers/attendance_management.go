package handlers

import (
	"errors"
	"net/http"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
)

// attendanceLog shows the log of a period with the editors of each record, by
// default that of the last days. The filters are in the URL, see
// attendance.Filter.
func (h *handlers) attendanceLog(w http.ResponseWriter, r *http.Request) error {
	return h.showLog(w, r, http.StatusOK, attendanceviews.LockedMonths{})
}

func (h *handlers) showLog(w http.ResponseWriter, r *http.Request, status int, months attendanceviews.LockedMonths) error {
	p, now := person(r).Person, h.db.Now().In(zone(person(r)))
	query := r.URL.Query()
	view := attendanceviews.ManagementList{Frame: h.frame(r), Months: months, Picked: query["picked"]}
	view.PicksAll = len(view.Picked) > 0 && query.Get("all") == "1"
	view.Frame.Path = withoutPicked(view.Frame.Path)
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if view.Filter, view.Refused, err = h.attendanceFilter(r, query, attendance.LogUnit); err != nil {
		return err
	}
	if view.Departments, err = h.db.Attendance.DepartmentChoices(r.Context(), p, scope, view.DepartmentIDs); err != nil {
		return err
	}
	if view.Months.Month == "" {
		view.Months.Month = now.AddDate(0, 0, -now.Day()).Format("2006-01")
	}
	if view.Months.Months, err = h.db.Attendance.LockedMonths(r.Context(), p.CompanyID); err != nil {
		return err
	}
	view.Page, err = h.db.Attendance.Log(r.Context(), p, scope, view.Filter)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		view.Refused = string(refused)
	} else if err != nil {
		return err
	}
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	} else {
		h.noteRead(r, audit.Read{Kind: audit.ReadManagement, Query: view.Filter.Values(), Rows: len(view.Page.Rows)})
	}
	return h.renderStatus(w, r, status, attendanceviews.ManagementPage(view))
}

// backToRecords returns the path of the attendance log that a form came from.
func backToRecords(r *http.Request, back string) string {
	if path := backToLog(r, back); strings.HasPrefix(path, attendanceviews.ManagementPath) {
		return path
	}
	return attendanceviews.ManagementPath
}
