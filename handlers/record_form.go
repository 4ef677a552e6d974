package handlers

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// readRecordEdit reads the fields of an edit and returns their errors. A field
// that is missing from the form leaves its value unchanged.
func readRecordEdit(form url.Values, detail attendance.FullRecord, edit *attendance.RecordEdit) queries.FieldErrors {
	refused := queries.FieldErrors{}
	for field, change := range map[string]*workday.Change{"arrival": &edit.Arrival, "departure": &edit.Departure} {
		at, ok := timeOfRecord(form, detail, field)
		if !ok {
			refused[field] = "record.time.invalid"
		}
		*change = workday.Change{Edited: form.Has(field), To: at}
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

// timeOfRecord reads a time of day on the record's date or the day after. It
// returns nil for an empty field and false for an invalid time.
func timeOfRecord(form url.Values, detail attendance.FullRecord, field string) (*time.Time, bool) {
	text := form.Get(field)
	if text == "" {
		return nil, true
	}
	clock, err := time.Parse("15:04", text)
	if err != nil {
		if clock, err = time.Parse("15:04:05", text); err != nil {
			return nil, false
		}
	}
	date := detail.Key().Date
	if form.Get(field+"_next") == "1" {
		date++
	}
	at := date.At(clock.Hour()*60+clock.Minute(), detail.Zone)
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
