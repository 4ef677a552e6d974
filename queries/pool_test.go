package queries_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
)

// urlWith returns the URL of a database with additional parameters.
func urlWith(t *testing.T, address string, parameters map[string]string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	for name, value := range parameters {
		query.Set(name, value)
	}
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// openWith opens a test's database with additional parameters in its URL.
func openWith(t *testing.T, address string, parameters map[string]string) *areas.Areas {
	t.Helper()
	address = urlWith(t, address, parameters)
	db, err := areas.Open(t.Context(), address, func() time.Time { return queriestest.Now })
	for errors.Is(err, context.DeadlineExceeded) { // the acquire time-out may pass before the first connection is open
		db, err = areas.Open(t.Context(), address, func() time.Time { return queriestest.Now })
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func setting(t *testing.T, ctx context.Context, db *areas.Areas, name string) string {
	t.Helper()
	var value string
	if err := db.Pool().QueryRow(ctx, "select current_setting($1)", name).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestFullPoolIsBusy(t *testing.T) {
	db := openWith(t, queriestest.URL(t), map[string]string{"pool_acquire_timeout": "200ms"})
	for range db.Pool().Config().MaxConns {
		conn, err := db.Pool().Acquire(t.Context())
		for errors.Is(err, context.DeadlineExceeded) { // until the connection is open
			conn, err = db.Pool().Acquire(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	if _, err := db.Directory.Companies(t.Context()); !errors.Is(err, queries.ErrBusy) {
		t.Errorf("a list: %v", err)
	}
	if _, err := db.Directory.Company(t.Context(), queriestest.Hanbit); !errors.Is(err, queries.ErrBusy) {
		t.Errorf("a row: %v", err)
	}
	if err := db.Identity.SignOut(t.Context(), queriestest.Hanbit, queriestest.Admin, 1); !errors.Is(err, queries.ErrBusy) {
		t.Errorf("a transaction: %v", err)
	}
	// The time-out also applies to libraries that use the pool itself.
	if _, err := db.Pool().Exec(context.Background(), "select 1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a library: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Directory.Companies(ended); !errors.Is(err, context.Canceled) || errors.Is(err, queries.ErrBusy) {
		t.Errorf("a caller that is gone: %v", err)
	}
}

// The wait for a connection ends by default, and the URL can set another
// time-out: the context of an acquisition has its deadline.
func TestTimeoutOfAcquisitions(t *testing.T) {
	address := queriestest.URL(t)
	for text, want := range map[string]time.Duration{"": 5 * time.Second, "10s": 10 * time.Second} {
		parameters := map[string]string{}
		if text != "" {
			parameters["pool_acquire_timeout"] = text
		}
		tracer := openWith(t, address, parameters).Pool().Config().ConnConfig.Tracer.(pgxpool.AcquireTracer)
		before := time.Now()
		ctx := tracer.TraceAcquireStart(t.Context(), nil, pgxpool.TraceAcquireStartData{})
		after := time.Now()
		deadline, limited := ctx.Deadline()
		tracer.TraceAcquireEnd(ctx, nil, pgxpool.TraceAcquireEndData{})
		if !limited || deadline.Before(before.Add(want)) || deadline.After(after.Add(want)) {
			t.Errorf("with %q the wait ends after %v (limited: %v), want %v", text, deadline.Sub(before), limited, want)
		}
	}
}

func TestLongWaitIsBusy(t *testing.T) {
	address := queriestest.URL(t)
	holder, err := openWith(t, address, nil).Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Rollback(context.Background())
	if _, err := holder.Exec(t.Context(), "lock table companies, sign_ins"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lock_timeout", "statement_timeout"} {
		db := openWith(t, address, map[string]string{name: "200ms"})
		if _, err := db.Directory.Companies(t.Context()); !errors.Is(err, queries.ErrBusy) {
			t.Errorf("%s, a list: %v", name, err)
		}
		if _, err := db.Directory.Company(t.Context(), queriestest.Hanbit); !errors.Is(err, queries.ErrBusy) {
			t.Errorf("%s, a row: %v", name, err)
		}
		if err := db.Identity.SignOut(t.Context(), queriestest.Hanbit, queriestest.Admin, 1); !errors.Is(err, queries.ErrBusy) {
			t.Errorf("%s, a transaction: %v", name, err)
		}
	}
}

func TestTimeoutsOfConnections(t *testing.T) {
	db := queriestest.New(t)
	for name, want := range map[string]string{"lock_timeout": "5s", "statement_timeout": "15s", "idle_in_transaction_session_timeout": "10s"} {
		if got := setting(t, t.Context(), db, name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	long := queries.WithStatementTimeout(t.Context(), time.Hour)
	for name, want := range map[string]string{"lock_timeout": "1min", "statement_timeout": "1h"} {
		if got := setting(t, long, db, name); got != want {
			t.Errorf("%s is %s where statements may take longer", name, got)
		}
	}
	for range 2 * db.Pool().Config().MaxConns { // more often than there are connections
		if got := setting(t, t.Context(), db, "statement_timeout"); got != "15s" {
			t.Fatalf("afterwards statement_timeout is %s", got)
		}
	}
}

// Run accepts a URL with the parameters of the pool, which PostgreSQL itself
// would refuse.
func TestMigrateTakesTheParametersOfThePool(t *testing.T) {
	parameters := map[string]string{"pool_max_conns": "32", "pool_acquire_timeout": "10s", "lock_timeout": "10s"}
	address := queriestest.URL(t)
	if err := migrations.Run(t.Context(), urlWith(t, address, parameters)); err != nil {
		t.Error(err)
	}
	if got := openWith(t, address, parameters).Pool().Config().MaxConns; got != 32 {
		t.Errorf("the pool has %d connections", got)
	}
}

func TestInsideTransaction(t *testing.T) {
	db := queriestest.New(t)
	err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		if _, err := directory.New(tx).Companies(ctx); err != nil {
			t.Errorf("through the transaction: %v", err)
		}
		if _, err := db.Directory.Companies(ctx); err == nil || errors.Is(err, queries.ErrBusy) {
			t.Errorf("a list through the pool: %v", err)
		}
		if _, err := db.Directory.Company(ctx, queriestest.Hanbit); err == nil || errors.Is(err, queries.NotFound) {
			t.Errorf("a row through the pool: %v", err)
		}
		if err := db.EnsurePartitions(ctx); err == nil {
			t.Error("a transaction inside a transaction")
		}
		if _, err := db.Pool().Exec(ctx, "select 1"); err == nil {
			t.Error("a statement of a library through the pool")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if acquired := db.Pool().Stat().AcquiredConns(); acquired != 0 {
		t.Errorf("%d connections were not released", acquired)
	}
}

// Both sides of a connection notice that the other one is gone.
func TestLostPeers(t *testing.T) {
	address := queriestest.URL(t)
	config := openWith(t, address, map[string]string{"tcp_user_timeout": "20000"}).Pool().Config().ConnConfig
	if got := config.RuntimeParams; got["tcp_user_timeout"] != "20000" || got["tcp_keepalives_idle"] != "9" {
		t.Errorf("the database's side: %v", got)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := config.DialFunc(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		for option, want := range map[int]int{unix.TCP_USER_TIMEOUT: 15000, unix.TCP_KEEPIDLE: 9, unix.TCP_KEEPCNT: 3} {
			if got, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, option); err != nil || got != want {
				t.Errorf("the option %d of the console's side is %d, want %d (%v)", option, got, want, err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
