package handlers

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
	"officeconsole/workday"
)

// readRecordEdit reads the fields of an edit and returns their errors. A field
// that is missing from the form leaves its value unchanged.
func readRecordEdit(form url.Values, detail attendance.FullRecord, edit *attendance.RecordEdit) queries.FieldErrors {
	refused := queries.FieldErrors{}
	for _, field := range []struct {
		name   string
		stored *time.Time
		change *workday.Change
	}{{"arrival", detail.ArrivalAt, &edit.Arrival}, {"departure", detail.DepartureAt, &edit.Departure}} {
		at, reason := timeOfRecord(timeField(form, field.name), detail, field.stored)
		if reason != "" {
			refused[field.name] = reason
		}
		*field.change = workday.Change{Edited: form.Has(field.name), To: at}
	}
	if form.Has("leave") {
		leave := workday.DayType(form.Get("leave"))
		edit.Leave = &leave
	}
	if form.Has("overtime_min") {
		minutes, err := strconv.Atoi(form.Get("overtime_min"))
		if err != nil {
			refused["overtime_min"] = "record.overtime.invalid"
		}
		edit.OvertimeMin = &minutes
	}
	return refused
}

// timeField reads a field for a time and the boxes beside it, which say on which
// day it is.
func timeField(form url.Values, field string) attendanceviews.TimeField {
	return attendanceviews.TimeField{Clock: form.Get(field), Previous: form.Get(field+"_previous") == "1", Next: form.Get(field+"_next") == "1"}
}

// timeOfRecord returns the time of a field on the record's date or a day next to
// it, nil for an empty field, or why the field is refused. A field that still
// shows the stored time is that time, because a form cannot name every moment:
// not the second of two equal hours when summer time ends.
func timeOfRecord(field attendanceviews.TimeField, detail attendance.FullRecord, stored *time.Time) (at *time.Time, reason queries.Invalid) {
	date := detail.Key().Date
	if field == attendanceviews.NewTimeField(date, stored, detail.Zone) {
		return stored, ""
	}
	if field.Clock == "" {
		return nil, ""
	}
	clock, err := time.Parse("15:04", field.Clock)
	if err != nil {
		if clock, err = time.Parse("15:04:05", field.Clock); err != nil {
			return nil, "record.time.invalid"
		}
	}
	return timeOn(field.Date(date), clock, detail.Zone)
}

// timeOn returns the time at which the clocks of a zone show a time of day on a date,
// or why it is refused.
func timeOn(date workday.Date, clock time.Time, zone *time.Location) (at *time.Time, reason queries.Invalid) {
	minutes := clock.Hour()*60 + clock.Minute()
	if date.Skips(minutes, zone) {
		return nil, "record.time.skipped"
	}
	t := date.At(minutes, zone)
	return &t, ""
}

// lastEdit returns the id of the last edit that the form was rendered with.
func lastEdit(r *http.Request) (*int64, error) {
	id, err := strconv.ParseInt(r.PostForm.Get("last_edit"), 10, 64)
	if err != nil || id < 0 {
		return nil, errPageNotFound
	}
	return &id, nil
}

// sawLocked reports whether the month was locked when the form was rendered, or when the
// record was deleted that an undo restores.
func sawLocked(r *http.Request) bool { return r.FormValue("locked") == "1" }
