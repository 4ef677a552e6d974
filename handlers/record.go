package handlers

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/settings"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// record shows a record, with a form if the URL names one that the reader may
// submit: ?form=edit. A form that is not possible any more leads to the record.
func (h *handlers) record(w http.ResponseWriter, r *http.Request) error {
	detail, err := h.recordOf(r)
	if err != nil {
		return err
	}
	form := r.URL.Query().Get("form")
	may, isKnown := map[string]bool{
		"":                                   true,
		attendanceviews.RecordEditForm:       detail.MayEdit && detail.DeletedAt == nil,
		attendanceviews.RecordDeleteForm:     detail.MayEdit && detail.DeletedAt == nil && detail.Stored,
		attendanceviews.RecordRestoreForm:    detail.MayEdit && detail.DeletedAt != nil,
		attendanceviews.RecordCorrectionForm: detail.MayRequest,
	}[form]
	if !isKnown {
		return errPageNotFound
	}
	back := r.URL.Query().Get("back")
	if !may { // going back leads to a form that was sent
		return redirect(w, r, attendanceviews.RecordPath(detail.Key(), back))
	}
	if back == "" && form == "" {
		back = cameFrom(r)
	}
	return h.showRecord(w, r, http.StatusOK, shownRecord{detail, attendanceviews.NewRecordForm(form, detail), back})
}

// recordOf returns the record that the URL names.
func (h *handlers) recordOf(r *http.Request) (attendance.FullRecord, error) {
	key, err := attendance.ParseRecordKey(chi.URLParam(r, "record"))
	if err != nil {
		return attendance.FullRecord{}, err
	}
	return h.db.Attendance.Record(r.Context(), person(r).Person, key)
}

// shownRecord is a record with its form, and the path of the list that it was
// opened from, or "".
type shownRecord struct {
	record attendance.FullRecord
	form   attendanceviews.RecordForm
	back   string
}

// showRecord shows a record above the list that it was opened from, or as a
// page of its own.
func (h *handlers) showRecord(w http.ResponseWriter, r *http.Request, status int, shown shownRecord) error {
	reader := person(r)
	if !shown.record.Own {
		h.noteRead(r, audit.ReadOf(shown.record))
	}
	limit, err := h.correctionLimit(r, shown.record)
	if err != nil {
		return err
	}
	view := attendanceviews.RecordView{
		Record: shown.record, Now: h.db.Now().In(zone(reader)), Admin: reader.IsAdmin, Back: backToLog(r, shown.back),
		Licenses: reader.MapLicenses, Form: shown.form, CorrectionDays: limit,
	}
	if view.Back != "" {
		return h.renderUnderDialog(w, r, status, view.Back, attendanceviews.RecordDialog(view))
	}
	f := h.frame(r)
	f.Path = attendanceviews.RecordPath(shown.record.Key(), "")
	return h.renderStatus(w, r, status, attendanceviews.RecordPage(f, view))
}

// correctionLimit returns for how many days a correction of the reader's own record could be
// requested, if only that limit prevents it now; else 0.
func (h *handlers) correctionLimit(r *http.Request, record attendance.FullRecord) (int, error) {
	isPast := record.Key().Date < workday.DateOf(h.db.Now().In(record.Zone))
	if !record.Own || !isPast || record.MayRequest || record.MayEdit || record.Locked || record.DeletedAt != nil || record.Pending() != nil {
		return 0, nil
	}
	versions, err := h.db.Policies.Versions(r.Context(), person(r).CompanyID, record.PolicyID)
	if err != nil {
		return 0, err
	}
	for _, v := range versions {
		if v.No == record.VersionNo {
			return v.Values(string(settings.WorkingAttitude)).CorrectionDays(), nil
		}
	}
	return 0, nil
}

// editRecord sets times, leave and approved overtime.
func (h *handlers) editRecord(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordEditForm)
	if err != nil {
		return err
	}
	edit := attendance.RecordEdit{Key: detail.Key(), Reason: form.Reason, IfUnlocked: !sawLocked(r)}
	if form.Restores { // what was typed into the form of a record that somebody had deleted
		edit.Deleted = new(bool)
	}
	form.Refused = readRecordEdit(r.PostForm, detail, &edit)
	if edit.IfLastEdit, err = lastEdit(r); err != nil {
		return err
	}
	if len(form.Refused) > 0 {
		return h.showRecord(w, r, http.StatusUnprocessableEntity, shownRecord{detail, form, r.PostForm.Get("back")})
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if err := h.db.Attendance.EditRecord(r.Context(), actor(r), scope, edit); err != nil {
		return h.refusedRecord(w, r, detail, form, err)
	}
	return h.redirectWithToast(w, r, afterRecord(r, detail), "record.done.edited")
}

