package handlers_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

func TestAttendanceDay(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	c.get(employeeHome).want(200).shows("2026년 11월 20일 금요일", `value="2026-11-20"`, "이날의 근태 기록이 없습니다",
		`href="`+employeeHome+`?date=2026-11-19"`, `href="`+employeeHome+`?date=2026-11-21"`)
	c.get("/en"+employeeHome+"?date=2026-03-01").want(200).shows("Sunday, Mar 1, 2026", `href="/en`+employeeHome+`?date=2026-02-28"`)
	c.get("/ja"+employeeHome+"?date=2028-02-28").want(200).shows("2028年2月28日（月）", `?date=2028-02-29"`)
	c.get(employeeHome + "?date=").want(200).shows("2026년 11월 20일")
}

// An invalid date is a page that does not exist (spec §5).
func TestInvalidDate(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	for _, date := range []string{"2026-02-29", "2026-13-01", "yesterday", "20261120", "0001-01-01", "9999-12-31", "%00", "2026-11-20%20", "%ff"} {
		c.get(employeeHome + "?date=" + date).want(404).shows("페이지를 찾을 수 없습니다")
	}
}

// Today is the company's date: in Seoul the next day begins at 15:00 UTC.
func TestTodayIsInTheCompanysTimeZone(t *testing.T) {
	s := newSite(t)
	s.clock.Advance(time.Date(2026, 11, 20, 15, 1, 0, 0, time.UTC).Sub(s.clock.Now()))
	s.as(queriestest.Employee).get(employeeHome).want(200).shows("2026년 11월 21일 토요일", `aria-current="date"`)
	s.exec("update companies set time_zone = 'America/New_York' where id = $1", queriestest.Hanbit)
	c := s.as(queriestest.Employee)
	c.get(employeeHome).want(200).shows("2026년 11월 20일 금요일")
	c.get(employeeHome + "?date=2026-11-21").want(200).hides(`aria-current="date"`)
}

// dayOfWork inserts records of Friday the 20th for every user of the cast who
// is neither hidden nor a bot.
func (s *site) dayOfWork() {
	s.t.Helper()
	if err := s.db.Attendance.BeginDays(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	for user, times := range map[int64]string{queriestest.Kim: "09:12 18:30", queriestest.Foreigner: "08:55 18:00", queriestest.Employee: "08:50 18:05", queriestest.Viewer: "09:00 02:10"} {
		arrival, departure, _ := strings.Cut(times, " ")
		s.exec(`update day_records set presence = 'left', status = case when $3 > '09:00' then 'late' else 'on_time' end, device = 'mobile', place = '판교 사옥',
				arrival_at = ('2026-11-20 ' || $3)::timestamp at time zone 'Asia/Seoul',
				departure_at = ('2026-11-20 ' || $4)::timestamp at time zone 'Asia/Seoul' + case when $4 < $3 then interval '1 day' else interval '0' end, worked_min = 498, break_min = 60, overtime_min = 18,
				flags = case when user_id = 6 then 1 | 1024 | 4 else 0 end
			where company_id = $1 and user_id = $2 and work_date = '2026-11-20'`, queriestest.Hanbit, user, arrival, departure)
	}
}

// rows returns the names in the table of a page, in order.
func (a answer) rows() string {
	var names []string
	for _, found := range regexp.MustCompile(`(?s)<th scope="row".*?<bdi>(.*?)</bdi>`).FindAllStringSubmatch(a.body, -1) {
		names = append(names, found[1])
	}
	return strings.Join(names, " ")
}

// cell returns the text of a column in a person's row.
func (a answer) cell(person, column string) string {
	a.t.Helper()
	for _, row := range strings.Split(a.body, "<tr")[1:] {
		if !strings.Contains(row, "<bdi>"+person+"</bdi>") {
			continue
		}
		if _, rest, found := strings.Cut(row, `data-col="`+column+`"`); found {
			cell, _, _ := strings.Cut("<td"+rest, "</td>")
			return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(cell, " "))), " ")
		}
	}
	a.t.Fatalf("%s: no column %s of %s", a.request, column, person)
	return ""
}

