package link

import (
	"context"
	"time"

	"officeconsole/queries"
)

// NewLoader returns a Store that works inside a transaction of another area, for
// filling a new company. It checks every change, dates it to at and records it in the
// change log, but publishes nothing.
func NewLoader(tx queries.Tx, at time.Time) *Store {
	return &Store{Queries: New(tx), db: insideTx{tx, at}, loading: true}
}

// insideTx is a database whose transaction has begun and with a fixed time.
type insideTx struct {
	tx queries.Tx
	at time.Time
}

// InTx runs do in the transaction, which the other area ends.
func (d insideTx) InTx(ctx context.Context, do func(ctx context.Context, tx queries.Tx) error) error {
	return do(ctx, d.tx)
}

// Now returns the time of every change.
func (d insideTx) Now() time.Time { return d.at }
