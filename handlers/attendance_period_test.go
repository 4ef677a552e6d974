package handlers_test

import (
	"testing"

	"officeconsole/queries/queriestest"
)

const (
	weekLog  = "/logs/workingattitude/week"
	monthLog = "/logs/workingattitude/month"
)

// worked gives people of the cast a record of a day.
func (s *site) worked(user, department int64, name, date, status string, minutes int) {
	s.t.Helper()
	s.exec(`insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status,
		arrival_at, departure_at, worked_min, overtime_min, required_min)
		select company_id, id, $1::date, $2, $3, 2, 1, 'workday', $1::date, $1::date + 1, 'left', $4, $1::date, $1::date + interval '9 hours', $5, greatest(0, $5 - 480), 480
		from users where id = $6`, date, name, department, status, minutes, user)
}

func TestAttendancePeriods(t *testing.T) {
	s := newSite(t)
	if err := s.db.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, date := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"} {
		s.worked(queriestest.Kim, queriestest.Domestic, "김철수", date, "late", 665)
		s.worked(queriestest.Employee, queriestest.Messenger, "이준호", date, "on_time", 480)
	}
	c := s.as(queriestest.Admin)
	c.get(weekLog).want(200).shows("주별 근태", "김철수", "이준호", "44:20", "32:00", "52시간 초과 예상", "국내영업팀", "10:00 기준",
		`href="/logs/workingattitude/week?date=2026-11-09"`, `href="/logs/workingattitude/week?date=2026-11-23"`, `href="/logs/workingattitude/day/6-2026-11-16"`)
	c.get(monthLog).want(200).shows("월별 근태", "2026년 11월", "김철수", `href="/logs/workingattitude/month?month=2026-10"`)
	c.get("/en"+weekLog).want(200).shows("Weekly attendance", "Expected over 52 h")
	c.get("/ja" + monthLog).want(200).shows("月別の勤怠")
	c.get(weekLog + "?over=52").want(200).shows("김철수").hides("이준호")
	c.get(weekLog + "?status=late").want(200).shows("김철수").hides("이준호")
	c.get(weekLog + "?department_id=2").want(200).shows("김철수").hides("이준호")
	c.get(monthLog + "?q=이준호").want(200).shows("이준호").hides("김철수")
	s.as(queriestest.Employee).get(monthLog).want(200).shows("내 월간 근무", "32:00").hides("김철수")
}
