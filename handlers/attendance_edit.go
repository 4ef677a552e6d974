package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// askToEditRecords asks what to do with the records that were picked.
func (h *handlers) askToEditRecords(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	form := attendanceviews.EditForm{Action: query.Get("action"), Back: backToRecords(r, query.Get("back")), Leave: attendanceviews.LeaveKept}
	all := query.Get("all") == "1"
	if !all && len(query["record"]) == 0 {
		return redirect(w, r, form.Back)
	}
	form.Back = withPicked(form.Back, query["record"], all)
	if all {
		return h.askToEditMatches(w, r, form)
	}
	return h.showRecords(w, r, http.StatusOK, form, query["record"])
}

func (h *handlers) showRecords(w http.ResponseWriter, r *http.Request, status int, form attendanceviews.EditForm, records []string) error {
	if len(records) > attendance.EditBatch {
		return errPageNotFound
	}
	keys := make([]attendance.RecordKey, len(records))
	for i, text := range records {
		var err error
		if keys[i], err = attendance.ParseRecordKey(text); err != nil {
			return err
		}
	}
	return h.showRecordsForm(w, r, status, form, keys)
}

// showRecordsForm shows the edit form for the given records.
func (h *handlers) showRecordsForm(w http.ResponseWriter, r *http.Request, status int, form attendanceviews.EditForm, shown []attendance.RecordKey) error {
	if !slices.Contains([]string{attendanceviews.RecordsCorrect, attendanceviews.RecordsDelete, attendanceviews.RecordsRestore}, form.Action) {
		return errPageNotFound
	}
	p := person(r).Person
	scope, err := h.db.Attendance.RecordScope(r.Context(), p)
	if err != nil {
		return err
	}
	if form.Rows, err = h.db.Attendance.Records(r.Context(), p.CompanyID, scope, shown); err != nil {
		return err
	}
	if form.Locked, err = h.db.Attendance.LockedMonths(r.Context(), p.CompanyID); err != nil {
		return err
	}
	h.noteRead(r, audit.Read{Kind: audit.ReadManagement, Rows: len(form.Rows)})
	form.Frame = h.frame(r)
	form.Frame.Path = withoutPicked(form.Back)
	return h.renderStatus(w, r, status, attendanceviews.EditPage(form))
}

// editRecords edits the records that were picked, all of them or none.
func (h *handlers) editRecords(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	f := r.PostForm
	form := attendanceviews.EditForm{
		Action: f.Get("action"), Back: backToRecords(r, f.Get("back")), Arrival: timeField(f, "arrival"), Departure: timeField(f, "departure"),
		Leave: f.Get("leave"), Reason: f.Get("reason"),
	}
	if f.Get("all") == "1" {
		return h.editMatches(w, r, form)
	}
	edits, err := recordEdits(form, f["record"], f["last_edit"], zone(person(r)))
	if err == nil {
		refuseLocked(edits, f)
		var scope attendance.RecordScope
		if scope, err = h.db.Attendance.RecordScope(r.Context(), person(r).Person); err != nil {
			return err
		}
		err = h.db.Attendance.EditRecords(r.Context(), actor(r), scope, edits)
	}
	var fields queries.FieldErrors
	var records attendance.RecordErrors
	var conflict *attendance.RecordConflict
	status := http.StatusUnprocessableEntity
	switch {
	case err == nil:
		return h.redirectWithUndo(w, r, withoutPicked(form.Back), locales.N(r.Context(), "attendance.edit."+form.Action+".done", len(edits)), "")
	case errors.As(err, &fields):
		form.Refused = fields
	case errors.As(err, &records):
		form.Records, form.Refused = records, sharedErrors(records)
	case errors.As(err, &conflict):
		form.Conflict, status = conflict, http.StatusConflict
	case errors.As(err, &form.LockedSince):
		status = http.StatusConflict
	default:
		return err
	}
	return h.showRecords(w, r, status, form, f["record"])
}

// refuseLocked has edits refused whose months were locked after the form was rendered.
func refuseLocked(edits []attendance.RecordEdit, form url.Values) {
	locked := strings.Fields(form.Get("locked"))
	for i := range edits {
		edits[i].IfUnlocked = !slices.Contains(locked, edits[i].Key.Date.Time().Format("2006-01"))
	}
}

// sharedErrors returns the field errors of the values that apply to every record.
func sharedErrors(records attendance.RecordErrors) queries.FieldErrors {
	for _, fields := range records {
		if reason, refused := fields["reason"]; refused {
			return queries.FieldErrors{"reason": reason}
		}
	}
	return nil
}

// recordEdits returns the edits that a form requests. lasts are the ids of the
// last edits that the form was rendered with.
func recordEdits(form attendanceviews.EditForm, records, lasts []string, zone *time.Location) ([]attendance.RecordEdit, error) {
	if len(records) == 0 || len(lasts) != len(records) {
		return nil, errPageNotFound
	}
	template, err := editOf(form)
	if err != nil {
		return nil, err
	}
	edits := make([]attendance.RecordEdit, len(records))
	for i := range records {
		key, err := attendance.ParseRecordKey(records[i])
		if err != nil {
			return nil, err
		}
		last, err := strconv.ParseInt(lasts[i], 10, 64)
		if err != nil {
			return nil, errPageNotFound
		}
		edits[i] = template.of(key, zone)
		edits[i].IfLastEdit = &last
	}
	return edits, nil
}

// sharedEdit is what is entered for every record: what does not depend on its
// date, and the times of day.
type sharedEdit struct {
	edit               attendance.RecordEdit
	arrival, departure *dayTime
}

// of is the edit of one record.
func (e sharedEdit) of(key attendance.RecordKey, zone *time.Location) attendance.RecordEdit {
	edit := e.edit
	edit.Key, edit.Arrival, edit.Departure = key, e.arrival.on(key.Date, zone), e.departure.on(key.Date, zone)
	edit.Refused = e.skipped(key.Date, zone)
	return edit
}

// skipped refuses the times that the clocks of a zone skip on a date.
func (e sharedEdit) skipped(date workday.Date, zone *time.Location) queries.FieldErrors {
	refused := queries.FieldErrors{}
	for name, t := range map[string]*dayTime{"arrival": e.arrival, "departure": e.departure} {
		if t != nil && t.field.Date(date).Skips(t.minutes, zone) {
			refused[name] = "record.time.skipped"
		}
	}
	return refused
}

// dayTime is a time of day, in minutes after midnight, with the day that its field
// chooses.
type dayTime struct {
	field   attendanceviews.TimeField
	minutes int
}

func (t *dayTime) on(date workday.Date, zone *time.Location) workday.Change {
	if t == nil {
		return workday.Change{}
	}
	at := t.field.Date(date).At(t.minutes, zone)
	return workday.Change{Edited: true, To: &at}
}

func editOf(form attendanceviews.EditForm) (e sharedEdit, err error) {
	e.edit.Reason = form.Reason
	deleted := form.Action == attendanceviews.RecordsDelete
	if deleted || form.Action == attendanceviews.RecordsRestore {
		e.edit.Deleted = &deleted
		return e, nil
	}
	refused := queries.FieldErrors{}
	read := func(name string, field attendanceviews.TimeField) *dayTime {
		if field.Clock == "" {
			return nil
		}
		clock, err := time.Parse("15:04", field.Clock)
		if err != nil {
			refused[name] = "record.time.invalid"
		}
		return &dayTime{field, clock.Hour()*60 + clock.Minute()}
	}
	e.arrival, e.departure = read("arrival", form.Arrival), read("departure", form.Departure)
	if form.Leave != attendanceviews.LeaveKept {
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
