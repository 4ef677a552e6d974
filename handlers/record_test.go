package handlers_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const (
	kimFriday = "/logs/workingattitude/day/6-2026-11-20"
	requests  = "/logs/workingattitude/day/corrections"
	dayLog    = "/logs/workingattitude/day?date=2026-11-20"
)

// lateSite returns a site on which 김철수 was late on Friday, at 09:40, and
// everybody has left by 20:00.
func lateSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(10 * time.Hour)
	s.clocks(queriestest.Kim, workday.In, "2026-11-20T09:34:12")
	s.clocks(queriestest.Kim, workday.Out, "2026-11-20T18:02:51")
	return s
}

// clocks stores an offline clock event with an IP address.
func (s *site) clocks(user int64, kind workday.Kind, when string) {
	s.t.Helper()
	s.clocksOf(queriestest.Hanbit, user, kind, when)
}

func (s *site) clocksOf(company, user int64, kind workday.Kind, when string) {
	s.t.Helper()
	at, err := time.ParseInLocation("2006-01-02T15:04:05", when, queriestest.Now.Location())
	if err != nil {
		s.t.Fatal(err)
	}
	results, err := s.db.Attendance.TakeClockEvents(s.t.Context(), company, []attendance.ClockInput{{
		EventID: fmt.Sprint(user, when, kind), UserID: user, Kind: kind, OccurredAt: at, Offline: true, Platform: "mobile",
		Address: netip.MustParseAddr("203.0.113.87"), Reason: "버스 지연",
	}})
	if err != nil || results[0].Status != attendance.ClockAccepted {
		s.t.Fatalf("%+v, %v", results, err)
	}
}

// asKim returns a browser in which the record's user is signed in.
func (s *site) asKim() *client {
	s.t.Helper()
	s.exec("insert into passwords (company_id, user_id, hash) select 1, 6, hash from passwords where user_id = 2 on conflict do nothing")
	return s.as(queriestest.Kim)
}

func above(path string) string { return path + "?back=" + url.QueryEscape(dayLog) }

func TestShowRecord(t *testing.T) {
	s := lateSite(t)
	s.exec("insert into disclosures (company_id, personal_phones, device_ids, ip_addresses, updated_at, updated_by_name) values (1, false, false, true, now(), '')")
	manager := s.as(queriestest.Manager)
	manager.get(kimFriday).want(200).shows("<h1>김철수 · 2026년 11월 20일 금요일", "</svg>지각</span>", "<dt>지각</dt><dd>0:34</dd>", "09:34:12", "18:02:51", "203.0.113.87", "모바일", "오프라인 기록", "버스 지연", "7:28",
		"12:00 – 13:00", "−1:00", "09:00부터, 유예 0분", "0:34", "기본 근태 정책", "국내영업팀", "기록 수정", "기록 삭제", "수정된 적이 없습니다").hides("<dialog id=\"record\"", "열람한 사람", "정정 신청")
	manager.get(above(kimFriday)).want(200).shows(`<dialog id="record"`, "data-question", "<h1>", `href="/logs/workingattitude/day?date=2026-11-20" aria-label="닫기"`).hides("<h1>김철수", "crumbs")
	manager.get("/en"+kimFriday).want(200).shows("<h1>김철수 · Friday, Nov 20, 2026", "Clock events", "How this was computed", "Version 1")
	manager.get("/ja"+kimFriday).want(200).shows("打刻", "計算の過程", "バージョン1")
	s.as(queriestest.Admin).get(kimFriday).want(200).shows(`href="/policies/workingattitude/2"`)
	manager.get(kimFriday).want(200).hides("/policies/")
	s.asKim().get(kimFriday).want(200).shows("열람한 사람", "최유진", "김서연", "정정 신청").hides("기록 수정", "기록 삭제")

	manager.with("Referer", s.url+"/ja"+dayLog).get("/ja"+kimFriday).want(200).shows(`<dialog id="record"`, `href="/ja/logs/workingattitude/day?date=2026-11-20" aria-label="閉じる"`)
	manager.with("Referer", "https://evil.example"+dayLog).get(kimFriday).want(200).hides(`<dialog id="record"`)
	manager.with("Referer", s.url+"/profile").get(kimFriday).want(200).hides(`<dialog id="record"`)
	for _, strange := range []string{"https://evil.example/logs/workingattitude/day", "//evil.example", "/policies/communication/management", "/logs/workingattitude/management", "%zz"} {
		manager.get(kimFriday+"?back="+url.QueryEscape(strange)).want(200).hides(`<dialog id="record"`, "evil.example")
	}
	for _, form := range []string{"correction", "restore"} {
		manager.get(kimFriday + "?form=" + form).leads(kimFriday)
		manager.get("/en" + above(kimFriday) + "&form=" + form).leads("/en" + above(kimFriday))
	}
	manager.get(kimFriday + "?form=burn").want(404)
	for _, path := range []string{"x", "6", "6-2026-02-30", "6-2026-11-20-y", "06-2026-11-20", "6-1999-01-01"} {
		manager.get("/logs/workingattitude/day/" + path).want(404)
	}
}

