package handlers_test

import (
	"net/http"
	"testing"

	"officeconsole/handlers"
)

// A console that is about to stop says so, and goes on.
func TestReadinessWhileStopping(t *testing.T) {
	stopping := make(chan struct{})
	s := newSiteWith(t, handlers.Config{Stopping: stopping})
	closes := func() bool {
		t.Helper()
		answer, err := http.Get(s.url + "/login")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.Close
	}
	s.nobody().get("/readyz").want(http.StatusOK)
	if closes() {
		t.Error("a connection is closed too early")
	}
	s.exec("insert into schema_migrations (version_id, is_applied) values (9999, true)")
	s.nobody().get("/readyz").want(http.StatusOK) // a newer program has migrated the database
	close(stopping)
	s.nobody().get("/readyz").want(http.StatusServiceUnavailable)
	s.nobody().get("/healthz").want(http.StatusOK)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable} {
		if head, err := http.Head(s.url + path); err != nil || head.StatusCode != want || head.Request.URL.Path != path {
			t.Errorf("HEAD %s: %v (%v)", path, head, err)
		}
	}
	if !closes() {
		t.Error("the connection stays open")
	}
}
