// Package hiding holds who is absent from the console: hidden users, and deactivated
// ones, who have left; by whom, when, why and until which day.
package hiding

import (
	"context"
	"time"

	"officeconsole/queries"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB) *Store {
	return &Store{Queries: New(db.Statements()), db: db}
}

// inTx runs do alone among the hidings of a company. What do changes is at once
// invisible to the caches of the directory.
func (s *Store) inTx(ctx context.Context, by queries.Actor, do func(context.Context, *transaction) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		t, err := join(ctx, tx, by, s.db.Now())
		if err != nil {
			return err
		}
		return do(ctx, t)
	})
}

// join begins what inTx runs in a transaction that may be another rule's.
func join(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time) (*transaction, error) {
	t := &transaction{Queries: New(tx), tx: tx, shared: queries.New(tx), by: by, now: now}
	return t, t.lockDirectory(ctx, by.CompanyID)
}
