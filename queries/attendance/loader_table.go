package attendance

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"

	"github.com/jackc/pgx/v5"
)

// loadedDevice is a row of clock_devices.
type loadedDevice struct {
	companyID, userID int64
	deviceID          string
	firstAt           time.Time
}

// loadedEdit is an edit. The id of its correction is set later.
type loadedEdit struct {
	Edit
	grants *Correction // the request that the edit grants; nil for none
}

// loadedChange is a row of the change log.
type loadedChange struct {
	at time.Time
	by queries.Actor
	queries.Change
}

// tableRows are the rows of a table for COPY.
type tableRows struct {
	name    string
	columns []string
	rows    pgx.CopyFromSource
}

func rowsOf[R any](name string, columns []string, rows []R, values func(*R) []any) tableRows {
	return tableRows{name, columns, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) { return values(&rows[i]), nil })}
}

func copyTables(ctx context.Context, tx queries.Tx, tables ...tableRows) error {
	for _, t := range tables {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, t.rows); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

func deviceTable(rows []loadedDevice) tableRows {
	return rowsOf("clock_devices", []string{"company_id", "user_id", "device_id", "first_at"}, rows, func(r *loadedDevice) []any {
		return []any{r.companyID, r.userID, r.deviceID, r.firstAt}
	})
}

func grantTable(rows []Grant) tableRows {
	return rowsOf("attendance_grants", []string{"company_id", "user_id", "work_date", "leave", "overtime_min"}, rows, func(r *Grant) []any {
		return []any{r.CompanyID, r.UserID, r.WorkDate, r.Leave, r.OvertimeMin}
	})
}

func viewTable(rows []RecordView) tableRows {
	return rowsOf("attendance_views", []string{"company_id", "user_id", "work_date", "viewer_id", "viewer_name", "at"}, rows, func(r *RecordView) []any {
		return []any{r.CompanyID, r.UserID, r.WorkDate, r.ViewerID, r.ViewerName, r.At}
	})
}

func correctionTable(rows []*Correction) tableRows {
	columns := []string{"id", "company_id", "user_id", "work_date", "extra", "department_id", "arrival_at", "departure_at", "reason", "status",
		"created_at", "decided_at", "decided_by", "decider_name", "answer"}
	return rowsOf("attendance_corrections", columns, rows, func(row **Correction) []any {
		r := *row
		return []any{r.ID, r.CompanyID, r.UserID, r.WorkDate, r.Extra, r.DepartmentID, r.ArrivalAt, r.DepartureAt, r.Reason, r.Status,
			r.CreatedAt, r.DecidedAt, r.DecidedBy, r.DeciderName, r.Answer}
	})
}

func editTable(rows []loadedEdit) tableRows {
	columns := []string{"company_id", "user_id", "work_date", "extra", "at", "editor_id", "editor_name",
		"field", "old_at", "new_at", "old_text", "new_text", "reason", "correction_id"}
	return rowsOf("attendance_edits", columns, rows, func(r *loadedEdit) []any {
		var correctionID *int64
		if r.grants != nil {
			correctionID = &r.grants.ID
		}
		return []any{r.CompanyID, r.UserID, r.WorkDate, r.Extra, r.At, r.EditorID, r.EditorName,
			r.Field, r.OldAt, r.NewAt, r.OldText, r.NewText, r.Reason, correctionID}
	})
}

func (l *Loader) changeTable() (tableRows, error) {
	rows := make([][]any, len(l.changes))
	for i, c := range l.changes {
		before, after, err := c.JSON()
		if err != nil {
			return tableRows{}, err
		}
		rows[i] = []any{l.CompanyID, c.at, queries.OrNil(c.by.UserID), c.by.Name, c.Action, c.ObjectType, c.ObjectID, c.ObjectName, before, after}
	}
	columns := []string{"company_id", "at", "actor_user_id", "actor_name", "action", "object_type", "object_id", "object_name", "old", "new"}
	return tableRows{"changes", columns, pgx.CopyFromRows(rows)}, nil
}
