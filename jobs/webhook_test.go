package jobs

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

// loopback lets webhooks reach the receivers of tests.
var loopback = sender.Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}

// addWebhook gives the company a webhook that leads to a receiver, and a message
// for it. It returns the secret.
func addWebhook(t *testing.T, db *areas.Areas, receive http.HandlerFunc) string {
	t.Helper()
	receiver := httptest.NewServer(receive)
	t.Cleanup(receiver.Close)
	db.Webhooks.Allow(loopback)
	secret, err := db.Webhooks.Create(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, webhook.Draft{URL: receiver.URL + "/hook", Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, db)
	return secret
}

func publish(t *testing.T, db *areas.Areas) {
	t.Helper()
	if err := db.Publish(t.Context(), queriestest.Hanbit, db.Now(), "link.changed", struct{}{}); err != nil {
		t.Fatal(err)
	}
}

func client() *sender.Client { return sender.NewClient(loopback, nil, "OfficeConsole/test") }

const delivered = "select count(*) from webhook_deliveries where state = 'delivered'"

func TestSendWebhooks(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	clock.Advance(time.Since(clock.Now())) // that of the verification
	var secret string
	var ids []string
	secret = addWebhook(t, db, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		verifier, _ := standardwebhooks.NewWebhook(secret)
		if err := errors.Join(err, verifier.Verify(body, r.Header)); err != nil || r.URL.Path != "/hook" {
			t.Errorf("%s: %v", body, err)
		}
		ids = append(ids, r.Header.Get("webhook-id"))
		if len(ids) == 2 {
			http.Error(w, "not now", http.StatusServiceUnavailable)
		}
	})
	publish(t, db)
	if err := sendWebhooks(t.Context(), db, client()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', state, status, answer, failure), ', ' order by id) from webhook_deliveries"); got != "delivered 200  , waiting 503 not now " {
		t.Errorf("%s", got)
	}
	clock.Advance(6 * time.Second)
	if err := sendWebhooks(t.Context(), db, client()); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 3 || ids[0] == ids[1] || ids[1] != ids[2] || queriestest.LookUp(t, db, delivered) != "2" {
		t.Errorf("sent %v", ids)
	}
}

func TestAddressIsCheckedWhenSending(t *testing.T) {
	db := queriestest.New(t)
	requests := 0
	addWebhook(t, db, func(http.ResponseWriter, *http.Request) { requests++ })
	if err := sendWebhooks(t.Context(), db, sender.NewClient(sender.Network{}, nil, "")); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select state || ' ' || failure from webhook_deliveries"); got != "waiting address" || requests != 0 {
		t.Errorf("%s, %d requests", got, requests)
	}
}

// The program stops while a message is sent: the attempt does not count, and
// another process sends the message at once.
func TestShutdownWhileSending(t *testing.T) {
	db := queriestest.New(t)
	received, released := make(chan struct{}, 2), make(chan struct{})
	addWebhook(t, db, func(_ http.ResponseWriter, r *http.Request) {
		received <- struct{}{}
		select {
		case <-released:
		case <-r.Context().Done():
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- sendWebhooks(ctx, db, client()) }()
	<-received
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("sending ended with %v", err)
	}
	if got := queriestest.LookUp(t, db, "select state || ' ' || attempts from webhook_deliveries"); got != "waiting 0" {
		t.Errorf("the message is %s", got)
	}
	close(released)
	if err := sendWebhooks(t.Context(), db, client()); err != nil || queriestest.LookUp(t, db, delivered) != "1" {
		t.Errorf("not sent again: %v", err)
	}
}

// Several processes send every message once.
func TestSeveralSenders(t *testing.T) {
	db := queriestest.New(t)
	var mutex sync.Mutex
	seen := map[string]int{}
	addWebhook(t, db, func(_ http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		seen[r.Header.Get("webhook-id")]++
	})
	for range 19 {
		publish(t, db)
	}
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			if err := sendWebhooks(t.Context(), db, client()); err != nil {
				t.Error(err)
			}
		})
	}
	senders.Wait()
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was sent %d times", id, times)
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d messages were sent", len(seen))
	}
}

// A receiver that does not answer holds up its own messages only.
func TestSlowReceiver(t *testing.T) {
	db := queriestest.New(t)
	received, released := make(chan struct{}), make(chan struct{})
	addWebhook(t, db, func(_ http.ResponseWriter, r *http.Request) {
		close(received)
		<-released
	})
	slow := make(chan error, 1)
	go func() { slow <- sendWebhooks(t.Context(), db, client()) }()
	<-received
	fast := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer fast.Close()
	if _, err := db.Webhooks.Create(t.Context(), queries.Actor{CompanyID: queriestest.Other}, webhook.Draft{URL: fast.URL, Enabled: true}); err != nil {
		t.Fatal(err)
	}
	if err := db.Publish(t.Context(), queriestest.Other, db.Now(), "link.changed", struct{}{}); err != nil {
		t.Fatal(err)
	}
	if err := sendWebhooks(t.Context(), db, client()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(company_id::text, ' ') from webhook_deliveries where state = 'delivered'"); got != "2" {
		t.Errorf("delivered: companies %s", got)
	}
	close(released)
	if err := <-slow; err != nil || queriestest.LookUp(t, db, delivered) != "2" {
		t.Errorf("the slow one: %v", err)
	}
}

func TestWebhooksAreSentByJobs(t *testing.T) {
	names := []string{}
	for _, j := range table(queriestest.New(t), Outside{}) {
		names = append(names, j.name)
	}
	if n := strings.Count(strings.Join(names, "\n"), "send webhooks"); n != webhookSenders {
		t.Errorf("%d jobs send webhooks", n)
	}
}
