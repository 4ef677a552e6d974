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
		at, ok := timeOfRecord(timeField(form, field.name), detail, field.stored)
		if !ok {
			refused[field.name] = "record.time.invalid"
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
// it; nil for an empty field, and false for an invalid time. A field that still
// shows the stored time is that time, because a form cannot name every moment:
// not the second of two equal hours when summer time ends.
func timeOfRecord(field attendanceviews.TimeField, detail attendance.FullRecord, stored *time.Time) (*time.Time, bool) {
	date := detail.Key().Date
	if field == attendanceviews.NewTimeField(date, stored, detail.Zone) {
		return stored, true
	}
	if field.Clock == "" {
		return nil, true
	}
	clock, err := time.Parse("15:04", field.Clock)
	if err != nil {
		if clock, err = time.Parse("15:04:05", field.Clock); err != nil {
			return nil, false
		}
	}
	at := field.Date(date).At(clock.Hour()*60+clock.Minute(), detail.Zone)
	return &at, true
}

// lastEdit returns the id of the last edit that the form was rendered with.
func lastEdit(r *http.Request) (*int64, error) {
	id, err := strconv.ParseInt(r.PostForm.Get("last_edit"), 10, 64)
	if err != nil || id < 0 {
		return nil, errPageNotFound
	}
	return &id, nil
}
