package scim_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers/scim"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// site is SCIM as another directory reaches it.
type site struct {
	t     *testing.T
	db    *areas.Areas
	url   string
	token string
}

func newSite(t *testing.T) *site {
	t.Helper()
	db := queriestest.New(t)
	server := httptest.NewServer(scim.New(db, ""))
	t.Cleanup(server.Close)
	s := &site{t, db, server.URL + "/scim/v2", ""}
	s.token = s.issue(queriestest.Hanbit, identity.ScopeSCIM)
	return s
}

// issue issues a service token; addresses limits it.
func (s *site) issue(companyID int64, scope string, addresses ...string) string {
	s.t.Helper()
	issued, err := s.db.Identity.IssueServiceToken(s.t.Context(), queries.Actor{CompanyID: companyID},
		identity.ServiceTokenDraft{Name: "인사 시스템", Scopes: []string{scope}, Addresses: addresses})
	if err != nil {
		s.t.Fatal(err)
	}
	return issued.Token
}

type answer struct {
	t      *testing.T
	call   string
	status int
	header http.Header
	body   string
}

// call sends a request; header lines are "Name: value".
func (s *site) call(method, path, body string, header ...string) answer {
	s.t.Helper()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Accept", "application/scim+json")
	if body != "" {
		request.Header.Set("Content-Type", "application/scim+json")
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
	return answer{s.t, method + " " + path, response.StatusCode, response.Header, string(content)}
}

func (s *site) get(path string, header ...string) answer {
	s.t.Helper()
	return s.call(http.MethodGet, path, "", header...)
}

func (s *site) find(resource, filter string) answer {
	s.t.Helper()
	return s.get("/" + resource + "?filter=" + url.QueryEscape(filter))
}

func (a answer) want(status int) map[string]any {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: %d, not %d: %s", a.call, a.status, status, a.body)
	}
	if a.body == "" {
		return nil
	}
	if kind := a.header.Get("Content-Type"); kind != "application/scim+json" {
		a.t.Errorf("%s: %s", a.call, kind)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		a.t.Fatalf("%s: %v: %s", a.call, err, a.body)
	}
	return body
}

// refused checks the shape of an error of SCIM.
func (a answer) refused(status int, kind string) {
	a.t.Helper()
	body := a.want(status)
	if fmt.Sprint(body["schemas"]) != "[urn:ietf:params:scim:api:messages:2.0:Error]" || body["status"] != fmt.Sprint(status) || body["detail"] == "" {
		a.t.Errorf("%s: %s", a.call, a.body)
	}
	if got, _ := body["scimType"].(string); got != kind {
		a.t.Errorf("%s: scimType %q, not %q: %s", a.call, got, kind, a.body)
	}
}

// ids are the ids of a list.
func (a answer) ids() string {
	a.t.Helper()
	var ids []string
	for _, one := range a.want(http.StatusOK)["Resources"].([]any) {
		ids = append(ids, one.(map[string]any)["id"].(string))
	}
	return strings.Join(ids, " ")
}

// at returns what is below a value, by the names and numbers that lead to it.
func at(value any, path ...string) any {
	for _, step := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

func (s *site) lookUp(sql string, args ...any) string {
	s.t.Helper()
	return queriestest.LookUp(s.t, s.db, sql, args...)
}

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

func TestAuthorization(t *testing.T) {
	s := newSite(t)
	s.get("/Users/2").want(200)
	for name, token := range map[string]string{"no token": "", "an unknown one": "ocs_x"} {
		a := s.get("/Users", "Authorization: Bearer "+token)
		a.refused(http.StatusUnauthorized, "")
		if a.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no challenge", name)
		}
	}
	person, err := s.db.Identity.IssueAccessToken(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Admin), queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{s.issue(queriestest.Hanbit, identity.ScopeRead), person.Token, s.issue(queriestest.Hanbit, identity.ScopeSCIM, "203.0.113.7")} {
		s.get("/Users", "Authorization: Bearer "+token).refused(http.StatusForbidden, "")
	}
	// Nothing of another company exists.
	other := "Authorization: Bearer " + s.issue(queriestest.Other, identity.ScopeSCIM)
	s.get("/Users/2", other).refused(http.StatusNotFound, "")
	s.get("/Groups/3", other).refused(http.StatusNotFound, "")
	s.call(http.MethodDelete, "/Users/2", "", other).refused(http.StatusNotFound, "")
	s.call(http.MethodPatch, "/Groups/3", `{"Operations":[{"op":"replace","path":"displayName","value":"x"}]}`, other).refused(http.StatusNotFound, "")
	equal(t, "of another company", s.get("/Users?filter="+url.QueryEscape(`id eq "2"`), other).ids(), "")
}

