package queries

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/queries/replica"
	"officeconsole/tracing"
)

// errBusy is the error of a statement that waited too long for a connection or
// a lock, or that ran too long. The same request may succeed a moment later.
var errBusy = errors.New("the database is busy")

var (
	errPoolInTx   = errors.New("statement through the pool inside a transaction")
	errNestedTx   = errors.New("transaction inside a transaction")
	busyCodes     = []string{"55P03", "57014", "25P03", "53300"} // lock_not_available, query_canceled, idle_in_transaction_session_timeout, too_many_connections
	acquireOption = "pool_acquire_timeout"                       // in the database URL, beside pgxpool's own pool_max_conns
)

// The time-outs in a request: for a connection, a lock, a statement and an idle
// transaction. The database URL can set others.
const (
	acquireTimeout   = 5 * time.Second
	lockTimeout      = 5 * time.Second
	statementTimeout = 15 * time.Second
	idleTxTimeout    = 10 * time.Second // locks are held meanwhile
)

// timeouts are those that connections of requests have, by the names of their settings.
var timeouts = map[string]time.Duration{
	"lock_timeout": lockTimeout, "statement_timeout": statementTimeout, "idle_in_transaction_session_timeout": idleTxTimeout,
}

// BulkTimeout is the statement time-out of imports and of filling the demo.
const BulkTimeout = 2 * time.Hour

// longLockTimeout is the lock time-out of contexts with a longer statement
// time-out.
const longLockTimeout = time.Minute

type (
	insideTxKey         struct{}
	acquireCancelKey    struct{}
	statementTimeoutKey struct{}
)

// WithStatementTimeout returns a context whose statements have another time-out
// than those of a request, inside and outside of transactions.
func WithStatementTimeout(ctx context.Context, timeout time.Duration) context.Context {
	return context.WithValue(ctx, statementTimeoutKey{}, timeout)
}

func isInsideTx(ctx context.Context) bool { return ctx.Value(insideTxKey{}) != nil }

// pool runs statements outside of transactions. With the context of a
// transaction every statement fails, because transactions that wait for second
// connections can block a full pool for good.
type pool struct {
	*pgxpool.Pool               // of requests
	direct        *pgxpool.Pool // the same, or that of the database behind a pooler; see Open
	begin         string        // how transactions of requests begin
	tracer        *tracer
}

func openPool(ctx context.Context, url, direct string) (p pool, err error) {
	config, acquire, err := poolConfig(url)
	if err != nil {
		return p, err
	}
	p.tracer = &tracer{acquireTimeout: acquire, statementTimeout: durationOf(config.ConnConfig.RuntimeParams["statement_timeout"])}
	config.ConnConfig.Tracer = p.tracer
	config.MaxConns = max(config.MaxConns, minConnections)
	if direct == "" {
		config.PrepareConn = setTimeouts
	} else {
		p.begin = passPooler(config, url)
	}
	if p.Pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return p, fmt.Errorf("open database: %w", err)
	}
	if p.direct = p.Pool; direct == "" {
		return p, nil
	}
	if p.direct, err = openDirect(ctx, direct, p.tracer); err != nil {
		p.Pool.Close()
	}
	return p, err
}