// The response of the page and of each of its forms to each role.
func TestRecordByRole(t *testing.T) {
	s := lateSite(t)
	kim := s.asKim()
	readers := []struct {
		name                      string
		client                    *client
		page, edit, ask, requests any // statuses for 김철수's record
	}{
		{"the person", kim, 200, 404, 303, 404},
		{"an employee of another team", s.as(queriestest.Employee), 404, 404, 404, 404},
		{"a viewer", s.as(queriestest.Viewer), 200, 404, 404, 404},
		{"a manager", s.as(queriestest.Manager), 200, 303, 404, 200},
		{"an administrator", s.as(queriestest.Admin), 200, 303, 404, 200},
		{"an administrator of another company", s.as(queriestest.OtherAdmin), 404, 404, 404, 200},
	}
	edits := 0
	lastEdit := func() string {
		return fmt.Sprint(s.count("select coalesce(max(id), 0) from attendance_edits"))
	}
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			r.client.get(kimFriday).want(r.page.(int))
			r.client.get(requests).want(r.requests.(int))
			edits++
			r.client.post(kimFriday+"/edit", "departure", fmt.Sprintf("19:%02d", edits), "reason", "x", "last_edit", lastEdit()).want(r.edit.(int))
			r.client.post(kimFriday+"/delete", "reason", "x", "last_edit", lastEdit()).want(r.edit.(int))
			r.client.post(kimFriday+"/restore", "reason", "x", "last_edit", lastEdit()).want(r.edit.(int))
			asked := r.client.post(kimFriday+"/correction", "arrival", "09:00", "reason", "x", "last_edit", lastEdit()).want(r.ask.(int))
			if asked.status == http.StatusSeeOther {
				id := s.count("select max(id) from attendance_corrections")
				r.client.post(fmt.Sprintf("%s/correction/%d/withdraw", kimFriday, id)).want(http.StatusSeeOther)
			}
		})
	}
	kim.post(kimFriday+"/correction", "arrival", "09:00", "reason", "x", "last_edit", lastEdit()).want(303)
	id := s.count("select max(id) from attendance_corrections")
	for _, r := range readers {
		decision := fmt.Sprintf("%s/correction/%d/decision", kimFriday, id)
		if r.edit == 303 {
			r.client.post(decision, "decision", "burn", "last_edit", lastEdit()).want(404)
			continue
		}
		r.client.post(decision, "decision", "approve", "last_edit", lastEdit()).want(404)
		if r.name != "the person" {
			r.client.post(fmt.Sprintf("%s/correction/%d/withdraw", kimFriday, id)).want(404)
		}
	}
	if n := s.count("select count(*) from attendance_corrections where status = 'pending'"); n != 1 {
		t.Errorf("%d requests wait", n)
	}
}

