package handlers_test

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const recordLog = "/logs/workingattitude/management"

func logCursor(record string, backward bool, first int) string {
	return (&lists.Cursor{List: "management", Value: record, Backward: backward, First: first}).String()
}

func TestAttendanceLog(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	s.exec(`insert into attendance_edits (company_id, user_id, work_date, at, editor_id, editor_name, field, old_at, new_at, reason) values
		(1, 6, '2026-11-20', '2026-11-20 09:30+09', 1, '김서연', 'departure', null, '2026-11-21 01:30+09', '퇴근 태그 누락'),
		(1, 6, '2026-11-20', '2026-11-20 09:40+09', 4, '최유진', 'arrival', '2026-11-20 09:31+09', '2026-11-20 09:12+09', '출입문 고장')`)
	c := s.as(queriestest.Admin)
	const friday = "김서연 김철수 박지민 이준호 佐藤ひろし 최유진 Olivia Martin"
	c.get(recordLog).lists(friday).shows("2026-11-14", "2026-11-20", "11월 20일", "최유진", "출근 09:31 → 09:12", "출입문 고장", "이전 수정 1건", `value="6-2026-11-20"`, "판교 사옥")
	c.get(recordLog + "?from=2026-11-20&to=2026-11-21").lists(friday + " " + friday)
	c.get(recordLog+"?from=2026-11-20&to=2026-11-21&cursor="+logCursor("7-2026-11-21", false, 8)).lists(friday).shows("전체 14건 중 8–14", "cursor="+logCursor("1-2026-11-20", true, 1))
	c.get(recordLog + "?status=late").lists("김철수")
	c.get(recordLog + "?edited=1&q=kim.cs").lists("김철수")
	s.exec("update day_records set uncounted = 2 where company_id = 1 and user_id = 6 and work_date = '2026-11-20'")
	c.get(recordLog+"?uncounted=1").lists("김철수").shows("미집계 기록 2건", `name="uncounted" value="1" checked`)
	c.get(dayLog).want(200).shows("미집계 기록 2건")
	c.get(recordLog + "?deleted=1").lists("").shows("조건에 맞는 기록이 없습니다")
	c.get(recordLog + "?from=2026-10-01&to=2026-10-02").lists("").shows("이 기간의 근태 기록이 없습니다")
	c.get("/en"+recordLog+"?status=late").lists("김철수").shows("Arrival 09:31 → 09:12", "1 earlier edit")
	c.get("/ja"+recordLog+"?status=late").lists("김철수").shows("出勤 09:31 → 09:12", "以前の修正1件")
	c.get(recordLog + "?from=2026-01-01&to=2026-11-20").want(422).shows("최대 92일")
	c.get(recordLog + "?from=2026-11-20&to=2026-11-19").want(422).shows("최대 92일")
	for _, query := range []string{"from=x", "to=2026-02-30", "status=ill", "cursor=x", "cursor=" + logCursor("6-2026-10-01", false, 0), "cursor=" + dayCursor("6-2026-11-20", false), "department_id=9"} {
		c.get(recordLog + "?" + query).want(404)
	}
}

// Only administrators see the attendance log, and only that of their company.
func TestAttendanceLogIsForAdministrators(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	for _, id := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		c := s.as(id)
		c.get(recordLog).leads(employeeHome)
		c.get(recordLog + "/records?action=correct&record=6-2026-11-20").leads(employeeHome)
		c.post(recordLog+"/records", "action", "delete", "record", "6-2026-11-20", "last_edit", "0", "reason", "x").leads(employeeHome)
		c.post(recordLog+"/locks", "month", "2026-10").leads(employeeHome)
	}
	other := s.as(queriestest.OtherAdmin)
	other.get(recordLog).want(200).hides("H0006", "09:12")
	other.get(recordLog + "/records?action=correct&record=6-2026-11-20").want(404)
	other.post(recordLog+"/records", "action", "delete", "record", "6-2026-11-20", "last_edit", "0", "reason", "x").want(404)
	if n := s.count("select count(*) from attendance_edits"); n != 0 {
		t.Errorf("%d edits were made", n)
	}
}

