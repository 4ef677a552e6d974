package demo

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// demoFacts are what few days have, as rows of the tables around the records.
type demoFacts struct {
	devices, grants, views [][]any
	edits, corrections     []*dated
	changes                []*dated // what the change log has of the edits
}

// dated is a row whose id follows the time. It begins with the id of a
// correction: its own, or that of the one it grants.
type dated struct {
	at     time.Time
	row    []any
	grants *dated
}

func (d *demoFacts) keep(m *demoAttendance, id int64, p *Person, all *Attendance) {
	for _, day := range all.Days {
		if day.Leave != "" || day.ApprovedMin > 0 {
			d.grants = append(d.grants, []any{m.companyID, id, day.Date.Time(), string(day.Leave), int32(day.ApprovedMin)})
		}
	}
	before := len(d.corrections)
	for _, c := range all.Corrections {
		name := ""
		if c.By != 0 {
			name = m.Named(c.By)
		}
		d.corrections = append(d.corrections, &dated{at: c.Created, row: []any{nil, m.companyID, id, c.Date.Time(), m.departments[p.Department-1],
			c.Arrival, c.Departure, c.Reason, c.Status, c.Created, c.Decided, after(m.users, c.By), name, c.Answer}})
	}
	for _, e := range all.Edits {
		edit := &dated{at: e.At, row: []any{nil, m.companyID, id, e.Date.Time(), e.Extra, e.At, m.users + int64(e.By), m.Named(e.By),
			e.Field, e.Old, e.New, e.From, e.To, e.Reason}}
		if e.Correction >= 0 {
			edit.grants = d.corrections[before+e.Correction]
		}
		d.edits = append(d.edits, edit)
	}
	d.noteEdits(m, id, p.Name, all.Edits)
	for _, v := range all.Views {
		d.views = append(d.views, []any{m.companyID, id, v.Date.Time(), m.users + int64(v.By), m.Named(v.By), v.At})
	}
}

// noteEdits puts a person's edits into the change log, those that were made
// together as one.
func (d *demoFacts) noteEdits(m *demoAttendance, id int64, name string, edits []Edit) {
	for len(edits) > 0 {
		first, n := edits[0], 1
		for n < len(edits) && edits[n].At.Equal(first.At) && edits[n].Date == first.Date && edits[n].Extra == first.Extra {
			n++
		}
		c := attendance.RecordChanges{Key: attendance.RecordKey{UserID: id, Date: first.Date, Extra: first.Extra}, Name: name, Reason: first.Reason}
		for _, e := range edits[:n] {
			c.Fields = append(c.Fields, attendance.FieldChange{Field: e.Field, OldAt: e.Old, NewAt: e.New, OldText: e.From, NewText: e.To})
			if e.Field == "deleted" {
				deleted := e.To == "true"
				c.Hide = &deleted
			}
		}
		d.changes, edits = append(d.changes, m.changed(first.At, first.By, c.Note())), edits[n:]
	}
}

// changed is a row of the change log.
func (m *demoAttendance) changed(at time.Time, by int, c queries.Change) *dated {
	before, after := jsonText(c.Old), jsonText(c.New)
	return &dated{at: at, row: []any{m.companyID, at, m.users + int64(by), m.Named(by), c.Action, c.ObjectType, c.ObjectID, c.ObjectName, before, after}}
}

// jsonText is what a change was, of texts and times.
func jsonText(value any) any {
	text, err := queries.JSONOrNil(value)
	if err != nil {
		panic(err) // there is nothing else in it
	}
	if text == nil {
		return nil
	}
	return text
}

// lockMonths locks the months that came before the last one, each when the next
// one ended.
func (m *demoAttendance) lockMonths() (locks [][]any, changes []*dated) {
	const by = 1 // the administrator
	first, _ := m.Period()
	present := attendance.MonthOf(workday.DateOf(m.now.In(m.schedule.zone)))
	for month := attendance.MonthOf(first); attendance.LastOf(attendance.LastOf(month)+1)+1 <= present; month = attendance.LastOf(month) + 1 {
		at := attendance.LastOf(attendance.LastOf(month)+1).At(17*60, m.schedule.zone)
		locks = append(locks, []any{m.companyID, month.Time(), at, m.users + by})
		changes = append(changes, m.changed(at, by, attendance.LockChange("attendance.locked", month, "")))
	}
	return locks, changes
}

// The columns of the tables around the records.
var (
	deviceColumns = []string{"company_id", "user_id", "device_id", "first_at"}
	grantColumns  = []string{"company_id", "user_id", "work_date", "leave", "overtime_min"}
	viewColumns   = []string{"company_id", "user_id", "work_date", "viewer_id", "viewer_name", "at"}
	editColumns   = []string{"correction_id", "company_id", "user_id", "work_date", "extra", "at", "editor_id", "editor_name",
		"field", "old_at", "new_at", "old_text", "new_text", "reason"}
	correctionColumns = []string{"id", "company_id", "user_id", "work_date", "department_id", "arrival_at", "departure_at", "reason", "status",
		"created_at", "decided_at", "decided_by", "decider_name", "answer"}
	changeColumns = []string{"company_id", "at", "actor_user_id", "actor_name", "action", "object_type", "object_id", "object_name", "old", "new"}
	lockColumns   = []string{"company_id", "month", "locked_at", "locked_by"}
)

func (d *demoFacts) insert(ctx context.Context, f *filling) error {
	return f.copyTables(ctx, []demoTable{
		{"clock_devices", deviceColumns, d.devices}, {"attendance_grants", grantColumns, d.grants}, {"attendance_views", viewColumns, d.views},
	})
}

func inTime(all []*dated) [][]any {
	slices.SortStableFunc(all, func(a, b *dated) int { return cmp.Compare(a.at.UnixMicro(), b.at.UnixMicro()) })
	rows := make([][]any, len(all))
	for i, d := range all {
		rows[i] = d.row
	}
	return rows
}
