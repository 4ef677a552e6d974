// Package queries is what every area of the data shares: the database with its
// transactions and partitions, refusals, the change log and the outbox. The
// packages lists, cache and migrations below it are shared too.
//
// The areas are the other packages below. Each holds its statements (*.sql), what
// sqlc generates from them, and the rules around them. A statement that only a
// rule may run has a lower-case name, so that other packages cannot call it.
package queries

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/queries/cache"
	"officeconsole/queries/migrations"
	"officeconsole/queries/replica"
	"officeconsole/seal"
)

// DB is the console's database. It is safe for concurrent use.
type DB struct {
	*Queries
	pool pool
	now  func() time.Time
	keys *seal.Keys // of the secrets; see UseKeys

	replicas *replica.Set // nil for none; see UseReplicas

	streams    streams
	versions   cache.Versions
	listenOnce sync.Once
	life       context.Context // of what Listen began
	end        context.CancelFunc
}

// Open connects to a migrated database. now is the clock of all rules. If the address
// leads through a pooler that lends a connection for one transaction, such as PgBouncer,
// direct is that of the database itself, else "": requests use the pooler, and what needs
// a session (notifications, statements with time-outs of their own) does not.
func Open(ctx context.Context, url, direct string, now func() time.Time) (*DB, error) {
	pool, err := openPool(ctx, url, direct)
	if err != nil {
		return nil, err
	}
	db := &DB{Queries: New(pool), pool: pool, now: now}
	db.life, db.end = context.WithCancel(context.Background())
	if err := errors.Join(pool.Ping(ctx), pool.direct.Ping(ctx)); err != nil {
		db.Close()
		return nil, fmt.Errorf("reach database: %w", err)
	}
	return db, nil
}

// A page uses a connection for well under a millisecond. Sixteen connections
// serve about twice as many requests as two; more do not help.
const minConnections = 16

// Close waits for running statements and closes all connections.
func (db *DB) Close() {
	db.EndStreams()
	db.end()
	if db.replicas != nil {
		db.replicas.Close()
	}
	db.pool.Close()
	db.pool.direct.Close()
}

// Pool returns the connection pool, for libraries that have tables of their
// own, such as that of the sessions.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Pool }

// Direct returns connections on which no pooler is, for statements that change the
// settings of their session or take longer than a request may.
func (db *DB) Direct() *pgxpool.Pool { return db.pool.direct }

// Now returns the time of the clock that was passed to Open.
func (db *DB) Now() time.Time { return db.now() }

// At returns the database with a clock that stands at a time, for rules that do what was
// done then.
func (db *DB) At(now time.Time) *DB {
	return &DB{Queries: db.Queries, pool: db.pool, now: func() time.Time { return now }, keys: db.keys, life: db.life, end: db.end}
}

// Ready returns nil if the database responds and its schema is that of this
// program.
func (db *DB) Ready(ctx context.Context) error {
	pending, err := migrations.HasPending(ctx, db.pool.Pool)
	if err != nil {
		return err
	}
	if pending {
		return errors.New("the schema is older than this program: run migrate")
	}
	return nil
}
