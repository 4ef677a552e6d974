package attendance

import (
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// ManagementPath is the page on which administrators manage the records.
const ManagementPath = "/logs/workingattitude/management"

// ManagementList is the log of several days with the edits of every record.
type ManagementList struct {
	Choice
	Frame    views.Frame
	Page     lists.Page[attendance.Row]
	Months   LockedMonths
	Picked   []string // the keys of the records whose boxes are ticked
	PicksAll bool     // whether all that match are chosen
}

// isPicked reports whether the box of a record is ticked.
func (l ManagementList) isPicked(r attendance.Row) bool {
	return slices.Contains(l.Picked, r.Key().String())
}

// bulkText says how many records are ticked, or what the bar is for.
func (l ManagementList) bulkText(ctx context.Context) string {
	count := 0
	for _, r := range l.Page.Rows {
		if l.isPicked(r) {
			count++
		}
	}
	if count == 0 {
		return locales.T(ctx, "attendance.bulk")
	}
	return views.PickedText(ctx, "attendance.bulk.picked", count, 0)
}

// isFiltered reports whether a filter may have excluded records.
func (l ManagementList) isFiltered() bool { return l.Choice.isFiltered() || l.Deleted || l.Uncounted }

// countAddress is the address that counts the records of the list.
func (l ManagementList) countAddress() string {
	return ManagementPath + "/records/count" + strings.TrimPrefix(l.url("", ""), ManagementPath)
}

// period is the address of the same list with other first and last days; "" where
// there is none.
func (l ManagementList) period(from, to workday.Date) string {
	if !hasList(from) || !hasList(to) {
		return ""
	}
	l.First, l.Last = from, to
	return l.url("", "")
}

// days is the number of days of the list.
func (l ManagementList) days() workday.Date { return l.Last - l.First + 1 }

// plain is the address of the same days without other filters.
func (l ManagementList) plain() string {
	return ManagementList{Choice: Choice{Filter: attendance.Filter{Unit: l.Unit, First: l.First, Last: l.Last}}}.url("", "")
}

func (l ManagementList) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "attendance.total", l.pageURL).Exported()
}

// states are the choices between the records that exist and the deleted
// ones.
func (l ManagementList) states(ctx context.Context) []views.Option {
	return []views.Option{{Value: "", Text: locales.T(ctx, "attendance.log.kept")}, {Value: "1", Text: locales.T(ctx, "attendance.log.deleted")}}
}

func (l ManagementList) deletedValue() string {
	if l.Deleted {
		return "1"
	}
	return ""
}

// managementColumns are the columns of the log.
var managementColumns = []column{
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
	{key: "editor", title: "attendance.column.editor", high: true},
	{key: "details", title: "attendance.column.details"},
	{key: "edited", title: "attendance.column.edited", low: true},
}

// latestEdit returns the edits of a record that were made together last, and
// the number of the earlier ones.
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

// editedTime is a time of an edit, with the number of days after the work
// date.
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

// editTexts joins the texts of edits, the first edit first.
func editTexts(ctx context.Context, edits []attendance.Edit, zone *time.Location) string {
	texts := make([]string, len(edits))
	for i, e := range slices.Backward(edits) {
		texts[len(edits)-1-i] = editText(ctx, e, zone)
	}
	return joined(texts...)
}
