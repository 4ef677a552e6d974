package queries_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

// A database that does not answer any more, as one whose machine stands still, keeps
// nobody waiting: not who had a connection already, either.
func TestSilentDatabaseIsBusy(t *testing.T) {
	t.Cleanup(queries.SetAnswerGrace(300 * time.Millisecond))
	between := newRelay(t, queriestest.URL(t))
	db := openWith(t, between.url, map[string]string{"statement_timeout": "1s", "pool_acquire_timeout": "1s"})
	want := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, queries.ErrBusy) {
			t.Errorf("%s: %v", what, err)
		}
	}
	err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		if _, err := tx.Exec(ctx, "select 1"); err != nil {
			return err
		}
		between.isSilent.Store(true)
		_, err := tx.Exec(ctx, "select 2")
		return err
	})
	want("a transaction", err)
	_, err = db.Directory.Companies(t.Context())
	want("a list", err)
	_, err = db.GenericPlan().Query(t.Context(), "select 3")
	want("a list with a generic plan", err)

	between.restart()
	long, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for err = errors.New("not asked"); err != nil && long.Err() == nil; {
		_, err = db.Directory.Companies(long)
	}
	if err != nil {
		t.Errorf("after it answers again: %v", err)
	}
}

// relay passes on what a database and its clients say, but not while it is silent.
type relay struct {
	url      string
	isSilent atomic.Bool
	mutex    sync.Mutex
	conns    []net.Conn
}

func newRelay(t *testing.T, address string) *relay {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	at.Host, at.RawQuery = listener.Addr().String(), "sslmode=disable"
	r := &relay{url: at.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			network, target := pgconn.NetworkAddress(config.Host, config.Port)
			server, err := net.Dial(network, target)
			if err != nil {
				client.Close()
				continue
			}
			r.mutex.Lock()
			r.conns = append(r.conns, client, server)
			r.mutex.Unlock()
			go r.pass(server, client)
			go r.pass(client, server)
		}
	}()
	return r
}

func (r *relay) pass(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if r.isSilent.Load() {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// restart ends all connections and passes on what new ones say.
func (r *relay) restart() {
	r.isSilent.Store(false)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, conn := range r.conns {
		conn.Close()
	}
}

func TestDurationOf(t *testing.T) {
	for setting, want := range map[string]time.Duration{
		"15000": 15 * time.Second, "15s": 15 * time.Second, "250ms": 250 * time.Millisecond, "2min": 2 * time.Minute, "1h": time.Hour, "0": 0, "": 0, "soon": 0,
	} {
		if got := queries.DurationOf(setting); got != want {
			t.Errorf("%q is %v, not %v", setting, got, want)
		}
	}
}
