package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestSignInLocks(t *testing.T) {
	s := newSite(t)
	token, other := s.token(queriestest.Admin), s.token(queriestest.OtherAdmin)
	fail := func(email string) {
		t.Helper()
		_, err := s.db.Identity.SignIn(t.Context(), identity.Credentials{Email: email, Password: "wrong", Address: netip.MustParseAddr("2001:db8::7")})
		if err == nil {
			t.Fatal("signed in")
		}
	}
	call := func(method, path, token, want string, status int) {
		t.Helper()
		if a := s.call(method, path, token, ""); a.status != status || !strings.Contains(a.body, want) {
			t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
	}
	locks := own(queriestest.Admin) + "/security/locks"
	call(http.MethodGet, locks, token, `{"data":[],"meta":{"next_cursor":null},"addresses":[]}`, 200)
	for range 5 {
		fail(queriestest.Email(queriestest.Employee))
	}
	for i := range 45 {
		fail(fmt.Sprintf("nobody%d@hanbit.example", i))
	}
	call(http.MethodGet, locks, token, `{"data":[{"user":{"id":2,"name":"이준호"},"email":"employee@hanbit.example","failures":5,"since":"2026-11-20T01:00:00Z","until":"2026-11-20T01:10:00Z"}],`+
		`"meta":{"next_cursor":null},"addresses":[{"address":"2001:db8::7","failures":50,"accounts":46,"since":"2026-11-20T01:00:00Z","until":"2026-11-20T01:10:00Z"}]}`, 200)
	call(http.MethodGet, own(queriestest.OtherAdmin)+"/security/locks", other, `{"data":[],"meta":{"next_cursor":null},"addresses":[]}`, 200)
	call(http.MethodDelete, own(queriestest.OtherAdmin)+"/security/locks/people/2", other, "", 404)
	call(http.MethodDelete, own(queriestest.OtherAdmin)+"/security/locks/addresses/2001:db8::7", other, `{"unlocked":false}`, 200)
	call(http.MethodDelete, locks+"/people/99999", token, "", 404)
	call(http.MethodDelete, locks+"/people/2", token, `{"unlocked":true}`, 200)
	call(http.MethodDelete, locks+"/people/2", token, `{"unlocked":false}`, 200)
	call(http.MethodDelete, locks+"/addresses/x", token, "", 404)
	call(http.MethodDelete, locks+"/addresses/2001:db8::7", token, `{"unlocked":true}`, 200)
	call(http.MethodGet, locks, token, `{"data":[],"meta":{"next_cursor":null},"addresses":[]}`, 200)
	for _, user := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		call(http.MethodGet, own(user)+"/security/locks", s.token(user), "", 403)
	}
}
