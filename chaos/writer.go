package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// clockEvent is an event as the messenger sends it.
type clockEvent struct {
	EventID    string `json:"event_id"`
	UserID     int64  `json:"user_id"`
	Kind       string `json:"kind"`
	OccurredAt string `json:"occurred_at"`
	Offline    bool   `json:"offline"`
	Reason     string `json:"reason"`
}

// eventDays is over how many days back the events are spread, so that no person's day
// gets more of them than people have.
const eventDays = 20

func (c *company) eventsPath() string { return fmt.Sprintf("/api/v1/companies/%d/events/clock", c.id) }

// writeEvents sends batches of clock events. A batch that is not answered is sent again
// with the same ids, to the next console, until the load ends.
func (l *load) writeEvents(ctx, going context.Context, writer int) {
	c := newClient(l.consoles, writer, l.tally)
	defer c.close()
	header := http.Header{"Authorization": {"Bearer " + l.company.token}, "Accept-Language": {"ko"}}
	for n := 0; going.Err() == nil; n += l.pace.batch {
		batch := make([]clockEvent, l.pace.batch)
		names := make([]string, l.pace.batch)
		for i := range batch {
			batch[i] = l.clockEvent(writer, n+i)
			names[i] = batch[i].EventID
		}
		for l.admit(going) {
			a := c.json(ctx, http.MethodPost, l.company.eventsPath(), header, map[string]any{"events": batch})
			l.takeResults(a, names)
			if a.outcome == done || a.outcome == refused {
				break
			}
			if !wait(going, retryPause) {
				break
			}
		}
		if !wait(going, l.pace.eventPause) {
			return
		}
	}
}

// clockEvent returns the nth event of a writer: people arrive in the morning of a day
// and leave in the evening, one person and day after the other.
func (l *load) clockEvent(writer, n int) clockEvent {
	slot := n/2*l.pace.eventWriters + writer
	user := l.company.users[slot%len(l.company.users)]
	day := l.began.UTC().AddDate(0, 0, -(1 + slot/len(l.company.users)%eventDays)).Truncate(24 * time.Hour)
	e := clockEvent{EventID: l.name(writer, n), UserID: user, Kind: "in", Offline: true, Reason: "chaos"}
	at := day.Add(time.Duration(n%50) * time.Minute)
	if n%2 == 1 {
		e.Kind, at = "out", at.Add(8*time.Hour)
	}
	e.OccurredAt = at.Format(time.RFC3339)
	return e
}

func (l *load) takeResults(a answer, names []string) {
	switch a.outcome {
	case unknown:
		l.ledger.leaveOpen(events, names...)
		l.tally.noteUnknown(len(names))
		return
	case refused:
		l.tally.noteRefused(len(names), "events: "+a.String())
		return
	case unsent:
		return
	}
	var results struct {
		Data []struct {
			EventID string `json:"event_id"`
			Status  string `json:"status"`
			Code    string `json:"code"`
		} `json:"data"`
	}
	if err := json.Unmarshal(a.body, &results); err != nil || len(results.Data) != len(names) {
		l.ledger.leaveOpen(events, names...)
		l.tally.noteUnknown(len(names))
		return
	}
	taken := 0
	for _, r := range results.Data {
		if r.Status == "refused" {
			l.tally.noteRefused(1, "event: "+r.Code)
			continue
		}
		l.ledger.acknowledge(events, r.EventID)
		taken++
	}
	if taken > 0 {
		l.tally.noteDone(events, taken)
	}
}

// savesOfPolicy is how many versions a policy gets before the next one is created.
const savesOfPolicy = 5

// writePolicies creates policies and saves versions of them. What is not answered is
// left open: saving it again could double it.
func (l *load) writePolicies(ctx, going context.Context, s *session) {
	const kindPath = "/policies/communication"
	var current version
	for n := 0; going.Err() == nil; {
		name := l.name(0, n)
		body := map[string]any{"name": name, "description": name, "effective_from": "now"}
		method, path, header := http.MethodPost, s.own()+kindPath, s.header()
		if current.policy != 0 {
			method, path = http.MethodPut, fmt.Sprintf("%s/%d", path, current.policy)
			header.Set("If-Match", strconv.Quote(strconv.Itoa(current.no)))
		}
		a := s.json(ctx, method, path, header, body)
		saved, err := policyVersion(a)
		if a.outcome == done && err != nil {
			a.outcome = unknown
		}
		if a.outcome == done {
			l.ledger.acknowledgeVersion(name, saved)
		}
		n += l.take(going, s, policies, name, a)
		switch {
		case a.outcome == done && saved.no < savesOfPolicy:
			current = saved
		case a.outcome != unsent:
			current = version{} // somebody else may have saved: begin with a new one
		}
		if !wait(going, l.pace.savePause) {
			return
		}
	}
}

// policyVersion reads a policy's id and its newest version, which is its ETag.
func policyVersion(a answer) (v version, err error) {
	if a.outcome != done {
		return v, nil
	}
	var saved struct{ ID int64 }
	if err := json.Unmarshal(a.body, &saved); err != nil {
		return v, err
	}
	v.policy = saved.ID
	v.no, err = strconv.Atoi(strings.Trim(a.header.Get("ETag"), `"`))
	return v, err
}

// writeNotices publishes notices.
func (l *load) writeNotices(ctx, going context.Context, s *session) {
	for n := 0; going.Err() == nil; {
		name := l.name(0, n)
		a := s.json(ctx, http.MethodPost, s.own()+"/notices", s.header(), map[string]any{"title": name, "body": "chaos", "targets": map[string]any{"users": []int64{s.admin}}})
		if a.outcome == done {
			l.ledger.acknowledge(notices, name)
		}
		n += l.take(going, s, notices, name, a)
		if !wait(going, l.pace.savePause) {
			return
		}
	}
}

// writeTokens creates service tokens.
func (l *load) writeTokens(ctx, going context.Context, s *session) {
	for n := 0; going.Err() == nil; {
		name := l.name(0, n)
		secret, a := s.createToken(ctx, name)
		if a.outcome == done {
			l.ledger.acknowledgeToken(name, secret)
		}
		n += l.take(going, s, tokens, name, a)
		if !wait(going, l.pace.savePause) {
			return
		}
	}
}

// statusEnded is the status for a token that has ended.
const statusEnded = 419

// take notes the answer to a write that is not sent again if it may have been done. It
// returns 1 if the next name is to be used, and 0 if the write is to be tried again.
func (l *load) take(going context.Context, s *session, k kind, name string, a answer) int {
	switch a.outcome {
	case done:
		l.tally.noteDone(k, 1)
		return 1
	case unsent:
		wait(going, retryPause)
		return 0
	case unknown:
		l.ledger.leaveOpen(k, name)
		l.tally.noteUnknown(1)
		wait(going, retryPause)
		return 1
	}
	if a.status == statusEnded || a.status == http.StatusUnauthorized || a.code() == "proof.required" {
		_ = s.signIn(going) // fails only when the load ends
		return 0
	}
	l.tally.noteRefused(1, string(k)+": "+a.String())
	return 1
}
