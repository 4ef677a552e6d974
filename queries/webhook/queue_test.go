package webhook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

var (
	accepted = webhook.Result{Answer: sender.Answer{Status: 200, Text: "ok"}, Duration: 20 * time.Millisecond}
	refused  = webhook.Result{Answer: sender.Answer{Status: 503, Text: "busy"}}
	gone     = webhook.Result{Answer: sender.Answer{Status: 410}}
)

// send makes attempts with one result, as long as there are some and at most
// most, and returns the types of their messages.
func send(t *testing.T, db *areas.Areas, result webhook.Result, most int) string {
	t.Helper()
	var sent []string
	leased, err := db.Webhooks.Lease(t.Context())
	if errors.Is(err, queries.NotFound) {
		return ""
	}
	for err == nil && len(sent) < most {
		var a webhook.Attempt
		if a, err = db.Webhooks.Next(t.Context(), leased); err == nil {
			var body struct {
				Type string `json:"type"`
			}
			if err := json.Unmarshal(a.Body, &body); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, body.Type)
			err = db.Webhooks.Finish(t.Context(), a, result)
		}
	}
	if err != nil && !errors.Is(err, queries.NotFound) {
		t.Fatal(err)
	}
	if err := db.Webhooks.Release(t.Context(), leased); err != nil {
		t.Fatal(err)
	}
	return strings.Join(sent, " ")
}

func state(t *testing.T, db *areas.Areas) webhook.HealthState {
	t.Helper()
	h, err := db.Webhooks.Health(t.Context(), endpoint(t, db))
	if err != nil {
		t.Fatal(err)
	}
	return h.State
}

// log gives state and attempts of the deliveries, the earliest first.
func log(t *testing.T, db *areas.Areas) string {
	t.Helper()
	return queriestest.LookUp(t, db, "select coalesce(string_agg(state || ' ' || attempts, ', ' order by id), '') from webhook_deliveries")
}

func TestMessagesAreSentInOrder(t *testing.T) {
	db := queriestest.New(t)
	publish(t, db, "policy.changed") // before there is a webhook
	create(t, db)
	if got := send(t, db, accepted, 9); got != "" {
		t.Errorf("sent %s", got)
	}
	publish(t, db, "link.changed", "policy.changed", "attendance.edited")
	if got := send(t, db, accepted, 2); got != "link.changed policy.changed" {
		t.Errorf("sent %s", got)
	}
	publish(t, db, "policy.changed")
	if got := send(t, db, accepted, 9); got != "attendance.edited policy.changed" {
		t.Errorf("then %s", got)
	}
	if got := log(t, db); got != "delivered 1, delivered 1, delivered 1, delivered 1" || state(t, db) != webhook.Healthy {
		t.Errorf("%s, %s", got, state(t, db))
	}
}

