// Package usage holds what the messenger reports about the use of its clients:
// the log of saved files, and the clients that people have installed.
package usage

import (
	"context"
	"sync/atomic"

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
	permitted *cache.Cache[rulesKey, permittedClients]
	effects   *cache.Cache[rulesKey, countedEffect]

	countedAccess *cache.Cache[accessCountKey, AccessCounts]
	sums          *cache.Cache[fileDaysKey, summedDays]
	searched      *cache.Cache[searchSumKey, FileSums]
	users         *cache.Cache[namedUserKey, namedUser]
	writes        atomic.Int64 // the number of transactions that this process has committed
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, people *directory.Store, policies *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, directory: people, policies: policies, counted: newClientCache(db.Now), permitted: newPermittedCache(db.Now), effects: newEffectCache(db.Now),
		countedAccess: newAccessCache(db.Now), sums: newSumCache(db.Now), searched: newSearchSumCache(db.Now), users: newUserCache(db.Now),
	}
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, New(tx)) })
	s.writes.Add(1) // also after an error, which may have come behind the commit
	return err
}
