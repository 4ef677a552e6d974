package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
)

// describedEvents returns the fields of the events in the description of the stream, by
// their types.
func describedEvents(t *testing.T) map[string][]string {
	t.Helper()
	content, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct{ Description string }
	}
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	described := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^- (\S+) \{(.*?)\}: \S`).FindAllStringSubmatch(document.Paths["/companies/{company_id}/stream"]["get"].Description, -1) {
		described[m[1]] = strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
	}
	return described
}

// The stream describes every type that the program publishes, which webhook.Types lists.
func TestEveryEventIsDescribed(t *testing.T) {
	described := describedEvents(t)
	if got, want := slices.Sorted(maps.Keys(described)), slices.Sorted(slices.Values(webhook.Types)); !slices.Equal(got, want) {
		t.Errorf("described %v, published %v", got, want)
	}
}

// Events have the fields that are described.
func TestEventsMatchTheDescription(t *testing.T) {
	s := newSite(t)
	worked(s)
	admin, mine := s.token(queriestest.Admin), own(queriestest.Admin)
	do := func(method, path, body string) {
		t.Helper()
		if a := s.call(method, mine+path, admin, body); a.status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
		}
	}
	do(http.MethodPost, "/policies/communication", `{"name":"새 정책","effective_from":"now"}`)
	do(http.MethodPatch, "/logs/workingattitude/2-2026-11-20", `{"arrival_at":"2026-11-20T09:10:00+09:00","reason":"확인"}`)
	do(http.MethodPost, "/notices", `{"title":"공지","body":"본문","targets":{"everyone":true}}`)
	id := queriestest.LookUp(t, s.db, "select id from notices where title = '공지'")
	do(http.MethodDelete, "/notices/"+id, "")
	do(http.MethodPost, "/notices/"+id+"/restoration", "")
	do(http.MethodPost, "/links", `{"name":"가","url":"{host}"}`)
	do(http.MethodPatch, "/bots/service", `{"name":"알림 봇"}`)
	do(http.MethodPost, "/hidden-users", `{"user_ids":[6],"kind":"leave","reason":"휴직"}`)
	do(http.MethodDelete, "/hidden-users/6", "")
	token, path := s.rotateBotToken("message", 0)
	object(t, s.call(http.MethodPost, path, token, `{"text":"가","to":{"users":[2]}}`), http.StatusAccepted)

	described, seen := describedEvents(t), map[string]bool{}
	for _, m := range queriestest.Messages(t, s.db, queriestest.Hanbit, 0) {
		var payload map[string]any
		if err := json.Unmarshal(m.Payload, &payload); err != nil {
			t.Errorf("%s: %v", m.Type, err)
		}
		seen[m.Type] = true
		for _, field := range described[m.Type] {
			name, optional := strings.CutSuffix(field, "?")
			if _, found := payload[name]; !found && !optional {
				t.Errorf("%s has no %s: %s", m.Type, name, m.Payload)
			}
			delete(payload, name)
		}
		if len(payload) > 0 {
			t.Errorf("%s: %v is not described", m.Type, slices.Collect(maps.Keys(payload)))
		}
	}
	for _, kind := range []string{"policy.changed", "attendance.edited", "notice.published", "notice.changed", "notice.deleted", "link.changed", "bot.changed", "bot.message", "user.hidden", "user.shown", "session.revoke"} {
		if !seen[kind] {
			t.Errorf("%s was not published", kind)
		}
	}
}
