package queries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Busy is the error of a statement that waited too long: for a connection, for
// a lock or for its own end. The same request may succeed a moment later.
var Busy = errors.New("the database is busy")

var (
	errPoolInTx   = errors.New("statement through the pool inside a transaction")
	errNestedTx   = errors.New("transaction inside a transaction")
	busyCodes     = []string{"55P03", "57014", "25P03", "53300"} // lock_not_available, query_canceled, idle_in_transaction_session_timeout, too_many_connections
	acquireOption = "pool_acquire_timeout"                       // in the database URL, beside pgxpool's own pool_max_conns
)

// How long a connection, a lock, a statement and an idle transaction may take
// in a request. The database URL can set others.
const (
	acquireTimeout   = 5 * time.Second
	lockTimeout      = 5 * time.Second
	statementTimeout = 15 * time.Second
	idleTxTimeout    = time.Minute
)

// BulkTimeout is how long a statement of an import, of filling the demo or of
// a migration may take.
const BulkTimeout = 2 * time.Hour

// longLockTimeout is the wait for a lock where statements may take longer than
// in a request.
const longLockTimeout = time.Minute

type (
	insideTxKey         struct{}
	acquireCancelKey    struct{}
	statementTimeoutKey struct{}
)

// WithStatementTimeout returns a context whose statements may take longer than
// those of a request, outside and inside of transactions.
func WithStatementTimeout(ctx context.Context, timeout time.Duration) context.Context {
	return context.WithValue(ctx, statementTimeoutKey{}, timeout)
}

func isInsideTx(ctx context.Context) bool { return ctx.Value(insideTxKey{}) != nil }

// pool runs statements outside of transactions. With the context of a
// transaction every statement fails: a second connection while holding one is
// how a full pool comes to a stop.
type pool struct{ *pgxpool.Pool }

func openPool(ctx context.Context, url string) (pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return pool{}, fmt.Errorf("database url: %w", err)
	}
	config.MaxConns = max(config.MaxConns, minConnections)
	acquire := acquireTimeout
	parameters := config.ConnConfig.RuntimeParams
	if text, ok := parameters[acquireOption]; ok {
		if acquire, err = time.ParseDuration(text); err != nil {
			return pool{}, fmt.Errorf("database url: %s: %w", acquireOption, err)
		}
		delete(parameters, acquireOption)
	}
	for name, timeout := range map[string]time.Duration{
		"lock_timeout": lockTimeout, "statement_timeout": statementTimeout, "idle_in_transaction_session_timeout": idleTxTimeout,
	} {
		if _, ok := parameters[name]; !ok {
			parameters[name] = milliseconds(timeout)
		}
	}
	config.ConnConfig.Tracer = acquireLimit(acquire)
	config.PrepareConn = setTimeouts
	p, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return pool{}, fmt.Errorf("open database: %w", err)
	}
	return pool{p}, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// setTimeouts gives a connection the statement time-out of the context that
// acquires it.
func setTimeouts(ctx context.Context, conn *pgx.Conn) (ok bool, err error) {
	const key = "statement timeout"
	data := conn.PgConn().CustomData()
	current, _ := data[key].(time.Duration)
	wanted, _ := ctx.Value(statementTimeoutKey{}).(time.Duration)
	if wanted == current {
		return true, nil
	}
	statements := "reset statement_timeout; reset lock_timeout; reset idle_in_transaction_session_timeout"
	if wanted != 0 {
		statements = fmt.Sprintf("set statement_timeout = %s; set lock_timeout = %s; set idle_in_transaction_session_timeout = %s",
			milliseconds(wanted), milliseconds(longLockTimeout), milliseconds(wanted))
	}
	if _, err := conn.Exec(ctx, statements); err != nil {
		return false, err
	}
	data[key] = wanted
	return true, nil
}

// acquireLimit bounds the wait for a connection. It is a tracer because
// pgxpool lets a tracer replace the context of an acquisition, which also
// bounds libraries that are given the pool itself.
type acquireLimit time.Duration

// TraceAcquireStart returns a context that ends with the wait. Inside a
// transaction it has ended already.
func (l acquireLimit) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(l))
	if isInsideTx(ctx) {
		cancel()
	}
	return context.WithValue(ctx, acquireCancelKey{}, cancel)
}

// TraceAcquireEnd releases the timer of the context.
func (acquireLimit) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if cancel, ok := ctx.Value(acquireCancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// TraceQueryStart is what pgx asks of a tracer.
func (acquireLimit) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd is what pgx asks of a tracer.
func (acquireLimit) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// explainPool returns the error of a statement through the pool.
func explainPool(ctx context.Context, err error) error {
	if err != nil && isInsideTx(ctx) {
		return errPoolInTx
	}
	return explainBusy(ctx, err)
}

// explainBusy wraps an error in Busy where a time-out of the database or of the
// pool caused it, and not the end of the context.
func explainBusy(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, Busy) || !IsBusy(err) {
		return err
	}
	return fmt.Errorf("%w: %w", Busy, err)
}

// IsBusy reports whether an error is Busy, or what a library that was given
// the pool returned where a statement would have been Busy.
func IsBusy(err error) bool {
	var pg *pgconn.PgError
	return errors.Is(err, Busy) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &pg) && slices.Contains(busyCodes, pg.Code)
}

func (p pool) Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error) {
	tag, err := p.Pool.Exec(ctx, statement, args...)
	return tag, explainPool(ctx, err)
}

func (p pool) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	rows, err := p.Pool.Query(ctx, statement, args...)
	return poolRows{rows, ctx}, explainPool(ctx, err)
}

func (p pool) QueryRow(ctx context.Context, statement string, args ...any) pgx.Row {
	return poolRow{p.Pool.QueryRow(ctx, statement, args...), ctx}
}

func (p pool) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	n, err := p.Pool.CopyFrom(ctx, table, columns, rows)
	return n, explainPool(ctx, err)
}

// poolRows and poolRow explain the error with which a statement ends.
type poolRows struct {
	pgx.Rows
	ctx context.Context
}

func (r poolRows) Err() error { return explainPool(r.ctx, r.Rows.Err()) }

type poolRow struct {
	pgx.Row
	ctx context.Context
}

func (r poolRow) Scan(into ...any) error {
	err := r.Row.Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	return explainPool(r.ctx, err)
}

// inTx runs do in one transaction. It is private because a transaction is a
// rule. Through the pool, the context that do gets runs no statement and begins
// no second transaction.
func (db *DB) inTx(ctx context.Context, do func(context.Context, *Queries) error) error {
	return db.inRawTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return do(ctx, db.WithTx(tx)) })
}

func (db *DB) inRawTx(ctx context.Context, do func(context.Context, pgx.Tx) error) error {
	if isInsideTx(ctx) {
		return errNestedTx
	}
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		return do(context.WithValue(ctx, insideTxKey{}, true), tx)
	})
	return explainBusy(ctx, err)
}

func inTx[T any](ctx context.Context, db *DB, do func(context.Context, *Queries) (T, error)) (result T, err error) {
	err = db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		result, err = do(ctx, q)
		return err
	})
	return result, err
}
