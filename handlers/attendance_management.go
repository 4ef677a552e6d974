package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/views"
	"officeconsole/workday"
)

// usualPeriod is how many days the log shows where nobody chose any.
const usualPeriod = 7

// attendanceLog is the log of a period with who edited what, that of the last
// days without one. What somebody chose is in the address: from, to, deleted and
// what a day can be filtered by.
func (h *handlers) attendanceLog(w http.ResponseWriter, r *http.Request) error {
	return h.showLog(w, r, http.StatusOK, views.LockedMonths{})
}

func (h *handlers) showLog(w http.ResponseWriter, r *http.Request, status int, months views.LockedMonths) error {
	p, now := person(r).Person, h.db.Now().In(zone(person(r)))
	view := views.AttendanceLogList{Frame: h.frame(r), Months: months, Deleted: r.URL.Query().Get("deleted") == "1"}
	filter, err := h.attendanceChoice(r, &view.AttendanceChoice)
	if err != nil {
		return err
	}
	filter.Deleted = view.Deleted
	if view.From, view.To, err = periodOf(r.URL.Query(), workday.DateOf(now)); err != nil {
		return err
	}
	if view.Months.Month == "" {
		view.Months.Month = now.AddDate(0, 0, -now.Day()).Format("2006-01")
	}
	if view.Months.Months, err = h.db.LockedMonths(r.Context(), p.CompanyID); err != nil {
		return err
	}
	if view.Refused == "" {
		scope, err := h.db.AttendanceScope(r.Context(), p)
		if err != nil {
			return err
		}
		view.Page, err = h.db.AttendanceLog(r.Context(), p.CompanyID, scope, view.From, view.To, filter)
		var refused queries.Invalid
		if errors.As(err, &refused) {
			view.Refused = string(refused)
		} else if err != nil {
			return err
		}
	}
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.AttendanceLog(view))
}

// periodOf reads from and to: without them it is the days up to today, without
// from those up to the other. What is no date is a page that does not exist.
func periodOf(query url.Values, today workday.Date) (from, to workday.Date, err error) {
	if to, err = dateIn(query, "to", today); err != nil {
		return 0, 0, err
	}
	from, err = dateIn(query, "from", to-usualPeriod+1)
	return from, to, err
}

func dateIn(query url.Values, name string, otherwise workday.Date) (workday.Date, error) {
	if query.Get(name) == "" {
		return otherwise, nil
	}
	date, err := workday.ParseDate(query.Get(name))
	if err != nil || date.Year() < 1900 || date.Year() > 2200 {
		return 0, errUnreachable
	}
	return date, nil
}

// backToRecords is the list of the log that a form came from.
func backToRecords(r *http.Request, back string) string {
	if path := backToLog(r, back); strings.HasPrefix(path, views.AttendanceLogPath) {
		return path
	}
	return views.AttendanceLogPath
}

// askToEditRecords asks what to do with the records that were picked.
func (h *handlers) askToEditRecords(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	form := views.AttendanceEditForm{Action: query.Get("action"), Back: backToRecords(r, query.Get("back")), Leave: views.LeaveKept}
	if query.Get("all") == "1" {
		return h.askToEditMatches(w, r, form)
	}
	if len(query["record"]) == 0 {
		return redirect(w, r, form.Back)
	}
	return h.showRecords(w, r, http.StatusOK, form, query["record"])
}

func (h *handlers) showRecords(w http.ResponseWriter, r *http.Request, status int, form views.AttendanceEditForm, records []string) error {
	if !slices.Contains([]string{views.RecordsCorrect, views.RecordsDelete, views.RecordsRestore}, form.Action) || len(records) > queries.EditBatch {
		return errUnreachable
	}
	p := person(r).Person
	scope, err := h.db.AttendanceScope(r.Context(), p)
	if err != nil {
		return err
	}
	keys := make([]queries.RecordKey, len(records))
	for i, text := range records {
		if keys[i], err = queries.ParseRecordKey(text); err != nil {
			return err
		}
	}
	if form.Rows, err = h.db.AttendanceRecords(r.Context(), p.CompanyID, scope, keys); err != nil {
		return err
	}
	form.Frame = h.frame(r)
	form.Frame.Path = form.Back
	return h.renderStatus(w, r, status, views.AttendanceRecordsForm(form))
}

// editRecords edits the records that were picked, all of them or none.
func (h *handlers) editRecords(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	f := r.PostForm
	form := views.AttendanceEditForm{
		Action: f.Get("action"), Back: backToRecords(r, f.Get("back")), Arrival: f.Get("arrival"), Departure: f.Get("departure"),
		DepartureNext: f.Get("departure_next") == "1", Leave: f.Get("leave"), Reason: f.Get("reason"),
	}
	if f.Get("all") == "1" {
		return h.editMatches(w, r, form)
	}
	edits, err := recordEdits(form, f["record"], f["last_edit"], zone(person(r)))
	if err == nil {
		var scope queries.AttendanceScope
		if scope, err = h.db.AttendanceScope(r.Context(), person(r).Person); err != nil {
			return err
		}
		err = h.db.EditRecords(r.Context(), queries.ActorFrom(person(r).Person, address(r)), scope, edits)
	}
	var fields queries.FieldErrors
	var records queries.RecordErrors
	var conflict *queries.RecordConflict
	status := http.StatusUnprocessableEntity
	switch {
	case err == nil:
		return h.doneUndoable(w, r, form.Back, locales.N(r.Context(), "attendance.edit."+form.Action+".done", len(edits)), "")
	case errors.As(err, &fields):
		form.Refused = fields
	case errors.As(err, &records):
		form.Records, form.Refused = records, ofAll(records)
	case errors.As(err, &conflict):
		form.Conflict, status = conflict, http.StatusConflict
	default:
		return err
	}
	return h.showRecords(w, r, status, form, f["record"])
}