func TestEditRecord(t *testing.T) {
	s := lateSite(t)
	manager := s.as(queriestest.Manager)
	form := manager.get(above(kimFriday)+"&form=edit").want(200).shows("11월", "다음 날 04:00", "오전 반차").hides("승인된 연장근로(분)")
	if form.field("arrival") != "09:34" || form.field("departure") != "18:02" || form.field("last_edit") != "0" {
		t.Errorf("the form has %q, %q", form.field("arrival"), form.field("departure"))
	}
	refused := manager.post(kimFriday+"/edit", "arrival", "09:34", "departure", "09:10", "leave", "", "reason", "", "last_edit", "0", "back", dayLog).want(422).
		shows(`<dialog id="record"`, "퇴근은 출근보다 늦어야 합니다", "사유를 입력해 주세요")
	if refused.field("departure") != "09:10" {
		t.Errorf("typed and lost: %q", refused.field("departure"))
	}
	manager.post(kimFriday+"/edit", "arrival", "9 o'clock", "departure", "25:00", "leave", "", "reason", "x", "last_edit", "0").want(422).shows("09:00처럼 입력해 주세요", `value="25:00"`).hides("<dialog id=\"record\"")
	manager.post(kimFriday+"/edit", "arrival", "09:34", "departure", "09:35", "departure_next", "1", "leave", "", "reason", "x", "last_edit", "0").want(422).shows("벗어났습니다", `name="departure_next" value="1" checked`)
	manager.post(kimFriday+"/edit", "arrival", "09:34", "departure", "18:02", "leave", "", "reason", "x", "last_edit", "0").want(422).shows("바뀐 값이 없습니다")
	manager.post(kimFriday+"/edit", "arrival", "09:00", "reason", "x", "last_edit", "y").want(404)

	manager.post(kimFriday+"/edit", "arrival", "09:34", "departure", "19:20", "leave", "", "reason", "외부 회의 후 복귀", "last_edit", "0", "back", dayLog).leads(dayLog)
	manager.get(kimFriday).want(200).shows("기록을 수정했습니다", "<ins>19:20</ins>", "<del>18:02</del>", "수정됨", "8:46", "외부 회의 후 복귀", "최유진")
	s.asKim().get(kimFriday).want(200).shows("<ins>19:20</ins>", "<del>18:02</del>", "외부 회의 후 복귀", "최유진")

	admin := s.as(queriestest.Admin)
	conflict := admin.post(kimFriday+"/edit", "arrival", "09:34", "departure", "19:40", "leave", "", "reason", "다른 사유", "last_edit", "0", "back", dayLog).want(409).shows("최유진 님이 11월 20일 20:00에 먼저 수정했습니다", "다른 사유")
	if conflict.field("departure") != "19:40" || conflict.field("last_edit") == "0" {
		t.Errorf("the form has %q by edit %s", conflict.field("departure"), conflict.field("last_edit"))
	}
	admin.post(kimFriday+"/edit", "arrival", "09:34", "departure", "19:40", "leave", "half_leave_am", "reason", "다른 사유", "last_edit", conflict.field("last_edit")).leads(kimFriday)
	admin.get(kimFriday).want(200).shows("오전 반차", "<ins>19:40</ins>")
}

func TestApprovedOvertimeIsEdited(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"overtime": "approved"}' where company_id = 1 and policy_id = 2`)
	admin := s.as(queriestest.Admin)
	monday := "/logs/workingattitude/day/6-2026-11-16"
	admin.get(monday + "?form=edit").want(200).shows("승인된 연장근로(분)")
	admin.post(monday+"/edit", "overtime_min", "much", "reason", "x", "last_edit", "0").want(422).shows("1440분까지", `value="much"`)
	admin.post(monday+"/edit", "overtime_min", "90", "reason", "x", "last_edit", "0").want(303)
	admin.get(monday).want(200).shows("승인된 연장근로", "1시간 30분")
}

