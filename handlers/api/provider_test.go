package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestProviders(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/providers"
	sameJSON(t, s.get(path, admin).body, `{"data": [], "meta": {"next_cursor": null}}`)
	body := fmt.Sprintf(`{"name": "한빛 계정", "issuer": %q, "client_id": "console", "client_secret": %q, "domains": ["Hanbit.example"]}`, p.URL, queriestest.SignOnSecret)
	created := s.call(http.MethodPost, path, admin, body)
	sameJSON(t, created.body, fmt.Sprintf(`{"id": 1, "name": "한빛 계정", "kind": "oidc", "issuer": %q, "client_id": "console", "secret_saved_at": "2026-11-20T01:00:00Z", "metadata_url": "", "metadata": "",
		"domains": ["hanbit.example"], "create_people": false, "department_claim": "", "rank_claim": "", "admin_claim": "", "admin_value": "", "enabled": true}`, p.URL))
	equal(t, "created", created.status, http.StatusCreated)
	one, tag := path+"/1", created.header.Get("ETag")

	changed := s.call(http.MethodPatch, one, admin, `{"rank_claim": "title", "enabled": false}`, "If-Match: "+tag)
	row := object(t, changed, http.StatusOK)
	equal(t, "changed", []any{row["name"], row["rank_claim"], row["enabled"], row["secret_saved_at"]}, []any{"한빛 계정", "title", false, "2026-11-20T01:00:00Z"})
	for method, body := range map[string]string{http.MethodPatch: `{"enabled": true}`, http.MethodDelete: ""} {
		stale := s.call(method, one, admin, body, "If-Match: "+tag)
		equal(t, method, []any{stale.status, code(t, stale)}, []any{http.StatusConflict, "provider.changed"})
	}
	equal(t, "without If-Match", s.call(http.MethodPatch, one, admin, `{"name": "다른 이름"}`).status, 200)

	trial := object(t, s.call(http.MethodPost, one+"/test", admin, ""), http.StatusOK)
	equal(t, "test", []any{trial["ok"], len(trial["steps"].([]any))}, []any{true, 2})
	p.Answer = http.NotFound
	trial = object(t, s.call(http.MethodPost, one+"/test", admin, ""), http.StatusOK)
	equal(t, "test of one that is down", []any{trial["ok"], trial["steps"].([]any)[0].(map[string]any)["refusal"]}, []any{false, "sso.provider"})

	if all := s.get(path, admin); strings.Contains(all.body, queriestest.SignOnSecret) {
		t.Errorf("the secret is in %s", all.body)
	}
	equal(t, "of another company", s.get(own(queriestest.OtherAdmin)+"/security/providers/1", s.token(queriestest.OtherAdmin)).status, 404)
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/security/providers", s.token(queriestest.Employee)).status, 403)
	equal(t, "deleted", s.call(http.MethodDelete, one, admin, "").status, 204)
	equal(t, "gone", s.get(one, admin).status, 404)
}

func TestSAMLProvider(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSAMLProvider(t, s.db)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/providers"
	row := object(t, s.call(http.MethodPost, path, admin, fmt.Sprintf(`{"name": "a", "kind": "saml", "metadata_url": %q, "domains": ["hanbit.example"]}`, p.EntityID)), http.StatusCreated)
	equal(t, "created", []any{row["kind"], row["issuer"], row["secret_saved_at"]}, []any{"saml", p.EntityID, nil})
	one := fmt.Sprintf("%s/%v", path, row["id"])
	both := s.call(http.MethodPatch, one, admin, fmt.Sprintf(`{"metadata": %q}`, p.Metadata()))
	equal(t, "both", []any{both.status, code(t, both)}, []any{422, "provider.metadata.both"})
	row = object(t, s.call(http.MethodPatch, one, admin, fmt.Sprintf(`{"metadata_url": "", "metadata": %q}`, p.Metadata())), http.StatusOK)
	if text := row["metadata"].(string); row["metadata_url"] != "" || !strings.Contains(text, p.EntityID) || strings.Contains(text, "<!--") {
		t.Errorf("metadata %s", text)
	}
	fixed := s.call(http.MethodPatch, one, admin, `{"kind": "oidc"}`)
	equal(t, "another kind", []any{fixed.status, code(t, fixed)}, []any{422, "provider.kind.fixed"})
	for body, want := range map[string]string{
		`{"name": "a", "kind": "saml", "domains": ["a.example"]}`:                                         "provider.metadata.required",
		`{"name": "a", "kind": "saml", "domains": ["a.example"], "metadata": "<a/>"}`:                     "provider.metadata.invalid",
		`{"name": "a", "kind": "saml", "domains": ["a.example"], "metadata_url": "http://10.1.2.3/"}`:     "provider.address.private",
		`{"name": "a", "kind": "saml", "domains": ["a.example"], "metadata_url": "ftp://id.example/"}`:    "provider.metadata_url.scheme",
		`{"name": "a", "kind": "saml", "domains": ["a.example"], "metadata_url": "https://a@id.example"}`: "provider.metadata_url.invalid",
		`{"name": "a", "kind": "card", "domains": ["a.example"]}`:                                         "api.refused",
	} {
		a := s.call(http.MethodPost, path, admin, body)
		equal(t, body, []any{a.status, code(t, a)}, []any{422, want})
	}
}
