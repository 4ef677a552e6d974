package attendance

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// A recordEvent is an entry of the history: edits that one person made
// together, or a correction request.
type recordEvent struct {
	At      time.Time
	By      string
	Reason  string
	Changes []recordChange
	Request *attendance.Correction // nil if it is edits
	Own     bool                   // whether the person edited their own record
	Granted bool                   // whether a correction request asked for the edits
	Undone  bool                   // whether the edits are not in force any more
}

// A recordChange is a field with its old and new value.
type recordChange struct{ Label, Old, New string }

// history lists the edits of the record and the correction requests, the
// latest first.
func (v RecordView) history(ctx context.Context) []recordEvent {
	var all []recordEvent
	for _, e := range v.Record.Edits {
		change := v.change(ctx, e)
		if last := len(all) - 1; last >= 0 && all[last].At.Equal(e.At) && all[last].By == e.EditorName && all[last].Reason == e.Reason && all[last].Undone == (e.UndoneAt != nil) {
			all[last].Changes = append(all[last].Changes, change)
			continue
		}
		all = append(all, recordEvent{At: e.At, By: e.EditorName, Reason: e.Reason, Changes: []recordChange{change}, Own: e.EditorID != nil && *e.EditorID == e.UserID && e.CorrectionID == nil, Granted: e.CorrectionID != nil, Undone: e.UndoneAt != nil})
	}
	for i := range all {
		slices.Reverse(all[i].Changes)
	}
	for i := range v.Record.Corrections {
		c := &v.Record.Corrections[i]
		all = append(all, recordEvent{At: c.CreatedAt, By: v.Record.Person, Reason: c.Reason, Changes: v.requestedChanges(ctx, c), Request: c})
	}
	slices.SortStableFunc(all, func(a, b recordEvent) int { return cmp.Compare(b.At.UnixMicro(), a.At.UnixMicro()) })
	return all
}

// change describes an edit.
func (v RecordView) change(ctx context.Context, e attendance.Edit) recordChange {
	c := recordChange{Label: locales.T(ctx, "record.field."+e.Field)}
	switch e.Field {
	case string(workday.FieldArrival), string(workday.FieldDeparture):
		c.Old, c.New = v.clockOrNone(ctx, e.OldAt), v.clockOrNone(ctx, e.NewAt)
	case "leave":
		c.Old, c.New = leaveWord(ctx, e.OldText), leaveWord(ctx, e.NewText)
	case "overtime":
		c.Old, c.New = minutesText(ctx, e.OldText), minutesText(ctx, e.NewText)
	case "deleted":
		c.Old, c.New = locales.T(ctx, "record.deleted."+e.OldText), locales.T(ctx, "record.deleted."+e.NewText)
	}
	return c
}

// requestedChanges are the times that a correction request asks for.
func (v RecordView) requestedChanges(ctx context.Context, c *attendance.Correction) []recordChange {
	var all []recordChange
	for _, wish := range []struct {
		field string
		at    *time.Time
	}{{"arrival", c.ArrivalAt}, {"departure", c.DepartureAt}} {
		if wish.at != nil {
			all = append(all, recordChange{Label: locales.T(ctx, "record.field."+wish.field), New: v.clock(ctx, *wish.at)})
		}
	}
	return all
}

// leaveWord names a kind of leave.
func leaveWord(ctx context.Context, leave string) string {
	if leave == "" {
		return locales.T(ctx, "record.leave.none")
	}
	return dayTypeWord(ctx, leave)
}

// minutesText writes a number of minutes in words.
func minutesText(ctx context.Context, text string) string {
	n, err := strconv.Atoi(text)
	if err != nil {
		return text
	}
	return locales.Duration(ctx, n)
}

// correctionLooks are the badges of the statuses of a correction request.
var correctionLooks = map[string]statusLook{
	attendance.CorrectionPending:   {"accent", "clock"},
	attendance.CorrectionApproved:  {"success", "check"},
	attendance.CorrectionRefused:   {"danger", "x"},
	attendance.CorrectionWithdrawn: {"", "undo"},
}
