package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const clockPath = "/companies/1/events/clock"

func TestClockEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	event := func(id string, more string) string {
		return fmt.Sprintf(`{"event_id": %q, "user_id": 6, "kind": "in", "occurred_at": "2026-11-20T08:58:00+09:00", "sent_at": "2026-11-20T10:00:00+09:00", "platform": "pc"%s}`, id, more)
	}
	body := `{"events": [` + event("a", "") + "," + event("a", "") + "," + event("b", `, "user_id": 11`) + `, {"event_id": "c", "occurred_at": "yesterday"}, 7, ` +
		event("d", `, "gps": {"lat": 137.4, "lng": 127, "accuracy_m": 10}`) + "," + event("e", `, "ip": "not an address"`) + `]}`
	got := object(t, s.call(http.MethodPost, clockPath, token, body), http.StatusAccepted)["data"]
	equal(t, "results", got, []any{
		map[string]any{"event_id": "a", "status": "accepted"},
		map[string]any{"event_id": "a", "status": "duplicate"},
		map[string]any{"event_id": "b", "status": "refused", "code": "event.user"},
		map[string]any{"event_id": "c", "status": "refused", "code": "event.unreadable"},
		map[string]any{"event_id": "", "status": "refused", "code": "event.unreadable"},
		map[string]any{"event_id": "d", "status": "refused", "code": "event.position"},
		map[string]any{"event_id": "e", "status": "refused", "code": "event.unreadable"},
	})
	again := object(t, s.call(http.MethodPost, clockPath, token, `{"events": [`+event("a", "")+`]}`), http.StatusAccepted)["data"]
	equal(t, "a replay", again, []any{map[string]any{"event_id": "a", "status": "duplicate"}})

	var status string
	if err := s.db.Pool().QueryRow(t.Context(), "select status from day_records where user_id = 6 and work_date = '2026-11-20'").Scan(&status); err != nil || status != "working" {
		t.Errorf("the day is %q (%v)", status, err)
	}
	for name, test := range map[string]struct {
		path, token, body string
		status            int
	}{
		"a token without the scope": {clockPath, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`, http.StatusForbidden},
		"a person's token":          {clockPath, s.token(queriestest.Admin), `{"events": []}`, http.StatusForbidden},
		"another company's token":   {clockPath, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`, http.StatusNotFound},
		"no events at all":          {clockPath, token, `{}`, http.StatusUnprocessableEntity},
		"more than a batch":         {clockPath, token, `{"events": [` + repeated("{}", 501) + `]}`, http.StatusUnprocessableEntity},
		"what is not JSON":          {clockPath, token, `{"events": [`, http.StatusUnprocessableEntity},
		"an empty batch":            {clockPath, token, `{"events": []}`, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, test.path, test.token, test.body).status, test.status)
		})
	}
}

func repeated(text string, n int) string {
	all := text
	for range n - 1 {
		all += "," + text
	}
	return all
}

func TestClock(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Employee), own(queriestest.Employee)+"/logs/workingattitude/clock"
	in := `{"event_id": "mine", "kind": "in", "platform": "pc"}`
	equal(t, "clocked", object(t, s.call(http.MethodPost, path, token, in), http.StatusCreated)["data"], map[string]any{"event_id": "mine", "status": "accepted"})
	equal(t, "again", object(t, s.call(http.MethodPost, path, token, in), http.StatusCreated)["data"], map[string]any{"event_id": "mine", "status": "duplicate"})
	refused := object(t, s.call(http.MethodPost, path, token, `{"event_id": "web", "kind": "out", "platform": "web"}`, "Accept-Language: en"), http.StatusUnprocessableEntity)
	equal(t, "refused", refused["code"], "event.platform")
	equal(t, "message", refused["message"], "Clocking is not allowed on this device.")
	equal(t, "somebody else's", s.call(http.MethodPost, own(queriestest.Kim)+"/logs/workingattitude/clock", token, in).status, http.StatusNotFound)
}
