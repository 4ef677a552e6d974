// Package hiding holds hidden users: who hid whom, when, why and until which day.
package hiding

import (
	"context"

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
		t := &transaction{Queries: New(tx), tx: tx, shared: queries.New(tx), by: by, now: s.db.Now()}
		if err := t.lockDirectory(ctx, by.CompanyID); err != nil {
			return err
		}
		return do(ctx, t)
	})
}