func TestEditRecordsTogether(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	s.clock.Advance(12 * time.Hour)
	c := s.as(queriestest.Admin)
	back := recordLog + "?status=late"
	path := recordLog + "/records?action=correct&record=6-2026-11-20&record=7-2026-11-20&back=" + recordLog + "%3Fstatus%3Dlate"
	c.get(path).want(200).shows("기록 2건 수정", "김철수", "Olivia Martin", `value="6-2026-11-20"`, `name="last_edit"`, `href="`+recordLog+`?status=late&picked=6-2026-11-20&picked=7-2026-11-20"`)
	form := []string{"action", "correct", "back", back, "record", "6-2026-11-20", "last_edit", "0", "record", "7-2026-11-20", "last_edit", "0", "leave", "keep"}
	send := func(more ...string) answer {
		return c.post(recordLog+"/records", append(append([]string{}, form...), more...)...)
	}
	send("reason", "정전").want(422).shows("바꿀 출근", `value="정전"`)
	send("arrival", "9시", "reason", "정전").want(422).shows("09:00처럼", `value="9시"`)
	send("arrival", "09:00").want(422).shows("사유를 입력해 주세요")
	send("arrival", "23:00", "departure", "23:30", "reason", "정전").want(422).shows("2건을 수정할 수 없어", "아직 오지 않은 시각입니다")
	if n := s.count("select count(*) from attendance_edits"); n != 0 {
		t.Errorf("%d edits were made by refused forms", n)
	}
	send("arrival", "09:00", "departure", "17:50", "reason", "정전").leads(back)
	c.get(recordLog).shows("기록 2건을 수정했습니다", "정전")
	if n := s.count("select count(*) from attendance_edits where editor_id = 1 and reason = '정전' and field in ('arrival', 'departure') and user_id in (6, 7)"); n != 4 {
		t.Errorf("%d edits", n)
	}
	if n := s.count(`select count(*) from day_records where user_id in (6, 7) and work_date = '2026-11-20'
		and arrival_at = '2026-11-20 09:00+09' and departure_at = '2026-11-20 17:50+09' and worked_min = 470`); n != 2 {
		t.Errorf("%d records came to it", n)
	}
	send("departure", "17:00", "reason", "둘째").want(409).shows("먼저 수정했습니다", "김서연") // against the edits that the form was rendered with
	c.post(recordLog+"/records", "action", "correct", "record", "6-2026-11-20", "reason", "x").want(404)
	c.get(recordLog + "/records?action=explode&record=6-2026-11-20").want(404)
	c.get(recordLog + "/records?action=correct&record=999-2026-11-20").want(404)
	c.get(recordLog + "/records?action=correct&back=https://elsewhere.example/").leads(recordLog)
}

// Cancelling what was asked about several records leaves their boxes ticked, also after a
// refusal; nothing stays ticked once they were edited.
func TestCancellingLeavesRecordsTicked(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	const both = "6-2026-11-20 7-2026-11-20"
	list := recordLog + "?to=2026-11-20&from=2026-11-20&device=mobile" // in this order again afterwards
	for _, action := range []string{"correct", "delete"} {
		question := c.get(recordLog + "/records?action=" + action + "&record=6-2026-11-20&record=7-2026-11-20&back=" + url.QueryEscape(list)).want(200)
		again := c.get(question.cancelled()).want(200).shows(">2건 선택됨</output>").hides("&picked=")
		if got := ticked(again); got != both {
			t.Errorf("%s: ticked after cancelling are %q", action, got)
		}
	}
	sent := []string{"action", "delete", "back", list + "&picked=6-2026-11-20&picked=7-2026-11-20", "record", "6-2026-11-20", "last_edit", "0", "record", "7-2026-11-20", "last_edit", "0"}
	if got := ticked(c.get(c.post(recordLog+"/records", sent...).want(422).cancelled())); got != both {
		t.Errorf("ticked after cancelling what was refused are %q", got)
	}
	c.post(recordLog+"/records", append(sent, "reason", "중복")...).leads(list)
	second := recordLog + "?from=2026-11-20&to=2026-11-21&cursor=" + logCursor("7-2026-11-21", false, 8)
	matches := c.get(recordLog + "/records?action=correct&all=1&record=2-2026-11-20&back=" + url.QueryEscape(second)).want(200)
	c.get(matches.cancelled()).want(200).shows(">1건 선택됨</output>", `name="all" value="1" checked`)
}

func TestDeleteRecordsTogetherAndRestoreThem(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	c.get("/en" + recordLog + "/records?action=delete&record=6-2026-11-20").want(200).shows("Delete 1 record")
	c.post(recordLog+"/records", "action", "delete", "record", "6-2026-11-20", "last_edit", "0", "reason", "중복").leads(recordLog)
	c.get(recordLog + "?q=kim.cs").lists("")
	c.get(recordLog+"?q=kim.cs&deleted=1").lists("김철수").shows("삭제됨", "중복", `value="restore"`)
	edit := s.count("select max(id) from attendance_edits")
	c.post(recordLog+"/records", "action", "restore", "record", "6-2026-11-20", "last_edit", strconv.Itoa(edit), "reason", "착오").leads(recordLog)
	c.get(recordLog + "?q=kim.cs").lists("김철수")
}

