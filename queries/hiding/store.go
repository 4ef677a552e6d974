// Package hiding holds who is absent from the console: hidden users, and deactivated
// ones, who have left; by whom, when, why and until which day.
package hiding

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/replica"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db       *queries.DB
	policies *policy.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, policies *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, policies: policies}
}

// inTx runs do alone among the hidings of a company. What do changes is at once
// invisible to the caches of the directory, and is held against the checks of policies.
func (s *Store) inTx(ctx context.Context, by queries.Actor, do func(context.Context, *transaction) error) error {
	// Nobody may find somebody hidden in what they read next.
	ctx = replica.WithUser(ctx, replica.User{CompanyID: by.CompanyID})
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		t, err := join(ctx, tx, by, s.db.Now())
		if err != nil {
			return err
		}
		t.policies = s.policies
		return do(ctx, t)
	})
}

// join begins what inTx runs in a transaction that may be another rule's, which then
// holds the change against the checks of policies itself.
func join(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time) (*transaction, error) {
	t := &transaction{Queries: New(tx), tx: tx, shared: queries.New(tx), by: by, now: now}
	return t, t.lockDirectory(ctx, by.CompanyID)
}

// hold runs a change that hides or shows users, and returns the checks of policies that
// it breaks.
func (t *transaction) hold(ctx context.Context, userIDs []int64, change func(context.Context) error) ([]policy.BrokenCheck, error) {
	if t.policies == nil {
		return nil, change(ctx)
	}
	c := directory.PeopleChange{By: t.by, UserIDs: userIDs, IsAutomatic: t.isAutomatic}
	return t.policies.HoldPeople(ctx, t.tx, &c, change)
}
