package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestConsentEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	const path = "/companies/1/events/consents"
	agreed := func(user int64) (yes bool) {
		t.Helper()
		if err := s.db.Pool().QueryRow(t.Context(), "select location_consent_at is not null from users where id = $1", user).Scan(&yes); err != nil {
			t.Fatal(err)
		}
		return yes
	}
	got := object(t, s.call(http.MethodPost, path, token, `{"events": [{"user_id": 2, "given": true, "occurred_at": "2026-11-01T00:00:00Z"}, {"user_id": 4, "given": true, "at": "2026-11-02T00:00:00Z"}, {"user_id": 6, "given": false}, {"user_id": 11, "given": true}]}`), http.StatusAccepted)["data"]
	equal(t, "results", got, []any{
		map[string]any{"user_id": 2, "status": "accepted"},
		map[string]any{"user_id": 4, "status": "accepted"},
		map[string]any{"user_id": 6, "status": "accepted"},
		map[string]any{"user_id": 11, "status": "refused", "code": "event.user"},
	})
	for user, want := range map[int64]bool{queriestest.Employee: true, queriestest.Kim: false, queriestest.OtherKim: false} {
		equal(t, "agreed", agreed(user), want)
	}
	equal(t, "again", s.call(http.MethodPost, path, token, `{"events": [{"user_id": 2, "given": true}]}`).status, http.StatusAccepted)
	for user, want := range map[int64]string{queriestest.Employee: "2026-11-01", queriestest.Manager: "2026-11-02"} {
		var at string
		if err := s.db.Pool().QueryRow(t.Context(), "select to_char(location_consent_at at time zone 'UTC', 'YYYY-MM-DD') from users where id = $1", user).Scan(&at); err != nil || at != want {
			t.Errorf("%d agreed first at %s (%v), want %s", user, at, err, want)
		}
	}
	equal(t, "without the scope", s.call(http.MethodPost, path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`).status, http.StatusForbidden)
	equal(t, "elsewhere", s.call(http.MethodPost, path, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`).status, http.StatusNotFound)
}

// A consent that cannot be read is refused by itself, and one that does not say
// whether it is given withdraws nothing.
func TestUnreadableConsentEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	const path = "/companies/1/events/consents"
	got := object(t, s.call(http.MethodPost, path, token, `{"events": [{"event_id": "a", "user_id": 2, "given": true, "note": 1}, {"event_id": "b", "user_id": 2},
		{"at": "yesterday", "event_id": "c", "user_id": 2, "given": false}, {"event_id": "d", "user_id": 2, "given": null}, 7]}`), http.StatusAccepted)["data"]
	refused := func(id string) any {
		return map[string]any{"event_id": id, "user_id": 2, "status": "refused", "code": "event.unreadable"}
	}
	equal(t, "results", got, []any{
		map[string]any{"event_id": "a", "user_id": 2, "status": "accepted"}, refused("b"), refused("c"), refused("d"),
		map[string]any{"user_id": 0, "status": "refused", "code": "event.unreadable"},
	})
	equal(t, "agreed", queriestest.LookUp(t, s.db, "select location_consent_at is not null from users where id = 2"), "true")
	for name, body := range map[string]string{"no events": `{}`, "more than a batch": `{"events": [` + repeated("{}", 501) + `]}`} {
		equal(t, name, s.call(http.MethodPost, path, token, body).status, http.StatusUnprocessableEntity)
	}
}
