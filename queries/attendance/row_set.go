package attendance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"

	"github.com/jackc/pgx/v5"
)

// The statements in this file take their rows as one array for each column,
// with null elements, which sqlc cannot generate.

// rowSet holds rows of a table, column by column.
type rowSet struct {
	names, types []string
	columns      []any
	cells        []func(row int) any // by column
}

// column adds a column, whose value in a row is the result of of.
func column[R, V any](b *rowSet, name, sqlType string, rows []R, of func(*R) V) {
	values := make([]V, len(rows))
	for i := range rows {
		values[i] = of(&rows[i])
	}
	b.names, b.types, b.columns = append(b.names, name), append(b.types, sqlType), append(b.columns, values)
	b.cells = append(b.cells, func(row int) any { return values[row] })
}

// insert returns the statement that inserts the rows. In the list of columns unnest
// returns row by row; behind from it would fill a store for each column first.
func (b *rowSet) insert(table string) string {
	var values []string
	for i, sqlType := range b.types {
		values = append(values, fmt.Sprintf("unnest($%d::%s[])", i+1, sqlType))
	}
	return fmt.Sprintf("insert into %s (%s) select %s", table, strings.Join(b.names, ", "), strings.Join(values, ", "))
}

// update returns the clause that replaces existing rows with the same key. key
// is the number of columns of the key, which come first.
func (b *rowSet) update(key int) string {
	var sets []string
	for _, name := range b.names[key:] {
		sets = append(sets, name+" = excluded."+name)
	}
	return fmt.Sprintf(" on conflict (%s) do update set %s", strings.Join(b.names[:key], ", "), strings.Join(sets, ", "))
}

// boundsOf returns the earliest and the latest of some times, zero without any. A statement
// about rows that are in a list says between which times they are: otherwise PostgreSQL
// plans for the partition of every month there is.
func boundsOf(times []time.Time) (first, last time.Time) {
	if len(times) == 0 {
		return first, last
	}
	return slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
}

func recordColumns(rows []Record) *rowSet {
	b := &rowSet{}
	type R = Record
	column(b, "company_id", "bigint", rows, func(r *R) int64 { return r.CompanyID })
	column(b, "user_id", "bigint", rows, func(r *R) int64 { return r.UserID })
	column(b, "work_date", "date", rows, func(r *R) time.Time { return r.WorkDate })
	column(b, "extra", "boolean", rows, func(r *R) bool { return r.Extra })
	column(b, "name", "text", rows, func(r *R) string { return r.Name })
	column(b, "department_id", "bigint", rows, func(r *R) int64 { return r.DepartmentID })
	column(b, "policy_id", "bigint", rows, func(r *R) int64 { return r.PolicyID })
	column(b, "version_no", "integer", rows, func(r *R) int32 { return r.VersionNo })
	column(b, "day_type", "text", rows, func(r *R) string { return r.DayType })
	column(b, "holiday", "text", rows, func(r *R) string { return r.Holiday })
	column(b, "starts_at", "timestamptz", rows, func(r *R) *time.Time { return r.StartsAt })
	column(b, "ends_at", "timestamptz", rows, func(r *R) *time.Time { return r.EndsAt })
	column(b, "opens_at", "timestamptz", rows, func(r *R) time.Time { return r.OpensAt })
	column(b, "closes_at", "timestamptz", rows, func(r *R) time.Time { return r.ClosesAt })
	column(b, "settles_at", "timestamptz", rows, func(r *R) *time.Time { return r.SettlesAt })
	column(b, "presence", "text", rows, func(r *R) string { return r.Presence })
	column(b, "status", "text", rows, func(r *R) string { return r.Status })
	column(b, "flags", "integer", rows, func(r *R) int32 { return r.Flags })
	column(b, "arrival_at", "timestamptz", rows, func(r *R) *time.Time { return r.ArrivalAt })
	column(b, "departure_at", "timestamptz", rows, func(r *R) *time.Time { return r.DepartureAt })
	column(b, "worked_min", "integer", rows, func(r *R) *int32 { return r.WorkedMin })
	column(b, "break_min", "integer", rows, func(r *R) int32 { return r.BreakMin })
	column(b, "overtime_min", "integer", rows, func(r *R) int32 { return r.OvertimeMin })
	column(b, "night_min", "integer", rows, func(r *R) int32 { return r.NightMin })
	column(b, "late_min", "integer", rows, func(r *R) int32 { return r.LateMin })
	column(b, "early_min", "integer", rows, func(r *R) int32 { return r.EarlyMin })
	column(b, "required_min", "integer", rows, func(r *R) int32 { return r.RequiredMin })
	column(b, "device", "text", rows, func(r *R) string { return r.Device })
	column(b, "place", "text", rows, func(r *R) string { return r.Place })
	column(b, "deleted_at", "timestamptz", rows, func(r *R) *time.Time { return r.DeletedAt })
	column(b, "holiday_min", "integer", rows, func(r *R) int32 { return r.HolidayMin })
	column(b, "holiday_over_min", "integer", rows, func(r *R) int32 { return r.HolidayOverMin })
	column(b, "balance_min", "integer", rows, func(r *R) *int32 { return r.BalanceMin })
	column(b, "uncounted", "integer", rows, func(r *R) int32 { return r.Uncounted })
	return b
}

