package queries

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/demo"
)

// demoFacts are what few days have, as rows of the tables around the records.
type demoFacts struct {
	devices, grants, views [][]any
	edits, corrections     []*dated
}

// dated is a row whose id follows the time. It begins with the id of a
// correction: its own, or that of the one it grants.
type dated struct {
	at     time.Time
	row    []any
	grants *dated
}

func (d *demoFacts) keep(m *demoAttendance, id int64, p *demo.Person, all *demo.Attendance) {
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
	for _, v := range all.Views {
		d.views = append(d.views, []any{m.companyID, id, v.Date.Time(), m.users + int64(v.By), m.Named(v.By), v.At})
	}
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
