package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

func webhookOf(user int64) string { return own(user) + "/webhook" }

// attempt makes the next attempt of the company's webhook with a result.
func (s *site) attempt(result webhook.Result) {
	s.t.Helper()
	leased, err := s.db.Webhooks.Lease(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := s.db.Webhooks.Next(s.t.Context(), leased)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.db.Webhooks.Finish(s.t.Context(), a, result); err != nil {
		s.t.Fatal(err)
	}
	if err := s.db.Webhooks.Release(s.t.Context(), leased); err != nil {
		s.t.Fatal(err)
	}
}

func TestWebhookLife(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), webhookOf(queriestest.Admin)
	for _, call := range [][2]string{{http.MethodGet, ""}, {http.MethodDelete, ""}, {http.MethodPost, "/test"}, {http.MethodPost, "/resumption"}, {http.MethodGet, "/deliveries/1"}, {http.MethodPost, "/deliveries/1/redelivery"}} {
		if a := s.call(call[0], path+call[1], token, ""); a.status != http.StatusNotFound {
			t.Errorf("%s without a webhook: %d %s", call, a.status, a.body)
		}
	}
	created := s.call(http.MethodPut, path, token, `{"url":"https://hooks.example/console"}`)
	secret := object(t, created, http.StatusCreated)["secret"].(string)
	if !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("the secret is %q", secret)
	}
	read := s.get(path, token)
	sameJSON(t, read.body, `{"url":"https://hooks.example/console","types":null,"enabled":true,"secret_hint":"`+strings.TrimRight(secret, "=")[len(strings.TrimRight(secret, "="))-4:]+`",
		"secret_created_at":"2026-11-20T01:00:00Z","previous_secret_until":null,
		"health":{"state":"idle","last_success_at":null,"failing_since":null,"paused_until":null,"tried":0,"failed":0,"waiting":0}}`)

	first := created.header.Get("ETag")
	changed := s.call(http.MethodPut, path, token, `{"url":"https://hooks.example/2","types":["link.changed"],"enabled":false}`, "If-Match: "+first)
	body := object(t, changed, http.StatusOK)
	equal(t, "changed", []any{body["url"], body["types"], body["enabled"], body["secret"], body["health"].(map[string]any)["state"]}, []any{"https://hooks.example/2", []any{"link.changed"}, false, nil, "disabled"})
	for _, method := range []string{http.MethodPut, http.MethodDelete} {
		stale := s.call(method, path, token, `{"url":"https://hooks.example/3"}`, "If-Match: "+first)
		equal(t, method, []any{stale.status, code(t, stale)}, []any{http.StatusConflict, "webhook.changed"})
	}
	disabled := s.call(http.MethodPost, path+"/test", token, "")
	equal(t, "a test", []any{disabled.status, code(t, disabled)}, []any{http.StatusUnprocessableEntity, "webhook.disabled"})

	rotated := object(t, s.call(http.MethodPost, path+"/secret/rotation", token, `{"overlap_seconds":3600}`), http.StatusOK)
	equal(t, "rotated", []any{rotated["secret"] != secret, rotated["previous_secret_until"]}, []any{true, "2026-11-20T02:00:00Z"})
	running := object(t, s.call(http.MethodPost, path+"/secret/rotation", token, `{"overlap_seconds":60}`), http.StatusConflict)
	equal(t, "while an overlap runs", running["code"], "webhook.overlap.running")
	if a := s.call(http.MethodPost, path+"/secret/rotation", token, `{"overlap_seconds":604801}`); a.status != http.StatusUnprocessableEntity {
		t.Errorf("an overlap of more than a week: %d %s", a.status, a.body)
	}
	if a := s.call(http.MethodDelete, path, token, ""); a.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", a.status, a.body)
	}
	if a := s.get(path, token); a.status != http.StatusNotFound {
		t.Errorf("deleted: %d %s", a.status, a.body)
	}
}

func TestRefusedWebhooks(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), webhookOf(queriestest.Admin)
	for body, want := range map[string]string{
		`{"url":""}`:                                      "webhook.url.required",
		`{"url":"http://hooks.example/"}`:                 "webhook.url.scheme",
		`{"url":"https://127.0.0.1/"}`:                    "webhook.url.private",
		`{"url":"https://[fe80::1]/"}`:                    "webhook.url.private",
		`{"url":"https://a:b@hooks.example"}`:             "webhook.url.password",
		`{"url":"https://hooks.example","types":[]}`:      "webhook.types.required",
		`{"url":"https://hooks.example","types":["all"]}`: "webhook.types.unknown",
	} {
		a := s.call(http.MethodPut, path, token, body)
		equal(t, body, []any{a.status, code(t, a)}, []any{http.StatusUnprocessableEntity, want})
	}
	employee := s.token(queriestest.Employee)
	if a := s.call(http.MethodPut, webhookOf(queriestest.Employee), employee, `{"url":"https://hooks.example"}`); a.status != http.StatusForbidden {
		t.Errorf("an employee: %d %s", a.status, a.body)
	}
}

