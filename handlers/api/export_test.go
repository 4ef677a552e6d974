package api_test

import (
	"fmt"
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
		`{"unit":"day","format":"csv"}`:                                                                                                 "list",
		`{"list":"policies","unit":"day","format":"csv"}`:                                                                               "list",
		`{"list":"attendance","unit":"year","format":"csv"}`:                                                                            "unit",
		`{"list":"attendance","unit":"day","format":"pdf"}`:                                                                             "format",
		`{"list":"attendance","unit":"day","format":"csv","date":"2026-02-29"}`:                                                         "date",
		`{"list":"attendance","unit":"day","format":"csv","date":"9999-01-01"}`:                                                         "date",
		`{"list":"attendance","unit":"day","format":"csv","q":"x"}`:                                                                     "q",
		`{"list":"attendance","unit":"day","format":"csv","status":"happy"}`:                                                            "status",
		`{"list":"attendance","unit":"week","format":"csv","status":"on_time"}`:                                                         "status",
		`{"list":"attendance","unit":"month","format":"csv","device":"pc"}`:                                                             "device",
		`{"list":"attendance","unit":"management","format":"csv"}`:                                                                      "first last",
		`{"list":"attendance","unit":"management","format":"csv","first":"2026-11-02","last":"2026-11-01"}`:                             "last",
		`{"list":"attendance","unit":"management","format":"csv","first":"2026-08-01","last":"2026-11-01"}`:                             "last",
		`{"list":"attendance","unit":"day","format":"csv","first":"2026-11-01","last":"2026-11-03"}`:                                    "first last",
		`{"list":"attendance","unit":"week","format":"csv","device":"pc","uncounted":false}`:                                            "device uncounted",
		`{"list":"attendance","unit":"management","format":"csv","first":"2026-11-01","last":"2026-11-03","date":"2026-11-01"}`:         "date",
		`{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-11-30","q":"박민재"}`:                                          "q",
		`{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-11-30","department_ids":[2],"status":"late","edited":true}`: "department_ids edited status",
		`{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-11-30","unit":"month","Q":"박민재"}`:                           "q unit",
		`{"list":"changes","format":"csv","access":{"user_id":2},"q":"박민재"}`:                                                            "access q",
		`{"list":"access","format":"csv","first":"2026-11-01"}`:                                                                         "first",
		`{"list":"reads","format":"csv","date":"2026-11-01"}`:                                                                           "date",
		`{"list":"files","format":"csv","department_id":2}`:                                                                             "department_id",
		`{"list":"clients","format":"csv","clients":{"platform":"pc"},"device":"pc"}`:                                                   "device",
		`{"list":"readers","format":"csv","readers":{"notice_id":1},"files":{}}`:                                                        "files",
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
	foreign := s.call(http.MethodPost, all, token, `{"list":"payroll","format":"csv","first":"2026-11-01","last":"2026-11-30","q":"박민재"}`)
	equal(t, "a field of another list", fields(t, foreign), "q api.field.unknown")
	equal(t, "no such department", s.call(http.MethodPost, all, token, `{"list":"attendance","unit":"day","format":"csv","department_id":9}`).status, 404)
	s.clock.Advance(time.Minute)
	equal(t, "nothing was asked for", s.get(all+"/1", token).status, 404)
}

