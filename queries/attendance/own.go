package attendance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ownTables are the tables with rows about a user's attendance, and their order.
var ownTables = []struct{ name, order string }{
	{"day_records", "work_date, extra"},
	{"clock_events", "at, event_id"},
	{"late_clock_events", "at, event_id"},
	{"clock_devices", "first_at, device_id"},
	{"attendance_activities", "work_date"},
	{"attendance_import_people", "import_id"},
	{"attendance_edits", "id"},
	{"attendance_corrections", "id"},
	{"attendance_reviews", "id"},
	{"attendance_views", "work_date, at"},
	{"clock_refusals", "work_date, kind, code"},
	{"location_consents", "at, given desc"},
}

// OwnData returns all rows that are stored about the attendance of a user, by their
// table, with every column: a column that is added is not forgotten.
func (s *Store) OwnData(ctx context.Context, companyID, userID int64) (map[string][]json.RawMessage, error) {
	all := make(map[string][]json.RawMessage, len(ownTables))
	for _, table := range ownTables {
		rows, err := s.db.Pool().Query(ctx, "select to_jsonb(t) - 'company_id' - 'user_id' from "+table.name+" t where company_id = $1 and user_id = $2 order by "+table.order, companyID, userID)
		if err != nil {
			return nil, err
		}
		if all[table.name], err = pgx.CollectRows(rows, pgx.RowTo[json.RawMessage]); err != nil {
			return nil, fmt.Errorf("%s of user %d: %w", table.name, userID, err)
		}
	}
	return all, nil
}
