package handlers_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const (
	deskHome     = employeeHome + "?view=desk"
	reviews      = employeeHome + "/reviews"
	kimsItem     = "missing_departure:6-2026-11-19"
	oliviasItem  = "missing_arrival:7-2026-11-19"
	kimsThursday = "/logs/workingattitude/day/6-2026-11-19"
)

// deskSite returns a site on which 김철수 did not clock out on Thursday, and Olivia did
// not clock in.
func deskSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clocks(queriestest.Kim, workday.In, "2026-11-19T08:58:12")
	s.clocks(queriestest.Foreigner, workday.Out, "2026-11-19T18:20:00")
	return s
}

// lastSet returns the address that undoes the last decisions.
func (s *site) lastSet(back string) string {
	s.t.Helper()
	return fmt.Sprintf("%s/%d/reversal?back=%s", reviews, s.count("select max(set_id) from attendance_reviews"), url.QueryEscape(back))
}

func TestDesk(t *testing.T) {
	s := deskSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(employeeHome).lists("김철수 Olivia Martin").shows("확인할 기록", "퇴근 누락", "출근 08:58 · 모바일, 퇴근 없음", "<b>18:00</b>", "출근 누락", "퇴근 18:20, 출근 없음", "<b>09:00</b>", "어제",
		`href="/logs/workingattitude/day?view=all"`, "이름, 사번, 이메일 검색")
	admin.get("/en"+employeeHome).want(200).shows("Missing departure", "In 08:58 · Mobile, no departure", "Yesterday", "Look back 31 days")
	admin.get("/ja"+employeeHome).want(200).shows("退勤漏れ", "出勤 08:58 · モバイル、退勤なし", "昨日")
	s.as(queriestest.Manager).get(employeeHome).lists("김철수 Olivia Martin")
	admin.get(deskHome + "&kind=missing_arrival").lists("Olivia Martin")
	admin.get(deskHome + "&department_id=3").lists("김철수")
	admin.get(deskHome + "&q=olivia").lists("Olivia Martin")
	admin.get(deskHome+"&q=nobody").want(200).shows("조건에 맞는 기록이 없습니다", "확인할 기록 모두 보기")
	admin.get(deskHome+"&from=2026-11-20").want(200).shows("오늘 확인할 기록이 없습니다", "오늘 전체 기록 보기")
	for _, strange := range []string{"from=2026-10-01", "from=2026-11-21", "kind=burn", "more=burn", "open=burn", "department_id=99"} {
		admin.get(deskHome + "&" + strange).want(404)
	}
	admin.get(deskHome + "&open=missing_departure:8-2026-11-19").want(200).hides("peek-title") // nothing is missing there

	// Everybody else sees the day as before, and so does a link that names a day.
	s.as(queriestest.Viewer).get(employeeHome).want(200).shows(`value="2026-11-20"`).hides("확인할 기록", "퇴근 누락")
	s.as(queriestest.Viewer).get(deskHome).want(200).shows(`value="2026-11-20"`).hides("확인할 기록")
	s.as(queriestest.Employee).get(employeeHome).want(200).hides("확인할 기록", "김철수")
	s.as(queriestest.OtherAdmin).get(employeeHome).want(200).shows("오늘 확인할 기록이 없습니다").hides("Olivia")
	for _, full := range []string{"?view=all", "?date=2026-11-20", "?q=kim", "?status=late", "?date="} {
		admin.get(employeeHome + full).want(200).shows("day-head").hides("list-desk")
	}
	admin.get(employeeHome+"?view=all").want(200).shows("list-day", `href="/logs/workingattitude/day?view=all"`).hides("list-desk")
}

func TestDeskEvidence(t *testing.T) {
	s := deskSite(t)
	manager := s.as(queriestest.Manager)
	manager.get(deskHome+"&open="+kimsItem).want(200).shows("peek-title", "08:58:12", `value="18:00"`, "근무 일정에 따른 시각(18:00)을 제안합니다.", "승인하면 근무 8:02, 연장 0:02입니다.", "09:00 – 18:00", "기본 근태 정책", "1일",
		`name="next" value="`+oliviasItem+`"`, `name="decision" value="approved"`)
	manager.get(deskHome+"&open="+kimsItem+"&time=20:00").want(200).shows(`value="20:00"`, "승인하면 근무 10:02, 연장 2:02입니다.")
	if n := s.count("select count(*) from attendance_views where user_id = 6 and viewer_id = 4"); n != 1 {
		t.Errorf("the person sees %d readers", n)
	}
}

