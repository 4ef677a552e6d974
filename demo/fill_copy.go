package demo

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
)

// copy sends rows by COPY while they are made. Identity columns take the ids
// given, as COPY does.
func (f *filling) copy(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	next, stop := iter.Pull(rows)
	defer stop()
	count, err := f.tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, _ := next()
		return row, nil
	}))
	if err != nil {
		return count, fmt.Errorf("%s: %w", table, err)
	}
	return count, nil
}

// demoTable is rows that are few enough to be held.
type demoTable struct {
	name    string
	columns []string
	rows    [][]any
}

func (f *filling) copyTables(ctx context.Context, tables []demoTable) error {
	for _, t := range tables {
		if _, err := f.tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}
