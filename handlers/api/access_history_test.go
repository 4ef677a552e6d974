package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const accessEventsPath = "/companies/1/events/access"

func TestAccessEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	event := func(id, more string) string {
		return fmt.Sprintf(`{"event_id": %q, "user_id": 6, "kind": "login", "result": "ok", "platform": "pc", "ip": "203.0.113.5", "user_agent": "Messenger/6.3", "occurred_at": "2026-11-20T08:58:00+09:00"%s}`, id, more)
	}
	body := `{"events": [` + event("a", "") + "," + event("a", "") + "," + event("b", `, "user_id": 11`) + `, {"occurred_at": "yesterday", "event_id": "c"}, 7, null, ` +
		event("d", `, "kind": "dance"`) + "," + event("e", `, "ip": "not an address"`) + "," + event("f", `, "result": "perhaps"`) + "," + event("g", `, "platform": "fridge"`) + "," +
		event("h", `, "occurred_at": "2027-11-20T08:58:00+09:00"`) + "," + event("i", `, "user_id": 0, "email": "who@hanbit.example", "result": "failed", "occurred_at": "2026-11-19T08:58:00+09:00"`) + `]}`
	refused := func(id, code string) map[string]any {
		return map[string]any{"event_id": id, "status": "refused", "code": code}
	}
	accepted := func(id, status string) map[string]any { return map[string]any{"event_id": id, "status": status} }
	equal(t, "results", object(t, s.call(http.MethodPost, accessEventsPath, token, body), http.StatusAccepted)["data"], []any{
		accepted("a", "accepted"), accepted("a", "duplicate"), refused("b", "event.user"), refused("c", "event.unreadable"), refused("", "event.unreadable"), refused("", "event.unreadable"),
		refused("d", "usage.access_kind"), refused("e", "event.unreadable"), refused("f", "usage.result"), refused("g", "usage.platform"), refused("h", "event.future"), accepted("i", "accepted"),
	})
	again := object(t, s.call(http.MethodPost, accessEventsPath, token, `{"events": [`+event("a", "")+`]}`), http.StatusAccepted)["data"]
	equal(t, "a replay", again, []any{accepted("a", "duplicate")})
	equal(t, "a person's token", s.call(http.MethodPost, accessEventsPath, s.token(queriestest.Admin), `{"events": []}`).status, http.StatusForbidden)
	equal(t, "another company's token", s.call(http.MethodPost, accessEventsPath, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`).status, http.StatusNotFound)

	admin, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/access"
	first := object(t, s.get(all+"?limit=1&user_id=6", admin), http.StatusOK)
	row := first["data"].([]any)[0].(map[string]any)
	equal(t, "row", []any{row["at"], row["user"], row["kind"], row["result"], row["source"], row["platform"], row["ip"], row["user_agent"]},
		[]any{"2026-11-19T23:58:00Z", map[string]any{"id": 6, "name": "김철수"}, "login", "ok", "messenger", "pc", "203.0.113.5", "Messenger/6.3"})
	unknown := object(t, s.get(all+"?result=failed&to=2026-11-19", admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "an unknown account", []any{unknown["user"], unknown["account"]}, []any{nil, "who@hanbit.example"})
	for query, status := range map[string]int{"?kind=dance": 422, "?q=a": 422, "?from=x": 422, "?from=2026-11-20&to=2026-11-19": 422, "?user_id=11": 404, "?user_id=6&kind=login&result=ok&pattern=device&q=203.0.113.5": 200} {
		equal(t, query, s.get(all+query, admin).status, status)
	}
	equal(t, "an employee", s.get(own(queriestest.Employee)+"/security/access", s.token(queriestest.Employee)).status, http.StatusForbidden)
	equal(t, "another company", len(object(t, s.get("/companies/2/users/10/security/access?limit=500&q=203.0.113.5", s.token(queriestest.OtherAdmin)), http.StatusOK)["data"].([]any)), 0)
}

func TestSessions(t *testing.T) {
	s := newSite(t)
	admin, employee := s.token(queriestest.Admin), s.token(queriestest.Employee)
	sessions := own(queriestest.Admin) + "/security/sessions"
	list := func() []any {
		t.Helper()
		return object(t, s.get(sessions+"?user_id=2", admin), http.StatusOK)["data"].([]any)
	}
	open := list()
	equal(t, "sessions", len(open), 1)
	one := sessions + "/" + open[0].(map[string]any)["id"].(string)
	equal(t, "a token", open[0].(map[string]any)["kind"], "token")
	equal(t, "somebody else's", s.call(http.MethodDelete, one+"?user_id=6", admin, "").status, http.StatusNotFound)
	equal(t, "an employee", s.call(http.MethodDelete, own(queriestest.Employee)+"/security/sessions?user_id=2", employee, "").status, http.StatusForbidden)
	equal(t, "ended", object(t, s.call(http.MethodDelete, one+"?user_id=2", admin, ""), http.StatusOK)["ended"], 1)
	equal(t, "ended again", object(t, s.call(http.MethodDelete, one+"?user_id=2", admin, ""), http.StatusOK)["ended"], 0)
	equal(t, "the token", s.get("/profile", employee).status, 419)
	equal(t, "an unknown token", s.get(own(queriestest.Employee)+"/security/access", "made up").status, 419)
	refused := object(t, s.get(own(queriestest.Admin)+"/security/access?kind=token_refused", admin), http.StatusOK)["data"].([]any)
	equal(t, "refused tokens", len(refused), 2)
	for i, want := range [][]any{{"refused", "unknown_token", nil}, {"refused", "revoked", map[string]any{"id": 2, "name": "이준호"}}} {
		row := refused[i].(map[string]any)
		equal(t, "refused token", []any{row["result"], row["reason"], row["user"]}, want)
	}
	equal(t, "no such id", s.call(http.MethodDelete, sessions+"/12", admin, "").status, http.StatusNotFound)
	if _, err := s.db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password)); err != nil {
		t.Fatal(err)
	}
	equal(t, "a browser", list()[0].(map[string]any)["kind"], "session")
	equal(t, "without a user", s.call(http.MethodDelete, sessions, admin, "").status, http.StatusUnprocessableEntity)
	equal(t, "all", object(t, s.call(http.MethodDelete, sessions+"?user_id=2", admin, ""), http.StatusOK)["ended"], 1)
	equal(t, "none is open", len(list()), 0)

	other, mine := s.token(queriestest.Admin), sessions+"?user_id=1"
	wrong := object(t, s.call(http.MethodDelete, mine, admin, `{"password": "Wrong!2026"}`, "Accept-Language: en"), http.StatusUnprocessableEntity)
	equal(t, "one's own with a wrong password", wrong["errors"].([]any)[0].(map[string]any)["field"], "password")
	equal(t, "one's own without a password", s.call(http.MethodDelete, mine, admin, "").status, http.StatusUnprocessableEntity)
	equal(t, "still valid", s.get("/profile", other).status, http.StatusOK)
	equal(t, "one's own", object(t, s.call(http.MethodDelete, mine, admin, `{"password": "`+queriestest.Password+`"}`), http.StatusOK)["ended"], 1)
	equal(t, "the other token", s.get("/profile", other).status, 419)
	equal(t, "this token", s.get("/profile", admin).status, http.StatusOK)
}

func TestServiceTokens(t *testing.T) {
	s := newSite(t)
	admin, tokens := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/tokens"
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	list := func() []any {
		t.Helper()
		return object(t, s.get(tokens, admin), http.StatusOK)["data"].([]any)
	}
	first := list()[0].(map[string]any)
	equal(t, "unused", []any{first["scopes"], first["used_at"]}, []any{[]any{"events"}, nil})
	use := func() int { return s.call(http.MethodPost, accessEventsPath, token, `{"events": []}`).status }
	equal(t, "used", use(), http.StatusAccepted)
	equal(t, "used at", list()[0].(map[string]any)["used_at"], "2026-11-20T01:00:00Z")
	one := tokens + "/" + jsonNumber(first["id"])
	equal(t, "an employee", s.call(http.MethodDelete, own(queriestest.Employee)+"/security/tokens/"+jsonNumber(first["id"]), s.token(queriestest.Employee), "").status, http.StatusForbidden)
	equal(t, "another company", s.call(http.MethodDelete, own(queriestest.OtherAdmin)+"/security/tokens/"+jsonNumber(first["id"]), s.token(queriestest.OtherAdmin), "").status, http.StatusNotFound)
	equal(t, "ended", object(t, s.call(http.MethodDelete, one, admin, ""), http.StatusOK)["ended"], 1)
	equal(t, "ended again", object(t, s.call(http.MethodDelete, one, admin, ""), http.StatusOK)["ended"], 0)
	equal(t, "no longer used", use(), 419)
	equal(t, "none is left", len(list()), 0)

	refused := object(t, s.call(http.MethodPost, tokens, admin, `{"name": "", "scopes": ["everything"]}`), http.StatusUnprocessableEntity)
	equal(t, "refused fields", len(refused["errors"].([]any)), 2)
	created := object(t, s.call(http.MethodPost, tokens, admin, `{"name": "messenger", "scopes": ["events"], "allowed_addresses": ["127.0.0.0/8"], "expires_at": "2026-12-01T00:00:00+09:00"}`), http.StatusCreated)
	token = created["token"].(string)
	equal(t, "the new token", use(), http.StatusAccepted)
	row := list()[0].(map[string]any)
	equal(t, "its row", []any{row["name"], row["status"], row["allowed_addresses"], row["expires_at"], row["used_from"]}, []any{"messenger", "active", []any{"127.0.0.0/8"}, "2026-11-30T15:00:00Z", "127.0.0.1"})
	rotation := tokens + "/" + jsonNumber(created["id"]) + "/rotation"
	rotated := object(t, s.call(http.MethodPost, rotation, admin, `{"overlap_seconds": 60}`), http.StatusCreated)
	equal(t, "the token before", use(), http.StatusAccepted)
	token = rotated["token"].(string)
	equal(t, "the token after", use(), http.StatusAccepted)
	equal(t, "again", s.call(http.MethodPost, rotation, admin, `{"overlap_seconds": 60}`).status, http.StatusConflict)
	equal(t, "too long", s.call(http.MethodPost, rotation, admin, `{"overlap_seconds": 604801}`).status, http.StatusUnprocessableEntity)
	equal(t, "an employee creates", s.call(http.MethodPost, own(queriestest.Employee)+"/security/tokens", s.token(queriestest.Employee), `{"name": "a", "scopes": ["read"]}`).status, http.StatusForbidden)

	elsewhere := object(t, s.call(http.MethodPost, tokens, admin, `{"name": "elsewhere", "scopes": ["events"], "allowed_addresses": ["203.0.113.5"]}`), http.StatusCreated)
	foreign := s.call(http.MethodPost, accessEventsPath, elsewhere["token"].(string), `{"events": []}`)
	equal(t, "from another address", []any{foreign.status, code(t, foreign)}, []any{http.StatusForbidden, "token.address.refused"})
}
