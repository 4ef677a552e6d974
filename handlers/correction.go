package handlers

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	attendanceviews "officeconsole/views/attendance"
)

// requestCorrection requests a correction of the reader's own record.
func (h *handlers) requestCorrection(w http.ResponseWriter, r *http.Request) error {
	detail, form, err := h.sentRecord(r, attendanceviews.RecordCorrectionForm)
	if err != nil {
		return err
	}
	if !detail.Own {
		return errPageNotFound
	}
	request := attendance.CorrectionRequest{Key: detail.Key(), Reason: form.Reason}
	edit := attendance.RecordEdit{}
	if form.Refused = readRecordEdit(r.PostForm, detail, &edit); len(form.Refused) > 0 {
		return h.showRecord(w, r, http.StatusUnprocessableEntity, shownRecord{detail, form, r.PostForm.Get("back")})
	}
	request.Arrival, request.Departure = edit.Arrival.To, edit.Departure.To
	if r.PostForm.Has("last_edit") {
		if request.IfLastEdit, err = lastEdit(r); err != nil {
			return err
		}
	}
	if _, err := h.db.Attendance.RequestCorrection(r.Context(), actor(r), request); err != nil {
		return h.refusedRecord(w, r, detail, form, err)
	}
	return h.redirectWithToast(w, r, afterRecord(r, detail), "record.done.requested")
}

// withdrawCorrection withdraws the reader's own request for a correction.
func (h *handlers) withdrawCorrection(w http.ResponseWriter, r *http.Request) error {
	detail, id, err := h.sentCorrection(r)
	if err != nil {
		return err
	}
	if err := h.db.Attendance.WithdrawCorrection(r.Context(), actor(r), id); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, afterRecord(r, detail), "record.done.withdrawn")
}

// decideCorrection approves or rejects a request for a correction.
func (h *handlers) decideCorrection(w http.ResponseWriter, r *http.Request) error {
	detail, id, err := h.sentCorrection(r)
	if err != nil {
		return err
	}
	decision := attendance.CorrectionDecision{Answer: r.PostForm.Get("answer"), Approve: r.PostForm.Get("decision") == "approve"}
	if !decision.Approve && r.PostForm.Get("decision") != "refuse" {
		return errPageNotFound
	}
	if decision.IfLastEdit, err = lastEdit(r); err != nil {
		return err
	}
	decision.IfUnlocked = !sawLocked(r)
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	set, err := h.db.Attendance.DecideCorrection(r.Context(), actor(r), scope, id, decision)
	if err != nil {
		return h.refusedDecision(w, r, detail, attendanceviews.CorrectionAnswer{Text: decision.Answer}, err)
	}
	said := "record.done.refused"
	if decision.Approve {
		said = "record.done.approved"
	}
	after := afterRecord(r, detail)
	return h.redirectWithUndo(w, r, after, locales.T(r.Context(), said), attendanceviews.UndoReviewsPath(set, after))
}

// sentCorrection reads which request of which record a form is about.
func (h *handlers) sentCorrection(r *http.Request) (attendance.FullRecord, int64, error) {
	if err := readForm(r); err != nil {
		return attendance.FullRecord{}, 0, err
	}
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return attendance.FullRecord{}, 0, err
	}
	detail, err := h.recordOf(r)
	if err != nil {
		return detail, 0, err
	}
	for _, c := range detail.Corrections {
		if c.ID == id {
			return detail, id, nil
		}
	}
	return detail, 0, errPageNotFound
}

// refusedDecision shows the record with the request and its answer again.
func (h *handlers) refusedDecision(w http.ResponseWriter, r *http.Request, detail attendance.FullRecord, answer attendanceviews.CorrectionAnswer, err error) error {
	status := http.StatusUnprocessableEntity
	if !errors.As(err, &answer.Refused) {
		if !errors.As(err, &answer.Conflict) && !errors.As(err, &answer.Locked) {
			return err
		}
		status = http.StatusConflict
	}
	form := attendanceviews.RecordForm{Kind: attendanceviews.RecordDecisionForm, Answer: answer.Text, Refused: answer.Refused, Conflict: answer.Conflict, Locked: answer.Locked}
	return h.showRecord(w, r, status, shownRecord{detail, form, r.PostForm.Get("back")})
}

// waitingCorrections lists the requests that the reader may decide.
func (h *handlers) waitingCorrections(w http.ResponseWriter, r *http.Request) error {
	view, err := h.corrections(r, r.URL.Query())
	if err != nil {
		return err
	}
	return h.render(w, r, attendanceviews.CorrectionsPage(view))
}

func (h *handlers) corrections(r *http.Request, chosen url.Values) (attendanceviews.Corrections, error) {
	view := attendanceviews.Corrections{}
	var err error
	if view.Cursor, err = lists.ParseCursor(chosen.Get("cursor")); err != nil {
		return view, err
	}
	if err := h.readCorrections(r.Context(), person(r).Person, &view); err != nil {
		return view, err
	}
	if len(view.Page.Rows) == 0 && view.Cursor != nil { // the last ones were decided
		view.Cursor = nil
		if err := h.readCorrections(r.Context(), person(r).Person, &view); err != nil {
			return view, err
		}
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadCorrections, Rows: len(view.Page.Rows)})
	view.Desk = attendanceviews.Desk{Frame: h.frame(r), LetterKeys: h.usesLetterKeys(r), Picked: chosen["picked"]}
	return view, nil
}

// readCorrections fills in a page of the list. A reader who may decide no
// requests gets errPageNotFound.
func (h *handlers) readCorrections(ctx context.Context, reader directory.Person, view *attendanceviews.Corrections) error {
	scope, err := h.db.Attendance.RecordScope(ctx, reader)
	if err != nil {
		return err
	}
	if !scope.EditsAnybody() {
		return errPageNotFound
	}
	if view.Page, err = h.db.Attendance.PendingCorrections(ctx, reader.CompanyID, scope, view.Cursor, attendanceviews.CorrectionPageSize); err != nil {
		return err
	}
	count, err := h.db.Attendance.PendingCorrectionCount(ctx, reader, scope, math.MaxInt32)
	view.Page.Total = int(count)
	return err
}