func TestApproveAndUndoOnDesk(t *testing.T) {
	s := deskSite(t)
	manager := s.as(queriestest.Manager)
	next := deskHome + "&open=" + url.QueryEscape(oliviasItem)
	done := manager.post(reviews, "decision", "approved", "item", kimsItem, "time", "18:30", "next", oliviasItem, "back", deskHome).want(303)
	done.leads(employeeHome + "?open=" + url.QueryEscape(oliviasItem) + "&view=desk")
	manager.get(next).want(200).shows("김철수 · 승인했습니다", s.lastSetPath()).hides(kimsItem)
	manager.get(kimsThursday).want(200).shows("8:32", "확인한 시각을 입력", "최유진")
	manager.post(s.lastSet(deskHome)).leads(employeeHome + "?open=" + url.QueryEscape(kimsItem) + "&view=desk")
	manager.get(employeeHome).lists("김철수 Olivia Martin").shows("11월 19일 김철수 · 되돌렸습니다")
	manager.get(kimsThursday).want(200).shows("되돌린 수정입니다.", "</svg>퇴근 누락</span>")
	manager.post(s.lastSet(deskHome)).want(409)

	// Nobody else decides or undoes.
	for who, status := range map[int64]int{queriestest.Viewer: 404, queriestest.Employee: 404} {
		s.as(who).post(reviews, "decision", "approved", "item", kimsItem).want(status)
		s.as(who).get(reviews + "?decision=approved&item=" + kimsItem).want(404)
		s.as(who).post(s.lastSet("")).want(404)
	}
	s.as(queriestest.OtherAdmin).post(reviews, "decision", "approved", "item", kimsItem, "back", deskHome).leads(deskHome)
	s.as(queriestest.OtherAdmin).post(s.lastSet("")).want(404)
	if n := s.count("select count(*) from attendance_reviews where undone_at is null"); n != 0 {
		t.Errorf("%d decisions of others", n)
	}
}

func (s *site) lastSetPath() string {
	return fmt.Sprintf("%s/%d/reversal", reviews, s.count("select max(set_id) from attendance_reviews"))
}

// What was typed is in the form again.
func TestRefusedOnDesk(t *testing.T) {
	s := deskSite(t)
	admin := s.as(queriestest.Admin)
	send := func(pairs ...string) answer {
		return admin.post(reviews, append([]string{"decision", "approved", "item", kimsItem, "back", deskHome}, pairs...)...)
	}
	send("time", "08:10").want(422).shows(`value="08:10"`, "퇴근은 출근보다 늦어야 합니다.", "autofocus")
	send("time", "").want(422).shows("시각을 입력해 주세요.", `aria-invalid="true"`)
	send("time", "25:99").want(422).shows(`value="25:99"`, "09:00")
	const next = `name="next" value="` + oliviasItem + `"`
	admin.get(reviews+"?decision=rejected&item="+kimsItem+"&next="+oliviasItem+"&back="+url.QueryEscape(deskHome)).want(200).shows("desk-question", next)
	admin.post(reviews, "decision", "rejected", "item", kimsItem, "comment", " ", "question", "1", "next", oliviasItem, "back", deskHome).want(422).shows("거절하는 이유를 입력해 주세요.", "desk-question", "김철수", next)
	admin.post(reviews, "decision", "rejected", "item", kimsItem, "comment", strings.Repeat("가", 201), "question", "1", "back", deskHome).want(422).shows(strings.Repeat("가", 201), "200자")
	admin.post(reviews, "decision", "burn", "item", kimsItem).want(404)
	admin.post(reviews, "decision", "approved", "item", "burn").want(404)
	admin.post(reviews, "decision", "approved", "item", kimsItem+"@noon").want(404)
	admin.post(reviews, "decision", "as_is", "item", kimsItem, "back", deskHome).want(422).shows("이 기록에는 할 수 없는 처리입니다.")
	if n := s.count("select count(*) from attendance_edits"); n != 0 {
		t.Errorf("%d edits", n)
	}
}

