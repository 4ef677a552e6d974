package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"officeconsole/exports"
	"officeconsole/queries/export"
	"officeconsole/queries/queriestest"
)

func TestExports(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Manager), own(queriestest.Manager)+"/exports"
	asked := s.call(http.MethodPost, all, token, `{"list":"attendance","unit":"day","format":"csv","date":"2026-11-20","status":"late"}`, "Accept-Language: en")
	made := object(t, asked, http.StatusAccepted)
	equal(t, "waiting", []any{made["state"], made["rows"], made["file_name"], made["created_at"], made["expires_at"], made["url"]},
		[]any{"waiting", 0, "attendance-day-20261120.csv", "2026-11-20T11:00:00Z", "2026-11-21T11:00:00Z", nil})
	one := all + "/" + jsonNumber(made["id"])
	unfinished := s.get(one+"/file", token)
	equal(t, "not yet", []any{unfinished.status, code(t, unfinished)}, []any{404, "api.export.unfinished"})

	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	done := object(t, s.get(one, token), http.StatusOK)
	equal(t, "done", []any{done["state"], done["rows"], done["url"]}, []any{"done", 1, "/api/v1" + one + "/file"})
	file := s.get(one+"/file", token)
	equal(t, "file", []any{file.status, file.header.Get("Content-Type"), file.header.Get("Content-Disposition")},
		[]any{200, "text/csv; charset=utf-8", `attachment; filename="attendance-day-20261120.csv"`})
	if lines := strings.Split(strings.TrimSpace(file.body), "\r\n"); len(lines) != 2 || !strings.HasPrefix(lines[0], "\ufeffDate,Name,") || !strings.HasPrefix(lines[1], "2026-11-20,김철수,H0006,") {
		t.Errorf("the file is %q", file.body)
	}
	s.clock.Advance(export.Age)
	equal(t, "expired", s.get(one+"/file", s.token(queriestest.Manager)).status, 404)
}

// A file contains only what its requester may see.
func TestExportsAreScoped(t *testing.T) {
	s := newSite(t)
	worked(s)
	for user, names := range map[int64]string{queriestest.Employee: "이준호", queriestest.Viewer: "Olivia Martin 김철수 박지민 최유진", queriestest.OtherAdmin: "김철수 한도윤"} {
		token, all := s.token(user), own(user)+"/exports"
		for _, unit := range []string{"day", "week", "month"} {
			id := jsonNumber(object(t, s.call(http.MethodPost, all, token, `{"list":"attendance","unit":"`+unit+`","format":"csv"}`), http.StatusAccepted)["id"])
			if err := exports.Run(t.Context(), s.db); err != nil {
				t.Fatal(err)
			}
			body := s.get(all+"/"+id+"/file", token).body
			var seen []string
			for _, name := range []string{"Olivia Martin", "김서연", "김철수", "박지민", "이준호", "최유진", "佐藤ひろし", "한도윤"} {
				if strings.Contains(body, name) {
					seen = append(seen, name)
				}
			}
			equal(t, queriestest.Email(user)+" "+unit, strings.Join(seen, " "), names)
		}
	}
}

func TestExportsRefuse(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/exports"
	for body, want := range map[string]string{
		`{"unit":"day","format":"csv"}`:                                                                     "list",
		`{"list":"policies","unit":"day","format":"csv"}`:                                                   "list",
		`{"list":"attendance","unit":"year","format":"csv"}`:                                                "unit",
		`{"list":"attendance","unit":"day","format":"pdf"}`:                                                 "format",
		`{"list":"attendance","unit":"day","format":"csv","date":"2026-02-29"}`:                             "date",
		`{"list":"attendance","unit":"day","format":"csv","date":"9999-01-01"}`:                             "date",
		`{"list":"attendance","unit":"day","format":"csv","q":"x"}`:                                         "q",
		`{"list":"attendance","unit":"day","format":"csv","status":"happy"}`:                                "status",
		`{"list":"attendance","unit":"week","format":"csv","status":"on_time"}`:                             "status",
		`{"list":"attendance","unit":"month","format":"csv","device":"pc"}`:                                 "device",
		`{"list":"attendance","unit":"management","format":"csv"}`:                                          "first last",
		`{"list":"attendance","unit":"management","format":"csv","first":"2026-11-02","last":"2026-11-01"}`: "last",
		`{"list":"attendance","unit":"management","format":"csv","first":"2026-08-01","last":"2026-11-01"}`: "last",
	} {
		a := s.call(http.MethodPost, all, token, body)
		var fields []string
		problems, _ := object(t, a, http.StatusUnprocessableEntity)["errors"].([]any)
		for _, p := range problems {
			fields = append(fields, p.(map[string]any)["field"].(string))
		}
		code(t, a)
		equal(t, body, strings.Join(fields, " "), want)
	}
	equal(t, "no such department", s.call(http.MethodPost, all, token, `{"list":"attendance","unit":"day","format":"csv","department_id":9}`).status, 404)
	s.clock.Advance(time.Minute)
	equal(t, "nothing was asked for", s.get(all+"/1", token).status, 404)
}