// An administrator asks others for a correction, and edits their own record only if there
// are no others.
func TestOwnRecordOfAnAdministrator(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	own := "/logs/workingattitude/day/1-2026-11-19"
	admin.get(own).want(200).shows("form=edit").hides("form=correction")
	send := []string{"arrival", "09:00", "departure", "18:00", "leave", "", "overtime_min", "0", "reason", "출장", "last_edit", "0"}
	admin.post(own+"/edit", send...).want(303)
	admin.get(own).want(200).shows("본인이 직접 수정했습니다.")
	queriestest.Exec(t, s.db, "update users set is_admin = true where company_id = 1 and id = $1", queriestest.Manager)
	admin.get(own).want(200).hides("form=edit").shows("form=correction")
	admin.get(own + "?form=edit").leads(own)
	admin.post(own+"/edit", send...).want(404)
}

func TestDeleteAndRestoreRecord(t *testing.T) {
	s := lateSite(t)
	manager := s.as(queriestest.Manager)
	manager.get(above(kimFriday) + "&form=delete").want(200).shows("언제든지 복원할 수 있습니다")
	manager.post(kimFriday+"/delete", "reason", "", "last_edit", "0", "back", dayLog).want(422).shows("사유를 입력해 주세요")
	manager.post(kimFriday+"/delete", "reason", "중복", "last_edit", "0", "back", dayLog).leads(dayLog)
	undo := kimFriday + "/restore?back=" + url.QueryEscape(dayLog) + "&undo=1"
	manager.get(kimFriday).want(200).shows("김철수 님의 기록을 삭제했습니다", undo, "삭제됨", "기록 복원").hides("기록 수정</a>")
	manager.get(kimFriday + "?form=edit").leads(kimFriday)
	manager.post(undo).leads(dayLog)
	manager.get(kimFriday).want(200).shows("기록을 복원했습니다", "삭제 실행 취소").hides("기록 복원")
	manager.post(undo).want(422).shows("바뀐 값이 없습니다")
}

func TestCorrectionsByForms(t *testing.T) {
	s := lateSite(t)
	kim, manager := s.asKim(), s.as(queriestest.Manager)
	kim.get(above(kimFriday) + "&form=correction").want(200).shows("승인되면 기록이 바뀌고")
	kim.post(kimFriday+"/correction", "arrival", "09:34", "departure", "18:02", "reason", "회의", "last_edit", "0", "back", dayLog).want(422).shows(`<p tabindex="-1" autofocus>바뀐 값이 없습니다`, "회의").hides(`value="09:34" autofocus`)
	kim.post(kimFriday+"/correction", "arrival", "09:34", "departure", "19:20", "reason", "고객사 회의에 다시 참석했습니다", "last_edit", "0", "back", dayLog).leads(dayLog)
	kim.get(kimFriday).want(200).shows("정정을 신청했습니다", "승인 대기", "신청 취소", "고객사 회의에 다시 참석했습니다")
	kim.get(kimFriday + "?form=correction").leads(kimFriday)
	kim.post(kimFriday+"/correction", "arrival", "09:00", "reason", "하나 더", "last_edit", "0").want(422).shows("이미 신청한 정정")

	id := s.count("select max(id) from attendance_corrections")
	decision := fmt.Sprintf("%s/correction/%d/decision", kimFriday, id)
	manager.get(kimFriday).want(200).shows("<del>18:02</del>", "<b>19:20</b>", "승인", "거절").hides("신청 취소")
	manager.get(requests).want(200).shows("1건이 승인을 기다리고 있습니다", "김철수", "국내영업팀", "퇴근 18:02 → 19:20", "“고객사 회의에 다시 참석했습니다”", kimFriday+"?back="+url.QueryEscape(requests))
	manager.post(decision, "decision", "refuse", "answer", "", "last_edit", "0", "back", requests).want(422).shows("거절하는 이유를 입력해 주세요", "1건이 승인을 기다리고 있습니다", `<dialog id="record"`)
	manager.post(decision, "decision", "refuse", "answer", "", "last_edit", "0", "back", dayLog).want(422).shows("거절하는 이유를 입력해 주세요", `<dialog id="record"`)

	s.as(queriestest.Admin).post(kimFriday+"/edit", "arrival", "09:30", "departure", "18:02", "reason", "x", "last_edit", "0").want(303)
	manager.post(decision, "decision", "approve", "answer", "확인했습니다", "last_edit", "0", "back", requests).want(409).shows("김서연 님이 이 기록을 먼저 수정했습니다", `value="확인했습니다"`, "09:30")
	manager.post(decision, "decision", "approve", "answer", "확인했습니다", "last_edit", fmt.Sprint(s.count("select max(id) from attendance_edits")), "back", requests).leads(requests)
	manager.get(requests).want(200).shows("정정 신청을 승인했습니다", "기다리는 정정 신청이 없습니다")
	kim.get(kimFriday).want(200).shows("<ins>19:20</ins>", "승인됨", "확인했습니다", "정정 신청을 승인해 수정했습니다")
	manager.post(decision, "decision", "refuse", "answer", "늦었습니다", "last_edit", "0").want(409).shows("이미 처리된 정정 신청")
}

