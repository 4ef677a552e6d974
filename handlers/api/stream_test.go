package api_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers/api"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// follower reads the stream of a company.
type follower struct {
	t     *testing.T
	lines *bufio.Scanner
	end   func()
	first string // the id where the stream begins
}

// follow begins to read the stream after an event, or for "" with the next one.
func (s *site) follow(token, last string) follower {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+fmt.Sprintf("/companies/%d/stream", queriestest.Hanbit), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatal(err, response)
	}
	f := follower{s.t, bufio.NewScanner(response.Body), func() { cancel(); response.Body.Close() }, ""}
	s.t.Cleanup(f.end)
	f.lines.Scan()
	equal(s.t, "the first line, without an event", f.lines.Text(), ": connected")
	f.first = f.next()
	f.lines.Scan()
	equal(s.t, "the line after the first id", f.lines.Text(), "")
	return f
}

// next returns the id of the next event.
func (f follower) next() string {
	f.t.Helper()
	for f.lines.Scan() {
		if id, ok := strings.CutPrefix(f.lines.Text(), "id: "); ok {
			return id
		}
	}
	f.t.Fatal("the stream ended", f.lines.Err())
	return ""
}

// replica returns the same API in another process.
func (s *site) replica() *site {
	s.t.Helper()
	db, err := areas.Open(s.t.Context(), s.db.Pool().Config().ConnString(), s.clock.Now)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(db.Close)
	server := httptest.NewServer(api.New(db, "test", s.files))
	s.t.Cleanup(server.Close)
	return &site{s.t, db, s.clock, s.files, server.URL + "/api/v1"}
}

// changes saves policies, each with an event.
func (s *site) changes(token string, names ...string) {
	s.t.Helper()
	for _, name := range names {
		body := fmt.Sprintf(`{"name":%q,"effective_from":"now"}`, name)
		object(s.t, s.call(http.MethodPost, own(queriestest.Admin)+"/policies/communication", token, body), http.StatusCreated)
	}
}

// A client that reads the stream misses no message, even if it was disconnected and
// comes back to another replica, where the ids are the same.
func TestStream(t *testing.T) {
	s := newSite(t)
	other := s.replica()
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	admin := s.token(queriestest.Admin)

	here, there := s.follow(token, ""), other.follow(token, "")
	s.changes(admin, "정책 1")
	first := here.next()
	equal(t, "the first event at another replica", there.next(), first)
	other.changes(admin, "정책 2")
	second := here.next()
	equal(t, "the second event at another replica", there.next(), second)
	here.end()
	s.changes(admin, "정책 3", "정책 4")
	back := other.follow(token, second)
	third, fourth := back.next(), back.next()
	if first >= second || second >= third || third >= fourth {
		t.Errorf("ids %s, %s, %s, %s", first, second, third, fourth)
	}
	again := s.follow(token, first)
	for _, want := range []string{second, third, fourth} {
		equal(t, "again", again.next(), want)
	}
}

// A client that loses its connection before the first event goes on with the id where
// its stream began, which is 0 if there is no event yet.
func TestStreamWithoutAnEvent(t *testing.T) {
	s := newSite(t)
	s.exec("delete from outbox")
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	admin := s.token(queriestest.Admin)
	for _, name := range []string{"정책 1", "정책 2"} {
		lost := s.follow(token, "")
		lost.end()
		s.changes(admin, name)
		newest := queriestest.LookUp(t, s.db, "select max(id) from outbox where company_id = 1")
		equal(t, "the event of the gap", s.follow(token, lost.first).next(), newest)
		equal(t, "where another stream begins", s.follow(token, "").first, newest)
	}
}

// After a restore, clients know ids that the database does not have yet.
func TestStreamAfterARestore(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	admin := s.token(queriestest.Admin)
	s.changes(admin, "정책 1")
	oldest := queriestest.LookUp(t, s.db, "select min(id) from outbox where company_id = 1")
	f := s.follow(token, "999999")
	equal(t, "the first event", f.next(), oldest)
	equal(t, "where the stream begins", f.first, "0")
}

// A server that stops tells clients to come back, and when.
func TestStreamOfAStoppingServer(t *testing.T) {
	s := newSite(t)
	other := s.replica()
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	f := s.follow(token, "")
	s.changes(s.token(queriestest.Admin), "정책 1")
	last := f.next()
	s.db.EndStreams()
	var rest []string
	for f.lines.Scan() {
		rest = append(rest, f.lines.Text())
	}
	if text := strings.Join(rest, "\n"); f.lines.Err() != nil || !regexp.MustCompile(`(?m)^retry: [12]\d{3}$`).MatchString(text) {
		t.Errorf("%v\n%s", f.lines.Err(), text)
	}
	back := other.follow(token, last)
	s.changes(s.token(queriestest.Admin), "정책 2")
	if next := back.next(); next <= last {
		t.Errorf("event %s after %s", next, last)
	}
}
