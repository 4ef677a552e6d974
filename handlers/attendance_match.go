package handlers

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
)

// recordMatches returns all records of the list at a path without language
// prefix.
func (h *handlers) recordMatches(r *http.Request, list string) (attendance.RecordMatches, error) {
	var none attendance.RecordMatches
	u, err := url.Parse(list)
	if err != nil {
		return none, errPageNotFound
	}
	filter, refused, err := h.attendanceFilter(r, u.Query(), attendance.LogUnit)
	if err != nil {
		return none, err
	}
	if refused != "" {
		return none, queries.Invalid(refused)
	}
	p := person(r).Person
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return none, err
	}
	if _, err := h.db.Attendance.DepartmentChoices(r.Context(), p, scope, filter.DepartmentIDs); err != nil {
		return none, err
	}
	return h.db.Attendance.RecordMatches(r.Context(), p, scope, filter)
}

// countMatches answers a script with the number of records in a list.
func (h *handlers) countMatches(w http.ResponseWriter, r *http.Request) error {
	matches, err := h.recordMatches(r, "?"+r.URL.RawQuery)
	text := locales.N(r.Context(), "attendance.match.all.count", len(matches.Keys))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		text, err = locales.T(r.Context(), string(refused)), nil
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err = io.WriteString(w, text)
	return err
}

// showMatches shows the form that edits all records of a list.
func (h *handlers) showMatches(w http.ResponseWriter, r *http.Request, status int, form attendanceviews.EditForm, found attendance.RecordMatches) error {
	form.Matches.Count = len(found.Keys)
	shown := found.Keys
	if form.Matches.Plan != nil && len(form.Records) > 0 {
		shown = slices.DeleteFunc(slices.Clone(shown), func(key attendance.RecordKey) bool { return form.Records[key] == nil })
	}
	return h.showRecordsForm(w, r, status, form, shown[:min(len(shown), attendanceviews.MatchesShown)])
}

// askToEditMatches asks what to do with all records of the list.
func (h *handlers) askToEditMatches(w http.ResponseWriter, r *http.Request, form attendanceviews.EditForm) error {
	form.Matches = &attendanceviews.Matches{}
	found, err := h.recordMatches(r, form.Back)
	var refused queries.Invalid
	switch {
	case errors.As(err, &refused):
		form.Refused = queries.FieldErrors{"record": refused}
		return h.showMatches(w, r, http.StatusUnprocessableEntity, form, attendance.RecordMatches{})
	case err != nil:
		return err
	}
	form.Matches.LastEdit = found.LastEdit
	return h.showMatches(w, r, http.StatusOK, form, found)
}

// editMatches edits all editable records of the list. The first request shows
// how many records that is; the request that confirms the number edits them.
func (h *handlers) editMatches(w http.ResponseWriter, r *http.Request, form attendanceviews.EditForm) error {
	lastEdit, err := strconv.ParseInt(r.PostForm.Get("last_edit"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	form.Matches = &attendanceviews.Matches{LastEdit: lastEdit}
	found, err := h.recordMatches(r, form.Back)
	var plan attendance.EditPlan
	edited := false
	if err == nil {
		plan, edited, err = h.editPossible(r, form, found)
	}
	var fields queries.FieldErrors
	var refused queries.Invalid
	switch {
	case edited:
		said := locales.N(r.Context(), "attendance.edit."+form.Action+".done", plan.Edited)
		if left := len(plan.Refused); left > 0 {
			said += " · " + locales.N(r.Context(), "attendance.match.left", left)
		}
		return h.redirectWithUndo(w, r, withoutPicked(form.Back), said, "")
	case errors.As(err, &fields):
		form.Refused = fields
	case errors.As(err, &refused):
		form.Refused, found = queries.FieldErrors{"record": refused}, attendance.RecordMatches{}
	case errors.As(err, &form.LockedSince):
		return h.showMatches(w, r, http.StatusConflict, form, found)
	case err != nil:
		return err
	default:
		form.Refused = sharedErrors(plan.Refused)
	}
	if form.Refused != nil {
		return h.showMatches(w, r, http.StatusUnprocessableEntity, form, found)
	}
	form.Matches.Plan, form.Records = &plan, plan.Refused
	status := http.StatusOK
	if plan.Edited == 0 {
		status = http.StatusUnprocessableEntity
	}
	return h.showMatches(w, r, status, form, found)
}

// editPossible plans an edit of the matching records, or applies it if the form
// confirms their number.
func (h *handlers) editPossible(r *http.Request, form attendanceviews.EditForm, found attendance.RecordMatches) (plan attendance.EditPlan, edited bool, err error) {
	template, err := editOf(form)
	if err != nil {
		return plan, false, err
	}
	edits := make([]attendance.RecordEdit, len(found.Keys))
	for i, key := range found.Keys {
		edits[i] = template.of(key, zone(person(r)))
	}
	refuseLocked(edits, r.PostForm)
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return plan, false, err
	}
	by := actor(r)
	agreed, err := strconv.Atoi(r.PostForm.Get("agreed"))
	if err != nil {
		plan, err = h.db.Attendance.PlanEdits(r.Context(), by, scope, edits, form.Matches.LastEdit)
		return plan, false, err
	}
	plan, changed, err := h.db.Attendance.EditPossible(r.Context(), by, scope, edits, form.Matches.LastEdit, agreed)
	return plan, err == nil && !changed && plan.Edited > 0, err
}
