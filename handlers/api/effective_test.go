package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestEffectivePolicy(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/effective?user_id="
	for _, test := range []struct {
		name   string
		query  string
		policy int64
		source string
		from   any
	}{
		{"by the department above", fmt.Sprint(queriestest.Employee), 6, "inherited", 5},
		{"their own", fmt.Sprint(queriestest.Japanese), 6, "own", nil},
		{"the default", fmt.Sprint(queriestest.Admin), 1, "default", nil},
		{"before the policy was", fmt.Sprint(queriestest.Employee) + "&at=2026-03-01T00:00:00Z", 1, "default", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := object(t, s.get(path+test.query, token), http.StatusOK)
			equal(t, "policy", e["policy_id"], test.policy)
			equal(t, "source", e["source"], test.source)
			equal(t, "from", e["source_department_id"], test.from)
		})
	}
	read := s.get(path+fmt.Sprint(queriestest.Employee), token)
	equal(t, "chain", object(t, read, 200)["chain"], []any{
		map[string]any{"type": "user", "id": 2, "name": "이준호", "policy_id": nil, "reason": "none"},
		map[string]any{"type": "department", "id": 6, "name": "메신저팀", "policy_id": nil, "reason": "none"},
		map[string]any{"type": "department", "id": 5, "name": "연구소", "policy_id": 6, "reason": "applied"},
	})
	kept := s.get(path+fmt.Sprint(queriestest.Employee), token, "If-None-Match: "+read.header.Get("ETag"))
	equal(t, "unchanged", fmt.Sprint(kept.status, " ", kept.body), "304 ")
	for _, nobody := range []int64{queriestest.Bot, queriestest.OtherKim, 9999} {
		equal(t, "nobody", s.get(path+fmt.Sprint(nobody), token).status, http.StatusNotFound)
	}
}

// Everybody reads which policy applies to themselves, and nobody else's.
func TestEffectivePolicyOfOneself(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Employee), own(queriestest.Employee)+"/policies/communication/effective?user_id="
	equal(t, "policy", object(t, s.get(path+fmt.Sprint(queriestest.Employee), token), http.StatusOK)["policy_id"], 6)
	other := s.get(path+fmt.Sprint(queriestest.Kim), token)
	equal(t, "of somebody else", []any{other.status, code(t, other)}, []any{http.StatusForbidden, "api.administrators_only"})
	equal(t, "without a person", s.get(strings.TrimSuffix(path, "?user_id="), token).status, http.StatusUnprocessableEntity)
}

func serviceToken(t *testing.T, s *site, company int64, scope string) string {
	t.Helper()
	token, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: company}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{scope}})
	if err != nil {
		t.Fatal(err)
	}
	return token.Token
}

func TestMessengerReadsPolicies(t *testing.T) {
	s := newSite(t)
	path := fmt.Sprintf("/companies/%d/effective/%d", queriestest.Hanbit, queriestest.Employee)
	read := s.get(path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead))
	both := object(t, read, http.StatusOK)
	equal(t, "communication", both["communication"].(map[string]any)["policy_id"], 6)
	equal(t, "working attitude", both["workingattitude"].(map[string]any)["policy_id"], 2)
	for name, test := range map[string]struct {
		token  string
		status int
	}{
		"a person":        {s.token(queriestest.Admin), 403},
		"another scope":   {serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents), 403},
		"another company": {serviceToken(t, s, queriestest.Other, identity.ScopeRead), 404},
		"a forged token":  {"forged", 419},
		"nobody":          {"", 401},
	} {
		equal(t, name, s.get(path, test.token).status, test.status)
	}
}

// A tag that a proxy has weakened, because it compresses, is still the same.
func TestIfNoneMatchIsWeak(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	const path = "/companies/1/effective/2"
	tag := s.get(path, token).header.Get("ETag")
	for _, condition := range []string{tag, "W/" + tag, `"x", W/` + tag, "*"} {
		equal(t, condition, s.get(path, token, "If-None-Match: "+condition).status, http.StatusNotModified)
	}
	equal(t, "another", s.get(path, token, `If-None-Match: W/"x"`).status, http.StatusOK)
}
