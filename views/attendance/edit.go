package attendance

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// The actions on the selected records of the log.
const (
	RecordsCorrect = "correct"
	RecordsDelete  = "delete"
	RecordsRestore = "restore"
)

// LeaveKept is the choice of a leave that leaves the records as they are.
const LeaveKept = "keep"

// EditForm is the form that edits several records at once: the selected
// records and what was typed.
type EditForm struct {
	Frame              views.Frame
	Action             string
	Rows               []attendance.Row
	Back               string // address of the list without language prefix
	Arrival, Departure TimeField
	Leave              string
	Reason             string
	Matches            *Matches // nil if the records were selected one by one

	Refused  queries.FieldErrors
	Records  attendance.RecordErrors // refused fields by record
	Conflict *attendance.RecordConflict

	Locked      []attendance.LockedMonth // the company's locked months
	LockedSince *attendance.MonthLocked  // the lock in the meantime, because of which nothing was edited
}

// lockedMonths are the months that were locked when the form was rendered, "2026-11 2026-10".
func (f EditForm) lockedMonths() string {
	texts := make([]string, len(f.Locked))
	for i, l := range f.Locked {
		texts[i] = monthText(l.Month)
	}
	return strings.Join(texts, " ")
}

// hasLocked reports whether one of the records that are shown is in a locked month.
func (f EditForm) hasLocked() bool {
	return slices.ContainsFunc(f.Rows, func(r attendance.Row) bool {
		return slices.ContainsFunc(f.Locked, func(l attendance.LockedMonth) bool { return monthText(l.Month) == r.WorkDate.Format("2006-01") })
	})
}

func (f EditForm) title(ctx context.Context) string {
	if f.count() == 0 {
		return locales.T(ctx, "attendance.log")
	}
	return locales.N(ctx, "attendance.edit."+f.Action, f.count())
}

// count is the number of records that the form would edit.
func (f EditForm) count() int {
	if f.Matches != nil {
		return f.Matches.Count
	}
	return len(f.Rows)
}

// asksPreviousDay reports whether an arrival may be on the day before one of the
// work dates that are shown.
func (f EditForm) asksPreviousDay() bool {
	return f.Arrival.Previous || slices.ContainsFunc(f.Rows, func(r attendance.Row) bool {
		return asksPreviousDay(r.Key().Date, f.Frame.Zone(), &r.OpensAt, r.ArrivalAt)
	})
}

// leaves are the choices of leave.
func (f EditForm) leaves(ctx context.Context) []views.Option {
	options := []views.Option{{Value: LeaveKept, Text: locales.T(ctx, "attendance.edit.leave.keep")}}
	for _, leave := range []workday.DayType{"", workday.Leave, workday.HalfLeaveAM, workday.HalfLeavePM} {
		options = append(options, views.Option{Value: string(leave), Text: leaveWord(ctx, string(leave))})
	}
	return options
}

// lastEdit is the id of the latest edit of a record when the form was
// opened; 0 for none.
func lastEdit(r attendance.Row) string {
	if len(r.Edits) == 0 {
		return "0"
	}
	return strconv.FormatInt(r.Edits[0].ID, 10)
}

// refusals are the translated errors of a record.
func (f EditForm) refusals(ctx context.Context, key attendance.RecordKey) []string {
	var texts []string
	for _, field := range []string{"record", "arrival", "departure", "leave"} {
		if text := views.Refusal(ctx, f.Records[key], field); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// conflicted names the person whose record another administrator edited
// first.
func (f EditForm) conflicted(ctx context.Context) string {
	for _, r := range f.Rows {
		if r.Key() == f.Conflict.Key {
			return locales.T(ctx, "attendance.edit.conflict", "Name", r.Name, "Editor", f.Conflict.ByName,
				"Time", locales.ShortDateTime(ctx, f.Conflict.At.In(f.Frame.Zone()), f.Frame.Now))
		}
	}
	return locales.T(ctx, "record.changed")
}