func TestDecideSeveralOnDesk(t *testing.T) {
	s := deskSite(t)
	s.clocks(queriestest.Admin, workday.In, "2026-11-19T09:00:00")
	admin := s.as(queriestest.Admin)
	admin.get(employeeHome).lists("김철수 Olivia Martin")
	admin.get(deskHome + "&everything=1").lists("김서연 김철수 Olivia Martin").shows("data-fixed")
	admin.get(deskHome + "&everything=1&open=missing_departure:1-2026-11-19").want(200).shows("이 기록은 처리할 수 없습니다").hides("desk-decision")
	own := "missing_departure:1-2026-11-19"
	question := reviews + "?decision=approved&item=" + kimsItem + "&item=" + oliviasItem + "&item=" + own + "&back=" + url.QueryEscape(deskHome)
	admin.get(question).want(200).shows("기록 2건을 승인하시겠습니까?", "퇴근 시각을 18:00(으)로 수정", "출근 시각을 09:00(으)로 수정", "2건 승인", kimsItem+"@2026-11-19T09:00:00Z", "list-desk")
	admin.get(reviews+"?decision=approved&kind=missing_arrival&back="+url.QueryEscape(deskHome)).want(200).shows("출근 누락 1건을 승인하시겠습니까?", "Olivia Martin")
	admin.post(reviews, "decision", "approved", "question", "1", "item", kimsItem+"@2026-11-19T09:00:00Z", "item", oliviasItem, "item", own, "back", deskHome).leads(deskHome)
	admin.get(employeeHome).want(200).shows("2건을 승인했습니다 · 1건은 처리하지 못했습니다", "오늘 확인할 기록이 없습니다")
	admin.post(s.lastSet(deskHome)).want(303)
	admin.get(employeeHome).lists("김철수 Olivia Martin").shows("2건을 되돌렸습니다")

	admin.post(reviews, "decision", "rejected", "question", "1", "comment", "본인에게 확인", "item", kimsItem, "item", oliviasItem, "back", deskHome+"&everything=1&picked="+kimsItem).leads(deskHome + "&everything=1")
	admin.get(employeeHome).want(200).shows("2건을 거절했습니다", "오늘 확인할 기록이 없습니다")
	admin.get(kimsThursday).want(200).shows("</svg>퇴근 누락</span>")
	id := s.count("select min(id) from changes where action = 'attendance_review.decided' and new ->> 'decision' = 'rejected'")
	admin.get(fmt.Sprintf("%s?object=attendance_review&open=%d", changesPath, id)).want(200).shows("거절", "본인에게 확인", "김철수 2026-11-19")
	admin.post(fmt.Sprintf("%s/%d/reversal", changesPath, id)).want(303)
	admin.get(employeeHome).lists("김철수")
}

func TestRequestsOnDesk(t *testing.T) {
	s := deskSite(t)
	s.asKim().post(kimsThursday+"/correction", "departure", "19:20", "reason", "고객사 회의", "last_edit", "0").want(303)
	const item = "correction:6-2026-11-19"
	manager := s.as(queriestest.Manager)
	manager.get(deskHome+"&kind=correction&open="+item).want(200).shows("퇴근 – → 19:20 “고객사 회의”", "<b>19:20</b>", "correction-answer", "peek-title")
	manager.post(reviews, "decision", "approved", "item", item, "back", deskHome).want(303)
	manager.get(kimsThursday).want(200).shows("9:22", "정정 신청을 승인해 수정했습니다.")
	manager.post(s.lastSet(deskHome)).want(303)
	manager.get(deskHome + "&kind=correction").lists("김철수")
	decision := fmt.Sprintf("%s/correction/%d/decision", kimsThursday, s.count("select max(id) from attendance_corrections"))
	manager.post(decision, "decision", "refuse", "answer", "아니요", "last_edit", "0", "back", deskHome).leads(deskHome)
	manager.get(deskHome + "&kind=correction").want(200).shows(s.lastSetPath())
}

