package handlers_test

import (
	"testing"

	"officeconsole/queries/queriestest"
)

const forecastPath = weekLog + "/forecast"

// 김철수 has worked 44:20 until Thursday, 3:05 more than required each day.
func TestForecastPage(t *testing.T) {
	s := aWeek(t)
	admin := s.as(queriestest.Admin)
	admin.get(weekLog).want(200).shows("주 근무시간 현황", "초과 예상", "한도 도달", "54:25", `href="/logs/workingattitude/week/forecast?level=expected"`, "예상 1명 모두 보기")
	admin.get(forecastPath).want(200).shows("주 근무 한도 예상", "김철수", "국내영업팀", "44:20", "54:25", "오늘 18:40", "초과 예상", "김철수 님의 관리자에게 알림", "보낸 알림은 되돌릴 수 없습니다", "10:00 기준").hides("이준호")
	admin.get("/en"+forecastPath).want(200).shows("Weekly limit forecast", "Today 18:40", "Expected over", "Notify managers")
	admin.get("/ja"+forecastPath).want(200).shows("週上限の見込み", "今日 18:40", "超過の見込み", "管理者に通知")
	admin.get(forecastPath+"?department_id=2&level=expected").want(200).shows("김철수", `value="expected" selected`)
	admin.get(forecastPath + "?level=near").want(200).shows("조건에 맞는 사람이 없습니다").hides("김철수")
	for _, query := range []string{"?level=x", "?department_id=x", "?department_id=8", "?cursor=x"} {
		admin.get(forecastPath + query).want(404)
	}
	s.as(queriestest.Viewer).get(forecastPath).want(200).shows("김철수").hides("관리자에게 알림</button>", "data-pick")
	s.as(queriestest.Employee).get(forecastPath).want(404)
	s.as(queriestest.OtherAdmin).get(forecastPath).want(200).shows("한도가 가까운 사람이 없습니다").hides("국내영업팀")
	admin.get(weekLog + "?date=2026-11-09").want(200).hides("초과 예상")
}

func TestManagersAreTold(t *testing.T) {
	s := aWeek(t)
	admin := s.as(queriestest.Admin)
	tell := func(by *client, ids ...string) answer {
		pairs := []string{"back", weekLog}
		for _, id := range ids {
			pairs = append(pairs, "user_id", id)
		}
		return by.post(forecastPath+"/notices", pairs...)
	}
	tell(admin, "6").want(303)
	admin.get(weekLog).want(200).shows("김철수 님의 주 근무 예상을 최유진 님에게 알렸습니다.", "오늘 10:00 알림").hides("김철수 님의 관리자에게 알림")
	tell(admin, "6", "1", "2").want(303)
	admin.get(weekLog).shows("이미 알린 1명은 다시 알리지 않았습니다.")
	admin.post(forecastPath+"/notices", "back", forecastPath, "user_id", "6").leads(forecastPath)
	admin.get(forecastPath).shows("이미 알린 1명은")
	if n := s.count("select count(*) from outbox where type = 'attendance.weekly_forecast'"); n != 1 {
		t.Errorf("%d messages", n)
	}
	admin.get(changesPath).want(200).shows("관리자에게 알림", "김철수 2026-11-16")
	for _, id := range []string{"999", "x", "0"} {
		tell(admin, id).want(404)
	}
	tell(s.as(queriestest.Viewer), "6").want(404)
	tell(s.as(queriestest.Employee), "6").want(404)
	s.exec("delete from clock_notices")
	s.exec("delete from permission_controls")
	tell(admin, "6").want(303)
	admin.get(weekLog).shows("김철수 님은 근태를 관리하는 사람이 없어 알리지 못했습니다.")
}

func TestOwnForecastLine(t *testing.T) {
	s := aWeek(t)
	for _, date := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"} {
		s.exec("update day_records set worked_min = 660 where user_id = $1 and work_date = $2", queriestest.Employee, date)
	}
	s.computeMonths()
	c := s.as(queriestest.Employee)
	c.get(weekLog).want(200).shows("52시간까지 8:00 남음 · 오늘 19:00 전에 퇴근하면 지킬 수 있습니다.")
	c.get("/en"+weekLog).want(200).shows("8:00 left until 52 hours", "Leave by today 19:00")
	c.get("/ja"+weekLog).want(200).shows("52時間まで残り8:00", "今日 19:00までに退勤すれば上限を守れます。")
	c.get(weekLog + "?date=2026-11-09").want(200).hides("52시간까지")
	s.as(queriestest.Admin).get(weekLog + "?user_id=2").want(200).hides("52시간까지")
}
