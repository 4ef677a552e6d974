package queries_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func TestBrokenConnectionIsUnavailable(t *testing.T) {
	db := queriestest.New(t)
	const end = "select pg_terminate_backend(pg_backend_pid())"
	if _, err := db.Statements().Exec(t.Context(), end); !errors.Is(err, queries.ErrUnavailable) {
		t.Errorf("a statement: %v", err)
	}
	err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		_, err := tx.Exec(ctx, end)
		if err == nil {
			t.Error("the connection is still there")
		}
		_, err = tx.Exec(ctx, "select 1")
		return err
	})
	if !errors.Is(err, queries.ErrUnavailable) {
		t.Errorf("a transaction: %v", err)
	}
	err = db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		_, err := tx.Exec(ctx, "set transaction read only; delete from companies")
		return err
	})
	if !errors.Is(err, queries.ErrUnavailable) {
		t.Errorf("a database that does not lead any more: %v", err)
	}
	if _, err := db.Directory.Companies(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestOutage(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	_, refused := pgx.Connect(t.Context(), fmt.Sprintf("postgres://%s/a", listener.Addr()))
	if queries.Outage(refused) != "server.unavailable" {
		t.Errorf("a database that is not there: %v", refused)
	}
	db := queriestest.New(t)
	_, wrong := db.Statements().Exec(t.Context(), "select from missing")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, gone := db.Statements().Exec(ended, "select 1")
	for _, err := range []error{nil, wrong, gone, queries.NotFound} {
		if got := queries.Outage(err); got != "" {
			t.Errorf("%v means %s", err, got)
		}
	}
}

func TestFullDisk(t *testing.T) {
	db := queriestest.New(t)
	_, err := db.Statements().Exec(t.Context(), "do $$ begin raise exception using errcode = 'disk_full'; end $$")
	if queries.Outage(err) != "server.full" {
		t.Errorf("a full disk: %v", err)
	}
}
