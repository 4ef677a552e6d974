package queries

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/background"
	"officeconsole/queries/replica"
)

// UseReplicas lets ReadFromReplica choose among replicas by their URLs, of which each leads to
// one server, if they are at most maxLag behind. It does not wait for them.
func (db *DB) UseReplicas(ctx context.Context, urls []string, maxLag time.Duration) error {
	var replicas []*replica.Replica
	for _, url := range urls {
		r, err := openReplica(ctx, url, db.pool.tracer)
		if err != nil {
			return fmt.Errorf("read replica: %w", err)
		}
		replicas = append(replicas, r)
	}
	db.replicas = replica.NewSet(db.pool.direct, maxLag, replicas...)
	background.Go("watching read replicas", func() { db.replicas.Watch(db.life) })
	return nil
}

func openReplica(ctx context.Context, url string, t *tracer) (*replica.Replica, error) {
	config, _, err := poolConfig(url)
	if err != nil {
		return nil, err
	}
	if len(config.ConnConfig.Fallbacks) > 0 && config.ConnConfig.Fallbacks[0].Host != config.ConnConfig.Host {
		return nil, fmt.Errorf("%s: one URL names one server", config.ConnConfig.Host)
	}
	config.ConnConfig.Tracer = t
	config.MaxConns = max(config.MaxConns, minConnections)
	config.PrepareConn = setTimeouts
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return replica.New(fmt.Sprintf("%s:%d", config.ConnConfig.Host, config.ConnConfig.Port), pool), nil
}

// Replicas returns the read replicas, nil if there are none.
func (db *DB) Replicas() []*replica.Replica {
	if db.replicas == nil {
		return nil
	}
	return db.replicas.Replicas()
}

// ReadFromReplica returns a context whose statements outside of transactions may read from a
// replica: one that has replayed what the user of the context wrote last, through
// whichever process. Without such a replica they read from the primary, as transactions
// always do. What is read can be as old as UseReplicas allows, so that it must not be
// cached, nor decide what somebody may see or change.
func (db *DB) ReadFromReplica(ctx context.Context) context.Context {
	if db.replicas == nil {
		return ctx
	}
	user, known := replica.UserFrom(ctx)
	if !known {
		return ctx
	}
	wrote, err := db.writePosition(ctx, writePositionParams{CompanyID: user.CompanyID, UserID: user.ID})
	if err != nil {
		slog.WarnContext(ctx, "cannot read where the last write is: reading from the primary", "err", err)
		return ctx
	}
	chosen := db.replicas.Choose(replica.Position(wrote))
	if chosen == nil {
		requestsOfPrimary.Inc()
		return ctx
	}
	requestsOfReplicas.Inc()
	return replica.With(ctx, chosen)
}

// noteWrite notes where a write is in the log, after its transaction: the user of the
// context must find it in what they read next.
func (db *DB) noteWrite(ctx context.Context) {
	if db.replicas == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // the write is done, even if its writer has left
	user, known := replica.UserFrom(ctx)
	if !known {
		return
	}
	if err := db.noteWritePosition(ctx, noteWritePositionParams{CompanyID: user.CompanyID, UserID: user.ID}); err != nil {
		slog.WarnContext(ctx, "cannot note where a write is: its writer may read what was before", "err", err)
	}
}

// DeleteWritePositions deletes the positions that no reader asks for any more.
func (db *DB) DeleteWritePositions(ctx context.Context) error { return db.deleteWritePositions(ctx) }

// read runs a statement that only reads: on the replica of the context, if it has one
// that can be reached.
func (p pool) read(ctx context.Context, run func(*pgxpool.Pool) (pgx.Rows, error)) (pgx.Rows, error) {
	r := replica.From(ctx)
	if r == nil {
		return run(p.of(ctx))
	}
	rows, err := run(r.Pool)
	if err == nil || ctx.Err() != nil || isInsideTx(ctx) || !isUnreachable(err) && !isBusy(err) {
		return rows, err
	}
	slog.WarnContext(ctx, "a read replica does not answer: reading from the primary", "replica", r.Name, "err", err)
	return run(p.of(ctx))
}

// firstRow is the first of the rows of a statement.
type firstRow struct {
	rows pgx.Rows
	err  error
}

func (r firstRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}
