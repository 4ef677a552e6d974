// Package notice holds notices, their targets and files, and who has read them.
package notice

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/policy"
)

// DownloadTime is how long the files of a notice can be downloaded after its
// publication (spec §5, domain §9.10).
const DownloadTime = 14 * 24 * time.Hour

// Status is what has become of a notice. It follows from the clock alone.
type Status string

// Statuses of a notice that is not deleted.
const (
	Reserved  Status = "reserved"  // not published yet
	Published Status = "published" // its files can be downloaded
	Expired   Status = "expired"   // published, and its files can no longer be downloaded
)

// StatusAt returns the status of a notice at a time.
func (n Notice) StatusAt(now time.Time) Status {
	switch {
	case n.PublishAt.After(now):
		return Reserved
	case n.DownloadableUntil().After(now):
		return Published
	}
	return Expired
}

// DownloadableUntil returns the time from which the files cannot be downloaded.
func (n Notice) DownloadableUntil() time.Time { return n.PublishAt.Add(DownloadTime) }

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db       *queries.DB
	policies *policy.Store
	former   *cache.Cache[formerReadersKey, int]
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, policyStore *policy.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, policies: policyStore, former: newFormerReaders(db.Now)}
}

// inTx runs do in one transaction.
func (s *Store) inTx(ctx context.Context, do func(ctx context.Context, q *Queries, shared *queries.Queries) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return do(ctx, New(tx), queries.New(tx)) })
}
