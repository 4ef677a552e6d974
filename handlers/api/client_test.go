package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const clientEventsPath = "/companies/1/events/clients"

func TestClientEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	event := func(id, more string) string {
		return fmt.Sprintf(`{"event_id": %q, "user_id": 6, "platform": "pc", "kind": "login", "version": "6.4.2", "os": "Windows 11", "device_id": "d", "device_name": "PC-1", "occurred_at": "2026-11-20T08:58:00+09:00"%s}`, id, more)
	}
	body := `{"events": [` + event("a", "") + "," + event("a", "") + "," + event("b", `, "user_id": 11`) + `, {"occurred_at": "yesterday", "event_id": "c"}, 7, null, ` +
		event("d", `, "version": "newest"`) + "," + event("e", `, "platform": "web"`) + "," + event("f", `, "kind": "explode"`) + "," + event("g", `, "push_alive": "yes"`) + "," +
		event("h", `, "occurred_at": "2026-11-20T10:10:00+09:00"`) + "," + event("i", `, "kind": "logout", "version": "", "push_alive": false`) + `]}`
	got := object(t, s.call(http.MethodPost, clientEventsPath, token, body), http.StatusAccepted)["data"]
	refused := func(id, code string) map[string]any {
		return map[string]any{"event_id": id, "status": "refused", "code": code}
	}
	equal(t, "results", got, []any{
		map[string]any{"event_id": "a", "status": "accepted"},
		map[string]any{"event_id": "a", "status": "duplicate"},
		refused("b", "event.user"), refused("c", "event.unreadable"), refused("", "event.unreadable"), refused("", "event.unreadable"),
		refused("d", "usage.version"), refused("e", "usage.client_platform"), refused("f", "usage.kind"), refused("g", "event.unreadable"), refused("h", "event.future"),
		map[string]any{"event_id": "i", "status": "accepted"},
	})
	for name, test := range map[string]struct {
		token, body string
		status      int
	}{
		"a token without the scope": {serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`, http.StatusForbidden},
		"a person's token":          {s.token(queriestest.Admin), `{"events": []}`, http.StatusForbidden},
		"another company's token":   {serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`, http.StatusNotFound},
		"more than a batch":         {token, `{"events": [` + repeated("{}", 501) + `]}`, http.StatusUnprocessableEntity},
		"an empty batch":            {token, `{"events": []}`, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, clientEventsPath, test.token, test.body).status, test.status)
		})
	}
}
