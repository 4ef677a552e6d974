package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

// importRecords imports what Kim and Employee clocked on workdays of November.
func importRecords(t *testing.T, s *site) {
	t.Helper()
	file := strings.NewReader(`employee_id,work_date,arrival,departure,device,place
H0006,2026-11-05,09:50,19:10,pc,
H0006,2026-11-10,09:50,19:10,pc,
H0006,2026-11-11,09:50,19:10,pc,
H0002,2026-11-10,09:00,18:00,pc,
`)
	if report, err := s.db.Attendance.Import(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit, Name: "operator"}, attendance.ImportFiles{Long: attendance.ImportFile{Name: "clock.csv", Content: file}}, attendance.ImportOptions{}); err != nil || !report.Written {
		t.Fatalf("import: %+v, %v", report, err)
	}
}

const tenToSeven = `{"name":"기본 근태 정책","settings":{"week":{"mon":{"work":true,"start":"10:00","end":"19:00","end_next_day":false},"tue":{"work":true,"start":"10:00","end":"19:00","end_next_day":false},"wed":{"work":true,"start":"10:00","end":"19:00","end_next_day":false},"thu":{"work":true,"start":"10:00","end":"19:00","end_next_day":false},"fri":{"work":true,"start":"10:00","end":"19:00","end_next_day":false},"sat":{"work":false},"sun":{"work":false}}},"effective_from":"2026-11-09"`

func TestPolicyOfThePast(t *testing.T) {
	s := newSite(t)
	importRecords(t, s)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/workingattitude"
	one := all + "/2"

	preview := object(t, s.call(http.MethodPost, all+"/preview", token, tenToSeven+`,"policy_id":2}`), http.StatusOK)
	equal(t, "records", preview["records_changed"], 3)
	equal(t, "minutes of work", preview["minutes_changed"], 0)
	equal(t, "the rest", preview["past"], map[string]any{
		"first_date": "2026-11-09", "until": nil, "exact": true, "people_changed": 2, "overtime_min": 0, "holiday_min": 0, "holiday_over_min": 0, "night_min": 0, "late_min": -100, "early_min": 60,
	})
	future := object(t, s.call(http.MethodPost, all+"/preview", token, `{"policy_id":2,"name":"기본 근태 정책"}`), http.StatusOK)
	if _, there := future["records_changed"]; there {
		t.Error("a preview of the future counts records")
	}

	refused := object(t, s.call(http.MethodPut, one, token, tenToSeven+`}`, `If-Match: "1"`), http.StatusUnprocessableEntity)
	equal(t, "code", refused["code"], "policy.past.unconfirmed")
	equal(t, "what it would change", refused["preview"], preview)
	object(t, s.call(http.MethodPut, one, token, tenToSeven+`,"confirmed":true}`, `If-Match: "1"`), http.StatusOK)

	waiting := object(t, s.get(one+"/recomputations", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "state", waiting["state"], "waiting")
	if err := s.db.Attendance.RecomputePast(t.Context()); err != nil {
		t.Fatal(err)
	}
	finished := object(t, s.get(one+"/recomputations", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	for field, want := range map[string]any{
		"state": "finished", "first_date": "2026-11-09", "last_date": "2026-11-21", "version_no": 2, "done": 8, "people": 8, "records_changed": 3, "people_changed": 2, "minutes_changed": 0, "late_min": -100, "requested_by": "김서연",
	} {
		equal(t, field, finished[field], want)
	}
	record := object(t, s.get(own(queriestest.Admin)+"/logs/workingattitude/6-2026-11-10", token), http.StatusOK)
	equal(t, "the record", record["status"], "on_time")

	if got := s.get(own(queriestest.Employee)+"/policies/workingattitude/2/recomputations", s.token(queriestest.Employee)); got.status != http.StatusForbidden {
		t.Errorf("an employee: %d", got.status)
	}
	if got := s.get(all+"/4/recomputations", token); got.status != http.StatusNotFound {
		t.Errorf("of another company: %d", got.status)
	}
}

func TestTargetsOfThePast(t *testing.T) {
	s := newSite(t)
	importRecords(t, s)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/workingattitude"
	draft := strings.Replace(tenToSeven, "기본 근태 정책", "열 시", 1)
	created := object(t, s.call(http.MethodPost, all, token, strings.Replace(draft, "2026-11-09", "2026-11-12", 1)+`,"confirmed":true}`), http.StatusCreated)
	body := `{"policy_id":` + jsonNumber(created["id"]) + `,"assign":[{"type":"user","id":6}],"effective_from":"2026-11-13"`
	refused := object(t, s.call(http.MethodPost, all+"/targets/bulk", token, body+`}`, `If-Match: "1"`), http.StatusUnprocessableEntity)
	equal(t, "code", refused["code"], "policy.past.unconfirmed")
	equal(t, "records", refused["preview"].(map[string]any)["records_changed"], 0)
	object(t, s.call(http.MethodPost, all+"/targets/bulk", token, body+`,"confirmed":true}`, `If-Match: "1"`), http.StatusOK)
}

func TestPastBehindLockedMonths(t *testing.T) {
	s := newSite(t)
	queriestest.Exec(t, s.db, "insert into attendance_locks values (1, '2026-10-01', now(), 1)")
	token, one := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/workingattitude/2"
	for from, want := range map[string]string{
		"2026-10-31": "2026년 10월 근태가 마감되어 있습니다. 2026년 11월 1일 이후로 지정해 주세요.", "2026-01-01": "2026년 10월 근태가 마감되어 있습니다. 2026년 11월 1일 이후로 지정해 주세요.",
		"2009-12-31": "적용일은 2010년 1월 1일 이후로 지정해 주세요.", "9999-12-31": "적용 시점은 1년 이내로 지정해 주세요.", "2026-02-30": "적용 시점을 다시 확인해 주세요.",
	} {
		refused := object(t, s.call(http.MethodPut, one, token, strings.Replace(tenToSeven, "2026-11-09", from, 1)+`}`, `If-Match: "1"`, "Accept-Language: ko"), http.StatusUnprocessableEntity)
		equal(t, from, refused["errors"].([]any)[0].(map[string]any)["message"], want)
		equal(t, "field", refused["errors"].([]any)[0].(map[string]any)["field"], "effective_from")
	}
}
