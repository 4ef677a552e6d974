// Package webhook holds the outgoing webhook of a company: where its messages are
// sent, the queue of those on their way, and the log of what became of them.
package webhook

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/sender"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db      *queries.DB
	network sender.Network
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB) *Store {
	return &Store{Queries: New(db.Statements()), db: db}
}

// Allow sets which addresses URLs may have, besides public ones. It is called
// before the store is used.
func (s *Store) Allow(network sender.Network) { s.network = network }

// change runs do with the webhook of a company locked. do returns what to write
// to the change log.
func (s *Store) change(ctx context.Context, by queries.Actor, do func(ctx context.Context, q *Queries, e Endpoint, now time.Time) (queries.Change, error)) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		e, err := q.lockEndpoint(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		change, err := do(ctx, q, e, now)
		if err != nil || change.Action == "" {
			return err
		}
		return recordChange(ctx, tx, by, now, change)
	})
}

// recordChange writes a change of the webhook to the change log. A company has
// one webhook, so that its id there is the company's.
func recordChange(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time, change queries.Change) error {
	change.ObjectType, change.ObjectID = "webhook", by.CompanyID
	return queries.New(tx).RecordChange(ctx, by, now, change)
}
