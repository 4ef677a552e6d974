package webhook_test

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
)

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDeliveries(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	for i := range 7 {
		publish(t, db, "link.changed")
		result := accepted
		if i%3 == 0 {
			result = gone
		}
		send(t, db, result, 1)
		d := endpoint(t, db).Draft()
		d.Enabled = true
		if err := db.Webhooks.Update(t.Context(), admin, 0, d); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Hour)
	}
	for want, f := range map[string]webhook.Filter{
		"7 6 5 4 3 2 1": {},
		"7 4 1":         {State: "failed"},
		"6 5 3 2":       {State: "delivered"},
		"":              {State: "waiting"},
	} {
		first := number(t, queriestest.LookUp(t, db, "select min(id) - 1 from webhook_deliveries"))
		f.Limit = 2
		got := ""
		var last *lists.Cursor
		for {
			page, err := db.Webhooks.Deliveries(t.Context(), queriestest.Hanbit, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range page.Rows {
				if got != "" {
					got += " "
				}
				got += fmt.Sprint(d.ID - first)
			}
			last = page.Previous
			if page.Next == nil {
				break
			}
			f.Cursor = page.Next
		}
		if got != want {
			t.Errorf("%s: %s, want %s", f.State, got, want)
		}
		if len(want) > 3 {
			f.Cursor = last
			page, err := db.Webhooks.Deliveries(t.Context(), queriestest.Hanbit, f)
			if err != nil || len(page.Rows) != 2 || page.Rows[0].ID <= page.Rows[1].ID || page.Next == nil {
				t.Errorf("%s backward: %+v, %v", f.State, page, err)
			}
			f.State = "waiting"
			if _, err := db.Webhooks.Deliveries(t.Context(), queriestest.Hanbit, f); !errors.Is(err, lists.ErrCursor) {
				t.Errorf("a cursor of another state: %v", err)
			}
		}
	}
	if page, err := db.Webhooks.Deliveries(t.Context(), queriestest.Other, webhook.Filter{Limit: 9}); err != nil || len(page.Rows) > 0 {
		t.Errorf("another company: %+v, %v", page, err)
	}
	for _, query := range []string{"status=lost", "cursor=x"} {
		values, _ := url.ParseQuery(query)
		var refused queries.FieldErrors
		if _, err := webhook.ReadFilter(values); !errors.As(err, &refused) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestHealth(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	if h, err := db.Webhooks.Health(t.Context(), endpoint(t, db)); err != nil || h.State != webhook.Idle || h.LastSuccess != nil {
		t.Errorf("%+v, %v", h, err)
	}
	publish(t, db, "link.changed", "link.changed", "link.changed")
	send(t, db, accepted, 1)
	success := clock.Now()
	clock.Advance(time.Hour)
	send(t, db, refused, 1)
	h, err := db.Webhooks.Health(t.Context(), endpoint(t, db))
	if err != nil || h.State != webhook.Failing || !h.LastSuccess.Equal(success) || h.Tried != 2 || h.Failed != 1 || h.Waiting != 2 {
		t.Errorf("%+v, %v", h, err)
	}
	clock.Advance(23*time.Hour + time.Minute)
	if h, err := db.Webhooks.Health(t.Context(), endpoint(t, db)); err != nil || h.Tried != 1 || h.Failed != 1 {
		t.Errorf("a day later: %+v, %v", h, err)
	}
}

func TestOldDeliveriesAreDeleted(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	publish(t, db, "link.changed")
	send(t, db, accepted, 1)
	clock.Advance(webhook.LogTime)
	publish(t, db, "policy.changed")
	send(t, db, refused, 1)
	if err := db.Webhooks.DeleteOld(t.Context()); err != nil || log(t, db) != "delivered 1, waiting 1" {
		t.Errorf("too early: %s, %v", log(t, db), err)
	}
	clock.Advance(time.Second)
	if err := db.Webhooks.DeleteOld(t.Context()); err != nil || log(t, db) != "waiting 1" {
		t.Errorf("%s, %v", log(t, db), err)
	}
}
