package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/sender"
)

// LeaseTime is how long a process may work for a webhook before another one may.
// It is longer than SendTime and an attempt together.
const LeaseTime = 45 * time.Second

// SendTime is how long a process sends the messages of one webhook before it
// looks for other webhooks.
const SendTime = 10 * time.Second

// waits are the times between the attempts to deliver a message: a day in all.
var waits = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 10 * time.Hour}

// MaxAttempts is how often the console tries to deliver a message.
var MaxAttempts = len(waits) + 1

// A webhook is paused after failuresBeforePause attempts in a row that failed
// over at least failingBeforePause. Then one attempt is made every pauseTime.
const (
	failuresBeforePause = 5
	failingBeforePause  = 5 * time.Minute
	pauseTime           = 10 * time.Minute
)

// enqueueSize is how many messages get their deliveries in one statement.
const enqueueSize = 500

// Lease takes a webhook that has something to do and that no other process works
// for. It returns NotFound without any. Release ends the lease.
func (s *Store) Lease(ctx context.Context) (Endpoint, error) {
	now := s.db.Now()
	return s.lease(ctx, leaseParams{Until: now.Add(LeaseTime), Now: now})
}

// Release lets other processes work for a webhook.
func (s *Store) Release(ctx context.Context, leased Endpoint) error {
	return s.release(ctx, releaseParams{CompanyID: leased.CompanyID, Until: *leased.LeasedUntil, Now: s.db.Now()})
}

// Attempt is a delivery that is to be sent now.
type Attempt struct {
	sender.Message
	delivery Delivery
	endpoint Endpoint // as it was before the attempt
}

// Next returns what a leased webhook is to send next, or NotFound.
func (s *Store) Next(ctx context.Context, leased Endpoint) (Attempt, error) {
	e, err := s.Endpoint(ctx, leased.CompanyID)
	if err == nil && !e.Enabled {
		err = queries.NotFound
	}
	if err != nil {
		return Attempt{}, err
	}
	now := s.db.Now()
	if _, err := s.enqueue(ctx, enqueueParams{CompanyID: e.CompanyID, Size: enqueueSize, Now: now}); err != nil {
		return Attempt{}, err
	}
	d, err := s.nextRequested(ctx, e.CompanyID)
	if errors.Is(err, queries.NotFound) {
		switch {
		case e.PausedUntil == nil:
			d, err = s.nextDue(ctx, nextDueParams{e.CompanyID, now})
		case !e.PausedUntil.After(now):
			d, err = s.oldestWaiting(ctx, e.CompanyID)
		}
	}
	if err != nil {
		return Attempt{}, err
	}
	body, err := json.Marshal(body{d.Type, d.At.UTC(), d.Payload})
	return Attempt{sender.Message{ID: d.MessageText(), URL: e.URL, Body: body, Secrets: e.secrets(now), At: now}, d, e}, err
}

// body is what is sent.
type body struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// MessageText is the id of the message in its header, which is the same for every
// attempt. The number is the id of the message in the event stream.
func (d Delivery) MessageText() string {
	if d.MessageID == nil {
		return "test_" + strconv.FormatInt(d.ID, 10)
	}
	return "msg_" + strconv.FormatInt(*d.MessageID, 10)
}

// Result is what came of an attempt. Failure is one of sender.Failures where
// there was no answer.
type Result struct {
	sender.Answer
	Failure  string
	Duration time.Duration
}

// Finish stores what came of an attempt: the message is delivered, waits for the
// next attempt or is given up, and the webhook is paused or goes on.
func (s *Store) Finish(ctx context.Context, a Attempt, r Result) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		e, err := q.lockEndpoint(ctx, a.endpoint.CompanyID)
		if errors.Is(err, queries.NotFound) {
			return nil // somebody has deleted it
		}
		if err != nil {
			return err
		}
		state, next := a.after(r, now)
		counts := int32(1)
		if state == "waiting" && a.isProbe() {
			counts = 0
		}
		err = q.finishAttempt(ctx, finishAttemptParams{
			CompanyID: e.CompanyID, ID: a.delivery.ID, State: state, Counts: counts, NextAt: next, Now: now,
			Status: int32(r.Status), Answer: r.Text, Failure: r.Failure, DurationMs: int32(r.Duration.Milliseconds()),
		})
		if err != nil || e.VersionNo != a.endpoint.VersionNo { // says nothing about a webhook that was changed meanwhile
			return err
		}
		switch {
		case r.Accepted():
			return q.succeed(ctx, e, now)
		case r.Status == http.StatusGone:
			return endGone(ctx, tx, e, now)
		case a.delivery.Type == TestType:
			return nil
		}
		return q.fail(ctx, e, now)
	})
}

// isProbe reports whether the attempt finds out whether a pause can end. It does
// not count as one of the attempts to deliver the message.
func (a Attempt) isProbe() bool { return a.endpoint.PausedUntil != nil && !a.delivery.Requested }

// after returns the state of the delivery after an attempt, and the time of the
// next one.
func (a Attempt) after(r Result, now time.Time) (state string, next time.Time) {
	done := int(a.delivery.Attempts) // before this attempt
	switch {
	case r.Accepted():
		return "delivered", now
	case r.Status == http.StatusGone, a.delivery.Type == TestType:
		return "failed", now
	case a.isProbe():
		return "waiting", now
	case done >= len(waits):
		return "failed", now
	}
	return "waiting", now.Add(jitter(waits[done]))
}

// jitter adds up to a tenth, so that the messages of one failure do not come back
// at the same moment.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/10) }

// succeed ends a pause: what waits is sent again.
func (q *Queries) succeed(ctx context.Context, e Endpoint, now time.Time) error {
	if e.PausedUntil != nil {
		if err := q.wakeWaiting(ctx, wakeWaitingParams{now, e.CompanyID}); err != nil {
			return err
		}
	}
	return q.noteSuccess(ctx, noteSuccessParams{now, e.CompanyID})
}

// fail counts a failure, and begins or prolongs a pause.
func (q *Queries) fail(ctx context.Context, e Endpoint, now time.Time) error {
	arg := noteFailureParams{Now: now, CompanyID: e.CompanyID, PausedUntil: e.PausedUntil}
	long := e.FailingSince != nil && now.Sub(*e.FailingSince) >= failingBeforePause
	if e.PausedUntil != nil && !e.PausedUntil.After(now) || long && e.Failures+1 >= failuresBeforePause {
		until := now.Add(pauseTime)
		arg.PausedUntil = &until
	}
	return q.noteFailure(ctx, arg)
}

// endGone disables a webhook whose receiver wants no more messages.
func endGone(ctx context.Context, tx queries.Tx, e Endpoint, now time.Time) error {
	if err := New(tx).disableGone(ctx, disableGoneParams{now, e.CompanyID}); err != nil {
		return err
	}
	disabled := e.record()
	disabled.Enabled, disabled.VersionNo = false, e.VersionNo+1
	return recordChange(ctx, tx, queries.Actor{CompanyID: e.CompanyID}, now, queries.Change{Action: "webhook.gone", ObjectName: Host(e.URL), Old: e.record(), New: disabled})
}
