package notice

import (
	"context"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries"
)

// Loader creates notices inside a transaction of another area, for filling a new
// company. It checks every notice, dates it to a time and records it in the change log,
// but publishes nothing.
type Loader struct {
	q      *Queries
	shared *queries.Queries
	at     time.Time
}

// NewLoader returns a Loader whose notices are created at a time.
func NewLoader(tx queries.Tx, at time.Time) *Loader { return &Loader{New(tx), queries.New(tx), at} }

// Create is Store.Create.
func (l *Loader) Create(ctx context.Context, by queries.Actor, d Draft) (Notice, error) {
	created, d, err := l.q.create(ctx, by, d, l.at)
	if err != nil {
		return created, err
	}
	return created, l.q.recordCreation(ctx, l.shared, by, l.at, created, d)
}

// Upload is Store.Upload.
func (l *Loader) Upload(ctx context.Context, by queries.Actor, files blobs.Store, u Upload) (Attachment, error) {
	file, err := storeFile(ctx, by.CompanyID, files, u)
	if err != nil {
		return Attachment{}, err
	}
	return l.q.insertFile(ctx, by, u, file, l.at)
}
