package handlers_test

import (
	"fmt"
	"net/url"
	"regexp"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// lockNovember locks the month of lateSite's records, as 김서연 at 20:05.
func (s *site) lockNovember() {
	s.t.Helper()
	s.clock.Advance(10 * time.Minute)
	s.exec("insert into attendance_locks (company_id, month, locked_at, locked_by) values (1, '2026-11-01', '2026-11-20 20:05+09', 1)")
}

// A form that was opened before the month was locked changes the locked month only once
// its sender knows: with what was typed, who locked it and what that means.
func TestSaveRecordInAMonthLockedMeanwhile(t *testing.T) {
	s := lateSite(t)
	s.exec("update users set is_admin = true where id = $1", queriestest.Manager)
	other := s.as(queriestest.Manager)
	opened := other.get(above(kimFriday)+"&form=edit").want(200).hides("급여 계산", "마감된 달")
	if locked := opened.field("locked"); locked != "" {
		t.Errorf("the form says that the month is locked: %q", locked)
	}
	s.lockNovember()
	edit := form{"arrival", "09:34", "departure", "19:20", "leave", "", "reason", "외부 회의", "last_edit", "0", "locked", "", "back", dayLog}
	refused := other.post(kimFriday+"/edit", edit...).want(409).
		shows("김서연 님이 11월 20일 20:05에 2026년 11월 근태를 마감했습니다", "‘저장’ 버튼을 다시 눌러 주세요", "급여 계산", "외부 회의", `<dialog id="record"`)
	if refused.field("departure") != "19:20" || refused.field("locked") != "1" {
		t.Errorf("the form has %q, locked %q", refused.field("departure"), refused.field("locked"))
	}
	for language, text := range map[string]string{"/en": "김서연 locked November 2026 at", "/ja": "김서연さんが"} {
		other.post(language+kimFriday+"/edit", edit...).want(409).shows(text).hides("⟦")
	}
	other.post(kimFriday+"/delete", "reason", "중복", "last_edit", "0", "back", dayLog).want(409).shows("‘삭제’ 버튼을 다시 눌러 주세요", "중복")
	if n := s.count("select count(*) from attendance_edits"); n != 0 {
		t.Fatalf("%d edits were made", n)
	}
	other.post(kimFriday+"/edit", edit.with("locked", "1")...).leads(dayLog)

	// Whoever opens the form of a locked month is told before.
	for language, text := range map[string]string{"": "이미 급여 계산에 사용", "/en": "payroll may already have used", "/ja": "給与計算"} {
		page := other.get(language + kimFriday + "?form=edit").want(200).shows(text).hides("⟦")
		if page.field("locked") != "1" {
			t.Errorf("%s: the form does not know that the month is locked", language)
		}
	}
	other.get(kimFriday).shows("관리자가 수정한 내용은 반영됩니다").hides("급여 계산")
	s.exec("update attendance_locks set locked_by = null")
	other.post(kimFriday+"/edit", edit.with("last_edit", refusedEdit(other), "departure", "19:40")...).want(409).shows("11월 20일 20:05에 2026년 11월 근태가 마감되었습니다")
}

// refusedEdit returns the last edit of the record as a form for it says.
func refusedEdit(c *client) string { return c.get(kimFriday + "?form=edit").field("last_edit") }

// A deletion in a locked month is undone by the button of its toast, one in a month that
// was locked afterwards only by somebody who knows.
func TestUndoDeletionInALockedMonth(t *testing.T) {
	s := lateSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(kimFriday+"/delete", "reason", "중복", "last_edit", "0", "back", dayLog).leads(dayLog)
	s.lockNovember()
	asked := admin.post(kimFriday+"/restore?undo=1&back="+url.QueryEscape(dayLog)).want(409).shows("‘복원’ 버튼을 다시 눌러 주세요", "삭제 실행 취소")
	admin.post(kimFriday+"/restore", "reason", "실수", "last_edit", asked.field("last_edit"), "locked", asked.field("locked")).want(303)
	admin.post(kimFriday+"/delete", "reason", "중복", "last_edit", admin.get(kimFriday+"?form=delete").field("last_edit"), "locked", "1", "back", dayLog).leads(dayLog)
	admin.undo(kimFriday).want(303)
	admin.get(kimFriday).want(200).hides("기록 복원")
}

// Editing a record that somebody has deleted says so at once, and offers to restore it with
// what was typed.
func TestEditDeletedRecord(t *testing.T) {
	s := lateSite(t)
	admin, manager := s.as(queriestest.Admin), s.as(queriestest.Manager)
	admin.post(kimFriday+"/delete", "reason", "중복", "last_edit", "0").want(303)
	edit := form{"arrival", "09:34", "departure", "19:20", "leave", "", "reason", "외부 회의", "last_edit", "0", "back", dayLog}
	gone := manager.post(kimFriday+"/edit", edit...).want(409).
		shows("김서연 님이 11월 20일 20:00에 이 기록을 삭제했습니다", "외부 회의", `name="restore" value="1"`, "복원해서 저장").hides("먼저 수정했습니다", ">저장<")
	if gone.field("departure") != "19:20" {
		t.Errorf("typed and lost: %q", gone.field("departure"))
	}
	for language, text := range map[string]string{"/en": "김서연 deleted this record at", "/ja": "この記録を削除しました"} {
		manager.post(language+kimFriday+"/edit", edit...).want(409).shows(text).hides("⟦")
	}
	// Nothing is left to do for somebody who wanted to delete it as well.
	manager.post(kimFriday+"/delete", "reason", "나도", "last_edit", "0", "back", dayLog).leads(dayLog)
	manager.get(dayLog).shows("김서연 님이 11월 20일 20:00에 이 기록을 삭제했습니다")

	manager.post(kimFriday+"/edit", edit.with("restore", "1", "last_edit", gone.field("last_edit"), "reason", "")...).want(422).shows("사유를 입력해 주세요", "복원해서 저장")
	manager.post(kimFriday+"/edit", edit.with("restore", "1", "last_edit", gone.field("last_edit"))...).leads(dayLog)
	manager.get(kimFriday).want(200).shows("<ins>19:20</ins>", "외부 회의").hides("기록 복원")
}

// A request or an item of the desk that was shown before the month was locked is approved
// only once its reader knows, and can be rejected all the same.
func TestApproveInAMonthLockedMeanwhile(t *testing.T) {
	s := lateSite(t)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		select 1, id, date '2026-11-20', department_id, timestamptz '2026-11-20 09:00+09', '정전', now() from users where company_id = 1 and id in (3, 6)`)
	s.exec("update users set is_admin = true where id = $1", queriestest.Manager)
	other := s.as(queriestest.Manager)
	opened := other.get(kimFriday).want(200).hides("급여 계산")
	decision := fmt.Sprintf("%s/correction/%d/decision", kimFriday, s.count("select id from attendance_corrections where user_id = 6"))
	picked := func(a answer) []string {
		return regexp.MustCompile(`data-item="(correction:\d[^"]*)"`).FindStringSubmatch(a.body)
	}
	first := picked(other.get(requests).want(200))[1]
	s.lockNovember()

	// The record.
	sent := form{"decision", "approve", "answer", "확인", "last_edit", opened.field("last_edit")}
	asked := other.post(decision, sent...).want(409).shows("김서연 님이 11월 20일 20:05에 2026년 11월 근태를 마감했습니다", "‘승인’ 버튼을 다시 눌러 주세요", `value="확인"`)
	for language, text := range map[string]string{"/en": "김서연 locked November 2026 at", "/ja": "김서연さんが"} {
		other.post(language+decision, sent...).want(409).shows(text).hides("⟦")
	}
	if n := s.count("select count(*) from attendance_edits"); n != 0 {
		t.Fatalf("%d edits were made", n)
	}
	other.get(kimFriday).want(200).shows("이미 급여 계산에 사용", `name="locked" value="1"`)
	other.post(decision, append(sent, "locked", asked.field("locked"))...).want(303)

	// The desk and the waiting requests.
	other.post(reviews, "item", first, "decision", "approved", "back", requests).want(422).shows("그사이 이 달의 근태가 마감되었습니다", "이미 급여 계산에 사용")
	address := reviews + "?" + url.Values{"bulk": {"1"}, "decision": {"approved"}, "back": {requests}, "item": {first}}.Encode()
	for language, text := range map[string]string{"": "그사이 이 달의 근태가", "/en": "The month was locked meanwhile", "/ja": "確認中にこの月の勤怠が締められました"} {
		other.get(language + address).want(200).shows(text).hides("⟦")
	}
	again := picked(other.get(requests).want(200))[1]
	if again != first+"!" {
		t.Errorf("the item is %s after the lock, and was %s", again, first)
	}
	other.get(reviews + "?" + url.Values{"decision": {"approved"}, "back": {requests}, "item": {again}}.Encode()).want(200).shows("이미 급여 계산에 사용").hides("그사이")
	other.post(reviews, "item", again, "decision", "approved", "back", requests).leads(requests)
	s.exec("update attendance_corrections set status = 'pending' where user_id = 3; update attendance_reviews set undone_at = now()")
	other.post(reviews, "item", first, "decision", "rejected", "comment", "다시 신청해 주세요", "question", "1", "back", requests).want(303)
}