// The file of a notice's people has what the filter of the request chooses, and
// only administrators get it.
func TestExportOfReaders(t *testing.T) {
	s := newSite(t)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now.Add(-time.Hour), Departments: map[int64]bool{queriestest.Sales: true}})
	reserved := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "예약", PublishAt: queriestest.Now.Add(time.Hour)})
	if err := s.db.Notices.MarkRead(t.Context(), queriestest.Hanbit, queriestest.Kim, id); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/exports"
	for filter, want := range map[string][]string{
		`"read":true`:       {"Name,Employee ID,Department,Position,Read at,Downloaded at,Last reminder,At work,Last access", "김철수,H0006,국내영업팀,"},
		`"read":false`:      {"박지민,", "최유진,", "Olivia Martin,", ",From 09:00,"},
		`"q":"olivia"`:      {"Olivia Martin,"},
		`"department_id":4`: {"Olivia Martin,"},
	} {
		body := fmt.Sprintf(`{"list":"readers","format":"csv","readers":{"notice_id":%d,%s}}`, id, filter)
		made := object(t, s.call(http.MethodPost, all, admin, body, "Accept-Language: en"), http.StatusAccepted)
		if err := exports.Run(t.Context(), s.db); err != nil {
			t.Fatal(err)
		}
		file := s.get(all+"/"+jsonNumber(made["id"])+"/file", admin)
		for _, want := range want {
			if !strings.Contains(file.body, want) {
				t.Errorf("%s: the file lacks %q: %s", filter, want, file.body)
			}
		}
		if people := strings.Count(file.body, "\n") - 1; filter != `"read":false` && people != 1 {
			t.Errorf("%s: %d people: %s", filter, people, file.body)
		}
	}
	ask := func(path, token, readers string) answer {
		return s.call(http.MethodPost, path, token, `{"list":"readers","format":"csv"`+readers+`}`)
	}
	missing := ask(all, admin, "")
	equal(t, "without a notice", []any{missing.status, fields(t, missing)}, []any{http.StatusUnprocessableEntity, "readers api.field.required"})
	equal(t, "too short a search", ask(all, admin, fmt.Sprintf(`,"readers":{"notice_id":%d,"q":"a"}`, id)).status, http.StatusUnprocessableEntity)
	for name, notice := range map[string]int64{"reserved": reserved, "unknown": 999_999} {
		equal(t, name, ask(all, admin, fmt.Sprintf(`,"readers":{"notice_id":%d}`, notice)).status, http.StatusNotFound)
	}
	equal(t, "elsewhere", ask(own(queriestest.OtherAdmin)+"/exports", s.token(queriestest.OtherAdmin), fmt.Sprintf(`,"readers":{"notice_id":%d}`, id)).status, http.StatusNotFound)
	equal(t, "an employee", ask(own(queriestest.Employee)+"/exports", s.token(queriestest.Employee), fmt.Sprintf(`,"readers":{"notice_id":%d}`, id)).status, http.StatusForbidden)
}