func TestAttempt(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret := create(t, db)
	publish(t, db, "link.changed")
	clock.Advance(time.Minute)
	newer, err := db.Webhooks.RotateSecret(t.Context(), admin, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	leased, err := db.Webhooks.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, err := db.Webhooks.Next(t.Context(), leased)
	if err != nil {
		t.Fatal(err)
	}
	last, err := db.LastMessageID(t.Context(), queriestest.Hanbit)
	if err != nil || a.ID != fmt.Sprintf("msg_%d", last) || a.URL != address || !a.At.Equal(clock.Now()) {
		t.Errorf("%+v, %v", a.Message, err)
	}
	if want := `{"type":"link.changed","timestamp":"2026-11-20T01:00:00Z","data":{"about":"link.changed"}}`; string(a.Body) != want {
		t.Errorf("%s", a.Body)
	}
	if got := strings.Join(a.Secrets, " "); got != newer+" "+secret {
		t.Errorf("signed with %s", got)
	}
	clock.Advance(time.Hour)
	if a, err := db.Webhooks.Next(t.Context(), leased); err != nil || len(a.Secrets) != 1 || a.Secrets[0] != newer {
		t.Errorf("after the overlap: %v, %v", a.Secrets, err)
	}
}

func TestChosenTypes(t *testing.T) {
	db := queriestest.New(t)
	create(t, db)
	if err := db.Webhooks.Update(t.Context(), admin, 0, webhook.Draft{URL: address, Enabled: true, Types: []string{"link.changed"}}); err != nil {
		t.Fatal(err)
	}
	publish(t, db, "policy.changed", "link.changed", "attendance.edited")
	if got := send(t, db, accepted, 9); got != "link.changed" {
		t.Errorf("sent %s", got)
	}
	if _, err := db.Webhooks.Lease(t.Context()); !errors.Is(err, queries.NotFound) {
		t.Errorf("messages of other types are something to do: %v", err)
	}
}

func TestDisabledWebhookSendsNothing(t *testing.T) {
	db := queriestest.New(t)
	create(t, db)
	publish(t, db, "link.changed")
	send(t, db, refused, 1)
	d := endpoint(t, db).Draft()
	d.Enabled = false
	if err := db.Webhooks.Update(t.Context(), admin, 0, d); err != nil {
		t.Fatal(err)
	}
	publish(t, db, "policy.changed")
	if got := send(t, db, accepted, 9); got != "" || state(t, db) != webhook.Disabled {
		t.Errorf("sent %s", got)
	}
	if _, err := db.Webhooks.Test(t.Context(), admin); err != webhook.ErrDisabled {
		t.Errorf("a test: %v", err)
	}
	d.Enabled = true
	if err := db.Webhooks.Update(t.Context(), admin, 0, d); err != nil {
		t.Fatal(err)
	}
	publish(t, db, "attendance.edited")
	if got := send(t, db, accepted, 9); got != "link.changed attendance.edited" {
		t.Errorf("enabled again it sends %s", got)
	}
}

// A message is tried eight times within about a day, then it is given up; sent
// again, it has all of its attempts.
func TestRetries(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	publish(t, db, "link.changed")
	began := clock.Now()
	for i := range webhook.MaxAttempts {
		if got := send(t, db, refused, 1); got != "link.changed" {
			t.Fatalf("attempt %d: %q", i+1, got)
		}
		// Without pauses, which have a test of their own.
		queriestest.Exec(t, db, "update webhooks set failures = 0, failing_since = null, paused_until = null")
		if got := send(t, db, refused, 1); got != "" {
			t.Fatalf("attempt %d has no pause after it", i+1)
		}
		if i == webhook.MaxAttempts-1 {
			break
		}
		if got := log(t, db); got != fmt.Sprintf("waiting %d", i+1) {
			t.Errorf("after attempt %d: %s", i+1, got)
		}
		wait := queriestest.LookUp(t, db, "select ceil(extract(epoch from next_at - last_at)) from webhook_deliveries")
		seconds, err := time.ParseDuration(wait + "s")
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(seconds - 2*time.Second)
		if got := send(t, db, refused, 1); got != "" {
			t.Fatalf("attempt %d comes too early", i+2)
		}
		clock.Advance(2 * time.Second)
	}
	if took := clock.Now().Sub(began); took < 24*time.Hour || took > 28*time.Hour {
		t.Errorf("the attempts took %v", took)
	}
	if got := log(t, db); got != "failed 8" {
		t.Errorf("in the end: %s", got)
	}
	id := queriestest.LookUp(t, db, "select max(id) from webhook_deliveries")
	if _, err := db.Webhooks.Resend(t.Context(), queriestest.Hanbit, number(t, id)); err != nil {
		t.Fatal(err)
	}
	if got := send(t, db, refused, 1); got != "link.changed" || log(t, db) != "waiting 1" {
		t.Errorf("sent again: %s, %s", got, log(t, db))
	}
	if _, err := db.Webhooks.Resend(t.Context(), queriestest.Other, number(t, id)); !errors.Is(err, queries.NotFound) {
		t.Errorf("another company sends it: %v", err)
	}
}

func TestPause(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	publish(t, db, "link.changed", "policy.changed", "attendance.edited", "link.changed", "link.changed", "link.changed")
	if send(t, db, refused, 6); state(t, db) != webhook.Failing {
		t.Errorf("failures of one moment: %s", state(t, db))
	}
	clock.Advance(6 * time.Second)
	if send(t, db, refused, 6); state(t, db) != webhook.Failing {
		t.Errorf("failures of some seconds: %s", state(t, db))
	}
	clock.Advance(6 * time.Minute)
	if got := send(t, db, refused, 1); got == "" || state(t, db) != webhook.Paused {
		t.Fatalf("failures of minutes: %s, %s", got, state(t, db))
	}
	const attempts = "select string_agg(attempts::text, ' ' order by attempts desc) from webhook_deliveries where type <> 'webhook.test'"
	publish(t, db, "policy.changed")
	if got := send(t, db, refused, 9); got != "" || queriestest.LookUp(t, db, attempts) != "3 2 2 2 2 2 0" {
		t.Errorf("during the pause %q was sent: %s", got, log(t, db))
	}

	// One attempt at the end of the pause, which does not count.
	clock.Advance(10 * time.Minute)
	if got := send(t, db, refused, 9); got != "link.changed" || state(t, db) != webhook.Paused || queriestest.LookUp(t, db, attempts) != "3 2 2 2 2 2 0" {
		t.Errorf("after the pause: %q, %s", got, log(t, db))
	}
	// What somebody wants to be sent is sent during the pause.
	test, err := db.Webhooks.Test(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	if got := send(t, db, refused, 9); got != webhook.TestType || !strings.HasSuffix(log(t, db), "failed 1") {
		t.Errorf("a test: %q, %s", got, log(t, db))
	}
	if err := db.Webhooks.Resume(t.Context(), queriestest.Hanbit); err != nil {
		t.Fatal(err)
	}
	if got := send(t, db, refused, 9); got != "link.changed" {
		t.Errorf("resumed: %q", got)
	}
	// A success ends the pause, and everything is sent at once, in its order.
	if _, err := db.Webhooks.Resend(t.Context(), queriestest.Hanbit, test.ID); err != nil {
		t.Fatal(err)
	}
	const all = "webhook.test link.changed policy.changed attendance.edited link.changed link.changed link.changed policy.changed"
	if got := send(t, db, accepted, 9); got != all || state(t, db) != webhook.Healthy {
		t.Errorf("a success: %s, %s", got, state(t, db))
	}
}

func TestGoneDisables(t *testing.T) {
	db := queriestest.New(t)
	create(t, db)
	publish(t, db, "link.changed", "policy.changed")
	if got := send(t, db, gone, 9); got != "link.changed" || log(t, db) != "failed 1, waiting 0" || state(t, db) != webhook.Gone {
		t.Errorf("sent %s: %s, %s", got, log(t, db), state(t, db))
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action || coalesce(actor_user_id, 0), ' ' order by id) from changes where object_type = 'webhook'"); got != "webhook.created1 webhook.gone0" {
		t.Errorf("change log: %s", got)
	}
	d := endpoint(t, db).Draft()
	d.Enabled = true
	if err := db.Webhooks.Update(t.Context(), admin, 2, d); err != nil {
		t.Fatal(err)
	}
	if got := send(t, db, accepted, 9); got != "policy.changed" || state(t, db) != webhook.Healthy {
		t.Errorf("enabled again: %s, %s", got, state(t, db))
	}
}

// What an attempt says is not about a webhook that was changed during it.
func TestResultOfChangedWebhook(t *testing.T) {
	db := queriestest.New(t)
	create(t, db)
	publish(t, db, "link.changed")
	leased, err := db.Webhooks.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, err := db.Webhooks.Next(t.Context(), leased)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Webhooks.Update(t.Context(), admin, 0, webhook.Draft{URL: address + "/2", Enabled: true}); err != nil {
		t.Fatal(err)
	}
	if err := db.Webhooks.Finish(t.Context(), a, gone); err != nil || !endpoint(t, db).Enabled {
		t.Errorf("%+v, %v", endpoint(t, db), err)
	}
	if err := db.Webhooks.Delete(t.Context(), admin, 0); err != nil {
		t.Fatal(err)
	}
	if err := db.Webhooks.Finish(t.Context(), a, accepted); err != nil {
		t.Errorf("a deleted webhook: %v", err)
	}
}

// Only one process works for a webhook until its lease passes.
func TestLease(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	create(t, db)
	publish(t, db, "link.changed")
	leased, err := db.Webhooks.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(webhook.LeaseTime - time.Second)
	if _, err := db.Webhooks.Lease(t.Context()); !errors.Is(err, queries.NotFound) {
		t.Errorf("a second process: %v", err)
	}
	clock.Advance(time.Second)
	second, err := db.Webhooks.Lease(t.Context())
	if err != nil {
		t.Fatalf("after the lease: %v", err)
	}
	if err := db.Webhooks.Release(t.Context(), leased); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Webhooks.Lease(t.Context()); !errors.Is(err, queries.NotFound) {
		t.Errorf("the first process released the lease of the second: %v", err)
	}
	if err := db.Webhooks.Release(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Webhooks.Lease(t.Context()); err != nil {
		t.Errorf("released: %v", err)
	}
}

// A company without a webhook costs nothing: publishing writes the message only.
func TestPublishingWritesNoDeliveries(t *testing.T) {
	db := queriestest.New(t)
	create(t, db)
	statements := queriestest.LogStatements(t, db)
	publish(t, db, "link.changed")
	if n := len(statements.Take()); n != 2 || log(t, db) != "" {
		t.Errorf("%d statements, deliveries %q", n, log(t, db))
	}
}