var tag = regexp.MustCompile(`<[^>]*>`)

func (a answer) lists(names string) answer {
	a.t.Helper()
	if got := a.want(200).rows(); got != names {
		a.t.Errorf("%s: lists %q, want %q", a.request, got, names)
	}
	return a
}

// On a date on which hardly anybody works, those who did come before the others,
// unless another order is chosen.
func TestArrivalsComeFirstOnDaysOff(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	day := employeeHome + "?date=2026-11-20"
	byName := c.get(day).rows()
	s.exec("insert into company_holidays (company_id, first_date, last_date, name, updated_at, updated_by_name) values (1, '2026-11-20', '2026-11-20', '창립기념일', now(), '김서연')")
	s.exec("update companies set policy_version = policy_version + 1")
	off := c.get(day).lists("이준호 Olivia Martin 박지민 김철수 김서연 최유진 佐藤ひろし").shows(`aria-sort="ascending"`, `sort=name`)
	off.shows(`href="` + employeeHome + `?date=2026-11-19"`)
	if got := c.get(day + "&sort=name").rows(); got != byName {
		t.Errorf("by name they are %q, not %q", got, byName)
	}
	c.get(day + "&cursor=" + (&lists.Cursor{List: "day", Value: "6-2026-11-20", First: 2}).String()).want(200)
}

// dayCursor returns the cursor at a record of a day sorted by name, which is
// the second row.
func dayCursor(record string, backward bool) string {
	return (&lists.Cursor{List: "day", Value: record, Backward: backward, First: 2}).String()
}

func TestRecordsOfADay(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	const all = "김서연 김철수 박지민 이준호 佐藤ひろし 최유진 Olivia Martin"
	day := c.get(employeeHome+"?view=all").lists(all).shows("H0006",
		`href="/logs/workingattitude/day/6-2026-11-20?back=%2Flogs%2Fworkingattitude%2Fday%3Fview%3Dall"`, "전체 7건 중 1–7", "+1", `aria-sort="ascending"`)
	for column, want := range map[string]string{
		"department": "국내영업팀", "arrival": "09:12", "departure": "18:30", "worked": "8:18", "break": "1:00", "overtime": "0:18",
		"device": "모바일", "place": "판교 사옥", "state": "지각 수정됨 연장근로",
	} {
		if got := day.cell("김철수", column); got != want {
			t.Errorf("%s is %q, want %q", column, got, want)
		}
	}
	day.shows("<small>7</small>", "<small>1</small>", "<small>3</small>") // all, late, on time; three have not clocked in
	c.get("/en"+employeeHome+"?status=late").lists("김철수").shows("Late", "Mobile", "Edited", `href="/en/logs/workingattitude/day/6-2026-11-20?back=%2Flogs%2Fworkingattitude%2Fday%3Fstatus%3Dlate"`)
	c.get("/ja" + employeeHome + "?status=before").lists("김서연 佐藤ひろし 최유진").shows("出勤前")
	c.get(employeeHome + "?edited=1").lists("김철수").hides("<small>7</small>")
	c.get(employeeHome + "?device=mobile&sort=-arrival").lists("김철수 박지민 Olivia Martin 이준호")
	c.get(employeeHome+"?sort=arrival").lists("이준호 Olivia Martin 박지민 김철수 김서연 최유진 佐藤ひろし").shows(`aria-sort="ascending"`, "sort=-arrival")
	c.get(employeeHome + "?department_id=2").lists("김철수 박지민 최유진 Olivia Martin").shows("전체 4건 중 1–4")
	c.get(employeeHome + "?department_id=2&status=late").lists("김철수")
	c.get(employeeHome + "?department_id=3&department_id=&status=").lists("김철수").shows("부서 추가 (최대 3개)")
	c.get(employeeHome+"?department_id=3&department_id=4").lists("김철수 Olivia Martin").shows("국내영업팀 선택 해제", "부서 추가 (최대 3개)")
	c.get(employeeHome + "?department_id=3&department_id=4&department_id=2").lists("김철수 박지민 최유진 Olivia Martin").shows("최대 3개를 선택했습니다").hides("부서 추가")
	c.get(employeeHome + "?department_id=3&department_id=9").want(404)
	tooMany := "?department_id=2&department_id=3&department_id=4&department_id=1"
	for _, list := range []string{"day", "week", "month", "management"} {
		path := "/logs/workingattitude/" + list
		c.get(path + "?department_id=3&department_id=4").want(200).shows("국내영업팀 선택 해제").hides("이준호")
		c.get(path+tooMany).want(422).shows("부서를 3개까지 선택할 수 있습니다", "이준호").hides("국내영업팀 선택 해제")
		c.get(path + tooMany + "&status=x").want(404)
	}
	s.as(queriestest.Viewer).get(employeeHome + "?department_id=5&department_id=3").want(404)
	c.get(employeeHome + "?q=olivia").lists("Olivia Martin")
	c.get(employeeHome + "?q=ㄱㅊㅅ").lists("김철수")
	c.get(employeeHome + "?q=zzzz").lists("").shows("조건에 맞는 기록이 없습니다")
	c.get(employeeHome+"?q=z").want(422).shows("2자", `value="z"`)
	c.get(employeeHome + "?date=2026-11-23").lists("").shows("이날의 근태 기록이 없습니다")
	c.get(employeeHome+"?cursor="+dayCursor("1-2026-11-20", false)).lists(strings.TrimPrefix(all, "김서연 ")).shows("cursor="+(&lists.Cursor{List: "day", Value: "6-2026-11-20", Backward: true, First: 1}).String(), "전체 7건 중 2–7")
	c.get(employeeHome + "?cursor=" + dayCursor("6-2026-11-20", true)).lists("김서연")
}