func TestWebhookDeliveries(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), webhookOf(queriestest.Admin)
	object(t, s.call(http.MethodPut, path, token, `{"url":"https://hooks.example/"}`), http.StatusCreated)
	object(t, s.call(http.MethodPost, linksOf(queriestest.Admin), token, `{"name":"위키","url":"{host}"}`), http.StatusCreated)
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 503, Text: "busy"}, Duration: 12 * time.Millisecond})
	s.sendTest(path, token)

	list := s.get(path+"/deliveries", token)
	equal(t, "log", rowsOf(t, list, "type"), []any{"webhook.test", "link.changed"})
	equal(t, "those that wait", rowsOf(t, s.get(path+"/deliveries?status=waiting", token), "type"), []any{"link.changed"})
	page := s.get(path+"/deliveries?limit=1", token)
	var next struct {
		Meta struct {
			Cursor string `json:"next_cursor"`
		}
	}
	if err := json.Unmarshal([]byte(page.body), &next); err != nil {
		t.Fatal(err)
	}
	equal(t, "second page", rowsOf(t, s.get(path+"/deliveries?limit=1&cursor="+next.Meta.Cursor, token), "type"), []any{"link.changed"})
	for _, query := range []string{"?status=lost", "?cursor=x", "?status=failed&cursor=" + next.Meta.Cursor} {
		if a := s.get(path+"/deliveries"+query, token); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}

	id := jsonNumber(rowsOf(t, list, "id")[1])
	one := object(t, s.get(path+"/deliveries/"+id, token), http.StatusOK)
	if at, err := time.Parse(time.RFC3339, one["next_attempt_at"].(string)); err != nil || at.Sub(queriestest.Now) < 5*time.Second {
		t.Errorf("the next attempt is at %v", one["next_attempt_at"])
	}
	equal(t, "one", []any{one["status"], one["attempts"], one["answer_status"], one["answer"], one["failure"], one["duration_ms"], one["data"]}, []any{"waiting", 1, 503, "busy", "", 12, map[string]any{}})
	again := object(t, s.call(http.MethodPost, path+"/deliveries/"+id+"/redelivery", token, ""), http.StatusAccepted)
	equal(t, "sent again", []any{again["message_id"] == one["message_id"], again["attempts"]}, []any{true, 0})
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 204}})
	equal(t, "delivered", object(t, s.get(path+"/deliveries/"+id, token), http.StatusOK)["status"], "delivered")
	for _, other := range []string{"0", "999999"} {
		if a := s.call(http.MethodPost, path+"/deliveries/"+other+"/redelivery", token, ""); a.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", other, a.status, a.body)
		}
	}
	stranger := s.token(queriestest.OtherAdmin)
	if a := s.get(webhookOf(queriestest.OtherAdmin)+"/deliveries/"+id, stranger); a.status != http.StatusNotFound {
		t.Errorf("another company: %d %s", a.status, a.body)
	}
}

// sendTest sends a test message, which is not answered.
func (s *site) sendTest(path, token string) {
	s.t.Helper()
	test := object(s.t, s.call(http.MethodPost, path+"/test", token, ""), http.StatusAccepted)
	equal(s.t, "test", []any{test["type"], test["status"]}, []any{"webhook.test", "waiting"})
	s.attempt(webhook.Result{Failure: "timeout"})
	equal(s.t, "tested", object(s.t, s.get(path+"/deliveries/"+jsonNumber(test["id"]), token), http.StatusOK)["failure"], "timeout")
}

func TestResumeWebhook(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), webhookOf(queriestest.Admin)
	object(t, s.call(http.MethodPut, path, token, `{"url":"https://hooks.example/"}`), http.StatusCreated)
	s.exec("update webhooks set failures = 5, failing_since = $1, paused_until = $2", s.clock.Now(), s.clock.Now().Add(time.Minute))
	health := object(t, s.get(path, token), http.StatusOK)["health"].(map[string]any)
	equal(t, "paused", []any{health["state"], health["failing_since"], health["paused_until"]}, []any{"paused", "2026-11-20T01:00:00Z", "2026-11-20T01:01:00Z"})
	if a := s.call(http.MethodPost, path+"/resumption", token, ""); a.status != http.StatusNoContent {
		t.Errorf("%d %s", a.status, a.body)
	}
	health = object(t, s.get(path, token), http.StatusOK)["health"].(map[string]any)
	equal(t, "resumed", health["paused_until"], "2026-11-20T01:00:00Z")
}
