package queries_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
)

// pooler returns an address that leads to a database in the way of a pooler: it tells
// clients a process id of its own.
func pooler(t *testing.T, direct string) string {
	t.Helper()
	config, err := pgx.ParseConfig(direct)
	if err != nil {
		t.Fatal(err)
	}
	network, address := addressOf(config.Host, config.Port)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial(network, address)
			if err != nil {
				client.Close()
				continue
			}
			go func() { io.Copy(server, client); server.Close() }()
			go func() { passWithOtherID(client, server); client.Close() }()
		}
	}()
	return (&url.URL{Scheme: "postgres", User: url.User(config.User), Host: listener.Addr().String(), Path: "/" + config.Database, RawQuery: "sslmode=disable"}).String()
}

func addressOf(host string, port uint16) (network, address string) {
	if strings.HasPrefix(host, "/") {
		return "unix", fmt.Sprintf("%s/.s.PGSQL.%d", host, port)
	}
	return "tcp", net.JoinHostPort(host, fmt.Sprint(port))
}

// passWithOtherID copies the messages of a server and changes the process id, in the
// message K.
func passWithOtherID(client io.Writer, server io.Reader) {
	for {
		head := make([]byte, 5)
		if _, err := io.ReadFull(server, head); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		if head[0] == 'K' {
			binary.BigEndian.PutUint32(body, 1)
		}
		if _, err := client.Write(append(head, body...)); err != nil {
			return
		}
	}
}

func TestPoolerNeedsADirectAddress(t *testing.T) {
	direct := queriestest.URL(t)
	if err := migrations.Run(t.Context(), direct); err != nil {
		t.Errorf("the database itself: %v", err)
	}
	if err := migrations.Run(t.Context(), pooler(t, direct)); err == nil || !strings.Contains(err.Error(), "--direct-database-url") {
		t.Errorf("through a pooler: %v", err)
	}
}

// Behind a pooler, time-outs are those of transactions, and statements with a time-out
// of their own have a session.
func TestTimeoutsBehindAPooler(t *testing.T) {
	direct := queriestest.URL(t)
	db, err := areas.OpenAt(t.Context(), areas.Addresses{URL: pooler(t, direct) + "&lock_timeout=7s", Direct: direct}, func() time.Time { return queriestest.Now })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const settings = "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout')"
	inTx := func(ctx context.Context) (found string, err error) {
		err = db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error { return tx.QueryRow(ctx, settings).Scan(&found) })
		return found, err
	}
	outside := func(ctx context.Context) (found string, err error) {
		err = db.Statements().QueryRow(ctx, settings).Scan(&found)
		return found, err
	}
	long := queries.WithStatementTimeout(t.Context(), time.Hour)
	for _, test := range []struct {
		name, want string
		ctx        context.Context
		read       func(context.Context) (string, error)
	}{
		{"a transaction", "15s 7s 10s", t.Context(), inTx},
		{"a long transaction", "1h 1min 1h", long, inTx},
		{"a long statement", "1h 1min 1h", long, outside},
		{"a statement, by the role", "0 0 0", t.Context(), outside},
	} {
		if got, err := test.read(test.ctx); err != nil || got != test.want {
			t.Errorf("%s: %q (%v), not %q", test.name, got, err, test.want)
		}
	}
	for name, pool := range map[string]*pgxpool.Pool{"requests": db.Pool(), "sessions": db.Direct()} {
		conn, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var pid uint32
		err = conn.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid)
		if isPooled := pid != conn.Conn().PgConn().PID(); err != nil || isPooled != (name == "requests") {
			t.Errorf("the connections of %s lead through the pooler: %t (%v)", name, isPooled, err)
		}
		conn.Release()
	}
	signals, leave := db.Follow(queriestest.Hanbit)
	defer leave()
	wait(t, signals)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("하나"))
	wait(t, signals)
}