// A form about several records that was opened before their month was locked changes them
// only once its sender knows, also all that match.
func TestEditRecordsInAMonthLockedMeanwhile(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	s.clock.Advance(12 * time.Hour)
	c := s.as(queriestest.Admin)
	const path = recordLog + "/records?action=correct&record=6-2026-11-20"
	opened := c.get(path).want(200).hides("급여 계산")
	s.lockNovember()
	for _, sent := range []form{
		{"record", "6-2026-11-20", "last_edit", "0"},
		{"all", "1", "last_edit", "0", "back", recordLog + "?from=2026-11-20&to=2026-11-20&q=kim.cs"},
	} {
		sent = append(sent, "action", "correct", "arrival", "09:00", "leave", "keep", "reason", "정전")
		locked := c.post(recordLog+"/records", append(sent, "locked", opened.field("locked"))...).want(409).
			shows("김서연 님이 11월 20일 20:05에 2026년 11월 근태를 마감했습니다", `value="정전"`, `value="09:00"`, "급여 계산")
		c.post("/en"+recordLog+"/records", sent...).want(409).shows("payroll may already have used").hides("⟦")
		c.post("/ja"+recordLog+"/records", sent...).want(409).shows("給与計算").hides("⟦")
		if n := s.count("select count(*) from attendance_edits"); n != 0 {
			t.Fatalf("%d edits were made", n)
		}
		if sent[0] == "all" {
			c.post(recordLog+"/records", append(sent, "locked", locked.field("locked"))...).want(200)
		}
	}
	c.post(recordLog+"/records", "record", "6-2026-11-20", "last_edit", "0", "action", "correct", "arrival", "09:00", "leave", "keep", "reason", "정전", "locked", "2026-11").leads(recordLog)
	c.get(path).want(200).shows("급여 계산", `name="locked" value="2026-11"`)
}

func TestLockMonths(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	c.get(recordLog).want(200).shows("마감한 달이 없습니다", `value="2026-10"`)
	c.post(recordLog+"/locks", "month", "2026-11").want(422).shows("아직 끝나지 않은 달", `value="2026-11"`)
	c.post(recordLog+"/locks", "month", "October").want(422).shows("마감할 달을 선택해 주세요")
	lock := form{"month", "2026-10", "back", recordLog + "?status=late"}
	records := s.count("select count(*) from day_records where company_id = 1 and work_date between '2026-10-01' and '2026-10-31'")
	people := s.count("select count(distinct user_id) from day_records where company_id = 1 and work_date between '2026-10-01' and '2026-10-31'")
	c.post(recordLog+"/locks", lock...).want(200).shows("2026년 10월 근태를 마감하시겠습니까?", fmt.Sprintf("%d명의 기록 %d건을 마감합니다", people, records), `name="confirmed"`)
	c.with("Accept-Language", "en").post("/en"+recordLog+"/locks", lock...).want(200).shows("Lock the attendance of")
	if n := s.count("select count(*) from attendance_locks"); n != 0 {
		t.Error("the question locked the month")
	}
	c.post(recordLog+"/locks", append(lock, "confirmed", "1")...).leads(recordLog + "?status=late")
	c.get(recordLog).shows("2026년 10월 마감을 완료했습니다", "2026년 10월", "김서연")
	c.post(recordLog+"/locks", "month", "2026-10").want(409).shows("이미 마감된 달입니다")
	c.post(recordLog+"/locks/2026-10/delete", "reason", "").want(422).shows("사유를 입력해 주세요")
	c.post(recordLog+"/locks/2026-10/delete", "reason", "급여 정정").leads(recordLog)
	c.get(recordLog).shows("마감을 해제했습니다", "마감한 달이 없습니다")
	again := []string{"reason", "급여 정정", "back", recordLog + "?status=late"}
	c.post(recordLog+"/locks/2026-10/delete", again...).want(409).shows("김서연 님이 2026년 11월 20일 10:00에 2026년 10월 마감을 이미 해제했습니다", "마감한 달이 없습니다")
	for language, text := range map[string]string{"/en": "김서연 already unlocked October 2026", "/ja": "締めをすでに解除"} {
		c.post(language+recordLog+"/locks/2026-10/delete", again...).want(409).shows(text).hides("⟦")
	}
	c.post(recordLog+"/locks/2026-09/delete", "reason", "급여 정정").want(404) // it was never locked
	c.post(recordLog+"/locks/October/delete", "reason", "급여 정정").want(404)
}

