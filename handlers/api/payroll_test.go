package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/exports"
	"officeconsole/queries/queriestest"
)

func TestPayrollExport(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Manager), own(queriestest.Manager)+"/exports"
	for body, field := range map[string]string{
		`{"list":"payroll","format":"csv"}`:                                          "first",
		`{"list":"payroll","format":"csv","first":"2026-11-01"}`:                     "last",
		`{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-10-31"}`: "last",
		`{"list":"payroll","format":"csv","first":"2025-11-30","last":"2026-11-01"}`: "last",
		`{"list":"payroll","format":"csv","first":"2026-11-01","last":"x"}`:          "last",
	} {
		refused := s.call(http.MethodPost, all, token, body)
		if refused.status != http.StatusUnprocessableEntity || !strings.Contains(refused.body, `"`+field) {
			t.Errorf("%s: %d %s", body, refused.status, refused.body)
		}
	}
	equal(t, "a department out of sight", s.call(http.MethodPost, all, token, `{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-11-30","department_id":1}`).status, http.StatusNotFound)

	asked := object(t, s.call(http.MethodPost, all, token, `{"list":"payroll","format":"csv","first":"2026-10-31","last":"2026-11-02"}`, "Accept-Language: en"), http.StatusAccepted)
	equal(t, "file", asked["file_name"], "payroll-202610-202611.csv")
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	one := all + "/" + jsonNumber(asked["id"])
	file := s.get(one+"/file", token)
	lines := strings.Split(strings.TrimSpace(file.body), "\r\n")
	if file.status != http.StatusOK || !strings.HasPrefix(lines[0], "\ufeffMonth,Employee ID,Name,") || !strings.HasPrefix(lines[len(lines)-1], "Total,,4 rows,") {
		t.Errorf("the file is %d %q", file.status, file.body)
	}

	// Whoever may see less by now gets nothing.
	queriestest.Exec(t, s.db, "update exports set department_ids = array[1]")
	equal(t, "afterwards", s.get(one+"/file", token).status, http.StatusNotFound)
}