// deleteRecord hides a record, which can be undone. Nothing is left to do if somebody else
// has deleted it.
func (h *handlers) deleteRecord(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordDeleteForm)
	if err != nil {
		return err
	}
	last, err := lastEdit(r)
	if err != nil {
		return err
	}
	err = h.hideRecord(r, attendance.RecordEdit{Key: detail.Key(), Reason: form.Reason, IfLastEdit: last}, true)
	back := afterRecord(r, detail)
	var conflict *attendance.RecordConflict
	switch {
	case errors.As(err, &conflict) && conflict.Deleted:
		return h.redirectWithUndo(w, r, back, attendanceviews.DeletedText(r.Context(), conflict, h.db.Now().In(zone(person(r)))), "")
	case err != nil:
		return h.refusedRecord(w, r, detail, form, err)
	}
	return h.redirectWithUndo(w, r, back, locales.T(r.Context(), "record.done.deleted", "Name", detail.Person), attendanceviews.RecordUndoPath(detail, back))
}

// restoreRecord restores a deleted record. ?undo=1 comes from the toast, which
// asks for no reason.
func (h *handlers) restoreRecord(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordRestoreForm)
	if err != nil {
		return err
	}
	var last *int64
	if r.URL.Query().Get("undo") == "1" {
		form.Reason = locales.T(r.Context(), "record.undo.reason")
	} else if last, err = lastEdit(r); err != nil {
		return err
	}
	if err := h.hideRecord(r, attendance.RecordEdit{Key: detail.Key(), Reason: form.Reason, IfLastEdit: last}, false); err != nil {
		return h.refusedRecord(w, r, detail, form, err)
	}
	return h.redirectWithToast(w, r, afterRecord(r, detail), "record.done.restored")
}

// hideRecord deletes or restores a record.
func (h *handlers) hideRecord(r *http.Request, edit attendance.RecordEdit, isDeleted bool) error {
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	edit.Deleted, edit.IfUnlocked = &isDeleted, !sawLocked(r)
	return h.db.Attendance.EditRecord(r.Context(), actor(r), scope, edit)
}

// sentRecord reads a submitted form and the record that it is about.
func (h *handlers) sentRecord(r *http.Request, kind string) (attendance.FullRecord, attendanceviews.RecordForm, error) {
	if err := readForm(r); err != nil {
		return attendance.FullRecord{}, attendanceviews.RecordForm{}, err
	}
	detail, err := h.recordOf(r)
	form := attendanceviews.RecordForm{
		Kind: kind, Reason: r.PostForm.Get("reason"), Leave: r.PostForm.Get("leave"), OvertimeMin: r.PostForm.Get("overtime_min"),
		Arrival: timeField(r.PostForm, "arrival"), Departure: timeField(r.PostForm, "departure"),
		Restores: r.PostForm.Get("restore") == "1",
	}
	if err == nil && !detail.MayEdit && kind != attendanceviews.RecordCorrectionForm && !detail.Locked {
		err = errPageNotFound
	}
	return detail, form, err
}

// refusedRecord shows a form again with its errors, or with what was done in the
// meantime: an edit, which submitting it again overwrites and the page shows, or the lock
// of the month.
func (h *handlers) refusedRecord(w http.ResponseWriter, r *http.Request, detail attendance.FullRecord, form attendanceviews.RecordForm, err error) error {
	status := http.StatusConflict
	switch {
	case errors.As(err, &form.Refused):
		status = http.StatusUnprocessableEntity
	case errors.As(err, &form.Conflict):
		form.Restores = form.Conflict.Deleted
	case !errors.As(err, &form.Locked):
		return err
	}
	back := r.PostForm.Get("back")
	if back == "" { // the address of an undo has it
		back = r.URL.Query().Get("back")
	}
	return h.showRecord(w, r, status, shownRecord{detail, form, back})
}

// afterRecord returns where a form of a record redirects to: the list it came
// from, or the record.
func afterRecord(r *http.Request, detail attendance.FullRecord) string {
	back := r.PostForm.Get("back")
	if back == "" {
		back = r.URL.Query().Get("back")
	}
	if back = backToLog(r, back); back != "" {
		return back
	}
	return attendanceviews.RecordPath(detail.Key(), "")
}
