package handlers

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
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
	view := attendanceviews.RecordView{
		Record: shown.record, Now: h.db.Now().In(zone(reader)), Admin: reader.IsAdmin, Back: backToLog(r, shown.back),
		Licenses: reader.MapLicenses, Form: shown.form,
	}
	if view.Back != "" {
		return h.renderUnderDialog(w, r, status, view.Back, attendanceviews.RecordDialog(view))
	}
	f := h.frame(r)
	f.Path = attendanceviews.RecordPath(shown.record.Key(), "")
	return h.renderStatus(w, r, status, attendanceviews.RecordPage(f, view))
}

// editRecord sets times, leave and approved overtime.
func (h *handlers) editRecord(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordEditForm)
	if err != nil {
		return err
	}
	edit := attendance.RecordEdit{Key: detail.Key(), Reason: form.Reason}
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

// deleteRecord hides a record, which can be undone.
func (h *handlers) deleteRecord(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordDeleteForm)
	if err != nil {
		return err
	}
	last, err := lastEdit(r)
	if err != nil {
		return err
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if err := h.db.Attendance.DeleteRecord(r.Context(), actor(r), scope, detail.Key(), form.Reason, last); err != nil {
		return h.refusedRecord(w, r, detail, form, err)
	}
	back := afterRecord(r, detail)
	return h.redirectWithUndo(w, r, back, locales.T(r.Context(), "record.done.deleted", "Name", detail.Person), attendanceviews.RecordUndoPath(detail.Key(), back))
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
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if err := h.db.Attendance.RestoreRecord(r.Context(), actor(r), scope, detail.Key(), form.Reason, last); err != nil {
		return h.refusedRecord(w, r, detail, form, err)
	}
	return h.redirectWithToast(w, r, afterRecord(r, detail), "record.done.restored")
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
	}
	if err == nil && !detail.MayEdit && kind != attendanceviews.RecordCorrectionForm && !detail.Locked {
		err = errPageNotFound
	}
	return detail, form, err
}

// refusedRecord shows a form again with its errors, or with the edit that was
// made in the meantime. Submitting it then overwrites that edit, which the page
// shows.
func (h *handlers) refusedRecord(w http.ResponseWriter, r *http.Request, detail attendance.FullRecord, form attendanceviews.RecordForm, err error) error {
	status := http.StatusUnprocessableEntity
	if !errors.As(err, &form.Refused) {
		if !errors.As(err, &form.Conflict) {
			return err
		}
		status = http.StatusConflict
	}
	return h.showRecord(w, r, status, shownRecord{detail, form, r.PostForm.Get("back")})
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
