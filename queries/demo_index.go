package queries

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// withoutIndexes lets do fill the partitioned tables of attendance without the
// indexes beside their keys, and makes these afterwards: sorting once is faster
// than finding the place of every row.
func (f *filling) withoutIndexes(ctx context.Context, drop bool, do func() error) error {
	if !drop {
		return do()
	}
	rows, err := f.tx.Query(ctx, `select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
		where indrelid in ('clock_events'::regclass, 'day_records'::regclass) and not indisprimary order by 1`)
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
