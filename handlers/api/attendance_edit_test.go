package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func TestEditAttendance(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, one := s.token(queriestest.Manager), own(queriestest.Manager)+logs+"/6-2026-11-20"
	patch := func(body string, status int, header ...string) map[string]any {
		t.Helper()
		return object(t, s.call(http.MethodPatch, one, token, body, header...), status)
	}
	edited := s.call(http.MethodPatch, one, token, `{"arrival_at":"2026-11-20T00:00:00Z","reason":" 외부 회의 "}`, `If-Match: "0"`)
	r := object(t, edited, http.StatusOK)
	equal(t, "after", []any{r["status"], r["edited"], r["arrival_at"], r["departure_at"]}, []any{"on_time", true, "2026-11-20T00:00:00Z", "2026-11-20T09:02:00Z"})
	equal(t, "the original", r["arrival"], map[string]any{"at": "2026-11-20T00:00:00Z", "edited": true, "auto": false, "original_at": "2026-11-20T00:34:00Z", "event_id": "in6"})
	edit := r["edits"].([]any)[0].(map[string]any)
	equal(t, "the edit", []any{edit["field"], edit["old"], edit["new"], edit["reason"], edit["editor"]},
		[]any{"arrival_at", "2026-11-20T00:34:00Z", "2026-11-20T00:00:00Z", "외부 회의", map[string]any{"id": 4, "name": "최유진"}})
	equal(t, "ETag", edited.header.Get("ETag"), `"`+jsonNumber(r["last_edit_id"])+`"`)

	conflict := patch(`{"arrival_at":"2026-11-20T09:10:00+09:00","reason":"다시"}`, http.StatusConflict, `If-Match: "0"`)
	changed := conflict["changed_by"].(map[string]any)
	equal(t, "conflict", []any{conflict["code"], changed["user"], changed["fields"], changed["last_edit_id"], changed["version_no"]},
		[]any{"record.changed", map[string]any{"id": 4, "name": "최유진"}, []any{"arrival_at"}, r["last_edit_id"], nil})
	second := patch(`{"arrival_at":"2026-11-20T09:10:00+09:00","reason":"다시"}`, http.StatusOK, "If-Match: "+edited.header.Get("ETag"))
	equal(t, "any", patch(`{"arrival_at":"2026-11-20T09:11:00+09:00","reason":"다시"}`, http.StatusBadRequest, "If-Match: *")["code"], "api.if_match.one")
	equal(t, "what If-Match is not", patch(`{"arrival_at":"2026-11-20T09:11:00+09:00","reason":"다시"}`, http.StatusPreconditionRequired, "If-Match: x")["code"], "api.if_match")

	emptied := patch(`{"departure_at":null,"reason":"퇴근 기록이 잘못됨"}`, http.StatusOK)
	equal(t, "taken out", []any{emptied["departure_at"], emptied["worked_min"], emptied["departure"], emptied["arrival_at"]},
		[]any{nil, nil, map[string]any{"at": nil, "edited": true, "auto": false, "original_at": "2026-11-20T09:02:00Z", "event_id": "out6"}, "2026-11-20T00:10:00Z"})
	conflict = patch(`{"departure_at":"2026-11-20T19:00:00+09:00","reason":"다시"}`, http.StatusConflict, `If-Match: "`+jsonNumber(second["last_edit_id"])+`"`)
	equal(t, "what was changed since", conflict["changed_by"].(map[string]any)["fields"], []any{"departure_at"})
	half := patch(`{"leave":"half_leave_pm","overtime_min":30,"reason":"오후 반차"}`, http.StatusOK)
	equal(t, "leave", []any{half["leave"], half["day_type"], half["approved_overtime_min"]}, []any{"half_leave_pm", "half_leave_pm", 30})
	equal(t, "taken back", patch(`{"leave":"","reason":"취소"}`, http.StatusOK)["day_type"], "workday")
}