func TestUnprovenRefusedAndUncountedOnDesk(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"ip_mode": "listed", "ip_ranges": [{"location_name": "본사", "range": "198.51.100.0/24"}], "outside_work": "allow", "count_mode": "pairs", "clock_platforms": ["mobile"]}' where policy_id = 2`)
	s.exec("update companies set policy_version = policy_version + 1")
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range []attendance.ClockInput{
		{EventID: "1", UserID: queriestest.Kim, Kind: workday.In, OccurredAt: s.clock.Now(), Platform: "mobile"},
		{EventID: "2", UserID: queriestest.Foreigner, Kind: workday.In, OccurredAt: s.clock.Now(), Platform: "pc"},
	} {
		if _, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{e}); err != nil {
			t.Fatal(err)
		}
	}
	for i, clocked := range []string{"in 09:00", "out 12:00", "in 13:00", "out 18:00", "out 19:30"} {
		kind, at, _ := strings.Cut(clocked, " ")
		when, _ := time.ParseInLocation("2006-01-02 15:04", "2026-11-19 "+at, queriestest.Now.Location())
		event := attendance.ClockInput{EventID: fmt.Sprint("u", i), UserID: queriestest.Japanese, Kind: workday.Kind(kind), OccurredAt: when, Offline: true, Platform: "mobile", Reason: "외근"}
		if _, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{event}); err != nil {
			t.Fatal(err)
		}
	}
	admin := s.as(queriestest.Admin)
	admin.get(reviews + "?decision=approved&kind=uncounted&back=" + url.QueryEscape(deskHome)).want(200).shows("퇴근 시각을 19:30(으)로 수정").hides("제외합니다")
	const unproven, refused, uncounted = "unproven:6-2026-11-20", "refused:7-2026-11-20", "uncounted:8-2026-11-19"
	admin.get(employeeHome).lists("김철수 Olivia Martin 佐藤ひろし").shows("출근 10:00 · 모바일 · 외근 · 미인증", "10:00 출근 1번 거부 · PC · 허용되지 않은 기기", "반영되지 않은 기록 1건", "그대로")
	admin.get(deskHome+"&open="+refused).want(200).shows("거부된 시도", "이 기기로는 출퇴근을 등록할 수 없습니다.", `value="as_is"`).hides(`id="desk-time"`)
	admin.get(deskHome+"&open="+uncounted).want(200).shows("집계되지 않은 19:30 퇴근을 기록에 더합니다.", "기록에 추가", "그대로 확인", "승인하면 근무 9:30")
	admin.post(reviews, "decision", "as_is", "item", unproven, "item", refused, "question", "1", "back", deskHome).want(303)
	admin.get("/logs/workingattitude/day/8-2026-11-19").want(200).shows(`name="item" value="`+uncounted+`"`, "기록에 추가")
	admin.post(reviews, "decision", "approved", "item", uncounted, "back", deskHome).want(303)
	admin.get(employeeHome).want(200).shows("佐藤ひろし · 승인했습니다", "오늘 확인할 기록이 없습니다")
	admin.get("/logs/workingattitude/day/8-2026-11-19").want(200).shows("9:30", "미집계 기록을 추가")
}

// Uncounted events that give no time to add are left out of what is approved at once, and
// lead to the field of the time.
func TestNothingToAddOnDesk(t *testing.T) {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for user, item := range map[int64]string{queriestest.Kim: "uncounted:6-2026-11-19", queriestest.Foreigner: "uncounted:7-2026-11-19"} {
		s.clocks(user, workday.In, "2026-11-19T08:58:00")
		s.clocks(user, workday.Out, "2026-11-19T18:00:00")
		s.clocks(user, workday.BreakEnd, "2026-11-19T15:00:00")
		s.as(queriestest.Admin).post(reviews, "decision", "approved", "item", item, "back", deskHome).want(422).shows("기록에 더할 수 있는 퇴근이 없습니다.", "autofocus").hides("시각을 입력해 주세요.", "aria-invalid")
	}
	admin := s.as(queriestest.Admin)
	admin.get(reviews+"?decision=approved&kind=uncounted&back="+url.QueryEscape(deskHome)).want(200).shows("근거가 없는 2건은 제외합니다.", "처리할 기록이 없습니다")
	admin.get(reviews + "?decision=approved&item=uncounted:6-2026-11-19&back=" + url.QueryEscape(deskHome)).want(200).shows("근거가 없는 1건은 제외합니다.")
}

// 김철수 has worked 44:20 until Thursday, 3:05 more than required each day.
func TestLongWeeksOnDesk(t *testing.T) {
	s := aWeek(t)
	admin := s.as(queriestest.Admin)
	admin.get(employeeHome).want(200).shows("주 근무 한도 예상", "김철수", "지금 44:20", "관리자에게 알림", "예상 1명 모두 보기")
	admin.get("/en"+employeeHome).shows("Now 44:20 · limit today ", "Out by today ")
	admin.get("/en" + forecastPath).shows("Today ")
	admin.get(deskHome + "&kind=correction").want(200).hides("주 근무 한도 예상")
	admin.post(forecastPath+"/notices", "user_id", "6", "back", deskHome).leads(deskHome)
	admin.get(employeeHome).want(200).shows("주 근무 한도 예상").hides("관리자에게 알림</button>")
}
