// Package identity holds passwords, sessions, tokens and the limits of signing in.
package identity

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/policy"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	directory *directory.Store
	export    *export.Store
	policy    *policy.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store, exportStore *export.Store, policyStore *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, directory: directoryStore, export: exportStore, policy: policyStore}
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *transaction) error) error {
	now := s.db.Now()
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, &transaction{New(tx), tx, now}) })
}