// poolConfig reads a database URL, in which time-outs are set, and how long to wait for
// a connection.
func poolConfig(url string) (config *pgxpool.Config, acquire time.Duration, err error) {
	if config, err = pgxpool.ParseConfig(url); err != nil {
		return nil, 0, fmt.Errorf("database url: %w", err)
	}
	acquire = acquireTimeout
	parameters := config.ConnConfig.RuntimeParams
	if text, ok := parameters[acquireOption]; ok {
		if acquire, err = time.ParseDuration(text); err != nil {
			return nil, 0, fmt.Errorf("database url: %s: %w", acquireOption, err)
		}
		delete(parameters, acquireOption)
	}
	for name, timeout := range timeouts {
		if _, ok := parameters[name]; !ok {
			parameters[name] = milliseconds(timeout)
		}
	}
	noticeLostPeers(config.ConnConfig)
	return config, acquire, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// setTimeouts sets the time-outs of a connection to those of the context that
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

// tracer limits the wait for a connection and for the answer to a statement: pgx lets a
// tracer replace the context of both, also where a library uses the pool itself. It
// makes spans of statements, or passes them on to another tracer, if there is one.
type tracer struct {
	tracing.Statements
	acquireTimeout   time.Duration
	statementTimeout time.Duration                   // of the database, 0 for none
	other            atomic.Pointer[pgx.QueryTracer] // of tests and benchmarks
}

// TraceAcquireStart returns a context with the time-out of the wait. Inside a
// transaction, the context has ended already.
func (t *tracer) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	ctx, cancel := context.WithTimeout(ctx, t.acquireTimeout)
	if isInsideTx(ctx) {
		cancel()
	}
	return context.WithValue(ctx, acquireCancelKey{}, cancel)
}

// TraceAcquireEnd releases the timer of the context.
func (*tracer) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if cancel, ok := ctx.Value(acquireCancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// Trace passes every statement from now on to a tracer, for tests and
// benchmarks.
func (db *DB) Trace(other pgx.QueryTracer) { db.pool.tracer.other.Store(&other) }

// explainPool returns the error to report for a statement through the pool.
func explainPool(ctx context.Context, err error) error {
	if err != nil && isInsideTx(ctx) {
		return errPoolInTx
	}
	return explainRefusal(ctx, err)
}

// explainRefusal wraps an error in errBusy where a time-out of the database or of the
// pool caused it, and not the end of the context, and in errUnavailable where no
// database answered.
func explainRefusal(ctx context.Context, err error) error {
	switch {
	case err == nil || ctx.Err() != nil || errors.Is(err, errBusy) || errors.Is(err, errUnavailable):
		return err
	case isUnreachable(err):
		return fmt.Errorf("%w: %w", errUnavailable, err)
	case isBusy(err):
		return fmt.Errorf("%w: %w", errBusy, err)
	}
	return err
}

func (p pool) Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error) {
	tag, err := p.of(ctx).Exec(ctx, statement, args...)
	return tag, explainPool(ctx, err)
}

func (p pool) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	rows, err := p.read(ctx, func(from *pgxpool.Pool) (pgx.Rows, error) { return from.Query(ctx, statement, args...) })
	return poolRows{rows, ctx}, explainPool(ctx, err)
}

func (p pool) QueryRow(ctx context.Context, statement string, args ...any) pgx.Row {
	if replica.From(ctx) == nil {
		return poolRow{p.of(ctx).QueryRow(ctx, statement, args...), ctx}
	}
	rows, err := p.Query(ctx, statement, args...)
	return firstRow{rows, err}
}

func (p pool) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	n, err := p.of(ctx).CopyFrom(ctx, table, columns, rows)
	return n, explainPool(ctx, err)
}

// poolRows and poolRow pass their errors through explainPool.
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

// Tx is a running transaction. New(tx) of an area runs its statements in it.
type Tx = pgx.Tx

// InTx runs do in a transaction. With the context that do gets, statements
// through the pool and further transactions fail.
func (db *DB) InTx(ctx context.Context, do func(context.Context, Tx) error) error {
	if isInsideTx(ctx) {
		return errNestedTx
	}
	err := pgx.BeginTxFunc(ctx, db.pool.of(ctx), db.pool.options(ctx), func(tx pgx.Tx) error {
		return do(context.WithValue(ctx, insideTxKey{}, true), tx)
	})
	if err == nil {
		db.noteWrite(ctx)
	}
	return explainRefusal(ctx, err)
}

// Statements runs the statements of an area, inside or outside of a
// transaction.
type Statements interface {
	DBTX
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// Statements returns Statements that run outside of transactions.
func (db *DB) Statements() Statements { return db.pool }
