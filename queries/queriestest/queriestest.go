// Package queriestest gives each test a PostgreSQL database of its own that holds
// the same small cast of companies and people.
package queriestest

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/blobs"
	"officeconsole/postgres"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
	"officeconsole/seal"
)

// Now is the time at the beginning of every test: a Friday morning in Seoul.
var Now = time.Date(2026, 11, 20, 10, 0, 0, 0, seoul)

var seoul = time.FixedZone("KST", 9*60*60)

// Clock is a clock that a test sets.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock returns a clock at which it is Now.
func NewClock() *Clock { return &Clock{now: Now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Advance sets the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

// New returns a database for one test, in which the time is Now.
func New(t testing.TB) *areas.Areas {
	db, _ := NewWithClock(t)
	return db
}

// NewWithClock returns a database for one test, and its clock.
func NewWithClock(t testing.TB) (*areas.Areas, *Clock) {
	t.Helper()
	clock := NewClock()
	db, err := areas.Open(context.Background(), URL(t), clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	db.UseKeys(Keys())
	t.Cleanup(db.Close)
	return db, clock
}

// Keys are those with which the secrets of tests are sealed.
func Keys() *seal.Keys {
	keys, err := seal.New(bytes.Repeat([]byte{7}, seal.KeyBytes))
	if err != nil {
		panic(err) // the key has the right length
	}
	return keys
}

// URL returns the URL of a database for one test, with the cast in it.
func URL(t testing.TB) string {
	t.Helper()
	return clone(t, template)
}

// EmptyURL returns the URL of a database for one test, without a schema.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return clone(t, func(context.Context, *pgx.Conn, string) (string, error) { return "template0", nil })
}

func clone(t testing.TB, origin func(context.Context, *pgx.Conn, string) (string, error)) string {
	t.Helper()
	server, err := start()
	if err != nil {
		t.Fatalf("tests need a database: %v", err)
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	// Half of the time of a copy; PostgreSQL before 18 has no such setting.
	if _, err := conn.Exec(ctx, "select set_config(name, 'clone', false) from pg_settings where name = 'file_copy_method'"); err != nil {
		t.Fatal(err)
	}
	from, err := origin(ctx, conn, server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := conn.Exec(ctx, "create database "+name+" template "+from+" strategy file_copy"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn, err := pgx.Connect(ctx, server)
		if err != nil {
			return // the test that stopped the server reports the error
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, "drop database if exists "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	return inDatabase(server, name)
}

// template creates the database that the others are copied from, unless it
// exists. Its name contains a hash of the schema and the cast, so that a change
// of either creates another one.
func template(ctx context.Context, conn *pgx.Conn, server string) (string, error) {
	sum := sha256.Sum256([]byte(migrations.Hash() + castSource))
	name := "cast_" + hex.EncodeToString(sum[:8])
	const lock = 7_263_541
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", lock); err != nil {
		return "", err
	}
	defer conn.Exec(ctx, "select pg_advisory_unlock($1)", lock)
	var made bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&made); err != nil || made {
		return name, err
	}
	unfinished := name + "_unfinished"
	for _, statement := range []string{"drop database if exists " + unfinished + " with (force)", "create database " + unfinished} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	at := inDatabase(server, unfinished)
	if err := migrations.Run(ctx, at); err != nil {
		return "", err
	}
	if err := fill(ctx, at); err != nil {
		return "", fmt.Errorf("cast: %w", err)
	}
	_, err := conn.Exec(ctx, "alter database "+unfinished+" rename to "+name)
	return name, err
}

func inDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // the addresses of the servers are valid
	}
	u.Path = "/" + name
	return u.String()
}

// start returns the address of the server for the tests of this process: that
// of OFFICECONSOLE_TEST_DATABASE_URL, or a built-in server whose folder is
// reused by the next run. Concurrent test processes have a server each.
var start = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("OFFICECONSOLE_TEST_DATABASE_URL"); given != "" {
		return given, nil
	}
	const slots = 32
	for slot := range slots {
		dir := filepath.Join(folder(), strconv.Itoa(slot))
		server, err := postgres.Start(context.Background(), dir, postgres.WithoutSync(), postgres.AsSuperuser())
		if errors.Is(err, postgres.ErrInUse) {
			continue
		}
		if err != nil {
			return "", err
		}
		return server.URL(), nil
	}
	return "", errors.New("every folder for a test server is in use")
})

// Blobs gives a test a folder for files.
func Blobs(t testing.TB) blobs.Store {
	t.Helper()
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return files
}
