package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// A body that is no JSON is refused as in every other call, although the rules judge the
// items one by one.
func TestEventsThatAreNoJSON(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	for _, kind := range []string{"access", "activities", "clients", "clock", "consents", "devices", "files", "reads"} {
		path := "/companies/1/events/" + kind
		for _, test := range []struct {
			body, contentType string
			status            int
			code              string
		}{
			{`{"events":[`, "application/json", http.StatusBadRequest, "api.bad_json"},
			{`{"events":[]}`, "text/plain", http.StatusUnsupportedMediaType, "api.media_type"},
			{`[]`, "application/json", http.StatusUnprocessableEntity, "api.refused"},
		} {
			a := s.call(http.MethodPost, path, token, test.body, "Content-Type: "+test.contentType)
			if a.status != test.status || code(t, a) != test.code {
				t.Errorf("%s as %s to %s: %d %s", test.body, test.contentType, kind, a.status, a.body)
			}
		}
	}
}

// An event_id is unique for its user in every call that takes in events, as for clock
// events, in one call and in several.
func TestEventIDsAreUniqueForTheirUser(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	notice := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "공지", PublishAt: queriestest.Now.Add(-time.Hour)})
	for kind, fields := range map[string]string{
		"files":   `"file_name": "a.pdf", "size": 5, "platform": "web", "saved_at": "2026-11-20T08:58:00+09:00"`,
		"clients": `"platform": "pc", "kind": "login", "version": "6.4.2", "device_id": "d", "occurred_at": "2026-11-20T08:58:00+09:00"`,
		"access":  `"kind": "login", "result": "ok", "platform": "pc", "occurred_at": "2026-11-20T08:58:00+09:00"`,
		"reads":   fmt.Sprintf(`"notice_id": %d`, notice),
	} {
		t.Run(kind, func(t *testing.T) {
			send := func(users ...int64) string {
				var events, statuses []string
				for _, id := range users {
					events = append(events, fmt.Sprintf(`{"event_id": "shared", "user_id": %d, %s}`, id, fields))
				}
				answer := object(t, s.call(http.MethodPost, "/companies/1/events/"+kind, token, `{"events": [`+strings.Join(events, ",")+`]}`), http.StatusAccepted)
				for _, result := range answer["data"].([]any) {
					statuses = append(statuses, result.(map[string]any)["status"].(string))
				}
				return strings.Join(statuses, " ")
			}
			equal(t, "the first user", send(queriestest.Kim), "accepted")
			equal(t, "the second user", send(queriestest.Employee), "accepted")
			equal(t, "both again", send(queriestest.Kim, queriestest.Employee), "duplicate duplicate")
			equal(t, "two users in one call", send(queriestest.Foreigner, queriestest.Manager, queriestest.Foreigner), "accepted accepted duplicate")
		})
	}
}
