// Package attendance holds clock events, the records derived from them, months, edits, corrections, locks, viewers and imports.
package attendance

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
	db *queries.DB

	directory *directory.Store
	policy    *policy.Store

	clockQueue clockQueue
	policies   policyCache
	weeks      *weekCache
	periods    *cache.Cache[string, *countedPeriod]
	dateCounts *cache.Cache[countsKey, dateCounts]
	steps      *cache.Cache[directoryStepKey, directoryStep]
	pending    *cache.Cache[pendingKey, pendingCount]
	users      *cache.Cache[listedUserKey, listedUser]
	searches   *cache.Cache[foundUsersKey, foundUsers]

	mostRecomputed, recomputedAtOnce int // see the constants; tests have others

	writes atomic.Int64 // the number of transactions that this process has committed
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store, policyStore *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, directory: directoryStore, policy: policyStore, clockQueue: clockQueue{waiting: map[clockLane][]*clockCall{}},
		mostRecomputed: mostRecomputed, recomputedAtOnce: recomputedAtOnce,
		policies: newPolicyCache(db.Now), weeks: newWeekCache(db.Now), periods: newPeriodCache(db.Now), dateCounts: newDateCounts(db.Now), steps: newDirectorySteps(db.Now), pending: newPendingCounts(db.Now), users: newListedUsers(db.Now), searches: newFoundUsers(db.Now),
	}
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, New(tx)) })
	s.writes.Add(1) // also after an error, which may have come behind the commit
	return err
}

// inTx runs do in one transaction and returns its result.
func inTx[T any](ctx context.Context, s *Store, do func(context.Context, *Queries) (T, error)) (result T, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		result, err = do(ctx, q)
		return err
	})
	return result, err
}
