package handlers_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries/areas"
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
		console.ServeHTTP(httptest.NewRecorder(), request)
		lines := log.lines(t)
		id, _ := lines["request"]["id"].(string)
		if id == "" {
			t.Errorf("%s: the request's line has no id: %v", path, lines)
		}
		if message != "" && lines[message]["id"] != id {
			t.Errorf("%s: %q has the id %v, the request's line %q", path, message, lines[message]["id"], id)
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