// ofAll are the refusals that concern what was entered for every record alike.
func ofAll(records queries.RecordErrors) queries.FieldErrors {
	for _, fields := range records {
		if reason, refused := fields["reason"]; refused {
			return queries.FieldErrors{"reason": reason}
		}
	}
	return nil
}

// recordEdits are the edits that a form asks for. Lasts are the last edits that
// the form was made by.
func recordEdits(form views.AttendanceEditForm, records, lasts []string, zone *time.Location) ([]queries.RecordEdit, error) {
	if len(records) == 0 || len(lasts) != len(records) {
		return nil, errUnreachable
	}
	template, err := editOf(form)
	if err != nil {
		return nil, err
	}
	edits := make([]queries.RecordEdit, len(records))
	for i := range records {
		key, err := queries.ParseRecordKey(records[i])
		if err != nil {
			return nil, err
		}
		last, err := strconv.ParseInt(lasts[i], 10, 64)
		if err != nil {
			return nil, errUnreachable
		}
		edits[i] = template.of(key, zone)
		edits[i].IfLastEdit = &last
	}
	return edits, nil
}

// entered is what is entered for every record: what does not depend on its
// date, and the times of day.
type entered struct {
	edit               queries.RecordEdit
	arrival, departure *dayMinute
}

// of is the edit of one record.
func (e entered) of(key queries.RecordKey, zone *time.Location) queries.RecordEdit {
	edit := e.edit
	edit.Key, edit.Arrival, edit.Departure = key, e.arrival.on(key.Date, zone), e.departure.on(key.Date, zone)
	return edit
}

// A dayMinute is a time in minutes after the midnight of a date.
type dayMinute int

func (m *dayMinute) on(date workday.Date, zone *time.Location) workday.Change {
	if m == nil {
		return workday.Change{}
	}
	at := date.At(int(*m), zone)
	return workday.Change{Edited: true, To: &at}
}

func editOf(form views.AttendanceEditForm) (e entered, err error) {
	e.edit.Reason = form.Reason
	deleted := form.Action == views.RecordsDelete
	if deleted || form.Action == views.RecordsRestore {
		e.edit.Deleted = &deleted
		return e, nil
	}
	refused := queries.FieldErrors{}
	read := func(field, text string, nextDay bool) *dayMinute {
		if text == "" {
			return nil
		}
		clock, err := time.Parse("15:04", text)
		if err != nil {
			refused[field] = "record.time.invalid"
		}
		minute := dayMinute(clock.Hour()*60 + clock.Minute())
		if nextDay {
			minute += 24 * 60
		}
		return &minute
	}
	e.arrival, e.departure = read("arrival", form.Arrival, false), read("departure", form.Departure, form.DepartureNext)
	if form.Leave != views.LeaveKept {
		leave := workday.DayType(form.Leave)
		e.edit.Leave = &leave
	}
	if e.arrival == nil && e.departure == nil && e.edit.Leave == nil {
		refused["record"] = "attendance.edit.nothing"
	}
	if len(refused) > 0 {
		return e, refused
	}
	return e, nil
}

// lockMonth keeps the records of a month as they are.
func (h *handlers) lockMonth(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	months := views.LockedMonths{Month: r.PostForm.Get("month")}
	month, err := time.Parse("2006-01", months.Month)
	if err != nil {
		err = queries.Invalid("attendance.locks.invalid")
	} else {
		err = h.db.LockMonth(r.Context(), queries.ActorFrom(person(r).Person, address(r)), workday.DateOf(month))
	}
	var invalid queries.Invalid
	var conflict queries.Conflict
	switch {
	case err == nil:
		return h.done(w, r, backToRecords(r, r.PostForm.Get("back")), "attendance.locks.locked")
	case errors.As(err, &invalid):
		months.Refused = string(invalid)
		return h.showLogAt(w, r, http.StatusUnprocessableEntity, months)
	case errors.As(err, &conflict):
		months.Refused = string(conflict)
		return h.showLogAt(w, r, http.StatusConflict, months)
	}
	return err
}

// unlockMonth opens a month again.
func (h *handlers) unlockMonth(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	month, err := time.Parse("2006-01", chi.URLParam(r, "month"))
	if err != nil {
		return errUnreachable
	}
	reason := r.PostForm.Get("reason")
	err = h.db.UnlockMonth(r.Context(), queries.ActorFrom(person(r).Person, address(r)), workday.DateOf(month), reason)
	var fields queries.FieldErrors
	switch {
	case err == nil:
		return h.done(w, r, backToRecords(r, r.PostForm.Get("back")), "attendance.locks.unlocked")
	case errors.As(err, &fields):
		months := views.LockedMonths{Unlock: month.Format("2006-01"), Reason: reason, Unreason: string(fields["reason"])}
		return h.showLogAt(w, r, http.StatusUnprocessableEntity, months)
	}
	return err
}

// showLogAt shows the list that a form came from once more.
func (h *handlers) showLogAt(w http.ResponseWriter, r *http.Request, status int, months views.LockedMonths) error {
	u, err := url.Parse(backToRecords(r, r.PostForm.Get("back")))
	if err != nil {
		return errUnreachable
	}
	list := r.Clone(r.Context())
	list.URL = u
	return h.showLog(w, list, status, months)
}
