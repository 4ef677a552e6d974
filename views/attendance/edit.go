package attendance

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// The actions on records that were picked.
const (
	RecordsCorrect = "correct"
	RecordsDelete  = "delete"
	RecordsRestore = "restore"
)

// LeaveKept is the choice of a leave that changes nothing.
const LeaveKept = "keep"

// EditForm is the form that edits several records at once: what was
// picked, and what was typed.
type EditForm struct {
	Frame              views.Frame
	Action             string
	Rows               []attendance.Row
	Back               string // unprefixed address of the list
	Arrival, Departure string
	DepartureNext      bool
	Leave              string
	Reason             string
	Matches            *Matches // nil: Rows were picked

	Refused  queries.FieldErrors
	Records  attendance.RecordErrors // refusals by record
	Conflict *attendance.RecordConflict
}

func (f EditForm) title(ctx context.Context) string {
	if f.count() == 0 {
		return locales.T(ctx, "attendance.log")
	}
	return locales.N(ctx, "attendance.edit."+f.Action, f.count())
}

// count is how many records the form is about.
func (f EditForm) count() int {
	if f.Matches != nil {
		return f.Matches.Count
	}
	return len(f.Rows)
}

func (f EditForm) leaves(ctx context.Context) []views.Option {
	options := []views.Option{{Value: LeaveKept, Text: locales.T(ctx, "attendance.edit.leave.keep")}}
	for _, leave := range []workday.DayType{"", workday.Leave, workday.HalfLeaveAM, workday.HalfLeavePM} {
		options = append(options, views.Option{Value: string(leave), Text: leaveWord(ctx, string(leave))})
	}
	return options
}

// lastEdit is the last edit of a record that the form was made by; 0 for none.
func lastEdit(r attendance.Row) string {
	if len(r.Edits) == 0 {
		return "0"
	}
	return strconv.FormatInt(r.Edits[0].ID, 10)
}

// refusals are those of a record, in words.
func (f EditForm) refusals(ctx context.Context, key attendance.RecordKey) []string {
	var texts []string
	for _, field := range []string{"record", "arrival", "departure", "leave"} {
		if text := views.Refusal(ctx, f.Records[key], field); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// conflicted names whose record somebody else edited first.
func (f EditForm) conflicted(ctx context.Context) string {
	for _, r := range f.Rows {
		if r.Key() == f.Conflict.Key {
			return locales.T(ctx, "attendance.edit.conflict", "Name", r.Name, "Editor", f.Conflict.ByName,
				"Time", locales.ShortDateTime(ctx, f.Conflict.At.In(f.Frame.Zone()), f.Frame.Now))
		}
	}
	return locales.T(ctx, "record.changed")
}
