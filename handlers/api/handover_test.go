package api_test

import (
	"net/http"
	"testing"
	"time"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestHandover(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	made := object(t, s.call(http.MethodPost, "/oauth/handover", token, `{"user_id": 2}`), http.StatusCreated)
	equal(t, "expires_at", made["expires_at"], any(s.clock.Now().Add(time.Minute).UTC().Format(time.RFC3339Nano)))
	code, _ := made["code"].(string)
	if person, err := s.db.Identity.TakeHandover(t.Context(), code, queriestest.OfficeAddress, "test"); err != nil || person.ID != queriestest.Employee {
		t.Errorf("%+v, %v", person, err)
	}
	for name, test := range map[string]struct {
		token, body string
		status      int
	}{
		"a hidden user":             {token, `{"user_id": 5}`, http.StatusNotFound},
		"another company's user":    {token, `{"user_id": 11}`, http.StatusNotFound},
		"nobody":                    {token, `{}`, http.StatusUnprocessableEntity},
		"a token without the scope": {serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"user_id": 2}`, http.StatusForbidden},
		"a person's token":          {s.token(queriestest.Admin), `{"user_id": 2}`, http.StatusForbidden},
		"a wrong token":             {"forged", `{"user_id": 2}`, 419},
		"no token":                  {"", `{"user_id": 2}`, http.StatusUnauthorized},
	} {
		equal(t, name, s.call(http.MethodPost, "/oauth/handover", test.token, test.body).status, test.status)
	}
}
