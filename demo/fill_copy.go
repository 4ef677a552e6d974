package demo

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
)

// copy inserts rows by COPY as they are produced. COPY keeps the ids that are
// given for identity columns.
func (f *filler) copy(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
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

// demoTable is a table with few rows, which are held in memory.
type demoTable struct {
	name    string
	columns []string
	rows    [][]any
}

func (f *filler) copyTables(ctx context.Context, tables []demoTable) error {
	for _, t := range tables {
		if _, err := f.tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}
