package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestFactorRule(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/factor-rule"
	first := s.get(path, admin)
	equal(t, "ETag", first.header.Get("ETag"), `"0"`)
	equal(t, "at first", object(t, first, http.StatusOK)["required_of"], "nobody")
	equal(t, "lacking", object(t, first, http.StatusOK)["lacking"], 7)
	body := `{"required_of": "administrators", "grace_days": 14, "trusts_sign_on": true}`
	saved := object(t, s.call(http.MethodPut, path, admin, body, `If-Match: "0"`), http.StatusOK)
	equal(t, "saved", saved["required_of"], "administrators")
	equal(t, "everybody", saved["everybody_due_at"], nil)
	equal(t, "somebody else saved", s.call(http.MethodPut, path, admin, body, `If-Match: "0"`).status, 409)
	equal(t, "too long", s.call(http.MethodPut, path, admin, `{"required_of": "nobody", "grace_days": 366, "trusts_sign_on": true}`).status, 422)
	equal(t, "of another company", object(t, s.get(own(queriestest.OtherAdmin)+"/security/factor-rule", s.token(queriestest.OtherAdmin)), http.StatusOK)["required_of"], "nobody")
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/security/factor-rule", s.token(queriestest.Employee)).status, 403)
}

// Once the time has passed, a token of somebody without a second factor may only sign
// out.
func TestCallsNeedTheSecondFactor(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	body := `{"required_of": "administrators", "grace_days": 0, "trusts_sign_on": true}`
	equal(t, "saved", s.call(http.MethodPut, own(queriestest.Admin)+"/security/factor-rule", admin, body).status, 200)
	refused := s.get("/profile", admin)
	equal(t, "refused", fmt.Sprint(refused.status, " ", object(t, refused, 403)["code"]), "403 factor.due.api")
	equal(t, "an employee", s.get("/profile", s.token(queriestest.Employee)).status, 200)
	equal(t, "sign out", s.call(http.MethodPost, "/logout", admin, "").status, 204)
}

// A password alone is no way around a second factor.
func TestLoginNeedsTheSecondFactor(t *testing.T) {
	s := newSite(t)
	in, err := s.db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	_, codes := queriestest.EnrolApp(t, s.db, in)
	login := func(code string) answer {
		t.Helper()
		body, err := json.Marshal(map[string]string{"email": queriestest.Email(queriestest.Employee), "password": queriestest.Password, "code": code})
		if err != nil {
			t.Fatal(err)
		}
		return s.call(http.MethodPost, "/oauth/login", "", string(body))
	}
	equal(t, "without", object(t, login(""), 422)["code"], "session.factor.required")
	equal(t, "wrong", object(t, login("ABCD-EFGH"), 422)["code"], "factor.code.wrong")
	token := object(t, login(codes[0]), 200)["access_token"].(string)
	equal(t, "twice", object(t, login(codes[0]), 422)["code"], "factor.code.wrong")
	equal(t, "signed in", s.get("/profile", token).status, 200)
}

// Dangerous calls ask for a proof that is not older than ten minutes.
func TestCallsAskForAProof(t *testing.T) {
	s := newSite(t)
	admin, me := s.token(queriestest.Admin), own(queriestest.Admin)
	calls := []struct{ method, path, body string }{
		{http.MethodPut, me + "/security/retention", `{"access_months": 24, "file_months": 12, "client_months": 12}`},
		{http.MethodPut, me + "/security/factor-rule", `{"required_of": "nobody", "grace_days": 1, "trusts_sign_on": true}`},
		{http.MethodDelete, me + "/security/factors/2", ""},
		{http.MethodPost, me + "/security/password-links", `{"user_id": 2}`},
		{http.MethodPatch, me + "/security/providers/1", `{"name": "x"}`},
		{http.MethodDelete, me + "/security/providers/1", ""},
		{http.MethodPost, me + "/security/tokens", `{"name": "x", "scopes": ["read"]}`},
		{http.MethodPost, me + "/security/tokens/1/rotation", `{"overlap_seconds": 0}`},
		{http.MethodPost, me + "/bots/service/tokens/message/rotation", `{"overlap_seconds": 0}`},
		{http.MethodPut, me + "/webhook", `{"url": "https://receiver.example/x"}`},
		{http.MethodPost, me + "/webhook/secret/rotation", `{"overlap_seconds": 0}`},
		{http.MethodPost, me + "/exports", `{"list": "attendance", "unit": "day", "format": "csv"}`},
	}
	for _, c := range calls {
		if a := s.call(c.method, c.path, admin, c.body); a.status >= 300 && a.status != 404 {
			t.Errorf("%s %s right after signing in: %d %s", c.method, c.path, a.status, a.body)
		}
	}
	change := queriestest.LookUp(t, s.db, "select max(id) from changes where action = 'factor_rule.updated'")
	calls = append(calls, struct{ method, path, body string }{http.MethodPost, me + "/audit/" + change + "/revert", `{}`})
	s.clock.Advance(identity.ProofAge + time.Second)
	for _, c := range calls {
		equal(t, c.method+" "+c.path, object(t, s.call(c.method, c.path, admin, c.body), 403)["code"], "proof.required")
	}
	equal(t, "another export", s.call(http.MethodPost, me+"/exports", admin, `{"list": "changes", "format": "csv"}`).status, 202)
}

func TestResetFactors(t *testing.T) {
	s := newSite(t)
	in, err := s.db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	queriestest.EnrolApp(t, s.db, in)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/factors/"
	equal(t, "reset", object(t, s.call(http.MethodDelete, path+"2", admin, ""), 200)["reset"], true)
	equal(t, "again", object(t, s.call(http.MethodDelete, path+"2", admin, ""), 200)["reset"], false)
	equal(t, "one's own", s.call(http.MethodDelete, path+"1", admin, "").status, 409)
	equal(t, "of another company", s.call(http.MethodDelete, path+"10", admin, "").status, 404)
	equal(t, "by an employee", s.call(http.MethodDelete, own(queriestest.Employee)+"/security/factors/1", s.token(queriestest.Employee), "").status, 403)
}