// A request from a form that was opened before an edit would ask to undo the edit.
func TestCorrectionOfEditedRecord(t *testing.T) {
	s := lateSite(t)
	kim := s.asKim()
	form := kim.get(kimFriday + "?form=correction").want(200)
	typed := func(of answer) []string {
		return append(of.sent("last_edit", "departure"), "arrival", "08:30", "reason", "일찍 왔습니다")
	}
	s.as(queriestest.Manager).post(kimFriday+"/edit", "arrival", "09:34", "departure", "19:20", "reason", "x", "last_edit", "0").want(303)
	conflict := kim.post(kimFriday+"/correction", typed(form)...).want(409).shows("님이", "먼저 수정했습니다", "다시 신청해 주세요", "19:20", `value="08:30"`, "일찍 왔습니다")
	if n := s.count("select count(*) from attendance_corrections"); n != 0 {
		t.Error("the edit would be undone")
	}
	kim.post(kimFriday+"/correction", append(conflict.sent("last_edit"), "arrival", "08:30", "departure", "19:20", "reason", "일찍 왔습니다")...).leads(kimFriday)
	if n := s.count("select count(*) from attendance_corrections where departure_at is null"); n != 1 {
		t.Error("the request is not about the arrival alone")
	}
}

func TestCorrectionsInPages(t *testing.T) {
	s := lateSite(t)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, departure_at, reason, created_at)
		select 1, 6, date '2026-10-01' + n, 3, timestamptz '2026-10-01 19:00+09' + n * interval '1 day', '사유 ' || n, now() from generate_series(1, 55) n`)
	manager := s.as(queriestest.Manager)
	first := manager.get(requests).want(200).shows("55건", "사유 1”", "사유 50”", `rel="next"`).hides("사유 51")
	after := s.count("select id from attendance_corrections order by id offset 49 limit 1")
	next := requests + "?cursor=" + (&lists.Cursor{List: "corrections", ID: int64(after), First: 51}).String()
	if !strings.Contains(first.body, next) {
		t.Errorf("the next page is not %s", next)
	}
	manager.get(next).want(200).shows("사유 51”", "사유 55”", "처음으로").hides("사유 50”", `rel="next"`)
	s.exec("update attendance_corrections set status = 'refused' where id > $1", after)
	manager.get(next).want(200).shows("50건", "사유 1”").hides("처음으로")
	manager.get(requests + "?cursor=x").want(404)
}

// Several requests are decided together, with the question and the undo of the desk.
func TestDecideSeveralCorrections(t *testing.T) {
	s := lateSite(t)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		select 1, id, date '2026-11-20', department_id, timestamptz '2026-11-20 09:00+09', '사유 ' || id, now() from users where company_id = 1 and id in (3, 6, 7)`)
	manager := s.as(queriestest.Manager)
	list := manager.get(requests).want(200).shows("3건", `data-key="correction:6-2026-11-20"`, `name="back" value="`+requests+`"`, "신청대로 승인")
	list.lists("박지민 김철수 Olivia Martin")
	two := "&item=correction%3A6-2026-11-20&item=correction%3A7-2026-11-20&back=" + url.QueryEscape(requests)
	question := manager.get(reviews+"?bulk=1&decision=rejected"+two).want(200).shows("정정 신청 2건을 거절하시겠습니까?", "김철수", "Olivia Martin", "3건이 승인을 기다리고 있습니다", "2건 선택")
	back := question.cancelled()
	if n := strings.Count(question.body, " data-pick checked"); n != 2 || back != requests+"?picked=correction%3A6-2026-11-20&picked=correction%3A7-2026-11-20" {
		t.Errorf("%d rows are ticked, and the question leads back to %s", n, back)
	}
	if n := strings.Count(manager.get(back).want(200).shows("2건 선택").body, " data-pick checked"); n != 2 {
		t.Errorf("%d rows are ticked after cancelling", n)
	}
	sent := []string{"question", "1", "item", "correction:6-2026-11-20", "item", "correction:7-2026-11-20", "back", back}
	manager.post(reviews, append(sent, "decision", "rejected", "comment", " ")...).want(422).shows("거절하는 이유를 입력해 주세요", "3건이 승인을 기다리고 있습니다")
	manager.post(reviews, append(sent, "decision", "rejected", "comment", "확인되지 않았습니다")...).leads(requests)
	manager.get(requests).want(200).shows("2건을 거절했습니다", s.lastSetPath()+"?back="+url.QueryEscape(requests)).lists("박지민")
	if n := s.count("select count(*) from attendance_corrections where status = 'refused' and answer = '확인되지 않았습니다'"); n != 2 {
		t.Errorf("%d are rejected", n)
	}
	manager.post(s.lastSetPath() + "?back=" + url.QueryEscape(requests)).leads(requests)
	manager.get(requests).want(200).lists("박지민 김철수 Olivia Martin")
	manager.post(reviews, append(sent, "decision", "approved", "comment", "")...).leads(requests)
	manager.get(requests).want(200).shows("2건을 승인했습니다").lists("박지민")

	manager.post(reviews, "item", "correction:6-2026-11-20", "decision", "approved", "back", requests).want(422).shows("처리하지 못했습니다", "1건이 승인을 기다리고 있습니다")
	manager.post(reviews, "item", "correction:3-2026-11-20", "decision", "approved", "back", requests).leads(requests)
	manager.get(requests).want(200).shows("박지민 · 승인했습니다", "기다리는 정정 신청이 없습니다")
	s.as(queriestest.Viewer).get(reviews + "?decision=approved" + two).want(404)
}