// One company cannot take every connection to the database.
func TestRequestsAtTheSameTime(t *testing.T) {
	s := newSite(t)
	// A body is sent only once the server reads it.
	client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	open := make([]*io.PipeWriter, 8)
	answered := make(chan int)
	for i := range open {
		body, writer := io.Pipe()
		open[i] = writer
		go func() {
			request, _ := http.NewRequest(http.MethodPost, s.url+"/Users", body)
			request.Header.Set("Authorization", "Bearer "+s.token)
			request.Header.Set("Expect", "100-continue")
			response, err := client.Do(request)
			if err != nil {
				answered <- 0
				return
			}
			response.Body.Close()
			answered <- response.StatusCode
		}()
		if _, err := writer.Write([]byte(`{`)); err != nil {
			t.Fatal(err)
		}
	}
	a := s.get("/Users/2", "Authorization: bearer  "+s.token)
	a.refused(http.StatusTooManyRequests, "")
	equal(t, "retry", a.header.Get("Retry-After"), "5")
	s.get("/Users/11", "Authorization: Bearer "+s.issue(queriestest.Other, identity.ScopeSCIM)).want(http.StatusOK)
	for _, writer := range open {
		writer.Close()
		equal(t, "half a body", <-answered, http.StatusBadRequest)
	}
	s.get("/Users/2").want(http.StatusOK)
}

func TestDiscovery(t *testing.T) {
	s := newSite(t)
	config := s.get("/ServiceProviderConfig").want(200)
	equal(t, "patch", at(config, "patch", "supported"), true)
	equal(t, "bulk", at(config, "bulk", "supported"), false)
	equal(t, "sort", at(config, "sort", "supported"), false)
	equal(t, "types", s.get("/ResourceTypes").ids(), "User Group")
	equal(t, "endpoint", s.get("/ResourceTypes/Group").want(200)["endpoint"], "/Groups")
	schemas := s.get("/Schemas").want(200)["Resources"].([]any)
	equal(t, "schemas", len(schemas), 4)
	for _, one := range schemas {
		uri := one.(map[string]any)["id"].(string)
		equal(t, "a schema", s.get("/Schemas/" + uri).want(200)["id"], uri)
	}
	s.get("/Schemas/urn:x").refused(http.StatusNotFound, "")
	s.call(http.MethodPost, "/Bulk", `{"Operations":[]}`).refused(http.StatusNotImplemented, "")
	s.get("/Me").refused(http.StatusNotImplemented, "")
	s.get("/Printers").refused(http.StatusNotFound, "")
	s.call(http.MethodPost, "/Users/2", `{}`).refused(http.StatusMethodNotAllowed, "")
	s.call(http.MethodPost, "/Users", `{}`, "Content-Type: text/plain").refused(http.StatusUnsupportedMediaType, "")
	s.call(http.MethodPost, "/Users", `{"userName"`).refused(http.StatusBadRequest, "invalidSyntax")
	s.call(http.MethodPost, "/Users", `[1]`).refused(http.StatusBadRequest, "invalidSyntax")
	s.call(http.MethodPost, "/Users", `{"userName":"`+strings.Repeat("a", 2<<20)+`"}`).refused(http.StatusRequestEntityTooLarge, "")
}
