// Package identity holds passwords, sessions, tokens and the limits of signing in.
package identity

import (
	"context"
	"net/http"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/policy"
	"officeconsole/saml"
	"officeconsole/sender"
	"officeconsole/traffic"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	directory *directory.Store
	export    *export.Store
	policy    *policy.Store

	lines       *traffic.Queue // of attempts to sign in, by network
	network     sender.Network
	outside     *http.Client  // reaches the providers of single sign-on
	wait        time.Duration // for all requests to a provider for one page
	discoveries *cache.Cache[string, *discovery]
	metadata    *cache.Cache[string, saml.Provider]
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store, exportStore *export.Store, policyStore *policy.Store) *Store {
	s := &Store{Queries: New(db.Statements()), db: db, directory: directoryStore, export: exportStore, policy: policyStore, lines: traffic.NewQueue(waitingTries), wait: providerTime}
	s.discoveries = cache.New[string](cache.Options[*discovery]{Name: "providers", Size: 100, Now: db.Now, TTL: discoveryAge})
	s.metadata = cache.New[string](cache.Options[saml.Provider]{Name: "saml_metadata", Size: 100, Now: db.Now, TTL: discoveryAge})
	s.Allow(sender.Network{})
	return s
}

// inTx runs do in one transaction. It is private because a transaction is a rule.
func (s *Store) inTx(ctx context.Context, do func(context.Context, *transaction) error) error {
	now := s.db.Now()
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, &transaction{New(tx), tx, now}) })
}
