package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

// Whose attendance a caller may see is read from the database once a call.
func TestScopeIsReadOnceACall(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Manager), own(queriestest.Manager)+logs
	one := all + "/6-2026-11-20"
	log := queriestest.LogStatements(t, s.db)
	once := func(method, path, body string, status int) {
		t.Helper()
		if a := s.call(method, path, token, body); a.status != status {
			t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
		if n := log.TakeCount("visibleDepartments"); n != 1 {
			t.Errorf("%s %s: the scope was read %d times", method, path, n)
		}
	}
	for _, path := range []string{
		all + "?unit=day", all + "?unit=day&limit=1", all + "?unit=day&q=kim.cs&department_id=3", all + "?unit=week", all + "?unit=month",
		one, one + "/events", all + "/corrections",
		own(queriestest.Manager) + "/organizations/departments",
	} {
		once(http.MethodGet, path, "", http.StatusOK)
	}
	once(http.MethodPatch, one, `{"arrival_at":"2026-11-20T09:00:00+09:00","reason":"외부 회의"}`, http.StatusOK)
	once(http.MethodDelete, one, `{"reason":"중복"}`, http.StatusNoContent)
	once(http.MethodPost, one+"/restore", `{"reason":"다시"}`, http.StatusOK)
	once(http.MethodPost, own(queriestest.Manager)+"/exports", `{"list":"attendance","unit":"day","format":"csv"}`, http.StatusAccepted)
}