// The panel and the list of a locked month name the events that were received since, also of
// a date without a record, and what to do about them.
func TestLateEvents(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	const late = recordLog + "/locks/events?month=2026-10"
	c.get(late).want(404) // it is not locked
	c.post(recordLog+"/locks", "month", "2026-10", "confirmed", "1").leads(recordLog)
	c.get(recordLog).want(200).hides("locks/events", "집계되지 않았습니다")
	c.get(late).want(200).shows("2026년 10월 마감 후 들어온 출퇴근 기록", "마감 후 들어온 기록이 없습니다")
	s.clock.Advance(time.Minute)
	send := func(id string, user int64, kind workday.Kind, day, hour int) {
		t.Helper()
		at := time.Date(2026, 10, day, hour, 0, 0, 0, queriestest.Now.Location())
		results, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{{EventID: id, UserID: user, Kind: kind, OccurredAt: at, Offline: true}})
		if err != nil || results[0].Code != "event.locked" {
			t.Fatalf("%+v, %v", results, err)
		}
	}
	send("in", queriestest.Kim, workday.In, 30, 20)
	c.get("/en"+recordLog).want(200).shows("Received since and not counted: 1 clock event of 1 person.", "Unlocking the month counts 1 clock event of 1 person.", "1 not counted")
	send("out", queriestest.Kim, workday.Out, 31, 2)
	send("hidden", queriestest.Employee, workday.In, 28, 9)
	s.exec("update users set hidden_at = $1 where company_id = 1 and id = $2", s.clock.Now(), queriestest.Employee)
	c.get(recordLog).want(200).shows("마감 후 2명의 출퇴근 기록 3건이 들어왔으며 집계되지 않았습니다.", "마감을 해제하면 2명의 출퇴근 기록 3건이 집계됩니다.", "미집계 3건", late)
	list := c.get(late).want(200).lists("김철수 김철수 이준호").shows("집계하려면 마감을 해제해 주세요", "국내영업팀", "10월 30일", "다음 날 02:00", "20:00", "퇴근", "11월 20일 10:01", "숨김", "전체 3건 중 1–3", "2026년 10월 마감 해제")
	record := "/logs/workingattitude/day/6-2026-10-30?back=" + url.QueryEscape(late)
	list.shows(record)
	c.get(record).want(200).shows("마감된 달이라 집계되지 않음", "마감 후 들어온 출퇴근 기록") // above the list
	c.get("/logs/workingattitude/day/2-2026-10-28?back=" + url.QueryEscape(late)).want(200).shows("마감된 달이라 집계되지 않음")
	for _, language := range []string{"/en", "/ja"} {
		c.get(language + late).want(200).lists("김철수 김철수 이준호").hides("⟦")
		c.get(language + recordLog).want(200).hides("⟦")
	}
	for _, query := range []string{"", "?month=2026-09", "?month=October", "?month=2026-10&cursor=x"} {
		c.get(recordLog + "/locks/events" + query).want(404)
	}
	s.as(queriestest.OtherAdmin).get(late).want(404)
	for _, id := range []int64{queriestest.Viewer, queriestest.Manager} {
		s.as(id).get(late).leads(employeeHome)
		s.as(id).get(record).hides("마감 후 들어온 출퇴근 기록")
	}
	s.exec("insert into late_clock_events (company_id, user_id, work_date, department_id, at, event_id, kind, received_at) select 1, 6, '2026-10-01', 3, now(), n, 'in', now() from generate_series(1, 60) n")
	c.get(c.get(late).shows("전체 63건 중 1–50").next("next")).shows("전체 63건 중 51–63", "10월 1일")
	s.exec("insert into late_clock_events (company_id, user_id, work_date, department_id, at, event_id, kind, received_at) select 1, 6, '2026-10-01', 3, now(), n, 'in', now() from generate_series(61, 10000) n")
	c.get(recordLog).shows("마감 후 2명 이상의 출퇴근 기록 10,000건 이상이 들어왔으며", "미집계 10,000건 이상")
	c.post(recordLog+"/locks/2026-10/delete", "reason", "급여 정정", "back", recordLog).leads(recordLog)
	c.get(recordLog).hides("locks/events", "집계되지 않았습니다")
	c.get(late).want(404)
	c.get(record).hides("마감된 달이라 집계되지 않음")
}

