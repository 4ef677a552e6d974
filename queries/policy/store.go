// Package policy holds policies, their versions and targets, to whom they
// apply, and previews of changes.
package policy

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	directory *directory.Store

	lists     listCache
	timelines timelineCache
	trees     treeCache

	statusSteps *cache.Cache[statusStepKey, statusStep]
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, directory: directoryStore,
		lists: newListCache(db.Now), timelines: newTimelineCache(db.Now), trees: newTreeCache(db.Now), statusSteps: newStatusCache(db.Now),
	}
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, New(tx)) })
}

// inTx runs do in one transaction and returns its result.
func inTx[T any](ctx context.Context, s *Store, do func(context.Context, *Queries) (T, error)) (result T, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		result, err = do(ctx, q)
		return err
	})
	return result, err
}