func TestEditAttendanceRefuses(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, one := s.token(queriestest.Manager), own(queriestest.Manager)+logs+"/6-2026-11-20"
	for body, want := range map[string]string{
		`{}`: "reason api.field.required",
		`{"arrival_at":"2026-11-20T09:00:00+09:00","reason":" "}`:                                "reason record.reason.required",
		`{"arrival_at":"2026-11-20T09:00:00+09:00","reason":"` + strings.Repeat("가", 201) + `"}`: "reason record.reason.too_long",
		`{"reason":"왜"}`: "record_id record.unchanged",
		`{"arrival_at":"2026-11-20T09:34:30+09:00","reason":"왜"}`:   "record_id record.unchanged",
		`{"arrival_at":"2026-11-19T03:00:00+09:00","reason":"왜"}`:   "arrival_at record.time.outside",
		`{"departure_at":"2026-11-20T20:30:00+09:00","reason":"왜"}`: "departure_at record.time.future",
		`{"departure_at":"2026-11-20T09:00:00+09:00","reason":"왜"}`: "departure_at record.time.order",
		`{"arrival_at":null,"reason":"왜"}`:                          "arrival_at record.arrival.required",
		`{"arrival_at":"9시","reason":"왜"}`:                          "arrival_at api.field.invalid",
		`{"arrival_at":"2026-11-20","reason":"왜"}`:                  "arrival_at api.field.invalid",
		`{"arrival_at":9,"reason":"왜"}`:                             "arrival_at api.field.string",
		`{"leave":"holiday","reason":"왜"}`:                          "leave record.leave.unknown",
		`{"overtime_min":1441,"reason":"왜"}`:                        "overtime_min api.field.too_large",
		`{"worked_min":480,"reason":"왜"}`:                           "worked_min api.field.unknown",
	} {
		a := s.call(http.MethodPatch, one, token, body)
		fields, _ := object(t, a, http.StatusUnprocessableEntity)["errors"].([]any)
		if code(t, a); len(fields) != 1 {
			t.Errorf("%s: %s", body, a.body)
			continue
		}
		field := fields[0].(map[string]any)
		equal(t, body, field["field"].(string)+" "+field["code"].(string), want)
		if message := field["message"].(string); message == "" || strings.Contains(message, "⟦") {
			t.Errorf("%s has no words: %q", body, message)
		}
	}
	equal(t, "nothing was edited", len(object(t, s.get(one, token), http.StatusOK)["edits"].([]any)), 0)
	s.exec("insert into attendance_locks (company_id, month, locked_at) values (1, '2026-11-01', now())")
	locked := s.call(http.MethodPatch, one, token, `{"arrival_at":"2026-11-20T09:00:00+09:00","reason":"왜"}`)
	equal(t, "a locked month", []any{locked.status, code(t, locked)}, []any{422, "record.locked"})
	r := object(t, s.get(one, token), http.StatusOK)
	equal(t, "of it", []any{r["locked"], r["may_edit"]}, []any{true, false})
}

func TestDeleteAttendance(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Manager), own(queriestest.Manager)+logs
	one := all + "/6-2026-11-20"
	for name, remove := range map[string]func() answer{
		"by a body":  func() answer { return s.call(http.MethodDelete, one, token, `{"reason":"중복"}`) },
		"by a query": func() answer { return s.call(http.MethodDelete, one+"?reason="+url.QueryEscape("중복"), token, "") },
		"If-Match ok": func() answer {
			return s.call(http.MethodDelete, one+"?reason=x", token, "", "If-Match: "+s.get(one, token).header.Get("ETag"))
		},
	} {
		a := remove()
		equal(t, name, []any{a.status, a.body}, []any{204, ""})
		equal(t, name+": the list", len(s.rows(all+"?unit=day&q=김철수", token, "record_id")), 0)
		r := object(t, s.get(one, token), http.StatusOK)
		if r["deleted_at"] == nil || r["edits"].([]any)[0].(map[string]any)["field"] != "deleted" {
			t.Errorf("%s: %v", name, r)
		}
		twice := s.call(http.MethodDelete, one+"?reason=x", token, "")
		equal(t, name+": twice", []any{twice.status, code(t, twice)}, []any{422, "record.deleted"})
		back := object(t, s.call(http.MethodPost, one+"/restore", token, `{"reason":"착오"}`), http.StatusOK)
		equal(t, name+": restored", []any{back["deleted_at"], len(s.rows(all+"?unit=day&q=김철수", token, "record_id"))}, []any{nil, 1})
	}
	reasonless := s.call(http.MethodDelete, one, token, "")
	equal(t, "no reason", []any{reasonless.status, code(t, reasonless)}, []any{422, "record.reason.required"})
	conflict := s.call(http.MethodDelete, one+"?reason=x", token, "", `If-Match: "0"`)
	equal(t, "edited in between", []any{conflict.status, code(t, conflict)}, []any{409, "record.changed"})
	restored := s.call(http.MethodPost, one+"/restore", token, `{"reason":"착오"}`)
	equal(t, "what is not deleted", []any{restored.status, code(t, restored)}, []any{422, "record.unchanged"})
}

