package queries

import (
	"context"

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
