package handlers_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// Every log line of a request that fails has the id of the request's own line.
func TestLogLinesHaveTheRequestID(t *testing.T) {
	db := queriestest.New(t)
	var log logBuffer
	before := slog.Default()
	slog.SetDefault(slog.New(handlers.WithRequestID(slog.NewJSONHandler(&log, nil))))
	t.Cleanup(func() { slog.SetDefault(before) })
	console := handlers.New(db, handlers.Config{
		Asset:  func(name string) string { return "/static/" + name },
		Static: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("planted") }),
		API:    api.New(&areas.Areas{}, "test", nil), // a call without a database panics
	})
	for path, message := range map[string]string{
		"/static/main.js":  "request failed",
		"/api/v1/profile":  "call panicked",
		"/en/login?next=/": "",
	} {
		log.reset()
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Authorization", "Bearer x")
		request.Header.Set("X-Request-Id", strings.Repeat("forged", 100))
		console.ServeHTTP(httptest.NewRecorder(), request)
		lines := log.lines(t)
		id, _ := lines["request"]["id"].(string)
		if id == "" || strings.Contains(id, "forged") {
			t.Errorf("%s: the request's line has no id of its own: %v", path, lines)
		}
		if claimed, _ := lines["request"]["claimed_id"].(string); !strings.HasPrefix(claimed, "forged") || len(claimed) > 100 {
			t.Errorf("%s: the sender's id is logged as %q", path, claimed)
		}
		if message != "" && lines[message]["id"] != id {
			t.Errorf("%s: %q has the id %v, the request's line %q", path, message, lines[message]["id"], id)
		}
	}
}

// The line of a request says who made it, and from where.
func TestRequestsAreLoggedWithTheirCaller(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	s := newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", nil)})
	token, err := db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	admin := s.nobody()
	admin.signIn(queriestest.Admin)
	var log logBuffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	for name, test := range map[string]struct {
		by     *client
		path   string
		caller map[string]any
	}{
		"nobody":  {s.nobody(), "/login", nil},
		"page":    {admin, "/profile", map[string]any{"company": 1.0, "user": 1.0}},
		"session": {admin, "/api/v1/profile", map[string]any{"company": 1.0, "user": 1.0}},
		"service": {s.nobody().with("Authorization", "Bearer "+token.Token), "/api/v1/companies/1/hidden-users", map[string]any{"company": 1.0, "token": "service"}},
	} {
		log.reset()
		test.by.get(test.path).want(http.StatusOK)
		line := log.await(t, "request")
		caller, _ := line["caller"].(map[string]any)
		if line["address"] != "127.0.0.1" || !maps.Equal(caller, test.caller) {
			t.Errorf("%s: %v", name, line)
		}
	}
}

// logBuffer stores log lines. It may be written to and read at the same time.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBuffer) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Reset()
}

// lines returns the attributes of the log lines by their messages.
func (b *logBuffer) lines(t *testing.T) map[string]map[string]any {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := map[string]map[string]any{}
	for line := range bytes.Lines(b.text.Bytes()) {
		var attributes map[string]any
		if err := json.Unmarshal(line, &attributes); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		message, _ := attributes["msg"].(string)
		lines[message] = attributes
	}
	return lines
}

// await returns the line of a message. That of a request is written after the response.
func (b *logBuffer) await(t *testing.T, message string) map[string]any {
	t.Helper()
	for t.Context().Err() == nil {
		if line := b.lines(t)[message]; line != nil {
			return line
		}
		runtime.Gosched()
	}
	return nil
}
