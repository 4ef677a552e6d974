package api_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"officeconsole/handlers/api"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// until calls make, and then repeats a call, until that is answered with a status.
func (s *site) until(status int, path, token string, make func()) answer {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; {
		make()
		a := s.get(path, token)
		if a.status == status {
			return a
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s is still answered %d, want %d", path, a.status, status)
		}
	}
}

// A call whose body does not come is running, for five seconds.
func TestCallsAtTheSameTime(t *testing.T) {
	t.Cleanup(api.SetMostCalls(3)) // more may need longer to arrive on a busy machine
	s := newSite(t)
	token, other := s.token(queriestest.Admin), s.token(queriestest.Employee)
	host := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/api/v1")
	var waiting []net.Conn
	// The call that is repeated counts, too, so that one that waits may be refused.
	wait := func() {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST /api/v1/companies/1/users/1/exports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n", token)
		waiting = append(waiting, conn)
	}
	if a := s.until(http.StatusTooManyRequests, "/profile", token, wait); a.header.Get("Retry-After") == "" || code(t, a) != "error.too_many" {
		t.Errorf("got %v %s", a.header, a.body)
	}
	if a := s.get("/profile", other); a.status != http.StatusOK {
		t.Errorf("somebody else: %d", a.status)
	}
	for _, conn := range waiting {
		conn.Close()
	}
	s.until(http.StatusOK, "/profile", token, func() {})
}

func TestStreamsAtTheSameTime(t *testing.T) {
	s := newSite(t)
	issue := func() string {
		token, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
		if err != nil {
			t.Fatal(err)
		}
		return token.Token
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	open := func(authorization string) *http.Response {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/companies/1/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", authorization)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	token := issue()
	for range 20 {
		if got := open("Bearer " + token).StatusCode; got != http.StatusOK {
			t.Fatalf("a stream: %d", got)
		}
	}
	for _, scheme := range []string{"Bearer ", "bearer ", "Bearer  "} {
		refused := open(scheme + token)
		if body, _ := io.ReadAll(refused.Body); refused.StatusCode != http.StatusTooManyRequests || refused.Header.Get("Retry-After") == "" {
			t.Errorf("one stream more: %d %s", refused.StatusCode, body)
		}
	}
	if got := open("Bearer " + issue()).StatusCode; got != http.StatusOK {
		t.Errorf("another token: %d", got)
	}
}

func TestUnfinishedExports(t *testing.T) {
	s := newSite(t)
	token := s.token(queriestest.Admin)
	request := func() answer {
		return s.call(http.MethodPost, "/companies/1/users/1/exports", token, `{"list":"changes","format":"csv"}`)
	}
	var accepted atomic.Int32
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			if request().status == http.StatusAccepted {
				accepted.Add(1)
			}
		})
	}
	if callers.Wait(); accepted.Load() != 5 {
		t.Errorf("%d of 16 at the same time were accepted", accepted.Load())
	}
	if a := request(); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" || code(t, a) != "error.too_many" {
		t.Errorf("one more: %d %s", a.status, a.body)
	}
	s.exec("update exports set state = 'done'")
	if a := request(); a.status != http.StatusAccepted {
		t.Errorf("once they are finished: %d %s", a.status, a.body)
	}
}
