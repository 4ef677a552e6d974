package api_test

import (
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestRetention(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/security/retention"
	first := s.get(path, admin)
	equal(t, "ETag", first.header.Get("ETag"), `"0"`)
	equal(t, "at first", object(t, first, http.StatusOK)["access_months"], 0)
	saved := s.call(http.MethodPut, path, admin, `{"access_months": 36, "file_months": 6, "client_months": 0}`, `If-Match: "0"`)
	equal(t, "saved", object(t, saved, http.StatusOK)["access_months"], 36)
	equal(t, "new ETag", saved.header.Get("ETag"), `"1"`)
	equal(t, "somebody else saved", s.call(http.MethodPut, path, admin, `{"access_months": 36, "file_months": 12, "client_months": 0}`, `If-Match: "0"`).status, 409)
	equal(t, "less than the law asks", s.call(http.MethodPut, path, admin, `{"access_months": 12, "file_months": 6, "client_months": 0}`).status, 422)
	equal(t, "without If-Match", s.call(http.MethodPut, path, admin, `{"access_months": 0, "file_months": 0, "client_months": 0}`).status, 200)
	equal(t, "of another company", object(t, s.get(own(queriestest.OtherAdmin)+"/security/retention", s.token(queriestest.OtherAdmin)), http.StatusOK)["access_months"], 0)
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/security/retention", s.token(queriestest.Employee)).status, 403)
}
