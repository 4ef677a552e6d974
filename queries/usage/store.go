// Package usage holds what the messenger reports about the use of its clients:
// the log of saved files, and the clients that people have installed.
package usage

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db        *queries.DB
	directory *directory.Store
	policies  *policy.Store
	counted   *cache.Cache[int64, *countedClients] // by company id
	effects   *cache.Cache[effectKey, countedEffect]

	countedAccess *cache.Cache[accessCountKey, AccessCounts]
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, people *directory.Store, policies *policy.Store) *Store {
	return &Store{New(db.Statements()), db, people, policies, newClientCache(db.Now), newEffectCache(db.Now), newAccessCache(db.Now)}
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, New(tx)) })
}
