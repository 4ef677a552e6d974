package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/queries/queriestest"
)

var botAdmin = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}

// hookPath gives the bot receivers and returns the path of a new hook address.
func (s *site) hookPath(overlap time.Duration) string {
	s.t.Helper()
	err := s.db.Bots.Update(s.t.Context(), botAdmin, 0, func(d bot.Draft) bot.Draft {
		d.HookReceivers = bot.Receivers{Departments: []int64{queriestest.Messenger}}
		return d
	})
	if err != nil {
		s.t.Fatal(err)
	}
	secret, err := s.db.Bots.Rotate(s.t.Context(), botAdmin, bot.KindHook, overlap)
	if err != nil {
		s.t.Fatal(err)
	}
	return bot.Path(bot.KindHook, 0, secret)
}

func slackPayload(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile("../slack/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestHook(t *testing.T) {
	s := newSite(t)
	path := s.hookPath(0)
	program := s.nobody()
	asJSON := program.with("Content-Type", "application/json")
	alert := slackPayload(t, "alertmanager.json")
	answers := map[string]answer{
		"JSON":                  asJSON.do(http.MethodPost, path, alert),
		"form":                  program.do(http.MethodPost, path, "payload="+url.QueryEscape(alert)),
		"JSON declared as form": program.do(http.MethodPost, path, alert),
	}
	for name, a := range answers {
		if a.status != http.StatusOK || a.body != "ok" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
			t.Errorf("%s: %d %q %s", name, a.status, a.body, a.header.Get("Content-Type"))
		}
	}
	if n := s.count("select count(*) from outbox where type = 'bot.message' and payload ->> 'text' like '**[(FIRING:2) DiskUsageHigh%db-03%' and payload -> 'to' = '{\"departments\": [6]}'"); n != len(answers) {
		t.Errorf("%d messages are published", n)
	}
	if n := s.count("select count(*) from bot_messages where kind = 'hook' and accepted and answer = 200"); n != len(answers) {
		t.Errorf("%d messages are in the log", n)
	}
}

func TestHookRefuses(t *testing.T) {
	s := newSite(t)
	s.db.Bots.SetRate(1000, 1000)
	old := s.hookPath(time.Hour)
	path := s.hookPath(time.Hour)
	program := s.nobody().with("Content-Type", "application/json")
	program.do(http.MethodPost, old, `{"text":"가"}`).want(200)
	s.clock.Advance(time.Hour)
	fits := `{"text":"` + strings.Repeat("a", bot.MaxBody-len(`{"text":""}`)) + `"}`
	for _, test := range []struct {
		path, body string
		status     int
		word       string
	}{
		{path, fits, 200, "ok"},
		{path, fits + " ", 413, "payload_too_large"},
		{path, "", 400, "invalid_payload"},
		{path, "text", 400, "invalid_payload"},
		{path, `{"text":"` + "\xff" + `"}`, 400, "invalid_payload"},
		{path, `{"blocks":` + strings.Repeat("[", 60_000), 400, "invalid_payload"},
		{path, `{}`, 400, "no_text"},
		{path, `{"attachments":[` + strings.Repeat(`{},`, 100) + `{}]}`, 400, "too_many_attachments"},
		{path, `{"blocks":[` + strings.Repeat(`{},`, 50) + `{}]}`, 400, "invalid_blocks"},
		{old, `{"text":"가"}`, 401, "token_expired"},
		{"/hooks/och_unknown", `{"text":"가"}`, 401, "invalid_token"},
		{"/hooks/%00", `{"text":"가"}`, 401, "invalid_token"},
	} {
		if a := program.do(http.MethodPost, test.path, test.body); a.status != test.status || a.body != test.word {
			t.Errorf("%.60s: %d %q, want %d %q", test.body, a.status, a.body, test.status, test.word)
		}
	}
	change := func(edit func(*bot.Draft)) {
		t.Helper()
		if err := s.db.Bots.Update(t.Context(), botAdmin, 0, func(d bot.Draft) bot.Draft { edit(&d); return d }); err != nil {
			t.Fatal(err)
		}
	}
	change(func(d *bot.Draft) { d.HookReceivers = bot.Receivers{} })
	program.do(http.MethodPost, path, `{"text":"가"}`).want(404).shows("channel_not_found")
	change(func(d *bot.Draft) { d.AllowedAddresses = []string{"203.0.113.1"} })
	program.do(http.MethodPost, path, `{"text":"가"}`).want(403).shows("action_prohibited")
	change(func(d *bot.Draft) { d.AllowedAddresses, d.Enabled = nil, false })
	program.do(http.MethodPost, path, `{"text":"가"}`).want(403).shows("no_service")
	s.db.Bots.SetRate(0.5, 1)
	program.do(http.MethodPost, path, `{"text":"가"}`)
	limited := program.do(http.MethodPost, path, `{"text":"가"}`).want(429).shows("rate_limited")
	if after := limited.header.Get("Retry-After"); after != "2" {
		t.Errorf("Retry-After: %s", after)
	}
	if n := s.count("select count(*) from outbox where type = 'bot.message'"); n != 2 {
		t.Errorf("%d messages are published", n)
	}
	if n := s.count("select count(distinct code) from bot_messages where not accepted"); n != 10 {
		t.Errorf("the log has %d reasons", n)
	}
}

// A program that may write to anybody may write to the receivers of the hook address.
func TestHookTakesEveryToken(t *testing.T) {
	s := newSite(t)
	s.hookPath(0)
	for _, kind := range []bot.Kind{bot.KindNotification, bot.KindMessage} {
		token, err := s.db.Bots.Rotate(t.Context(), botAdmin, kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.nobody().with("Content-Type", "application/json").do(http.MethodPost, "/hooks/"+token, `{"text":"가"}`).want(200).shows("ok")
	}
	if n := s.count("select count(*) from bot_messages where kind = 'hook' and accepted"); n != 2 {
		t.Errorf("%d messages", n)
	}
}

// What is no call of a hook is refused as a hook does it, and not led to the page to sign in,
// which would look like success.
func TestNoHook(t *testing.T) {
	s := newSite(t)
	path := s.hookPath(0)
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{http.MethodPost, path + "/", http.StatusNotFound, "no_service"},
		{http.MethodPost, "/hooks/", http.StatusNotFound, "no_service"},
		{http.MethodPut, path, http.StatusMethodNotAllowed, "method_not_allowed"},
		{http.MethodGet, path, http.StatusMethodNotAllowed, "method_not_allowed"},
	} {
		a := s.nobody().with("Content-Type", "application/json").do(c.method, c.path, `{"text":"x"}`)
		if a.status != c.status || a.body != c.body {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.body)
		}
	}
}

// The log of requests does not contain the token in the path of a hook.
func TestLogHidesHookToken(t *testing.T) {
	db := queriestest.New(t)
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	s := &site{t: t, db: db}
	path := s.hookPath(0)
	console := handlers.New(db, handlers.Config{Asset: func(name string) string { return name }, Static: http.NotFoundHandler(), API: http.NotFoundHandler()})
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodPut} {
		console.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(`{"text":"가"}`)))
	}
	if text := log.String(); !strings.Contains(text, `"path":"/hooks/…"`) || strings.Contains(text, path[len("/hooks/"):]) {
		t.Errorf("the log is %s", text)
	}
}
