// Package link holds what the messenger offers to click on: common links and convenience services.
package link

import (
	"context"
	"time"

	"officeconsole/queries"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db      database
	loading bool // whether changes are not published
}

// database runs the transactions of the changes and gives their time.
type database interface {
	InTx(ctx context.Context, do func(ctx context.Context, tx queries.Tx) error) error
	Now() time.Time
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB) *Store {
	return &Store{Queries: New(db.Statements()), db: db}
}

// change runs do alone among the changes of a company's links and services, and
// tells the messenger. do returns what to write to the change log.
func (s *Store) change(ctx context.Context, by queries.Actor, do func(ctx context.Context, q *Queries) (queries.Change, error)) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, shared, now := New(tx), queries.New(tx), s.db.Now()
		if err := q.lockLinks(ctx, by.CompanyID); err != nil {
			return err
		}
		change, err := do(ctx, q)
		if err != nil || change.Action == "" {
			return err
		}
		if err := shared.RecordChange(ctx, by, now, change); err != nil || s.loading {
			return err
		}
		return shared.Publish(ctx, by.CompanyID, now, "link.changed", struct{}{})
	})
}
