// Package queries is what every area of the data shares: the database with its
// transactions, refusals, pages of lists, caches, the change log and the outbox.
//
// The areas are the packages below. Each holds its statements (*.sql), what sqlc
// generates from them, and the rules around them. A statement that only a rule may
// run has a lower-case name, so that other packages cannot call it.
package queries

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is the console's database. It is safe for concurrent use.
type DB struct {
	*Queries
	pool pool
	now  func() time.Time

	streams streams
}

// Open connects to a migrated database. now is the clock of every rule.
func Open(ctx context.Context, url string, now func() time.Time) (*DB, error) {
	pool, err := openPool(ctx, url)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach database: %w", err)
	}
	return &DB{Queries: New(pool), pool: pool, now: now}, nil
}

// A page takes a connection for well under a millisecond; sixteen of them
// serve about twice as many requests as two, and more do not help.
const minConnections = 16

// Close waits for running statements and closes every connection.
func (db *DB) Close() {
	db.EndStreams()
	db.pool.Close()
}

// Pool is for libraries that keep tables of their own, such as the sessions'.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Pool }

// Now is the time by the clock that Open was given.
func (db *DB) Now() time.Time { return db.now() }

// Ready reports whether the database answers and its schema is the one this
// program was built with.
func (db *DB) Ready(ctx context.Context) error {
	behind, err := migrationsBehind(ctx, db.pool.Pool)
	if err != nil {
		return err
	}
	if behind {
		return errors.New("the schema is older than this program: run migrate")
	}
	return nil
}

// Migrate brings the schema up to date. Several processes may call it at once:
// one works, the others wait. It refuses a database from before the baseline,
// see checkBaseline.
func Migrate(ctx context.Context, url string) error {
	forPool, err := pgxpool.ParseConfig(url) // takes its own parameters out of the URL
	if err != nil {
		return fmt.Errorf("database url: %w", err)
	}
	config := forPool.ConnConfig
	if _, ok := config.RuntimeParams["statement_timeout"]; !ok {
		config.RuntimeParams["statement_timeout"] = milliseconds(BulkTimeout)
	}
	delete(config.RuntimeParams, acquireOption)
	conn := stdlib.OpenDB(*config)
	defer conn.Close()
	if err := checkBaseline(ctx, conn); err != nil {
		return err
	}
	provider, err := migrator(conn)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

func migrationsBehind(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := migrator(conn)
	if err != nil {
		return false, err
	}
	return provider.HasPending(ctx)
}

func migrator(conn *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(locker), goose.WithTableName(versionTable))
}

// Invalid is a refusal of what somebody entered: the id of a message in locales.
type Invalid string

func (e Invalid) Error() string { return string(e) }

// FieldErrors are refusals by the name of the field they belong to.
type FieldErrors map[string]Invalid

func (e FieldErrors) Error() string { return fmt.Sprintf("refused fields: %v", map[string]Invalid(e)) }

// First is the refusal to show where there is room for one; there must be one.
func (e FieldErrors) First() Invalid { return e[slices.Min(slices.Collect(maps.Keys(e)))] }

// NotFound is the error for a row that does not exist, or that the caller may not
// see.
var NotFound = pgx.ErrNoRows

// Conflict is a write against a state that somebody else has changed: the id of a message.
type Conflict string

func (e Conflict) Error() string { return string(e) }

// ViolatedConstraint reports whether err is the violation of a constraint, and which.
func ViolatedConstraint(err error) (constraint string, ok bool) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] == "23" {
		return pg.ConstraintName, true
	}
	return "", false
}

// SchemaHash is a hash of the schema that this program migrates to.
func SchemaHash() string {
	sum := sha256.New()
	err := fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := migrations.ReadFile(path)
		sum.Write(content)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Unreadable reports whether the database refused a text because of its bytes:
// NUL, or what is not UTF-8.
func Unreadable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22021" || pg.Code == "22P05")
}