// A cursor that the page cannot contain is a page that does not exist.
func TestInvalidCursorsOfADay(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	c := s.as(queriestest.Admin)
	for _, query := range []string{"status=ill", "device=fax", "sort=size", "department_id=x", "department_id=9", "cursor=x",
		"cursor=" + dayCursor("6-2026-11-19", false), "cursor=" + dayCursor("11-2026-11-20", false), "cursor=" + dayCursor("6", true), "sort=arrival&cursor=" + dayCursor("6-2026-11-20", false)} {
		c.get(employeeHome + "?" + query).want(404)
	}
}

// Each reader sees the users in their scope; other users' records do not exist
// for them.
func TestRecordsOfADayAreScoped(t *testing.T) {
	s := newSite(t)
	s.dayOfWork()
	s.as(queriestest.Viewer).get(employeeHome).lists("김철수 박지민 최유진 Olivia Martin").shows("담당 부서", "전체 4건 중 1–4").hides("기록 관리")
	s.as(queriestest.Manager).get(employeeHome + "?status=late").lists("김철수")
	s.as(queriestest.Viewer).get(employeeHome + "?department_id=3").lists("김철수")
	s.as(queriestest.Viewer).get(employeeHome + "?department_id=5").want(404)
	s.as(queriestest.Viewer).get(employeeHome + "?cursor=" + dayCursor("2-2026-11-20", false)).want(404)
	own := s.as(queriestest.Employee).get(employeeHome).want(200).shows("08:50", "18:05", "8:18", "예정 09:00–18:00", `href="/logs/workingattitude/day/2-2026-11-20?back=%2Flogs%2Fworkingattitude%2Fday"`)
	own.hides("김철수", "<table", "data-island", `name="q"`, `name="department_id"`)
	s.as(queriestest.Employee).get(employeeHome + "?department_id=2&status=late&q=kim").want(200).shows("08:50").hides("김철수")
	s.as(queriestest.OtherAdmin).get(employeeHome+"?view=all").lists("김철수 한도윤").hides("H0006", "09:12")
}

func TestHolidayOfADay(t *testing.T) {
	s := newSite(t)
	s.as(queriestest.Employee).get(employeeHome + "?date=2026-10-09").want(200).shows("한글날")
	s.as(queriestest.Admin).get("/en" + employeeHome + "?date=2026-12-25").want(200).shows("Christmas Day")
	s.as(queriestest.Admin).get(employeeHome + "?date=2026-12-24").want(200).hides("성탄절")
}
