package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestPasswordLinks(t *testing.T) {
	s := newSite(t)
	token := s.token(queriestest.Admin)
	links := own(queriestest.Admin) + "/security/password-links"
	call := func(method, path, token, body, want string, status int) answer {
		t.Helper()
		a := s.call(method, path, token, body)
		if a.status != status || !strings.Contains(a.body, want) {
			t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
		return a
	}
	var link struct {
		Path      string `json:"path"`
		ExpiresAt string `json:"expires_at"`
	}
	a := call(http.MethodPost, links, token, `{"user_id":2}`, `"expires_at":"2026-11-21T01:00:00Z"`, 201)
	if err := json.Unmarshal([]byte(a.body), &link); err != nil {
		t.Fatal(err)
	}
	secret, found := strings.CutPrefix(link.Path, "/password?token=")
	of, err := s.db.Identity.PersonOfPasswordLink(t.Context(), identity.PresentedLink{Secret: secret, Address: queriestest.OfficeAddress})
	if !found || err != nil || of.ID != queriestest.Employee {
		t.Errorf("%s is of %d, %v", link.Path, of.ID, err)
	}
	call(http.MethodDelete, links+"/2", token, "", `{"withdrawn":true}`, 200)
	call(http.MethodDelete, links+"/2", token, "", `{"withdrawn":false}`, 200)

	call(http.MethodPost, links, token, `{"user_id":1}`, "password_link.own", 422)
	call(http.MethodPost, links, token, `{"user_id":5}`, "password_link.absent", 422)
	call(http.MethodPost, links, token, `{"user_id":10}`, "", 404)
	call(http.MethodDelete, links+"/10", token, "", "", 404)
	call(http.MethodPost, own(queriestest.OtherAdmin)+"/security/password-links", s.token(queriestest.OtherAdmin), `{"user_id":2}`, "", 404)
	for _, user := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		call(http.MethodPost, own(user)+"/security/password-links", s.token(user), `{"user_id":3}`, "", 403)
	}
}
