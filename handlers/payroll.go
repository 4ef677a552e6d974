package handlers

import (
	"errors"
	"net/http"
	"slices"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// payroll shows which months can be had as a file for payroll, and whether they are
// locked.
func (h *handlers) payroll(w http.ResponseWriter, r *http.Request) error {
	filter, err := h.payrollFilter(r)
	return h.showPayroll(w, r, filter, err)
}

// exportPayroll answers with the file.
func (h *handlers) exportPayroll(w http.ResponseWriter, r *http.Request) error {
	filter, err := h.payrollFilter(r)
	if err != nil {
		return h.showPayroll(w, r, filter, err)
	}
	format := r.URL.Query().Get("format")
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, format) {
		return errPageNotFound
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if _, err := h.db.Attendance.Departments(r.Context(), person(r).Person, scope, filter.DepartmentID); err != nil {
		return err
	}
	request := exports.PayrollRequest{PayrollFilter: filter, List: exports.PayrollList, Format: format, Locale: locales.FromContext(r.Context())}
	return h.sendExport(w, r, request, attendanceviews.PayrollPath)
}

func (h *handlers) payrollFilter(r *http.Request) (attendance.PayrollFilter, error) {
	return attendance.ReadPayrollFilter(r.URL.Query(), workday.DateOf(h.db.Now().In(zone(person(r)))))
}

func (h *handlers) showPayroll(w http.ResponseWriter, r *http.Request, filter attendance.PayrollFilter, refused error) error {
	query, p := r.URL.Query(), person(r).Person
	page := attendanceviews.Payroll{Frame: h.frame(r), Filter: filter, From: query.Get("from"), To: query.Get("to")}
	page.Frame.Path = attendanceviews.PayrollPath
	status := http.StatusOK
	switch {
	case errors.As(refused, &page.Refused):
		if _, foreign := page.Refused["department_id"]; foreign {
			return errPageNotFound
		}
		status = http.StatusUnprocessableEntity
	case refused != nil:
		return refused
	default:
		values := filter.Values()
		page.From, page.To = values.Get("from"), values.Get("to")
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if !scope.OwnOnly() {
		if page.Departments, err = h.db.Attendance.Departments(r.Context(), p, scope, filter.DepartmentID); err != nil {
			return err
		}
	}
	if page.Unlocked, err = h.db.Attendance.UnlockedMonths(r.Context(), p.CompanyID, filter); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, attendanceviews.PayrollPage(page))
}
