package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// importForm is a form with a file and fields.
func importForm(file string, fields ...string) string {
	body := ""
	for i := 0; i < len(fields); i += 2 {
		body += fmt.Sprintf("--b\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", fields[i], fields[i+1])
	}
	if file != "" {
		body += "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"clock.csv\"\r\n\r\n" + file + "\r\n"
	}
	return body + "--b--\r\n"
}

func TestImports(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/imports"
	const kind = "Content-Type: multipart/form-data; boundary=b"
	post := func(form string) answer { return s.call(http.MethodPost, path, admin, form, kind) }
	run := func() {
		t.Helper()
		if err := s.db.Attendance.RunImports(t.Context(), s.files); err != nil {
			t.Fatal(err)
		}
	}
	const rows = "employee_id,work_date,arrival,departure\nH0006,2015-05-11,09:00,18:00\nH0006,2015-05-12,9,18:00\n"
	checked := post(importForm(rows, "dry_run", "true"))
	equal(t, "checked", checked.status, http.StatusCreated)
	sameJSON(t, checked.body, `{"id": 1, "status": "checking"}`)
	run()
	row := object(t, s.get(path+"/1", admin, "Accept-Language: en"), http.StatusOK)
	equal(t, "refused", fmt.Sprintln(row["status"], row["rows"], row["created"], row["refused"], row["reasons"], row["refusals"]),
		"checked 2 1 1 [map[code:import.attendance.time count:1 message:This is not a time. Write it like 09:00.]] [map[code:import.attendance.time column:arrival file: line:3 message:This is not a time. Write it like 09:00. value:9]]\n")
	equal(t, "created", object(t, post(importForm(rows, "skip_bad", "1")), http.StatusCreated)["status"], "importing")
	run()
	row = object(t, s.get(path+"/2", admin), http.StatusOK)
	equal(t, "done", fmt.Sprintln(row["status"], row["days"], row["people"], row["first_date"], row["last_date"], row["files"], row["reverted_at"]), "done 1 1 2015-05-11 2015-05-11 [clock.csv] <nil>\n")
	equal(t, "replaced", object(t, post(importForm("employee_id,work_date,arrival,departure\nH0006,2015-05-11,09:10,18:00\n", "replace", "2")), http.StatusCreated)["id"], 3.0)
	run()
	equal(t, "replaced", object(t, s.get(path+"/2", admin), http.StatusOK)["status"], "reverted")
	sameJSON(t, s.call(http.MethodPost, path+"/3/reversal", admin, "").body, `{"id": 3, "status": "reverted"}`)
	again := s.call(http.MethodPost, path+"/3/reversal", admin, "")
	equal(t, "again", []any{again.status, code(t, again)}, []any{http.StatusUnprocessableEntity, "import.revert.state"})

	object(t, post(importForm("employee_id,work_date,arrival,departure\nH0006,2015-05-11,,\nH0006,2015-05-14,,\n", "fill_days", "true", "dry_run", "true")), http.StatusCreated)
	run()
	row = object(t, s.get(path+"/4", admin), http.StatusOK)
	equal(t, "filled", fmt.Sprintln(row["rows"], row["created"], row["filled"]), "2 4 2\n")

	all := s.get(path, admin)
	listed := object(t, all, http.StatusOK)["data"].([]any)[2].(map[string]any)
	equal(t, "listed", []any{s.rows(path, admin, "id"), listed["status"], listed["days"], listed["first_date"], listed["files"]}, []any{"[4 3 2 1]", "reverted", 1, "2015-05-11", "[clock.csv]"})
	if strings.Contains(all.body, "refusals") || strings.Contains(all.body, "reasons") {
		t.Errorf("the list has the reports: %s", all.body)
	}
	equal(t, "page by page", s.pages(path+"?limit=2", admin), s.rows(path, admin, "id"))
	equal(t, "a cursor of another list", s.get(path+"?cursor=x", admin).status, http.StatusUnprocessableEntity)
	equal(t, "listed to an employee", s.get(own(queriestest.Employee)+"/imports", s.token(queriestest.Employee)).status, http.StatusForbidden)
	equal(t, "listed to another company", len(s.rows(own(queriestest.OtherAdmin)+"/imports", s.token(queriestest.OtherAdmin), "id")), 0)

	for form, want := range map[string]string{
		importForm(""): "import.files", importForm(rows, "encoding", "x"): "import.encoding.unknown", importForm(rows, "dry_run", "perhaps"): "import.value.truth",
		importForm(rows, "dryrun", "true"): "api.field.unknown",
		importForm(rows, "replace", "x"):   "error.unreadable", importForm("x", "replace", "2"): "import.revert.state", strings.Replace(importForm("x"), "x\r\n", "\r\n", 1): "import.file.empty",
	} {
		if a := post(form); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", want, a.status, a.body)
		}
	}
	equal(t, "of another kind", s.call(http.MethodPost, path, admin, "{}").status, http.StatusUnsupportedMediaType)
	equal(t, "unknown", s.get(path+"/9", admin).status, http.StatusNotFound)
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/imports/2", s.token(queriestest.Employee)).status, http.StatusForbidden)
	equal(t, "of another company", s.get(own(queriestest.OtherAdmin)+"/imports/2", s.token(queriestest.OtherAdmin)).status, http.StatusNotFound)
}
