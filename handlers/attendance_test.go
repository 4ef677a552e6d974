package handlers_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

func TestAttendanceDay(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	c.get(employeeHome).want(200).shows("2026년 11월 20일 금요일", `value="2026-11-20"`, "이날의 근태 기록이 없습니다",
		`href="`+employeeHome+`?date=2026-11-19"`, `href="`+employeeHome+`?date=2026-11-21"`)
	c.get("/en"+employeeHome+"?date=2026-03-01").want(200).shows("Sunday, Mar 1, 2026", `href="/en`+employeeHome+`?date=2026-02-28"`)
	c.get("/ja"+employeeHome+"?date=2028-02-28").want(200).shows("2028年2月28日月曜日", `?date=2028-02-29"`)
	c.get(employeeHome + "?date=").want(200).shows("2026년 11월 20일")
}

// What is no date is a page that does not exist (spec §5).
func TestAttendanceOfNoDay(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	for _, date := range []string{"2026-02-29", "2026-13-01", "yesterday", "20261120", "0001-01-01", "9999-12-31", "%00", "2026-11-20%20", "%ff"} {
		c.get(employeeHome + "?date=" + date).want(404).shows("페이지를 찾을 수 없습니다")
	}
}

// Today is today where the company is: in Seoul the next day begins at 15:00 UTC.
func TestTodayIsTheCompanys(t *testing.T) {
	s := newSite(t)
	s.clock.Advance(time.Date(2026, 11, 20, 15, 1, 0, 0, time.UTC).Sub(s.clock.Now()))
	s.as(queriestest.Employee).get(employeeHome).want(200).shows("2026년 11월 21일 토요일", `aria-current="date"`)
	s.exec("update companies set time_zone = 'America/New_York' where id = $1", queriestest.Hanbit)
	c := s.as(queriestest.Employee)
	c.get(employeeHome).want(200).shows("2026년 11월 20일 금요일")
	c.get(employeeHome + "?date=2026-11-21").want(200).hides(`aria-current="date"`)
}
