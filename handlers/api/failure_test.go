package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
)

func TestUnexpectedFailure(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	s.exec("alter table users rename column search_text to broken")
	s.exec("alter table permission_controls rename to broken")
	s.exec("alter table attendance_viewers rename to broken_too")
	for _, path := range []string{"/profile", organization(queriestest.Admin, "saved-managers"), organization(queriestest.Admin, "users?q=hanbit")} {
		a := s.get(path, admin)
		if a.status != http.StatusInternalServerError || code(t, a) != "api.unexpected" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
		if strings.Contains(a.body, "broken") || strings.Contains(a.body, "SQLSTATE") || a.header.Values("ETag") != nil || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v %s", path, a.header, a.body)
		}
	}
}

// breaking calls a function before the first byte of the response is sent.
type breaking struct {
	http.ResponseWriter
	do func()
}

func (b breaking) Write(p []byte) (int, error) {
	b.do()
	return b.ResponseWriter.Write(p)
}

// A list that fails while it is sent must not look like a shorter list.
func TestInterruptedList(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 1, '김 ' || n, 'p' || n || '@pages.example', '', '{}' from generate_series(1, 3000) n`)
	admin := s.token(queriestest.Admin)
	calls := api.New(s.db, "test", nil)
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.ServeHTTP(breaking{w, func() { once.Do(func() { s.exec("alter table users rename to broken") }) }}, r)
	}))
	t.Cleanup(server.Close)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, server.URL+"/api/v1"+organization(queriestest.Admin, "users"), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+admin)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil {
		t.Errorf("%d bytes look like a whole list", len(body))
	}
	if len(body) == 0 || response.StatusCode != http.StatusOK {
		t.Errorf("%d, %d bytes", response.StatusCode, len(body))
	}
}
