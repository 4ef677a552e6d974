package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// isDesk reports whether a URL of the day's log names the desk: without parameters it
// does for everybody who may edit attendance.
func isDesk(query url.Values, scope attendance.RecordScope) bool {
	return scope.EditsAnybody() && (len(query) == 0 || query.Get("view") == "desk")
}

// desk shows what needs a person. The filters are in the URL, see attendance.DeskFilter;
// open is the key of an item whose evidence is shown, and time the time that it is
// computed with.
func (h *handlers) desk(w http.ResponseWriter, r *http.Request, scope attendance.RecordScope) error {
	view, err := h.readDesk(r, r.URL.Query(), scope)
	if err != nil {
		return err
	}
	view.Frame = h.frame(r)
	if view.Refused != "" {
		return h.renderStatus(w, r, http.StatusUnprocessableEntity, attendanceviews.DeskPage(view))
	}
	if view.Kind == "" && view.Query == "" {
		if view.Weeks, err = h.deskWeeks(r, scope, view); err != nil {
			return err
		}
	}
	if text := r.URL.Query().Get("open"); text != "" {
		key, err := attendance.ParseDeskKey(text)
		if err != nil {
			return err
		}
		view.Peek, err = h.deskPeek(r, scope, view, deskAnswer{key: key, time: timeField(r.URL.Query(), "time")})
		if err != nil && !errors.Is(err, queries.NotFound) { // it may have been decided since
			return err
		}
	}
	return h.render(w, r, attendanceviews.DeskPage(view))
}

// deskWeeks reads whose current week is expected to pass its limit.
func (h *handlers) deskWeeks(r *http.Request, scope attendance.RecordScope, desk attendanceviews.Desk) (attendanceviews.Forecasts, error) {
	const shown = 5
	first, err := h.currentWeek(r, person(r).Person)
	if err != nil {
		return attendanceviews.Forecasts{}, err
	}
	weeks, err := h.forecastView(r, scope, attendance.ForecastFilter{First: first, DepartmentID: desk.DepartmentID, Level: workday.ForecastExpected, Limit: shown})
	weeks.Frame = desk.Frame
	return weeks, err
}

// readDesk reads the desk that the query of a URL chooses.
func (h *handlers) readDesk(r *http.Request, query url.Values, scope attendance.RecordScope) (attendanceviews.Desk, error) {
	p := person(r).Person
	view := attendanceviews.Desk{Frame: h.frameWithoutToast(r), LetterKeys: h.usesLetterKeys(r), Picked: query["picked"]}
	var err error
	view.DeskFilter, err = attendance.ReadDeskFilter(query, workday.DateOf(h.db.Now().In(zone(person(r)))))
	if view.Refused, err = refusedFilter(err); err != nil {
		return view, err
	}
	if view.Departments, err = h.db.Attendance.Departments(r.Context(), p, scope, view.DepartmentID); err != nil {
		return view, err
	}
	if view.Refused == "" {
		if view.Desk, err = h.db.Attendance.Desk(r.Context(), p, scope, view.DeskFilter); err != nil {
			return view, err
		}
		h.noteRead(r, audit.Read{Kind: audit.ReadDesk, Query: view.Values(), Rows: view.Total})
	}
	return view, nil
}

// deskAnswer is an answer to an item as it was sent, and why it was refused.
type deskAnswer struct {
	key     attendance.DeskKey
	time    attendanceviews.TimeField
	refused queries.FieldErrors
}

// deskPeek reads the evidence of an item of a desk.
func (h *handlers) deskPeek(r *http.Request, scope attendance.RecordScope, desk attendanceviews.Desk, a deskAnswer) (*attendanceviews.DeskPeek, error) {
	reader := person(r)
	at, _ := h.typedTime(r, a.time, a.key)
	evidence, err := h.db.Attendance.DeskEvidence(r.Context(), reader.Person, scope, a.key, at)
	if err != nil {
		return nil, err
	}
	if !evidence.Record.Own {
		h.noteRead(r, audit.ReadOf(evidence.Record))
	}
	peek := &attendanceviews.DeskPeek{
		DeskEvidence: evidence, Next: desk.Following(a.key), Time: a.time, Errors: a.refused,
		View: attendanceviews.RecordView{
			Record: evidence.Record, Now: h.db.Now().In(zone(reader)), Admin: reader.IsAdmin, Licenses: reader.MapLicenses, Back: desk.Frame.Path,
		},
	}
	return peek, nil
}

// typedTime returns the time of a field on the date of an item or a day next to it, in the
// time zone of the company, or why it is refused.
func (h *handlers) typedTime(r *http.Request, field attendanceviews.TimeField, key attendance.DeskKey) (at *time.Time, reason queries.Invalid) {
	clock, err := time.Parse("15:04", field.Clock)
	if err != nil {
		return nil, "record.time.invalid"
	}
	return timeOn(field.Date(key.Date), clock, zone(person(r)))
}
