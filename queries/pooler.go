package queries

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

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
	for name := range peerParameters { // between the database and the pooler, which has its own
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
