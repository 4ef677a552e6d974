package link_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// A loader checks what a Store checks, and takes part in the transaction.
func TestLoader(t *testing.T) {
	db := queriestest.New(t)
	create(t, db, "가")
	at := time.Date(2026, 10, 2, 10, 0, 0, 0, time.UTC)
	messages := queriestest.LookUp(t, db, "select count(*) from outbox")
	load := func(do func(ctx context.Context, loader *link.Store) error) error {
		return db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error { return do(ctx, link.NewLoader(tx, at)) })
	}
	if err := load(func(ctx context.Context, loader *link.Store) error {
		if _, err := loader.Create(ctx, admin, draft("나")); err != nil {
			return err
		}
		_, err := loader.MoveService(ctx, admin, "mail", "meeting")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "가 나" {
		t.Errorf("the links are %s", got)
	}
	links, err := db.Links.Links(t.Context(), queriestest.Hanbit)
	if err != nil || !links[1].UpdatedAt.Equal(at) {
		t.Errorf("created at %s, %v", links[1].UpdatedAt, err)
	}
	if _, order := services(t, db, queriestest.Hanbit); !strings.HasPrefix(order, "chat meeting mail") {
		t.Errorf("the services are %s", order)
	}
	if after := queriestest.LookUp(t, db, "select count(*) from outbox"); after != messages {
		t.Errorf("%s messages became %s", messages, after)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action, ' ' order by id) from changes where at = $1", at); got != "link.created service.moved" {
		t.Errorf("the change log has %s", got)
	}
	var refused queries.FieldErrors
	err = load(func(ctx context.Context, loader *link.Store) error {
		if _, err := loader.Create(ctx, admin, draft("다")); err != nil {
			return err
		}
		_, err := loader.Create(ctx, admin, link.Draft{URL: "javascript:alert(1)"})
		return err
	})
	if !errors.As(err, &refused) || refused["name"] != "link.name.required" || refused["url"] != "link.url.scheme" {
		t.Errorf("a wrong link: %v", err)
	}
	err = load(func(ctx context.Context, loader *link.Store) error {
		return loader.SetServiceVisibility(ctx, admin, "chat", link.Visibility{"pc": false})
	})
	if !errors.As(err, &refused) || refused["visible"] != "service.locked" {
		t.Errorf("the locked service: %v", err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "가 나" {
		t.Errorf("after refusals the links are %s", got)
	}
}
