package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

var ownLists = []string{"departments", "users", "ranks", "roles"}

// Who may make which call (specification §6 and §7).
func TestAccess(t *testing.T) {
	s := newSite(t)
	expired := s.token(queriestest.Admin)
	s.clock.Advance(identity.SessionAge + time.Second)
	revoked := s.token(queriestest.Admin)
	if a := s.call(http.MethodPost, "/logout", revoked, ""); a.status != http.StatusNoContent {
		t.Fatalf("logout: %d %s", a.status, a.body)
	}
	service, err := s.db.Identity.IssueServiceToken(context.Background(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	s.exec("update users set hidden_at = null where id = $1", queriestest.Hidden)
	hidden := s.token(queriestest.Hidden)
	s.exec("update users set hidden_at = now() where id = $1", queriestest.Hidden)
	callers := []struct {
		name                string
		user                int64 // whose URLs are requested
		token               string
		person, administers int // statuses
	}{
		{"administrator", queriestest.Admin, s.token(queriestest.Admin), 200, 200},
		{"employee", queriestest.Employee, s.token(queriestest.Employee), 200, 403},
		{"viewer", queriestest.Viewer, s.token(queriestest.Viewer), 200, 403},
		{"manager", queriestest.Manager, s.token(queriestest.Manager), 200, 403},
		{"other company's administrator", queriestest.OtherAdmin, s.token(queriestest.OtherAdmin), 200, 200},
		{"nobody", queriestest.Admin, "", 401, 401},
		{"forged", queriestest.Admin, "forged", 419, 419},
		{"NUL", queriestest.Admin, "a%00b", 419, 419},
		{"expired", queriestest.Admin, expired, 419, 419},
		{"revoked", queriestest.Admin, revoked, 419, 419},
		{"hidden", queriestest.Hidden, hidden, 419, 419},
		{"service", queriestest.Admin, service.Token, 403, 403},
	}
	for _, c := range callers {
		for _, path := range []string{"/profile", "/oauth/info"} {
			if a := s.get(path, c.token); a.status != c.person {
				t.Errorf("%s %s: %d %s", c.name, path, a.status, a.body)
			}
		}
		for _, list := range ownLists {
			if a := s.get(own(c.user)+"/organizations/"+list, c.token); a.status != c.person {
				t.Errorf("%s %s: %d %s", c.name, list, a.status, a.body)
			}
		}
		for _, path := range []string{"/organizations/saved-managers", "/options/browser"} {
			a := s.get(own(c.user)+path, c.token)
			if a.status != c.administers {
				t.Errorf("%s %s: %d %s", c.name, path, a.status, a.body)
			}
			if a.status >= 400 {
				code(t, a)
			}
		}
	}
}

// Paths of another user answer like those of a user that does not exist.
func TestPathsOfOtherUsers(t *testing.T) {
	s := newSite(t)
	nowhere := s.get("/companies/1/users/99999/organizations/users", s.token(queriestest.Admin))
	for _, c := range []struct {
		token int64
		path  string
	}{
		{queriestest.Admin, own(queriestest.Employee)},
		{queriestest.Employee, own(queriestest.Admin)},
		{queriestest.Admin, own(queriestest.OtherAdmin)},
		{queriestest.Admin, "/companies/2/users/1"},
		{queriestest.OtherAdmin, own(queriestest.Admin)},
		{queriestest.OtherAdmin, "/companies/1/users/10"},
		{queriestest.Admin, "/companies/1/users/01"},
		{queriestest.Admin, "/companies/1/users/x"},
		{queriestest.Admin, "/companies/%00/users/1"},
		{queriestest.Admin, "/companies/1/users/99999999999999999999"},
	} {
		for _, rest := range []string{"/organizations/departments", "/organizations/users", "/organizations/ranks",
			"/organizations/roles", "/organizations/saved-managers", "/options/browser"} {
			if a := s.get(c.path+rest, s.token(c.token)); a.status != http.StatusNotFound || a.body != nowhere.body {
				t.Errorf("%d %s%s: %d %s", c.token, c.path, rest, a.status, a.body)
			}
		}
	}
}

func TestAddressesAndMethods(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		method, path string
		status       int
		code, allow  string
	}{
		{http.MethodGet, "/nothing", 404, "api.not_found", ""},
		{http.MethodGet, "/companies", 404, "api.not_found", ""},
		{http.MethodGet, "/", 404, "api.not_found", ""},
		{http.MethodGet, "/oauth/login", 405, "api.method", "POST"},
		{http.MethodDelete, "/profile", 405, "api.method", "GET, HEAD"},
		{http.MethodPost, own(queriestest.Admin) + "/organizations/users", 405, "api.method", "GET, HEAD"},
		{http.MethodPut, own(queriestest.Admin) + "/policies/messenger/1/plan", 405, "api.method", "PATCH, DELETE"},
	} {
		a := s.call(c.method, c.path, "", "")
		if a.status != c.status || code(t, a) != c.code || a.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d %s, allowed %q", c.method, c.path, a.status, a.body, a.header.Get("Allow"))
		}
		if got := a.header.Get("Vary"); got != "Accept-Language" {
			t.Errorf("%s varies by %q", c.path, got)
		}
	}
}

// HEAD answers the header of GET (RFC 9110, section 9.3.2), also at addresses whose
// response has no end.
func TestHead(t *testing.T) {
	s := newSite(t)
	admin, reads := s.token(queriestest.Admin), serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	for path, token := range map[string]string{"/profile": admin, own(queriestest.Admin) + "/organizations/users": admin, "/openapi.json": "", "/companies/1/stream": reads} {
		head := s.call(http.MethodHead, path, token, "")
		equal(t, path, []any{head.status, head.body}, []any{http.StatusOK, ""})
		if path == "/companies/1/stream" {
			continue
		}
		get := s.get(path, token)
		for _, name := range []string{"Content-Type", "ETag", "Cache-Control", "Vary"} {
			equal(t, path+" "+name, head.header.Get(name), get.header.Get(name))
		}
	}
	equal(t, "without a token", s.call(http.MethodHead, "/profile", "", "").status, http.StatusUnauthorized)
	equal(t, "unknown", s.call(http.MethodHead, "/nothing", "", "").status, http.StatusNotFound)
	refused := s.call(http.MethodHead, "/oauth/login", "", "")
	equal(t, "not for reading", []any{refused.status, refused.header.Get("Allow")}, []any{http.StatusMethodNotAllowed, "POST"})
}

// The first refusal, whose message clients show, is the same each time.
func TestUnknownFieldsAreInOrder(t *testing.T) {
	s := newSite(t)
	for range 10 {
		a := s.call(http.MethodPost, own(queriestest.Admin)+"/ip-ranges/check", s.token(queriestest.Admin), `{"rows":[],"zeta":1,"alpha":2,"omega":3,"beta":4}`)
		var refused struct{ Errors []struct{ Field string } }
		if err := json.Unmarshal([]byte(a.body), &refused); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, e := range refused.Errors {
			fields = append(fields, e.Field)
		}
		equal(t, "fields", fields, []string{"alpha", "beta", "omega", "rows", "zeta"})
	}
}
