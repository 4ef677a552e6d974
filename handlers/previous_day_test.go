package handlers_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const (
	kimsEarlyItem   = "missing_departure:6-2026-11-20"
	oliviaEarlyItem = "missing_arrival:7-2026-11-20"
)

// earlySite returns a site on which work starts at midnight. For Friday, 김철수 arrived
// on the evening before and did not clock out, and Olivia only clocked out.
func earlySite(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	shift := `{"work":true,"start":"00:00","end":"09:00","end_next_day":false}`
	s.exec(`update policy_versions set settings = '{"break_mode":"none","early_in_min":240,"week":{"thu":` + shift + `,"fri":` + shift + `}}' where company_id = 1 and policy_id = 2`)
	s.exec("update companies set policy_version = policy_version + 1")
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(10 * time.Hour)
	s.clocks(queriestest.Kim, workday.In, "2026-11-19T23:40:25")
	s.clocks(queriestest.Foreigner, workday.Out, "2026-11-20T09:10:00")
	return s
}

// sent returns the values that a browser sends of some fields of the page: of a box only
// if it is ticked.
func (a answer) sent(names ...string) []string {
	a.t.Helper()
	var pairs []string
	for _, name := range names {
		tag := regexp.MustCompile(`<input[^>]*\sname="` + name + `"[^>]*>`).FindString(a.body)
		if !strings.Contains(tag, `type="checkbox"`) || strings.Contains(tag, " checked") {
			pairs = append(pairs, name, a.field(name))
		}
	}
	return pairs
}

// isAt reports whether a time of a person's record of Friday is the given one in Seoul.
func (s *site) isAt(user int64, column, when string) bool {
	return s.count("select count(*) from day_records where user_id = $1 and work_date = '2026-11-20' and not extra and "+column+" = $2::timestamp at time zone 'Asia/Seoul'", user, when) == 1
}

func TestEditOfArrivalOnEveningBefore(t *testing.T) {
	s := earlySite(t)
	manager := s.as(queriestest.Manager)
	manager.get(kimFriday).want(200).shows("전날 23:40")
	form := manager.get(kimFriday+"?form=edit").want(200).shows("전날 20:00부터", `name="arrival_previous" value="1" checked`, `name="departure_previous" value="1" aria-label`)
	arrival := append(form.sent("arrival", "arrival_previous", "arrival_next", "last_edit"), "reason", "확인")
	manager.post(kimFriday+"/edit", append(form.sent("departure", "departure_previous", "departure_next"), arrival...)...).want(422).shows("바뀐 값이 없습니다", `name="arrival_previous" value="1" checked`)

	manager.post(kimFriday+"/edit", append([]string{"departure", "09:05"}, arrival...)...).leads(kimFriday)
	if n := s.count("select count(*) from attendance_edits where field <> 'departure'"); n != 0 || !s.isAt(queriestest.Kim, "arrival_at", "2026-11-19 23:40:25") || !s.isAt(queriestest.Kim, "departure_at", "2026-11-20 09:05") {
		t.Errorf("the record changed otherwise, with %d other edits", n)
	}
	last := fmt.Sprint(s.count("select max(id) from attendance_edits"))
	manager.post(kimFriday+"/edit", "arrival", "23:10", "arrival_previous", "1", "departure", "09:05", "reason", "x", "last_edit", last).leads(kimFriday)
	if !s.isAt(queriestest.Kim, "arrival_at", "2026-11-19 23:10") {
		t.Error("the arrival was not moved")
	}
	manager.get(kimFriday).want(200).shows("<ins>전날 23:10</ins>", "<del>전날 23:40</del>")
	manager.get(dayLog+"&q=kim.cs").lists("김철수").shows("23:10", `<span aria-hidden="true">-1</span>`)

	// A refused form shows the boxes as they were ticked. Both of a time cancel each other out.
	last = fmt.Sprint(s.count("select max(id) from attendance_edits"))
	manager.post(kimFriday+"/edit", "arrival", "23:10", "departure", "19:30", "departure_previous", "1", "reason", "x", "last_edit", last).want(422).
		shows("벗어났습니다", `name="arrival_previous" value="1" aria-label`, `name="departure_previous" value="1" checked`)
	manager.post(kimFriday+"/edit", "arrival", "00:20", "arrival_previous", "1", "arrival_next", "1", "departure", "09:05", "reason", "x", "last_edit", last).leads(kimFriday)
	if !s.isAt(queriestest.Kim, "arrival_at", "2026-11-20 00:20") {
		t.Error("two ticked boxes move the arrival to another day")
	}
}

