package link_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// services gives the services of a company that are not as usual, and the order.
func services(t *testing.T, db *areas.Areas, companyID int64) (hidden, order string) {
	t.Helper()
	all, err := db.Links.Services(t.Context(), companyID)
	if err != nil {
		t.Fatal(err)
	}
	var some, ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
		if len(s.Visible) != len(s.Supported) {
			some = append(some, fmt.Sprint(s.ID, s.Visible))
		}
	}
	return strings.Join(some, " "), strings.Join(ids, " ")
}

const usualOrder = "chat mail meeting screen_share drive board calendar poll translation remote_support contacts work_clock"

func TestServiceVisibility(t *testing.T) {
	db := queriestest.New(t)
	if hidden, order := services(t, db, queriestest.Hanbit); hidden != "" || order != usualOrder {
		t.Errorf("usually: %s hidden, %s", hidden, order)
	}
	for name, test := range map[string]struct {
		id      string
		visible link.Visibility
		want    queries.Invalid
	}{
		"locked":           {"chat", link.Visibility{"pc": false}, "service.locked"},
		"unsupported":      {"screen_share", link.Visibility{"mobile": true}, "service.unsupported"},
		"unknown platform": {"mail", link.Visibility{"watch": false}, "service.unsupported"},
	} {
		var refused queries.FieldErrors
		if err := db.Links.SetServiceVisibility(t.Context(), admin, test.id, test.visible); !errors.As(err, &refused) || refused["visible"] != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := db.Links.SetServiceVisibility(t.Context(), admin, "fax", link.Visibility{"pc": false}); !errors.Is(err, queries.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	for _, v := range []struct {
		id      string
		visible link.Visibility
	}{{"poll", link.Visibility{"web": false}}, {"mail", link.Visibility{"pc": false, "mobile": false}}, {"mail", link.Visibility{"mobile": true}}, {"screen_share", link.Visibility{"mobile": false}}} {
		if err := db.Links.SetServiceVisibility(t.Context(), admin, v.id, v.visible); err != nil {
			t.Error(err)
		}
	}
	if hidden, order := services(t, db, queriestest.Hanbit); hidden != "mail[web mobile] poll[pc mobile]" || order != usualOrder {
		t.Errorf("after all: %s hidden, %s", hidden, order)
	}
	if hidden, _ := services(t, db, queriestest.Other); hidden != "" {
		t.Errorf("of another company: %s", hidden)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_name, ', ' order by id) from changes"); got != "service.updated poll, service.updated mail, service.updated mail" {
		t.Errorf("the change log has %s", got)
	}
}

func TestServiceOrder(t *testing.T) {
	db := queriestest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, move := range []struct{ id, after, followed string }{{"poll", "chat", "calendar"}, {"mail", "work_clock", "poll"}} {
		followed, err := db.Links.MoveService(t.Context(), admin, move.id, move.after)
		must(err)
		if followed != move.followed {
			t.Errorf("%s followed %s, not %s", move.id, followed, move.followed)
		}
	}
	must(db.Links.SetServiceVisibility(t.Context(), admin, "poll", link.Visibility{"web": false}))
	if hidden, order := services(t, db, queriestest.Hanbit); order != "chat poll meeting screen_share drive board calendar translation remote_support contacts work_clock mail" || hidden != "poll[pc mobile]" {
		t.Errorf("%s; %s hidden", order, hidden)
	}
	var refused queries.FieldErrors
	if _, err := db.Links.MoveService(t.Context(), admin, "chat", "poll"); !errors.As(err, &refused) || refused["after"] != "service.locked" {
		t.Errorf("chat: %v", err)
	}
	if err := db.Links.OrderServices(t.Context(), admin, []string{"mail", "chat"}); !errors.As(err, &refused) || refused["ids"] != "service.locked" {
		t.Errorf("chat second: %v", err)
	}
	must(db.Links.OrderServices(t.Context(), admin, strings.Fields(usualOrder)))
	if hidden, order := services(t, db, queriestest.Hanbit); order != usualOrder || hidden != "poll[pc mobile]" {
		t.Errorf("%s; %s hidden", order, hidden)
	}
}
