package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers/api"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
)

func TestPanicIsAProblem(t *testing.T) {
	broken := api.New(&areas.Areas{}, "test", nil) // a call without a database dereferences a nil pointer
	request := httptest.NewRequest(http.MethodGet, "/api/v1/profile", nil)
	request.Header.Set("Authorization", "Bearer x")
	answer := httptest.NewRecorder()
	broken.ServeHTTP(answer, request)
	var problem struct{ Code string }
	if err := json.Unmarshal(answer.Body.Bytes(), &problem); err != nil || answer.Code != http.StatusInternalServerError || problem.Code != "api.unexpected" {
		t.Errorf("%d %s (%v)", answer.Code, answer.Body, err)
	}
}

func TestBusyCall(t *testing.T) {
	address := queriestest.URL(t)
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	db, err := areas.Open(t.Context(), address+separator+"lock_timeout=50ms", func() time.Time { return queriestest.Now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	server := httptest.NewServer(api.New(db, "test", nil))
	t.Cleanup(server.Close)
	s := &site{t: t, db: db, url: server.URL + "/api/v1"}
	admin := s.token(queriestest.Admin)
	path := organization(queriestest.Admin, "ranks")
	holder, err := db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holder.Exec(t.Context(), "lock table ranks"); err != nil {
		t.Fatal(err)
	}
	if a := s.get(path, admin); a.status != http.StatusServiceUnavailable || code(t, a) != "server.busy" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := s.get(path, admin); a.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}
