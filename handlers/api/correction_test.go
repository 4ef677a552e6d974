package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestCorrections(t *testing.T) {
	s := newSite(t)
	worked(s)
	employee, theirs := s.token(queriestest.Employee), own(queriestest.Employee)+logs
	admin, ours := s.token(queriestest.Admin), own(queriestest.Admin)+logs+"/corrections"
	request := func(body string, status int) map[string]any {
		t.Helper()
		return object(t, s.call(http.MethodPost, theirs+"/corrections", employee, body), status)
	}
	const wish = `{"record_id":"2-2026-11-20","arrival_at":"2026-11-20T09:00:00+09:00","reason":"출입증 고장"}`
	made := request(wish, http.StatusCreated)
	equal(t, "fields", keys(made), "answer arrival_at created_at decided_at decided_by departure_at id reason record_id status work_date")
	equal(t, "made", []any{made["record_id"], made["arrival_at"], made["departure_at"], made["status"], made["work_date"]}, []any{"2-2026-11-20", "2026-11-20T00:00:00Z", nil, "pending", "2026-11-20"})
	equal(t, "one at a time", request(wish, 422)["errors"].([]any)[0].(map[string]any)["field"], "record_id")
	equal(t, "the code", request(wish, 422)["code"], "record.correction.pending")

	waiting := object(t, s.get(ours, admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "waiting", []any{waiting["id"], waiting["user"], waiting["record"]}, []any{made["id"], map[string]any{"id": 2, "name": "이준호"},
		map[string]any{"status": "late", "arrival_at": "2026-11-20T00:34:00Z", "departure_at": "2026-11-20T09:02:00Z", "last_edit_id": 0}})
	one := ours + "/" + jsonNumber(made["id"])
	for body, want := range map[string]string{`{"approve":false}`: "record.answer.required", `{"answer":"x"}`: "api.refused"} {
		refused := s.call(http.MethodPatch, one, admin, body)
		equal(t, body, []any{refused.status, code(t, refused)}, []any{422, want})
	}
	conflict := s.call(http.MethodPatch, one, admin, `{"approve":true}`, `If-Match: "7"`)
	equal(t, "edited in between", []any{conflict.status, code(t, conflict)}, []any{409, "record.changed"})
	equal(t, "approved", s.call(http.MethodPatch, one, admin, `{"approve":true,"answer":"확인"}`, `If-Match: "0"`).status, 204)
	r := object(t, s.get(theirs+"/2-2026-11-20", employee), http.StatusOK)
	asked := r["corrections"].([]any)[0].(map[string]any)
	equal(t, "the record", []any{r["arrival_at"], r["status"], asked["status"], asked["decided_by"], asked["answer"]}, []any{"2026-11-20T00:00:00Z", "on_time", "approved", "김서연", "확인"})
	equal(t, "the edit", []any{r["edits"].([]any)[0].(map[string]any)["correction_id"], r["edits"].([]any)[0].(map[string]any)["old"]}, []any{made["id"], "2026-11-20T00:34:00Z"})
	again := s.call(http.MethodPatch, one, admin, `{"approve":true}`)
	equal(t, "decided", []any{again.status, code(t, again)}, []any{409, "record.correction.decided"})
	late := s.call(http.MethodDelete, theirs+"/corrections/"+jsonNumber(made["id"]), employee, "")
	equal(t, "too late to withdraw", []any{late.status, code(t, late)}, []any{409, "record.correction.decided"})

	second := request(`{"record_id":"2-2026-11-20","departure_at":"2026-11-20T19:00:00+09:00","reason":"야근"}`, http.StatusCreated)
	equal(t, "withdrawn", s.call(http.MethodDelete, theirs+"/corrections/"+jsonNumber(second["id"]), employee, "").status, 204)
	equal(t, "nothing waits", len(s.rows(ours, admin, "id")), 0)
	for body, want := range map[string]string{
		`{"record_id":"2-2026-11-20","reason":"x"}`:                                            "record_id",
		`{"record_id":"2-2026-11-20","arrival_at":"2026-11-20T09:10:00+09:00","reason":""}`:    "reason",
		`{"record_id":"2-2026-11-20","departure_at":"2026-11-20T23:00:00+09:00","reason":"x"}`: "departure_at",
		`{"record_id":"2-2026-11-20","arrival_at":"2026-11-20T03:00:00+09:00","reason":"x"}`:   "arrival_at",
		`{"record_id":"2-2026-11-20","arrival_at":"2026-11-20T09:10:00+09:00"}`:                "reason",
	} {
		equal(t, body, request(body, 422)["errors"].([]any)[0].(map[string]any)["field"], want)
	}
	for _, id := range []string{"", "x", "6-2026-11-20", "2-2009-12-31"} {
		request(fmt.Sprintf(`{"record_id":%q,"arrival_at":"2026-11-20T09:10:00+09:00","reason":"x"}`, id), http.StatusNotFound)
	}
}

func TestCorrectionsPageByPage(t *testing.T) {
	s := newSite(t)
	worked(s)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, extra, department_id, arrival_at, reason, created_at)
		select 1, id, '2026-11-20', false, department_id, '2026-11-20 09:00+09', 'x', now() from users where id in (2, 3, 6, 7, 8)`)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs+"/corrections"
	ids := s.rows(all, token, "id")
	equal(t, "all", len(ids), 5)
	equal(t, "page by page", s.pages(all+"?limit=2", token), ids)
}
