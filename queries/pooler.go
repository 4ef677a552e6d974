package queries

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Addresses are the URLs of a database. Behind a pooler that lends a connection for one
// transaction, such as PgBouncer, nothing may depend on a session: requests use the
// pooler at URL, and everything that needs a session (notifications, the lock of
// migrations, statements of jobs with time-outs of their own) the database at Direct.
type Addresses struct {
	URL    string
	Direct string // "" if URL is the database itself
}

// ForSessions returns the URL of the database itself.
func (a Addresses) ForSessions() string {
	if a.Direct != "" {
		return a.Direct
	}
	return a.URL
}

// errPooler means that a session is needed where there is none.
var errPooler = errors.New("the address leads through a connection pooler, such as PgBouncer: name the database itself with --direct-database-url")

// CheckDirect returns an error if what needs a session would reach a pooler.
func (a Addresses) CheckDirect(ctx context.Context) error {
	config, _, err := poolConfig(a.ForSessions())
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return explainPooler(err)
	}
	defer conn.Close(ctx)
	return refusePooler(ctx, conn)
}

// refusePooler returns errPooler for a connection through a pooler, which tells its
// clients another process id than that of the database.
func refusePooler(ctx context.Context, conn *pgx.Conn) error {
	var pid uint32
	err := conn.QueryRow(ctx, "select pg_backend_pid()").Scan(&pid)
	if err == nil && pid != conn.PgConn().PID() {
		return errPooler
	}
	return err
}

// explainPooler returns errPooler with the error of a pooler that refuses the settings
// of a session.
func explainPooler(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "08P01" && strings.Contains(refused.Message, "startup parameter") {
		return fmt.Errorf("%w (%s)", errPooler, refused.Message)
	}
	return fmt.Errorf("reach database: %w", err)
}

// maxDirect is the number of direct connections beside a pooler. Jobs share them.
const maxDirect = 8

// openDirect opens the pool of the database behind a pooler.
func openDirect(ctx context.Context, url string, t *tracer) (*pgxpool.Pool, error) {
	config, _, err := poolConfig(url)
	if err != nil {
		return nil, fmt.Errorf("direct %w", err)
	}
	config.ConnConfig.Tracer = t
	config.MaxConns = max(config.MaxConns, maxDirect)
	config.PrepareConn = setTimeouts
	p, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return p, nil
}

// passPooler changes the configuration of connections so that a pooler can lend them
// for one transaction each, and returns the statements with which transactions begin: a
// pooler refuses time-outs as settings of a session. Statements are not named, unless
// the URL says that the pooler knows them.
func passPooler(config *pgxpool.Config, url string) (begin string) {
	parameters := config.ConnConfig.RuntimeParams
	begin = "begin"
	for _, name := range slices.Sorted(maps.Keys(timeouts)) {
		begin += "; set local " + name + " = '" + strings.ReplaceAll(parameters[name], "'", "''") + "'"
		delete(parameters, name)
	}
	if !strings.Contains(url, "default_query_exec_mode") {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return begin
}

// of returns the connections for statements of a context: behind a pooler, those with a
// time-out of their own need a session.
func (p pool) of(ctx context.Context) *pgxpool.Pool {
	if ctx.Value(statementTimeoutKey{}) != nil {
		return p.direct
	}
	return p.Pool
}

// options are those of a transaction of a context.
func (p pool) options(ctx context.Context) pgx.TxOptions {
	if p.of(ctx) == p.direct {
		return pgx.TxOptions{}
	}
	return pgx.TxOptions{BeginQuery: p.begin}
}

// WarnUnlimited logs a warning if a pooler's connections have no time-out for statements
// outside of transactions, which only the role can have.
func (db *DB) WarnUnlimited(ctx context.Context) error {
	if db.pool.Pool == db.pool.direct {
		return nil
	}
	var timeout string
	if err := db.pool.QueryRow(ctx, "show statement_timeout").Scan(&timeout); err != nil {
		return err
	}
	if timeout == "0" {
		slog.WarnContext(ctx, "statements outside of transactions have no time-out behind the connection pooler: set statement_timeout and lock_timeout of the database role")
	}
	return nil
}
