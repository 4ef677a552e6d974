package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestActivityEvents(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"missing_departure": "last_activity"}' where company_id = 1 and policy_id = 2`)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	const path = "/companies/1/events/activities"
	body := `{"events": [{"event_id": "a", "user_id": 6, "at": "2026-11-20T09:30:00+09:00"}, {"user_id": 6, "at": "2026-11-20T09:10:00+09:00"},
		{"user_id": 6, "at": "yesterday"}, {"user_id": 6}, {"user_id": 11, "at": "2026-11-20T09:30:00+09:00"}]}`
	equal(t, "results", object(t, s.call(http.MethodPost, path, token, body), http.StatusAccepted)["data"], []any{
		map[string]any{"event_id": "a", "user_id": 6, "status": "accepted"},
		map[string]any{"user_id": 6, "status": "accepted"},
		map[string]any{"user_id": 6, "status": "refused", "code": "event.unreadable"},
		map[string]any{"user_id": 6, "status": "refused", "code": "event.time"},
		map[string]any{"user_id": 11, "status": "refused", "code": "event.user"},
	})
	equal(t, "stored", queriestest.LookUp(t, s.db, "select string_agg(work_date || ' ' || at at time zone 'Asia/Seoul', ', ') from attendance_activities where user_id = 6"), "2026-11-20 2026-11-20 09:30:00")
	for name, test := range map[string]struct {
		token, body string
		status      int
	}{
		"a token without the scope": {serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`, http.StatusForbidden},
		"a person's token":          {s.token(queriestest.Admin), `{"events": []}`, http.StatusForbidden},
		"another company's token":   {serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`, http.StatusNotFound},
		"no events at all":          {token, `{}`, http.StatusUnprocessableEntity},
		"more than a batch":         {token, `{"events": [` + repeated(`{"user_id": 6, "at": "2026-11-20T09:30:00+09:00"}`, 501) + `]}`, http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, path, test.token, test.body).status, test.status)
		})
	}
}
