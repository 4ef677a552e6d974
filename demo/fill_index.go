package demo

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/queries"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// withoutIndexes runs do without the indexes of the partitioned tables of
// attendance, saved files and access, except for their keys, and creates the indexes afterwards:
// sorting once is faster than inserting every row.
func (f *filler) withoutIndexes(ctx context.Context, drop bool, do func() error) error {
	if !drop {
		return do()
	}
	rows, err := f.tx.Query(ctx, `select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
		where indrelid in ('clock_events'::regclass, 'day_records'::regclass, 'saved_files'::regclass, 'access_events'::regclass) and not indisprimary order by 1`)
	if err != nil {
		return err
	}
	type index struct{ Name, Definition string }
	indexes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := f.tx.Exec(ctx, "drop index "+i.Name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := f.tx.Exec(ctx, strings.Replace(i.Definition, " ON ONLY ", " ON ", 1)); err != nil {
			return err
		}
	}
	return nil
}

// fewRecords is the number of records below which a small sample is enough for
// statistics. One of the usual size would take longer than everything else.
const fewRecords = 1_000_000

// analyzeAttendance is VacuumAnalyze for the tables of attendance and of the logs.
func analyzeAttendance(ctx context.Context, db *queries.DB, records int) error {
	target := 100
	if records < fewRecords {
		target = 20
	}
	err := db.Direct().AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		for _, statement := range []string{
			fmt.Sprint("set default_statistics_target = ", target),
			`vacuum (analyze) clock_events, clock_devices, day_records, attendance_months, attendance_openings, attendance_grants, attendance_edits, attendance_corrections, attendance_views, attendance_locks, changes, saved_files, saved_file_receivers, saved_file_days, access_events, access_origins, reads`,
			"reset default_statistics_target",
		} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("analyze attendance: %w", err)
	}
	return nil
}
