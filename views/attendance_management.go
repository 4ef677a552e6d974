package views

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// AttendanceLogPath is the page on which administrators manage the records.
const AttendanceLogPath = "/logs/workingattitude/management"

// AttendanceLogList is the log of a period with who edited what.
type AttendanceLogList struct {
	AttendanceChoice
	Frame  Frame
	Page   lists.Page[attendance.Row]
	Months LockedMonths
}

// LockedMonths are the months whose records stay as they are, and the forms to
// lock and unlock one.
type LockedMonths struct {
	Months   []attendance.LockedMonth
	Month    string // as typed, "2026-11"
	Refused  string // id of the message why it cannot be locked; "" for none
	Unlock   string // the month that could not be unlocked; "" for none
	Reason   string // as typed
	Unreason string // id of the message why the reason is refused
}

func (l AttendanceLogList) filtered() bool { return l.AttendanceChoice.filtered() || l.Deleted }

// countAddress is where it is counted how many records the list has.
func (l AttendanceLogList) countAddress() string {
	return AttendanceLogPath + "/records/count" + strings.TrimPrefix(l.url("", ""), AttendanceLogPath)
}

// period is the same list of the days from one to another.
func (l AttendanceLogList) period(from, to workday.Date) string {
	l.First, l.Last = from, to
	return l.url("", "")
}

func (l AttendanceLogList) days() workday.Date { return l.Last - l.First + 1 }

// plain is the same period with nothing else chosen.
func (l AttendanceLogList) plain() string {
	return AttendanceLogList{AttendanceChoice: AttendanceChoice{Filter: attendance.Filter{Unit: l.Unit, First: l.First, Last: l.Last}}}.url("", "")
}

func (l AttendanceLogList) pager(ctx context.Context) Pager {
	return pagerOf(ctx, l.Page, "attendance.total", l.pageURL)
}

func (l AttendanceLogList) states(ctx context.Context) []Option {
	return []Option{{"", locales.T(ctx, "attendance.log.kept")}, {"1", locales.T(ctx, "attendance.log.deleted")}}
}

func (l AttendanceLogList) deletedValue() string {
	if l.Deleted {
		return "1"
	}
	return ""
}

var logColumns = []attendanceColumn{
	{key: "pick", title: "attendance.log.pick"},
	{key: "date", title: "attendance.column.date"},
	{key: "name", title: "attendance.column.name"},
	{key: "department", title: "attendance.column.department", low: true},
	{key: "arrival", title: "attendance.column.arrival", end: true},
	{key: "departure", title: "attendance.column.departure", end: true},
	{key: "device", title: "attendance.column.device", low: true},
	{key: "worked", title: "attendance.column.worked", end: true, low: true},
	{key: "place", title: "attendance.column.place", low: true},
	{key: "state", title: "attendance.column.state"},
	{key: "editor", title: "attendance.column.editor", low: true},
	{key: "details", title: "attendance.column.details"},
	{key: "edited", title: "attendance.column.edited", low: true},
}

// latestEdit are the edits of a record that were made last and at once, and how
// many came before.
func latestEdit(r attendance.Row) (latest []attendance.Edit, before int) {
	for i, e := range r.Edits {
		if !e.At.Equal(r.Edits[0].At) || e.EditorName != r.Edits[0].EditorName {
			return r.Edits[:i], len(r.Edits) - i
		}
	}
	return r.Edits, 0
}

// editText says what an edit changed: "출근 09:12 → 09:00".
func editText(ctx context.Context, e attendance.Edit, zone *time.Location) string {
	before, after := e.OldText, e.NewText
	switch e.Field {
	case string(workday.FieldArrival), string(workday.FieldDeparture):
		before, after = editedTime(ctx, e, e.OldAt, zone), editedTime(ctx, e, e.NewAt, zone)
	case "leave":
		before, after = leaveWord(ctx, before), leaveWord(ctx, after)
	case "overtime":
		before, after = minutesText(ctx, before), minutesText(ctx, after)
	case "deleted":
		before, after = locales.T(ctx, "record.deleted."+before), locales.T(ctx, "record.deleted."+after)
	}
	return locales.T(ctx, "attendance.edit.change", "Field", locales.T(ctx, "record.field."+e.Field), "Old", before, "New", after)
}

func editedTime(ctx context.Context, e attendance.Edit, at *time.Time, zone *time.Location) string {
	if at == nil {
		return "–"
	}
	text := locales.Time(ctx, at.In(zone))
	if behind := workday.DateOf(at.In(zone)) - workday.DateOf(e.WorkDate); behind != 0 {
		text += " " + signed(int(behind))
	}
	return text
}

func monthText(d workday.Date) string { return d.Time().Format("2006-01") }

// The actions on records that were picked.
const (
	RecordsCorrect = "correct"
	RecordsDelete  = "delete"
	RecordsRestore = "restore"
)

// LeaveKept is the choice of a leave that changes nothing.
const LeaveKept = "keep"

// AttendanceEditForm is the form that edits several records at once: what was
// picked, and what was typed.
type AttendanceEditForm struct {
	Frame              Frame
	Action             string
	Rows               []attendance.Row
	Back               string // unprefixed address of the list
	Arrival, Departure string
	DepartureNext      bool
	Leave              string
	Reason             string
	Matches            *AttendanceMatches // nil: Rows were picked

	Refused  queries.FieldErrors
	Records  attendance.RecordErrors // refusals by record
	Conflict *attendance.RecordConflict
}

func (f AttendanceEditForm) title(ctx context.Context) string {
	if f.count() == 0 {
		return locales.T(ctx, "attendance.log")
	}
	return locales.N(ctx, "attendance.edit."+f.Action, f.count())
}

// count is how many records the form is about.
func (f AttendanceEditForm) count() int {
	if f.Matches != nil {
		return f.Matches.Count
	}
	return len(f.Rows)
}

func (f AttendanceEditForm) leaves(ctx context.Context) []Option {
	options := []Option{{LeaveKept, locales.T(ctx, "attendance.edit.leave.keep")}}
	for _, leave := range []workday.DayType{"", workday.Leave, workday.HalfLeaveAM, workday.HalfLeavePM} {
		options = append(options, Option{string(leave), leaveWord(ctx, string(leave))})
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
func (f AttendanceEditForm) refusals(ctx context.Context, key attendance.RecordKey) []string {
	var said []string
	for _, field := range []string{"record", "arrival", "departure", "leave"} {
		if text := refusal(ctx, f.Records[key], field); text != "" {
			said = append(said, text)
		}
	}
	return said
}

// conflicted names whose record somebody else edited first.
func (f AttendanceEditForm) conflicted(ctx context.Context) string {
	for _, r := range f.Rows {
		if r.Key() == f.Conflict.Key {
			return locales.T(ctx, "attendance.edit.conflict", "Name", r.Name, "Editor", f.Conflict.ByName,
				"Time", locales.ShortDateTime(ctx, f.Conflict.At.In(f.Frame.Zone()), f.Frame.Now))
		}
	}
	return locales.T(ctx, "record.changed")
}

func editTexts(ctx context.Context, edits []attendance.Edit, zone *time.Location) string {
	texts := make([]string, len(edits))
	for i, e := range slices.Backward(edits) {
		texts[len(edits)-1-i] = editText(ctx, e, zone)
	}
	return joined(texts...)
}
