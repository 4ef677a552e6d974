// Package migrations holds the schema of the database, as SQL files that run in
// the order of their numbers, and brings databases up to date.
package migrations

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// statementTimeout is how long a statement of a migration may take, unless the
// URL sets another statement_timeout.
const statementTimeout = 2 * time.Hour

// Run brings the schema of a database up to date. Several processes may call it
// at once: one of them works, the others wait, for maxWait at most. It refuses an
// address that leads through a pooler, a database from before the baseline, see
// checkBaseline, and one into which a move has not finished. The URL may contain
// parameters of the connection pool, whose names begin with "pool_"; they are
// ignored.
func Run(ctx context.Context, url string) error {
	return run(ctx, url, func(conn *sql.DB, provider *goose.Provider) error {
		if err := checkMoved(ctx, conn); err != nil {
			return err
		}
		_, err := provider.Up(ctx)
		return err
	})
}

// RunTo brings the schema of the target of a move to a version.
func RunTo(ctx context.Context, url string, version int64) error {
	return run(ctx, url, func(_ *sql.DB, provider *goose.Provider) error {
		_, err := provider.UpTo(ctx, version)
		return err
	})
}

func run(ctx context.Context, url string, up func(*sql.DB, *goose.Provider) error) error {
	forPool, err := pgxpool.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("database url: %w", err)
	}
	config := forPool.ConnConfig
	parameters := config.RuntimeParams
	if _, ok := parameters["statement_timeout"]; !ok {
		parameters["statement_timeout"] = fmt.Sprint(statementTimeout.Milliseconds())
	}
	maps.DeleteFunc(parameters, func(name, _ string) bool { return strings.HasPrefix(name, "pool_") })
	if err := checkSession(ctx, config); err != nil {
		return err
	}
	conn := stdlib.OpenDB(*config)
	defer conn.Close()
	if err := checkBaseline(ctx, conn); err != nil {
		return err
	}
	provider, err := newProvider(conn)
	if err != nil {
		return err
	}
	if err := checkNewer(ctx, provider); err != nil {
		return err
	}
	if err := up(conn, provider); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return checkNewer(ctx, provider) // the process that it waited for may be a newer one
}

// Check returns an error if the schema of a database is older or newer than that of
// this program. It changes nothing.
func Check(ctx context.Context, url string) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return fmt.Errorf("database url: %w", err)
	}
	defer pool.Close()
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := newProvider(conn)
	if err != nil {
		return err
	}
	if err := errors.Join(checkMoved(ctx, conn), checkNewer(ctx, provider)); err != nil {
		return err
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	if pending {
		return errors.New("the schema of the database is older than this program: restart the running officeconsole as this version, or run migrate")
	}
	return nil
}

// checkNewer returns an error if a database has migrations that this program does
// not know.
func checkNewer(ctx context.Context, provider *goose.Provider) error {
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	sources := provider.ListSources()
	if known := sources[len(sources)-1].Version; version > known {
		return fmt.Errorf("the schema of the database (%d) is newer than this program (%d): use the newer officeconsole", version, known)
	}
	return nil
}

// HasPending reports whether there are migrations that have not run in a
// database.
func HasPending(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := newProvider(conn)
	if err != nil {
		return false, err
	}
	return provider.HasPending(ctx)
}

func newProvider(conn *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, uint64(maxWait/time.Second)))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(waitingLocker{locker}), goose.WithTableName(versionTable))
}

// maxWait is how long a process waits for another one that migrates the database.
const maxWait = 10 * time.Minute

// waitingLocker says that it waits for another process.
type waitingLocker struct{ lock.SessionLocker }

// SessionLock implements lock.SessionLocker.
func (l waitingLocker) SessionLock(ctx context.Context, conn *sql.Conn) error {
	const soon = 500 * time.Millisecond // after the first refusal, before the next try
	wait := time.AfterFunc(soon, func() {
		slog.WarnContext(ctx, "waiting for another process that migrates the database", "at_most", maxWait.String())
	})
	defer wait.Stop()
	if err := l.SessionLocker.SessionLock(ctx, conn); err != nil {
		return fmt.Errorf("wait for another process that migrates the database: %w", err)
	}
	return nil
}

// Hash returns a hash of the schema that Run brings databases to.
func Hash() string {
	sum := sha256.New()
	sum.Write([]byte(versionTable))
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := files.ReadFile(path)
		sum.Write(content)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Latest returns the number of the last migration that this program knows.
func Latest() int64 {
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		panic("no migrations") // the files are part of the program
	}
	number, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		panic(err)
	}
	return number
}

// Version returns the number of the last migration that has run in a database, 0 if
// none has.
func Version(ctx context.Context, conn *pgx.Conn) (version int64, err error) {
	var exists bool
	if err := conn.QueryRow(ctx, "select to_regclass('"+versionTable+"') is not null").Scan(&exists); err != nil || !exists {
		return 0, err
	}
	err = conn.QueryRow(ctx, "select coalesce(max(version_id), 0) from "+versionTable+" where is_applied").Scan(&version)
	return version, err
}