func TestCorrectionOfArrivalOnEveningBefore(t *testing.T) {
	s := earlySite(t)
	kim, manager := s.asKim(), s.as(queriestest.Manager)
	form := kim.get(kimFriday + "?form=correction").want(200).shows(`name="arrival_previous" value="1" checked`)
	arrival := append(form.sent("arrival", "arrival_previous", "arrival_next", "last_edit"), "reason", "퇴근을 잊었습니다")
	kim.post(kimFriday+"/correction", append(form.sent("departure", "departure_previous", "departure_next"), arrival...)...).want(422).shows("바뀐 값이 없습니다", `name="arrival_previous" value="1" checked`)
	kim.post(kimFriday+"/correction", append([]string{"departure", "09:05"}, arrival...)...).leads(kimFriday)
	if n := s.count("select count(*) from attendance_corrections where arrival_at is null and departure_at = '2026-11-20 09:05+09'"); n != 1 {
		t.Error("the request is not about the departure alone")
	}
	kim.post(fmt.Sprintf("%s/correction/%d/withdraw", kimFriday, s.count("select max(id) from attendance_corrections"))).want(303)

	kim.post(kimFriday+"/correction", "arrival", "23:20", "arrival_previous", "1", "reason", "더 일찍 왔습니다", "last_edit", "0").leads(kimFriday)
	manager.get(kimFriday).want(200).shows("<del>전날 23:40</del>", "<b>전날 23:20</b>")
	manager.get(deskHome+"&kind=correction&open=correction:6-2026-11-20").want(200).shows("출근 전날 23:40 → 전날 23:20", "<b>전날 23:20</b>")
	manager.post(reviews, "decision", "approved", "item", "correction:6-2026-11-20", "back", deskHome).want(303)
	if !s.isAt(queriestest.Kim, "arrival_at", "2026-11-19 23:20") {
		t.Error("the arrival was not moved")
	}
}

func TestDeskWithEveningBefore(t *testing.T) {
	s := earlySite(t)
	s.exec(`insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, user_agent, actor_name, received_at, new_address, new_device, failures, address_failures)
		values (1, '2026-11-19 23:52:41+09', '', 7, '', 'login', 'ok', '', 'messenger', 'pc', '', '', now(), false, false, 0, 0)`)
	manager := s.as(queriestest.Manager)
	desk := manager.get(deskHome).want(200).shows("출근 전날 23:40 · 모바일, 퇴근 없음", "<b>전날 23:52</b>")
	desk.lists("김철수 Olivia Martin")

	// A departure on the work date, by the form as it is shown.
	send := func(item string, pairs ...string) answer {
		return manager.post(reviews, append([]string{"decision", "approved", "item", item, "back", deskHome}, pairs...)...)
	}
	boxes := []string{"time", "time_previous", "time_next"}
	departure := manager.get(deskHome+"&open="+kimsEarlyItem).want(200).shows(`value="09:00"`, `name="time_previous" value="1" form="desk-decision">`, "전날 23:40:25")
	send(kimsEarlyItem, departure.sent(boxes...)...).want(303)
	if !s.isAt(queriestest.Kim, "arrival_at", "2026-11-19 23:40:25") || !s.isAt(queriestest.Kim, "departure_at", "2026-11-20 09:00") {
		t.Error("the record is not that of the form")
	}

	// An arrival on the evening before: typed, refused, and as suggested.
	open := deskHome + "&open=" + oliviaEarlyItem
	manager.get(open+"&time=23:30&time_previous=1").want(200).shows(`value="23:30"`, `name="time_previous" value="1" form="desk-decision" checked`, "승인하면 근무 9:40")
	send(oliviaEarlyItem, "time", "19:30", "time_previous", "1").want(422).shows("벗어났습니다", `value="19:30"`, `name="time_previous" value="1" form="desk-decision" checked`)
	arrival := manager.get(open).want(200).shows(`value="23:52"`, `name="time_previous" value="1" form="desk-decision" checked`)
	send(oliviaEarlyItem, arrival.sent(boxes...)...).want(303)
	if !s.isAt(queriestest.Foreigner, "arrival_at", "2026-11-19 23:52") {
		t.Error("the arrival is not the suggested one")
	}
}