func TestAttendanceLocks(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, locks := s.token(queriestest.Admin), own(queriestest.Admin)+logs+"/locks"
	made := object(t, s.call(http.MethodPost, locks, token, `{"month":"2026-10"}`), http.StatusCreated)
	equal(t, "locked", made, map[string]any{"month": "2026-10", "locked_at": "2026-11-20T11:00:00Z", "locked_by": "김서연", "late_events": 0.0, "late_people": 0.0})
	object(t, s.call(http.MethodPost, locks, token, `{"month":"2026-09"}`), http.StatusCreated)
	equal(t, "list", s.rows(locks, token, "month"), []any{"2026-10", "2026-09"})
	for _, c := range []struct {
		method, query, body string
		status              int
		code                string
	}{
		{"POST", "", `{"month":"2026-10"}`, 409, "record.lock.already"},
		{"POST", "", `{"month":"2026-11"}`, 422, "record.lock.not_over"},
		{"POST", "", `{"month":"2026-13"}`, 422, "api.field.invalid"},
		{"POST", "", `{"month":"10월"}`, 422, "api.field.invalid"},
		{"POST", "", `{}`, 422, "api.refused"},
		{"DELETE", "", `{"month":"2026-10","reason":" "}`, 422, "record.reason.required"},
		{"DELETE", "", `{"month":"2026-08","reason":"x"}`, 404, "api.not_found"},
		{"DELETE", "", "", 422, "api.field.invalid"},
		{"DELETE", "?month=2026-10", "", 422, "record.reason.required"},
	} {
		a := s.call(c.method, locks+c.query, token, c.body)
		equal(t, c.method+c.query+c.body, []any{a.status, code(t, a)}, []any{c.status, c.code})
	}
	equal(t, "by a body", s.call(http.MethodDelete, locks, token, `{"month":"2026-10","reason":"재정산"}`).status, 204)
	equal(t, "by a query", s.call(http.MethodDelete, locks+"?month=2026-09&reason=x", token, "").status, 204)
	equal(t, "none", len(s.rows(locks, token, "month")), 0)
}

func TestLateAttendanceEvents(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, locks := s.token(queriestest.Admin), own(queriestest.Admin)+logs+"/locks"
	events := locks + "/2026-10/events"
	equal(t, "not locked", s.get(events, token).status, 404)
	object(t, s.call(http.MethodPost, locks, token, `{"month":"2026-10"}`), http.StatusCreated)
	equal(t, "none", len(s.rows(events, token, "event_id")), 0)
	s.clock.Advance(time.Minute)
	at := time.Date(2026, 10, 30, 18, 0, 0, 0, onFriday(9, 0).Location())
	for i, id := range []string{"first", "second"} {
		results, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{{EventID: id, UserID: queriestest.Kim, Kind: workday.Out, OccurredAt: at.AddDate(0, 0, -i), Offline: true}})
		if err != nil || results[0].Code != "event.locked" {
			t.Fatalf("%+v, %v", results, err)
		}
	}
	month := object(t, s.get(locks, token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "counted", []any{month["late_events"], month["late_people"]}, []any{2.0, 1.0})
	row := object(t, s.get(events, token), http.StatusOK)["data"].([]any)[0]
	equal(t, "row", row, any(map[string]any{
		"event_id": "first", "record_id": "6-2026-10-30", "user": map[string]any{"id": 6.0, "name": "김철수"}, "department": map[string]any{"id": 3.0, "name": "국내영업팀"},
		"work_date": "2026-10-30", "kind": "out", "at": "2026-10-30T09:00:00Z", "received_at": "2026-11-20T11:01:00Z",
	}))
	equal(t, "pages", s.pagesOf(events+"?limit=1", token, "event_id"), []any{"first", "second"})
	for path, status := range map[string]int{"/2026-09/events": 404, "/October/events": 422, "/2026-10/events?cursor=x": 422, "/2026-10/events?limit=501": 422} {
		equal(t, path, s.get(locks+path, token).status, status)
	}
	equal(t, "an employee", s.get(own(queriestest.Employee)+logs+"/locks/2026-10/events", s.token(queriestest.Employee)).status, s.get(own(queriestest.Employee)+logs+"/locks", s.token(queriestest.Employee)).status)
	equal(t, "unlocked", s.call(http.MethodDelete, locks, token, `{"month":"2026-10","reason":"x"}`).status, 204)
	equal(t, "then", s.get(events, token).status, 404)
}

// Who is refused to edit a record has not opened it.
func TestRefusedEditsAreNoViews(t *testing.T) {
	s := newSite(t)
	worked(s)
	viewer, one := s.token(queriestest.Viewer), own(queriestest.Viewer)+logs+"/6-2026-11-20"
	views := func() (n int) {
		t.Helper()
		if err := s.db.Pool().QueryRow(t.Context(), "select count(*) from attendance_views").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	refused := s.call(http.MethodPatch, one, viewer, `{"leave":"leave","reason":"x"}`, "Accept-Language: en")
	sameJSON(t, refused.body, `{"message":"You can see this record but not edit it.","code":"api.record.read_only"}`)
	equal(t, "views", []any{refused.status, views()}, []any{http.StatusForbidden, 0})
	s.get(one, viewer)
	equal(t, "views after opening it", views(), 1)
}
