package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

const attendancePath = "/policies/workingattitude/2" // 기본 근태 정책

// importLate imports a record of Kim for 10 and 11 November, ten minutes late.
func importLate(t *testing.T, s *site) {
	t.Helper()
	file := strings.NewReader("employee_id,work_date,arrival,departure\nH0006,2026-11-10,09:10,18:00\nH0006,2026-11-11,09:10,18:00\n")
	if report, err := s.db.Attendance.Import(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit, Name: "operator"}, attendance.ImportFiles{Long: attendance.ImportFile{Name: "clock.csv", Content: file}}, attendance.ImportOptions{}); err != nil || !report.Written {
		t.Fatalf("import: %+v, %v", report, err)
	}
}

func TestPolicyOfThePast(t *testing.T) {
	s := newSite(t)
	importLate(t, s)
	admin := s.as(queriestest.Admin)
	page := admin.get(attendancePath).want(200).shows("날짜 지정(지난 날짜 포함)", `min="2010-01-01T00:00"`).hides("근태 기록 다시 계산")
	f := form{"name", page.field("name"), "version_no", "1", "based_on", "1", "enabled", "true", "when", "time", "at", "2026-11-11T00:00", "grace_in_min", "10"}

	asked := admin.post(attendancePath, append(f, "action", "review")...).want(200)
	asked.shows("2026년 11월 11일 근무일부터 적용되고", "기록 1건이 바뀝니다(1명).", "지각", "−10분", "적용하고 다시 계산")
	apply := f.with("action", "apply", "reviewed", asked.field("reviewed"))
	admin.post(attendancePath, apply...).want(http.StatusUnprocessableEntity).shows("기록 1건이 바뀝니다(1명).")
	if n := queriestest.LookUp(t, s.db, "select count(*) from policy_versions where policy_id = 2"); n != "1" {
		t.Fatalf("%s versions without a confirmation", n)
	}
	const progress = attendancePath + "/recomputations"
	admin.get(progress).want(200).shows("다시 계산한 기록이 없습니다")
	admin.post(attendancePath, apply.with("confirmed", asked.field("confirmed"))...).leads(progress)
	waiting := admin.get(progress).want(200).shows("차례를 기다리고 있습니다.", "2026년 11월 11일 – 2026년 11월 21일", "버전 2 · 김서연")
	if waiting.header.Get("Refresh") == "" {
		t.Error("the page does not reload itself")
	}
	if err := s.db.Attendance.RecomputePast(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done := admin.get(progress).want(200).shows("완료", "기록 1건이 바뀌었습니다(1명).", "−10분"); done.header.Get("Refresh") != "" {
		t.Error("the page reloads itself for ever")
	}
	admin.get(attendancePath).want(200).shows("근태 기록 다시 계산", progress, "2026년 11월 11일부터")
	admin.get("/en"+progress).want(200).shows("1 record has changed (1 person).", "Late")
	admin.get("/ja" + progress).want(200).shows("記録1件が変わりました（1人）。")
	for path, status := range map[string]int{"/policies/workingattitude/4/recomputations": 404, "/policies/workingattitude/99/recomputations": 404} {
		admin.get(path).want(status)
	}
	s.as(queriestest.Employee).get(progress).want(303)
}

// What was typed stays where a start is refused.
func TestPolicyOfALockedMonth(t *testing.T) {
	s := newSite(t)
	queriestest.Exec(t, s.db, "insert into attendance_locks values (1, '2026-10-01', now(), 1)")
	admin := s.as(queriestest.Admin)
	page := admin.get(attendancePath).want(200).shows(`min="2026-11-01T00:00"`)
	f := form{"name", page.field("name"), "version_no", "1", "based_on", "1", "enabled", "true", "when", "time", "at", "2026-10-31T00:00", "grace_in_min", "10", "action", "review"}
	refused := admin.post(attendancePath, f...).want(http.StatusUnprocessableEntity).shows("2026년 10월 근태가 마감되어 있습니다. 2026년 11월 1일 이후로 지정해 주세요.", `id="at-error"`)
	if refused.field("at") != "2026-10-31T00:00" || refused.field("grace_in_min") != "10" {
		t.Error("the form has lost what was typed")
	}
	admin.post(attendancePath, f.with("at", "2009-12-31T00:00")...).want(http.StatusUnprocessableEntity).shows("적용일은 2010년 1월 1일 이후로 지정해 주세요.")
}

// The change log says what undoing a change of the past does to records, and undoes it.
func TestPolicyOfThePastIsUndone(t *testing.T) {
	s := newSite(t)
	importLate(t, s)
	admin := s.as(queriestest.Admin)
	page := admin.get(attendancePath).want(200)
	f := form{"name", page.field("name"), "version_no", "1", "based_on", "1", "enabled", "true", "when", "time", "at", "2026-11-10T00:00", "grace_in_min", "10"}
	asked := admin.post(attendancePath, append(f, "action", "review")...).want(200)
	admin.post(attendancePath, f.with("action", "apply", "reviewed", asked.field("reviewed"), "confirmed", "1")...).want(303)
	saved := s.lastChange()
	if err := s.db.Attendance.RecomputePast(t.Context()); err != nil {
		t.Fatal(err)
	}
	const kim = "select string_agg(status, ' ' order by work_date) from day_records where user_id = 6 and work_date between '2026-11-10' and '2026-11-11'"
	if got := queriestest.LookUp(t, s.db, kim); got != "on_time on_time" {
		t.Fatalf("records are %s", got)
	}
	const changes = "/manage/security/changes"
	admin.get(changes).want(200).shows("근태 기록 다시 계산", "근태 재계산")
	admin.get(fmt.Sprintf("%s?open=%d", changes, saved)).want(200).shows("기록 2건이 바뀝니다(1명).", "+20분", "2026년 11월 10일")
	admin.post(fmt.Sprintf("%s/%d/reversal", changes, saved)).want(303)
	if err := s.db.Attendance.RecomputePast(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, s.db, kim); got != "late late" {
		t.Errorf("undone, records are %s", got)
	}
	admin.get(changes).want(200).shows("지난 날짜 적용 취소")
	admin.get(attendancePath).want(200).shows("취소됨")
}
