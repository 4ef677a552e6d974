package queries

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"officeconsole/workday"
)

// CutNames cuts the names of a company as an import of many people does, but
// into parts of any size.
func (db *DB) CutNames(ctx context.Context, companyID int64, size int) error {
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error { return q.cutNames(ctx, companyID, size) })
}

// CutNamesIn does it within a transaction.
func CutNamesIn(ctx context.Context, tx pgx.Tx, companyID int64, size int) error {
	return New(tx).cutNames(ctx, companyID, size)
}

// MigrateTo brings an empty database to an earlier schema.
func MigrateTo(ctx context.Context, url string, version int64) error {
	conn, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*conn)
	defer db.Close()
	provider, err := migrator(db)
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	return err
}

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
