// Package directory holds companies, departments, people, ranks and roles, their search and import.
package directory

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/cache"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db    *queries.DB
	grams *cache.Cache[struct{}, frequentGrams]
	hold  PeopleHold

	searchStretch, searchMatches int // see SearchUserIDs; smaller in tests
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB) *Store {
	hold := func(ctx context.Context, _ queries.Tx, _ *PeopleChange, change func(context.Context) error) error {
		return change(ctx)
	}
	return &Store{Queries: New(db.Statements()), db: db, hold: hold, grams: newGramCache(db.Now), searchStretch: searchStretch, searchMatches: searchMatches}
}

// HoldPeople makes hold run the changes of people, before the store is used.
func (s *Store) HoldPeople(hold PeopleHold) { s.hold = hold }