func TestArrivalsOnEveningBeforeTogether(t *testing.T) {
	s := earlySite(t)
	admin := s.as(queriestest.Admin)
	admin.get(recordLog + "/records?action=correct&record=6-2026-11-20").want(200).shows(`name="arrival_previous" value="1" aria-label`)
	form := []string{"action", "correct", "record", "6-2026-11-20", "last_edit", "0", "record", "7-2026-11-20", "last_edit", "0", "leave", "keep", "back", recordLog, "arrival_previous", "1"}
	admin.post(recordLog+"/records", append(form, "arrival", "19:30", "reason", "정전")...).want(422).shows("벗어났습니다", `name="arrival_previous" value="1" checked`)
	admin.post(recordLog+"/records", append(form, "arrival", "23:30", "reason", "정전")...).leads(recordLog)
	if !s.isAt(queriestest.Kim, "arrival_at", "2026-11-19 23:30") || !s.isAt(queriestest.Foreigner, "arrival_at", "2026-11-19 23:30") {
		t.Error("the arrivals are not on the evening before")
	}
}

// Where a shift begins in the morning, no form asks for the day before.
func TestFormsOfOrdinaryDays(t *testing.T) {
	s := deskSite(t)
	manager := s.as(queriestest.Manager)
	for _, path := range []string{kimsThursday + "?form=edit", deskHome + "&open=" + kimsItem, deskHome + "&open=" + oliviasItem, recordLog + "/records?action=correct&record=6-2026-11-19"} {
		manager := manager
		if strings.HasPrefix(path, recordLog) {
			manager = s.as(queriestest.Admin)
		}
		manager.get(path).want(200).shows(`_next" value="1"`).hides("_previous")
	}
	s.asKim().get(kimsThursday + "?form=correction").want(200).hides("_previous")
}

// The field of the desk is in the time zone of the company, in which it is read, also for
// the record of a policy with another one.
func TestDeskTimeOfOtherZone(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"timezone":"Asia/Kolkata"}' where company_id = 1 and policy_id = 2`)
	s.exec("update companies set policy_version = policy_version + 1")
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clocks(queriestest.Kim, workday.In, "2026-11-19T12:20:00")
	manager := s.as(queriestest.Manager)
	shown := manager.get(deskHome + "&open=" + kimsItem).want(200).shows("<b>21:30</b>")
	manager.post(reviews, append(shown.sent("time", "time_next"), "decision", "approved", "item", kimsItem, "back", deskHome)...).want(303)
	if n := s.count("select count(*) from day_records where user_id = 6 and work_date = '2026-11-19' and departure_at = '2026-11-19 18:00+05:30'"); n != 1 {
		t.Error("the departure is not the suggested one")
	}
}

// A form cannot name the second of two equal hours, but leaves it as it is.
func TestEditBesideRepeatedHour(t *testing.T) {
	s := newSite(t)
	s.exec("update companies set time_zone = 'Europe/Berlin' where id = 1")
	s.exec(`update policy_versions set settings = '{"timezone":"Europe/Berlin","break_mode":"none","week":{"sat":{"work":true,"start":"22:00","end":"07:00","end_next_day":true}}}' where company_id = 1 and policy_id = 2`)
	out := time.Date(2027, 10, 31, 1, 30, 0, 0, time.UTC)
	s.clock.Advance(out.Add(time.Hour).Sub(s.clock.Now()))
	if err := s.db.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for kind, at := range map[workday.Kind]time.Time{workday.In: out.Add(-5 * time.Hour), workday.Out: out} {
		s.clocks(queriestest.Kim, kind, at.In(queriestest.Now.Location()).Format("2006-01-02T15:04:05"))
	}
	path, admin := "/logs/workingattitude/day/6-2027-10-30", s.as(queriestest.Admin)
	untouched := admin.get(path+"?form=edit").want(200).shows(`name="departure_next" value="1" checked`).sent("departure", "departure_next", "last_edit")
	admin.post(path+"/edit", append(untouched, "arrival", "22:10", "reason", "x")...).leads(path)
	if n := s.count("select count(*) from day_records where user_id = 6 and work_date = '2027-10-30' and departure_at = $1 and arrival_at = '2027-10-30 22:10+02'", out); n != 1 {
		t.Error("the edit of the arrival moved the departure")
	}
}
