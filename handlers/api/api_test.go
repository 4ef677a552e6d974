package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/handlers/api"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// A zone that is not UTC shows which times are answered as the database driver reads them.
func init() { time.Local = time.FixedZone("somewhere", -(3*60+30)*60) }

// localTime matches a time of RFC 3339 that is not in UTC. Only the change log may answer
// one, in the state of an object as it was stored.
var localTime = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+[+-]\d\d:\d\d"`)

// site is the API as a program reaches it.
type site struct {
	t     *testing.T
	db    *areas.Areas
	clock *queriestest.Clock
	files blobs.Store
	url   string
}

func newSite(t *testing.T) *site {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	server := httptest.NewServer(api.New(db, "test", files))
	t.Cleanup(server.Close)
	return &site{t, db, clock, files, server.URL + "/api/v1"}
}

// token signs a user of the cast in and returns their token.
func (s *site) token(user int64) string {
	s.t.Helper()
	token, err := s.db.Identity.IssueAccessToken(context.Background(), identity.Credentials{
		Email: queriestest.Email(user), Password: queriestest.Password, Address: netip.MustParseAddr("127.0.0.1"),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return token.Token
}

func (s *site) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Pool().Exec(context.Background(), statement, args...); err != nil {
		s.t.Fatal(err)
	}
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   string
}

// call sends a request; header lines are "Name: value".
func (s *site) call(method, path, token, body string, header ...string) answer {
	s.t.Helper()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if found := localTime.FindString(string(content)); found != "" && !strings.Contains(path, "/audit") && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		s.t.Errorf("%s %s answers %s, which is not in UTC", method, path, found)
	}
	return answer{response.StatusCode, response.Header, string(content)}
}

func (s *site) get(path, token string, header ...string) answer {
	s.t.Helper()
	return s.call(http.MethodGet, path, token, "", header...)
}

// rows returns one field of every row of a list.
func (s *site) rows(path, token, field string) []any {
	s.t.Helper()
	a := s.get(path, token)
	if a.status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	values, _ := list(s.t, a.body, field)
	return values
}

func list(t *testing.T, body, field string) (values []any, next string) {
	t.Helper()
	var answered struct {
		Data []map[string]any
		Meta struct {
			Next *string `json:"next_cursor"`
		}
	}
	if err := json.Unmarshal([]byte(body), &answered); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for _, row := range answered.Data {
		values = append(values, row[field])
	}
	if answered.Meta.Next != nil {
		next = *answered.Meta.Next
	}
	return values, next
}

// own returns the path of a user's own URLs.
func own(user int64) string {
	company := queriestest.Hanbit
	if user == queriestest.OtherAdmin {
		company = queriestest.Other
	}
	return fmt.Sprintf("/companies/%d/users/%d", company, user)
}

func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%v in the wanted %s", err, want)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func equal(t *testing.T, name string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", name, g, w)
	}
}

// code returns the code of an error, which must have a message too.
func code(t *testing.T, a answer) string {
	t.Helper()
	var p struct{ Message, Code string }
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("%d: %v in %q", a.status, err, a.body)
	}
	if p.Message == "" || strings.Contains(p.Message, "⟦") {
		t.Errorf("%d %s has no words: %q", a.status, p.Code, p.Message)
	}
	return p.Code
}