// Requests whose record was edited, or that were replaced, after they were picked are
// shown as they are now; those that changed after the question are left out, named and
// stay ticked, while the others are decided.
func TestDecideCorrectionsThatChanged(t *testing.T) {
	s := lateSite(t)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		select 1, id, date '2026-11-20', department_id, timestamptz '2026-11-20 09:00+09', '사유 ' || id, now() from users where company_id = 1 and id in (3, 6, 7)`)
	manager := s.as(queriestest.Manager)
	values := func(a answer) []string {
		var values []string
		for _, value := range regexp.MustCompile(`name="item" value="(correction:\d[^"]*)"`).FindAllStringSubmatch(a.body, -1) {
			values = append(values, value[1])
		}
		return values
	}
	seen := values(manager.get(requests).want(200))
	address := reviews + "?" + url.Values{"bulk": {"1"}, "decision": {"approved"}, "back": {requests}, "item": seen}.Encode()
	manager.get(address).want(200).hides("그사이", "선택한 뒤에")

	edit := func(arrival, last string) {
		manager.post(kimFriday+"/edit", "arrival", arrival, "departure", "18:02", "reason", "출입 기록", "last_edit", last).want(303)
	}
	edit("09:10", "0")
	question := manager.get(address).want(200).shows("선택한 뒤에 바뀐 건이 있습니다", "그사이 기록이나 신청이 바뀌었습니다", "출근 09:10 → 09:00")
	if first := strings.Index(question.body, "김철수</bdi></b>"); first < 0 || first > strings.Index(question.body, "박지민</bdi></b>") {
		t.Error("the request that changed is not the first one")
	}
	edit("09:20", strconv.Itoa(s.count("select max(id) from attendance_edits")))
	s.exec(`update attendance_corrections set status = 'withdrawn', decided_at = now() where user_id = 7;
		insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		select 1, id, date '2026-11-20', department_id, timestamptz '2026-11-20 08:00+09', '다른 사유', now() from users where company_id = 1 and id = 7`)
	send := func(a answer, decision string) answer {
		form := []string{"question", "1", "decision", decision, "comment", "확인", "back", requests}
		for _, value := range values(a) {
			form = append(form, "item", value)
		}
		return manager.post(reviews, form...)
	}
	left := send(question, "approved").want(303).location()
	list := manager.get(left).want(200).shows("박지민 · 승인했습니다 · 그사이 바뀐 2건은 처리하지 않았습니다: 김철수, Olivia Martin", "2건 선택")
	list.lists("김철수 Olivia Martin")
	if got := ticked(list); got != strings.Join(values(list), " ") {
		t.Errorf("ticked are %s", got)
	}
	if n := s.count("select count(*) from attendance_corrections where status = 'approved'"); n != 1 {
		t.Errorf("%d are approved", n)
	}
	send(question, "approved").want(422).shows("처리하지 못했습니다", "그사이 기록이나 신청이 바뀌었습니다")
	for language, text := range map[string]string{"en": "The record or the request has changed meanwhile", "ja": "確認中に記録または申請が変更されました"} {
		manager.get("/" + language + address).want(200).shows(text)
	}
	send(question, "rejected").want(303) // the record of a rejected request does not matter
	manager.get(requests).want(200).lists("Olivia Martin")
	manager.post(reviews, "item", "correction:7-2026-11-20~x", "decision", "approved", "back", requests).want(404)
}

