package queries

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/workday"
)

// SetSearchStretch makes searches look at so many names first.
func (db *DB) SetSearchStretch(names int) { db.searchStretch = names }

// ForgetWeeks forgets who was counted in weeks.
func (db *DB) ForgetWeeks() {
	db.weeks.counted.entries.Purge()
}

// AwaitWeek waits until nobody counts a week any more.
func (db *DB) AwaitWeek(companyID int64, first workday.Date) {
	<-db.weeks.counted.fills.DoChan(flightKey(weekKey{companyID, first}), func() (any, error) { return (*countedWeek)(nil), nil })
}

// InTx runs do with the context of a transaction.
func (db *DB) InTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	return db.inTx(ctx, do)
}

// Trace makes a tracer see every statement from now on.
func (db *DB) Trace(ctx context.Context, tracer pgx.QueryTracer) error {
	config := db.pool.Config()
	config.ConnConfig.Tracer = tracer
	traced, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	db.pool.Close()
	db.pool = pool{traced}
	db.Queries = New(db.pool)
	return nil
}