// recordKey is the number of recordColumns that form the key.
const recordKey = 4

// putRecords inserts or replaces records.
func (q *Queries) putRecords(ctx context.Context, rows []Record) error {
	if len(rows) == 0 {
		return nil
	}
	b := recordColumns(rows)
	if _, err := q.db.Exec(ctx, b.insert("day_records")+b.update(recordKey), b.columns...); err != nil {
		return fmt.Errorf("write day records: %w", err)
	}
	return nil
}

func eventColumns(rows []ClockEvent) *rowSet {
	b := &rowSet{}
	type R = ClockEvent
	column(b, "company_id", "bigint", rows, func(r *R) int64 { return r.CompanyID })
	column(b, "user_id", "bigint", rows, func(r *R) int64 { return r.UserID })
	column(b, "at", "timestamptz", rows, func(r *R) time.Time { return r.At })
	column(b, "event_id", "text", rows, func(r *R) string { return r.EventID })
	column(b, "kind", "text", rows, func(r *R) string { return r.Kind })
	column(b, "occurred_at", "timestamptz", rows, func(r *R) time.Time { return r.OccurredAt })
	column(b, "sent_at", "timestamptz", rows, func(r *R) *time.Time { return r.SentAt })
	column(b, "received_at", "timestamptz", rows, func(r *R) time.Time { return r.ReceivedAt })
	column(b, "offline", "boolean", rows, func(r *R) bool { return r.Offline })
	column(b, "platform", "text", rows, func(r *R) string { return r.Platform })
	column(b, "device_id", "text", rows, func(r *R) string { return r.DeviceID })
	column(b, "ip", "inet", rows, func(r *R) any {
		if r.Ip == nil {
			return nil
		}
		return *r.Ip
	})
	column(b, "lat", "double precision", rows, func(r *R) *float64 { return r.Lat })
	column(b, "lng", "double precision", rows, func(r *R) *float64 { return r.Lng })
	column(b, "accuracy_m", "real", rows, func(r *R) *float32 { return r.AccuracyM })
	column(b, "place", "text", rows, func(r *R) string { return r.Place })
	column(b, "proof", "text", rows, func(r *R) string { return r.Proof })
	column(b, "mock", "boolean", rows, func(r *R) bool { return r.Mock })
	column(b, "outside", "boolean", rows, func(r *R) bool { return r.Outside })
	column(b, "device_new", "boolean", rows, func(r *R) bool { return r.DeviceNew })
	column(b, "reason", "text", rows, func(r *R) string { return r.Reason })
	column(b, "source", "text", rows, func(r *R) string { return r.Source })
	column(b, "import_id", "bigint", rows, func(r *R) *int64 { return r.ImportID })
	return b
}

// copyTo inserts the rows by COPY.
func (b *rowSet) copyTo(ctx context.Context, tx queries.Tx, table string, count int) error {
	row := make([]any, len(b.cells))
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, b.names, pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		for column, cell := range b.cells {
			row[column] = cell(i)
		}
		return row, nil
	}))
	if err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}
