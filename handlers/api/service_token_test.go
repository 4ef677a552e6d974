package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// A program that has only its service token finds out what the token is for.
func TestServiceToken(t *testing.T) {
	s := newSite(t)
	const path = "/oauth/token"
	for scope, company := range map[string]int64{identity.ScopeRead: queriestest.Hanbit, identity.ScopeEvents: queriestest.Other, identity.ScopeSCIM: queriestest.Hanbit} {
		got := object(t, s.get(path, serviceToken(t, s, company, scope)), http.StatusOK)
		equal(t, scope, got, map[string]any{"company_id": company, "name": "messenger", "scopes": []any{scope}})
	}
	equal(t, "a person", s.get(path, s.token(queriestest.Admin)).status, http.StatusForbidden)
	equal(t, "nobody", s.get(path, "").status, http.StatusUnauthorized)
	equal(t, "an unknown token", s.get(path, "forged").status, 419)
}
