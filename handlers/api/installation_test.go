package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestInstallations(t *testing.T) {
	s := newSite(t)
	admin, list, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/installations", own(queriestest.Admin)+"/installation-rules"
	events := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	reads := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	object(t, s.call(http.MethodPost, clientEventsPath, events, `{"events": [{"event_id": "a", "user_id": 6, "platform": "pc", "kind": "login", "version": "6.2.4", "os": "Windows 11", "device_id": "d", "device_name": "PC-1", "occurred_at": "2026-11-20T08:58:00+09:00"}]}`), http.StatusAccepted)
	rows := object(t, s.get(list+"?platform=pc&state=installed", admin), http.StatusOK)["data"].([]any)
	equal(t, "people with a client", len(rows), 1)
	row := rows[0].(map[string]any)
	equal(t, "row", []any{row["user"], row["state"], row["version"], row["devices"], row["push_alive"], row["last_login_at"]},
		[]any{map[string]any{"id": 6, "name": "김철수"}, "installed", "6.2.4", 1, nil, "2026-11-19T23:58:00Z"})
	for query, status := range map[string]int{"": 422, "?platform=web": 422, "?platform=pc&state=x": 422, "?platform=pc&days=5": 422, "?platform=pc&days=8": 422, "?platform=pc&days=7": 200, "?platform=pc&days=30": 200, "?platform=pc&days=60": 200, "?platform=pc&days=90": 200,
		"?platform=pc&department_id=99": 404, "?platform=mobile&state=never&limit=1": 200} {
		equal(t, query, s.get(list+query, admin).status, status)
	}
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/installations?platform=pc", s.token(queriestest.Employee)).status, 403)

	first := s.get(path, admin)
	equal(t, "ETag", first.header.Get("ETag"), `"0"`)
	body := func(minimum string) string {
		return fmt.Sprintf(`{"clients":[{"system":"windows","allowed":true,"targets":{"users":[6]},"version":"6.10.0","size":88185,"minimum":%q}],"notice":{"ko":"가","en":"a","ja":"あ"}}`, minimum)
	}
	saved := s.call(http.MethodPut, path, admin, body("6.9"), `If-Match: "0"`)
	equal(t, "systems", len(object(t, saved, http.StatusOK)["clients"].([]any)), 5)
	equal(t, "somebody else saved", s.call(http.MethodPut, path, admin, body("6.8"), `If-Match: "0"`).status, 409)
	equal(t, "a minimum above the release", s.call(http.MethodPut, path, admin, body("6.11"), `If-Match: "1"`).status, 422)
	twice := `{"clients":[{"system":"macos","allowed":false,"targets":{}},{"system":"windows","allowed":false,"targets":{}},{"system":"macos","allowed":false,"targets":{}}],"notice":{"ko":"가","en":"a","ja":"あ"}}`
	refused := object(t, s.call(http.MethodPut, path, admin, twice, `If-Match: "1"`), http.StatusUnprocessableEntity)["errors"].([]any)[0].(map[string]any)
	equal(t, "a system that is there twice", []any{refused["field"], refused["code"]}, []any{"clients[2].system", "installation.system.twice"})
	rows = object(t, s.get(list+"?platform=pc&state=outdated", admin), http.StatusOK)["data"].([]any)
	equal(t, "outdated", len(rows), 1)

	of := func(userID int64) string { return fmt.Sprintf("/companies/1/installation-rules/%d", userID) }
	mine := s.get(of(queriestest.Kim), reads)
	rule := object(t, mine, http.StatusOK)["clients"].([]any)[0].(map[string]any)
	equal(t, "Kim's rule", []any{rule["allowed"], rule["minimum"], rule["size"]}, []any{true, "6.9", 88185})
	equal(t, "known by its ETag", s.get(of(queriestest.Kim), reads, "If-None-Match: "+mine.header.Get("ETag")).status, 304)
	rule = object(t, s.get(of(queriestest.Employee), reads), http.StatusOK)["clients"].([]any)[0].(map[string]any)
	equal(t, "the employee's rule", []any{rule["allowed"], rule["minimum"]}, []any{false, nil})
	equal(t, "of a hidden user", s.get(of(queriestest.Hidden), reads).status, 404)
}