// The file of people with their clients has what the filter of the request chooses,
// and only administrators get it.
func TestExportOfClients(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into client_people (company_id, user_id, platform, installed, devices, system, version, version_number, os, os_number, device_name, last_login_at) values
		(1, $1, 'pc', true, 1, 'windows', '6.3.1', 1, 'Windows 11', 0, 'PC-1', '2026-11-20 01:00:00Z')`, queriestest.Kim)
	admin, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/exports"
	made := object(t, s.call(http.MethodPost, all, admin, `{"list":"clients","format":"csv","clients":{"platform":"pc","state":"installed"}}`, "Accept-Language: en"), http.StatusAccepted)
	equal(t, "name", made["file_name"], "installations-pc-installed.csv")
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	body := s.get(all+"/"+jsonNumber(made["id"])+"/file", admin).body
	if lines := strings.Split(strings.TrimSpace(body), "\r\n"); len(lines) != 2 || !strings.HasPrefix(lines[1], "김철수,") || !strings.Contains(lines[1], ",6.3.1,PC-1,") {
		t.Errorf("the file is %q", body)
	}
	for name, test := range map[string]struct {
		user   int64
		body   string
		status int
	}{
		"no filter":            {queriestest.Admin, `{"list":"clients","format":"csv"}`, 422},
		"no platform":          {queriestest.Admin, `{"list":"clients","format":"csv","clients":{}}`, 422},
		"an unknown release":   {queriestest.Admin, `{"list":"clients","format":"csv","clients":{"platform":"pc","release":"x"}}`, 422},
		"a foreign department": {queriestest.Admin, `{"list":"clients","format":"csv","clients":{"platform":"pc","department_id":9}}`, 404},
		"a viewer":             {queriestest.Viewer, `{"list":"clients","format":"csv","clients":{"platform":"pc"}}`, 403},
	} {
		equal(t, name, s.call(http.MethodPost, own(test.user)+"/exports", s.token(test.user), test.body).status, test.status)
	}
}

// The files of the access history, the change log and the log of reads have what the
// filter of the request chooses, and only administrators get them.
func TestExportsOfLogs(t *testing.T) {
	s := newSite(t)
	admin, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/exports"
	equal(t, "a wrong password", s.call(http.MethodPost, "/oauth/login", "", `{"email":"employee@hanbit.example","password":"wrong"}`).status, http.StatusUnprocessableEntity)
	ask := func(body string) (id, file string) {
		t.Helper()
		made := object(t, s.call(http.MethodPost, all, admin, body, "Accept-Language: en"), http.StatusAccepted)
		if err := exports.Run(t.Context(), s.db); err != nil {
			t.Fatal(err)
		}
		id = jsonNumber(made["id"])
		return id, s.get(all+"/"+id+"/file", admin).body
	}
	_, access := ask(`{"list":"access","format":"csv","access":{"user_id":2,"result":"failed"}}`)
	if lines := strings.Split(strings.TrimSpace(access), "\r\n"); len(lines) != 2 || !strings.Contains(lines[1], ",이준호,H0002,메신저팀,Sign-in,Failed,Wrong password,API,") {
		t.Errorf("the access history is %q", access)
	}
	id, changes := ask(`{"list":"changes","format":"csv","changes":{"object_type":"export","actor_id":1,"since":"2026-11-20T00:00:00Z"}}`)
	if lines := strings.Split(strings.TrimSpace(changes), "\r\n"); len(lines) < 3 || !strings.Contains(changes, "access.csv") {
		t.Errorf("the change log of export %s is %q", id, changes)
	}
	if err := s.db.Audit.WriteReads(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, reads := ask(`{"list":"reads","format":"csv","reads":{"reader_id":1,"kind":"access"}}`)
	if lines := strings.Split(strings.TrimSpace(reads), "\r\n"); len(lines) != 2 || !strings.Contains(lines[1], ",access.csv,") {
		t.Errorf("the log of reads is %q", reads)
	}
	for _, test := range []struct {
		user   int64
		body   string
		status int
	}{
		{queriestest.Admin, `{"list":"access","format":"csv","access":{"kind":"dance"}}`, 422},
		{queriestest.Admin, `{"list":"access","format":"csv","access":{"q":"a"}}`, 422},
		{queriestest.Admin, `{"list":"access","format":"csv","access":{"user_id":11}}`, 404},
		{queriestest.Admin, `{"list":"changes","format":"csv","changes":{"object_id":1}}`, 422},
		{queriestest.Admin, `{"list":"reads","format":"csv","reads":{"kind":"dance"}}`, 422},
		{queriestest.Manager, `{"list":"access","format":"csv"}`, 403},
		{queriestest.Manager, `{"list":"changes","format":"csv"}`, 403},
		{queriestest.Manager, `{"list":"reads","format":"csv"}`, 403},
	} {
		equal(t, test.body, s.call(http.MethodPost, own(test.user)+"/exports", s.token(test.user), test.body).status, test.status)
	}
}

// Who lost a right after a file was written does not get the file.
func TestExportsAfterALostRight(t *testing.T) {
	for name, test := range map[string]struct {
		user       int64
		list, lose string
	}{
		"a department":       {queriestest.Viewer, `"attendance","unit":"day"`, "delete from permission_controls where user_id = 3"},
		"the administration": {queriestest.Admin, `"attendance","unit":"day"`, "update users set is_admin = false where id = 1"},
		"the log":            {queriestest.Admin, `"changes"`, "update users set is_admin = false where id = 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			worked(s)
			token, all := s.token(test.user), own(test.user)+"/exports"
			request := `{"list":` + test.list + `,"format":"csv"}`
			file := all + "/" + jsonNumber(object(t, s.call(http.MethodPost, all, token, request), http.StatusAccepted)["id"]) + "/file"
			waiting := all + "/" + jsonNumber(object(t, s.call(http.MethodPost, all, token, request), http.StatusAccepted)["id"])
			s.exec("update exports set expires_at = expires_at + interval '1 day', state = 'failed' where id = (select max(id) from exports)")
			if err := exports.Run(t.Context(), s.db); err != nil {
				t.Fatal(err)
			}
			equal(t, "before", s.get(file, token).status, http.StatusOK)
			s.exec(test.lose)
			s.clock.Advance(time.Hour)
			equal(t, "after", s.get(file, token).status, http.StatusNotFound)
			if test.user != queriestest.Admin || name != "the log" {
				return
			}
			s.exec("update exports set state = 'waiting' where state = 'failed'")
			if err := exports.Run(t.Context(), s.db); err != nil {
				t.Fatal(err)
			}
			equal(t, "written after", object(t, s.get(waiting, token), http.StatusOK)["state"], "failed")
		})
	}
}
