package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// lockMonth asks whether to lock the records of a month against edits, with how
// many there are, and locks them once that is confirmed.
func (h *handlers) lockMonth(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ctx := r.Context()
	months := attendanceviews.LockedMonths{Month: r.PostForm.Get("month")}
	month, err := time.Parse("2006-01", months.Month)
	if err != nil {
		err = queries.Invalid("attendance.locks.invalid")
	} else if r.PostForm.Get("confirmed") == "" {
		if err = h.db.Attendance.CheckLockMonth(ctx, actor(r), workday.DateOf(month)); err == nil {
			return h.askToLock(w, r, workday.DateOf(month))
		}
	} else {
		err = h.db.Attendance.LockMonth(ctx, actor(r), workday.DateOf(month))
	}
	var invalid queries.Invalid
	var conflict queries.Conflict
	switch {
	case err == nil:
		return h.redirectWithUndo(w, r, backToRecords(r, r.PostForm.Get("back")), locales.T(ctx, "attendance.locks.locked", "Month", locales.Month(ctx, month)), "")
	case errors.As(err, &invalid):
		months.Refused = string(invalid)
		return h.showLogAt(w, r, http.StatusUnprocessableEntity, months)
	case errors.As(err, &conflict):
		months.Refused = string(conflict)
		return h.showLogAt(w, r, http.StatusConflict, months)
	}
	return err
}

// askToLock shows the question before a month is locked.
func (h *handlers) askToLock(w http.ResponseWriter, r *http.Request, month workday.Date) error {
	q := attendanceviews.LockQuestion{Month: month, Back: backToRecords(r, r.PostForm.Get("back"))}
	var err error
	if q.Records, q.People, q.Requests, err = h.db.Attendance.MonthSize(r.Context(), person(r).CompanyID, month); err != nil {
		return err
	}
	return h.showLogAt(w, r, http.StatusOK, attendanceviews.LockedMonths{Month: r.PostForm.Get("month"), Question: &q})
}

// unlockMonth unlocks a month.
func (h *handlers) unlockMonth(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	month, err := time.Parse("2006-01", chi.URLParam(r, "month"))
	if err != nil {
		return errPageNotFound
	}
	ctx, reason := r.Context(), r.PostForm.Get("reason")
	err = h.db.Attendance.UnlockMonth(ctx, actor(r), workday.DateOf(month), reason)
	var fields queries.FieldErrors
	switch {
	case err == nil:
		return h.redirectWithUndo(w, r, backToRecords(r, r.PostForm.Get("back")), locales.T(ctx, "attendance.locks.unlocked", "Month", locales.Month(ctx, month)), "")
	case errors.As(err, &fields):
		months := attendanceviews.LockedMonths{Unlock: month.Format("2006-01"), Reason: reason, Unreason: string(fields["reason"])}
		return h.showLogAt(w, r, http.StatusUnprocessableEntity, months)
	case errors.Is(err, queries.NotFound):
		return h.showUnlocked(w, r, month)
	}
	return err
}

// showUnlocked says who has unlocked a month already. A month that was never locked is
// NotFound.
func (h *handlers) showUnlocked(w http.ResponseWriter, r *http.Request, month time.Time) error {
	unlocked, err := h.lastChange(r, "attendance_month", attendance.MonthID(workday.DateOf(month)), "attendance.unlocked")
	if err != nil {
		return err
	}
	text := changedText(r, "attendance.locks.already", unlocked, "Month", locales.Month(r.Context(), month))
	return h.showLogAt(w, r, http.StatusConflict, attendanceviews.LockedMonths{Unlocked: text})
}

// lateEvents lists the clock events that were received after a month was locked.
func (h *handlers) lateEvents(w http.ResponseWriter, r *http.Request) error {
	ctx, companyID, query := r.Context(), person(r).CompanyID, r.URL.Query()
	first, err := time.Parse("2006-01", query.Get("month"))
	if err != nil {
		return errPageNotFound
	}
	month := workday.DateOf(first)
	months, err := h.db.Attendance.LockedMonths(ctx, companyID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(months, func(m attendance.LockedMonth) bool { return m.Month == month })
	if i < 0 {
		return errPageNotFound
	}
	cursor, err := lists.ParseCursor(query.Get("cursor"))
	if err != nil {
		return err
	}
	view := attendanceviews.LateEventList{Frame: h.frame(r), Month: months[i]}
	if view.Page, err = h.db.Attendance.LateEvents(ctx, companyID, month, cursor, attendanceviews.PageSize); err != nil {
		return err
	}
	if view.Month.LateEvents <= attendance.MaxMonthSize {
		view.Page.Total = view.Month.LateEvents
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadManagement, Query: attendance.LateEventFilter(month).Values(), Rows: len(view.Page.Rows)})
	return h.render(w, r, attendanceviews.LateEventsPage(view))
}

// showLogAt shows the list that a form came from again.
func (h *handlers) showLogAt(w http.ResponseWriter, r *http.Request, status int, months attendanceviews.LockedMonths) error {
	list, err := url.Parse(backToRecords(r, r.PostForm.Get("back")))
	if err != nil {
		return errPageNotFound
	}
	return h.showLog(w, requestFor(r, list), status, months)
}