// An edit of all matching records first shows their number. Records that cannot
// be edited are left out.
func TestEditAllThatMatch(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	s.clock.Advance(12 * time.Hour)
	c := s.as(queriestest.Admin)
	list := recordLog + "?from=2026-11-20&to=2026-11-20&device=mobile"
	back := url.QueryEscape(list)
	c.get(recordLog + "/records/count?from=2026-11-20&to=2026-11-20&device=mobile").want(200).shows("조건에 맞는 기록 4건 모두 선택")
	c.get("/en" + recordLog + "/records/count?from=2026-11-20&to=2026-11-20&status=late").shows("Select the 1 record that matches")
	c.get(recordLog + "/records/count?from=2026-01-01&to=2026-11-20").want(200).shows("최대 92일")
	c.get(recordLog + "/records/count?status=ill").want(404)
	asked := c.get(recordLog+"/records?action=correct&all=1&back="+back).want(200).shows("기록 4건 수정", "바뀌는 기록 수 확인", `name="all"`).hides(`name="record"`, `name="agreed"`)
	asked.shows(`name="last_edit" value="0"`)
	send := func(more ...string) answer {
		return c.post(recordLog+"/records", append([]string{"action", "correct", "all", "1", "back", list, "last_edit", "0", "leave", "keep"}, more...)...)
	}
	edits := func() int { return s.count("select count(distinct user_id) from attendance_edits") }
	send("departure", "17:30").want(422).shows("사유를 입력해 주세요")
	send("reason", "정전").want(422).shows("바꿀 출근")
	send("departure", "25:00", "reason", "정전").want(422).shows("09:00처럼")
	question := send("departure", "08:57", "reason", "정전").want(200)
	question.shows("기록 4건 가운데 2건을 수정합니다", "2건은 제외합니다", "퇴근은 출근보다 늦어야 합니다. (2건)", `name="agreed" value="2"`, "2건 수정", "그 밖의 기록 2건", `value="정전"`).hides("아무것도 바꾸지 않았습니다")
	if n := edits(); n != 0 {
		t.Errorf("a question made %d edits", n)
	}
	send("departure", "08:57", "reason", "정전", "agreed", "4").want(200).shows(`name="agreed" value="2"`) // the number has changed
	if n := edits(); n != 0 {
		t.Errorf("what nobody agreed to made %d edits", n)
	}
	send("departure", "08:57", "reason", "정전", "agreed", "2").leads(list)
	c.get(list).shows("기록 2건을 수정했습니다", "2건은 제외했습니다")
	if n := edits(); n != 2 {
		t.Errorf("%d records were edited", n)
	}
	send("departure", "08:57", "reason", "다시").want(422).shows("바꿀 수 있는 기록이 없습니다", "제외합니다")
	c.post(recordLog+"/records", "action", "correct", "all", "1", "back", recordLog+"?from=2026-01-01&to=2026-11-20", "last_edit", "0", "leave", "keep", "departure", "17:00", "reason", "x").want(422).shows("최대 92일")
	c.get(recordLog + "/records?action=explode&all=1&back=" + back).want(404)
	s.as(queriestest.Manager).post(recordLog+"/records", "action", "delete", "all", "1", "back", list, "last_edit", "9", "reason", "x", "agreed", "4").leads(employeeHome)
	s.as(queriestest.OtherAdmin).get(recordLog + "/records/count?from=2026-11-20&to=2026-11-20&device=mobile").shows("0건")
}

func TestDeleteAllThatMatch(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	list := recordLog + "?from=2026-11-20&to=2026-11-20&q=olivia"
	c.post(recordLog+"/records", "action", "delete", "all", "1", "back", list, "last_edit", "0", "reason", "중복").want(200).shows("1건을 삭제합니다")
	c.post(recordLog+"/records", "action", "delete", "all", "1", "back", list, "last_edit", "0", "reason", "중복", "agreed", "1").leads(list)
	c.get(list).lists("")
	edit := s.count("select max(id) from attendance_edits")
	deleted := list + "&deleted=1"
	c.get("/ja"+recordLog+"/records?action=restore&all=1&back="+url.QueryEscape(deleted)).want(200).shows("1件", strconv.Itoa(edit))
	c.post(recordLog+"/records", "action", "restore", "all", "1", "back", deleted, "last_edit", strconv.Itoa(edit), "reason", "착오", "agreed", "1").leads(deleted)
	c.get(list).lists("Olivia Martin")
}