func TestALockedMonth(t *testing.T) {
	s := lateSite(t)
	s.exec("insert into attendance_locks (company_id, month, locked_at, locked_by) values (1, '2026-11-01', now(), 1)")
	manager := s.as(queriestest.Manager)
	manager.get(kimFriday).want(200).shows("마감됨").hides("기록 수정", "기록 삭제")
	manager.post(kimFriday+"/edit", "arrival", "09:00", "departure", "18:02", "reason", "x", "last_edit", "0").want(422).shows("관리자만 수정할 수 있습니다")
	s.as(queriestest.Viewer).post(kimFriday+"/edit", "arrival", "09:00", "departure", "18:02", "reason", "x", "last_edit", "0").want(404)
	s.as(queriestest.Admin).post(kimFriday+"/edit", "arrival", "09:00", "departure", "18:02", "reason", "x", "last_edit", "0", "locked", "1").want(303)
	s.asKim().get(kimFriday).want(200).hides("form=correction")
}

// The question before a month is locked counts the requests that wait in it.
func TestLockingAMonthWithRequests(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const path, waiting = "/en/logs/workingattitude/management/locks", "Once it is locked, only administrators can decide"
	admin.post(path, "month", "2026-10").want(200).shows("Lock the attendance of October 2026?").hides(waiting)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		values (1, 6, '2026-10-30', 3, '2026-10-30T09:00+09', 'x', '2026-11-01'), (1, 6, '2026-11-02', 3, '2026-11-02T09:00+09', 'x', '2026-11-03')`)
	admin.post(path, "month", "2026-10").want(200).shows("1 request for a correction in this month has not been decided. " + waiting + " it.")
}

// A location is shown until its storage period ends.
func TestOldLocations(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"gps_mode": "record", "location_keep_days": 2}' where company_id = 1 and policy_id = 2`)
	_, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{{
		EventID: "in", UserID: queriestest.Kim, Kind: workday.In, OccurredAt: queriestest.Now, Platform: "mobile", GPS: &attendance.GPS{Lat: 37.40213, Lng: 127.10877, AccuracyM: 20},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.as(queriestest.Manager).get(kimFriday).want(200).shows("37.40213", "지도 보기", "tiles.example")
	s.clock.Advance(3 * 24 * time.Hour)
	s.as(queriestest.Manager).get(kimFriday).want(200).hides("37.40213", "지도 보기")
}

// A time that the change to summer time skips is refused on every form that asks for one.
func TestSkippedTime(t *testing.T) {
	s := newSite(t)
	s.exec("update companies set time_zone = 'Europe/Berlin' where id = 1")
	s.exec(`update policy_versions set settings = '{"timezone":"Europe/Berlin"}' where company_id = 1 and policy_id = 2`)
	s.clock.Advance(time.Date(2027, 3, 27, 12, 0, 0, 0, time.UTC).Sub(s.clock.Now()))
	if err := s.db.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(48 * time.Hour)
	const record = "/logs/workingattitude/day/6-2027-03-27"
	times := []string{"arrival", "09:00", "departure", "02:30", "departure_next", "1", "reason", "야간 근무", "last_edit", "0"}
	const refused = "그날에는 없는 시각입니다"
	s.as(queriestest.Admin).post(record+"/edit", times...).want(422).shows(refused)
	s.asKim().post(record+"/correction", times...).want(422).shows(refused)
	s.as(queriestest.Admin).post("/logs/workingattitude/management/records", append(times[:8:8], "action", "correct", "record", "6-2027-03-27", "leave", "keep", "last_edit", "0")...).want(422).shows(refused)
	s.as(queriestest.Admin).post("/logs/workingattitude/management/records", append(times[:8:8], "action", "correct", "all", "1", "leave", "keep", "back", "/logs/workingattitude/management?from=2027-03-27&to=2027-03-27", "last_edit", "0")...).want(422).shows(refused)
	s.as(queriestest.Admin).post(record+"/edit", "arrival", "09:00", "departure", "03:30", "departure_next", "1", "reason", "야간 근무", "last_edit", "0").want(303)
}

// A night across the change to summer time is shown in local times, and its
// duration is the elapsed time.
func TestNightOfSummerTimeChange(t *testing.T) {
	s := newSite(t)
	const night = `{"work":true,"start":"22:00","end":"07:00","end_next_day":true}`
	s.exec("update companies set time_zone = 'Europe/Berlin' where id = 1")
	s.exec(`update policy_versions set settings = '{"timezone":"Europe/Berlin","break_mode":"none","holiday_calendar":"none",
		"holiday_dates":[{"date":"2027-03-28","name":"부활절"},{"date":"2027-10-31","name":"종교개혁일"}],"week":{"sat":` + night + `}}' where company_id = 1 and policy_id = 2`)
	for _, shift := range []struct{ date, next, in, out, worked, dark string }{
		{"2027-03-27", "2027-03-28", "2027-03-27T22:00:00+01:00", "2027-03-28T07:00:00+02:00", "8:00", "7:00"},
		{"2027-10-30", "2027-10-31", "2027-10-30T22:00:00+02:00", "2027-10-31T07:00:00+01:00", "10:00", "9:00"},
	} {
		in, _ := time.Parse(time.RFC3339, shift.in)
		out, _ := time.Parse(time.RFC3339, shift.out)
		s.clock.Advance(out.Add(time.Hour).Sub(s.clock.Now()))
		if err := s.db.EnsurePartitions(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.clocks(queriestest.Kim, workday.In, in.In(queriestest.Now.Location()).Format("2006-01-02T15:04:05"))
		s.clocks(queriestest.Kim, workday.Out, out.In(queriestest.Now.Location()).Format("2006-01-02T15:04:05"))
		admin := s.as(queriestest.Admin)
		admin.get("/logs/workingattitude/day/6-"+shift.date).want(200).shows("22:00:00", "다음 날 07:00:00", "근무 22:00 – 다음 날 07:00", "<dd>"+shift.worked+"</dd>", "<dd>"+shift.dark+"</dd>", "정상")
		admin.get("/logs/workingattitude/day?q=kim.cs&date="+shift.date).lists("김철수").shows("22:00", "07:00", shift.worked, "+1")
		admin.get("/logs/workingattitude/day?q=kim.cs&date="+shift.next).lists("김철수").hides("22:00", "07:00")
	}
}
