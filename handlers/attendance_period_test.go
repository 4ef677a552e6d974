package handlers_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

const (
	weekLog  = "/logs/workingattitude/week"
	monthLog = "/logs/workingattitude/month"
)

// worked inserts a record of a user on a date, with nine hours between arrival
// and departure.
func (s *site) worked(user, department int64, date, status string, minutes int) {
	s.t.Helper()
	s.exec(`insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status,
		arrival_at, departure_at, worked_min, overtime_min, required_min)
		select company_id, id, $1::date, name, $2, 2, 1, 'workday', $1::date, $1::date + 1, 'left', $3, $1::date, $1::date + interval '9 hours', $4, greatest(0, $4 - 480), 480
		from users where id = $5`, date, department, status, minutes, user)
	s.computeMonths()
}

// aWeek is a site on which 김철수 was late and worked long hours, and others were
// on time.
func aWeek(t *testing.T) *site {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, date := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"} {
		s.worked(queriestest.Kim, queriestest.Domestic, date, "late", 665)
		for user, department := range map[int64]int64{
			queriestest.Admin: queriestest.Root, queriestest.Employee: queriestest.Messenger, queriestest.Viewer: queriestest.Sales, queriestest.Manager: queriestest.Sales,
			queriestest.Hidden: queriestest.Research, queriestest.Foreigner: queriestest.Overseas, queriestest.Japanese: queriestest.Japan,
		} {
			s.worked(user, department, date, "on_time", 480)
		}
		s.worked(queriestest.OtherKim, queriestest.OtherSales, date, "on_time", 480)
	}
	return s
}

func TestAttendanceWeek(t *testing.T) {
	s := aWeek(t)
	c := s.as(queriestest.Admin)
	c.get(weekLog).want(200).shows("주별 근태", "2026년 11월 16일", "김철수", "44:20", "32:00", "10:00 기준", "52시간 초과 예상", "20:00 남음",
		`href="/logs/workingattitude/week?date=2026-11-09"`, `href="/logs/workingattitude/week?date=2026-11-23"`, `href="/logs/workingattitude/day/6-2026-11-16"`,
		`href="/logs/workingattitude/week/forecast?level=expected"`, `href="/logs/workingattitude/week/forecast?department_id=2&level=expected"`, "8명 합계", "268:20")
	c.get("/en"+weekLog+"?date=2026-11-18").want(200).shows("Weekly attendance", "Nov 16 – Nov 22, 2026", "Expected over 52 h", "As of 10:00", "Late", `href="/en/logs/workingattitude/day/6-2026-11-16"`)
	c.get("/ja"+weekLog).want(200).shows("週別勤怠", "52時間超過の見込み", "残り 20:00")
	c.get(weekLog + "?date=2026-11-09").want(200).shows("이 기간의 근태 기록이 없습니다").hides("초과 예상")
	c.get(weekLog+"?date=2026-11-23").want(200).hides("기준", "김철수")
	for query, others := range map[string]string{"over=52": "이준호", "over=48": "이준호", "status=late": "이준호", "department_id=2": "이준호", "department_id=3": "Olivia", "q=김철수": "이준호"} {
		c.get(weekLog + "?" + query).want(200).shows(">김철수<").hides(others)
	}
	c.get(weekLog+"?sort=-worked").want(200).shows(`aria-sort="descending"`, `href="/logs/workingattitude/week?date=2026-11-16&sort=worked"`, `name="sort" value="-worked"`)
	c.get(weekLog + "?sort=-late").want(404)

	// Premium time, of each person and in sum; whoever has most of it comes first.
	s.exec("update day_records set holiday_min = 60, holiday_over_min = 30, night_min = 45, overtime_min = 600 where user_id = $1 and work_date = '2026-11-19'", queriestest.Employee)
	s.computeMonths()
	for order, first := range map[string]string{"overtime": "김철수", "holiday": "이준호", "night": "이준호", "worked": "김철수"} {
		page := c.get(weekLog+"?sort=-"+order).want(200).shows(`data-col="overtime">10:00<`, `data-col="holiday">1:30<`, `data-col="night">0:45<`, `data-col="overtime">22:20<`, `data-col="night">–<`)
		// The board above the list names people too.
		if strings.LastIndex(page.body, ">김철수<") < strings.LastIndex(page.body, ">이준호<") != (first == "김철수") {
			t.Errorf("by %s, %s is not the first", order, first)
		}
	}
	c.get(weekLog + "?status=absent").want(200).shows("조건에 맞는 사람이 없습니다").hides(">김철수<")
	c.get(weekLog+"?q=김").want(422).shows(`value="김"`, "2자")
}

// The limit and the warning of a week are those of the policy that applies to the person.
func TestWeeklyLimits(t *testing.T) {
	s := aWeek(t)
	s.exec("insert into policies (company_id, id, kind) overriding system value values (1, 20, 'workingattitude')")
	s.exec(`insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		select 1, 20, 1, effective_from, true, '메신저팀', '{}', '메신저팀', created_at from policy_versions where policy_id = 2 and no = 1`)
	s.exec("insert into policy_targets (company_id, policy_id, no, department_id) values (1, 20, 1, $1)", queriestest.Messenger)
	admin, own := s.as(queriestest.Admin), s.as(queriestest.Employee)
	// Of 40 hours that are expected, 이준호 has worked 32.
	for _, test := range []struct {
		no, least, most int
		want            string
	}{
		{2, 2401, 2670, `<span class="sub">12:30 남음</span>`},
		{3, 2400, 2400, `</svg>8:00 남음`},
		{4, 1800, 2340, "39시간 초과 예상"},
		{5, 1800, 2370, "39:30시간 초과 예상"},
		{6, 1800, 1800, "한도 초과"},
	} {
		s.exec(`insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
			select 1, 20, $1, effective_from, true, name, jsonb_build_object('weekly_warn_min', $2::int, 'weekly_cap_min', $3::int), search_text, created_at
			from policy_versions where policy_id = 20 and no = 1`, test.no, test.least, test.most)
		s.exec("insert into policy_targets (company_id, policy_id, no, department_id) values (1, 20, $1, $2)", test.no, queriestest.Messenger)
		s.exec("update companies set policy_version = policy_version + 1")
		line := fmt.Sprintf(`<path class="limit" d="M%d-3v14">`, test.most)
		admin.get(weekLog).want(200).shows(test.want, line, "52시간 초과 예상", "20:00 남음")
		own.get(weekLog).want(200).shows(test.want, line)
		own.get(monthLog).want(200).shows(line)
	}
	admin.get(monthLog + "?department_id=" + fmt.Sprint(queriestest.Messenger)).want(200).shows("한도 초과")
	admin.get(monthLog + "?department_id=2").want(200).hides("한도 초과")

	// A week that is over has the limit of its records, whatever applies by now.
	s.worked(queriestest.Employee, queriestest.Messenger, "2026-11-10", "on_time", 480)
	const lastWeek = weekLog + "?date=2026-11-09"
	admin.get(lastWeek).want(200).shows("44:00 남음")
	s.exec("update day_records set policy_id = 20, version_no = 2 where user_id = $1 and work_date = '2026-11-10'", queriestest.Employee)
	admin.get(lastWeek).want(200).shows("36:30 남음")
	own.get(lastWeek).want(200).shows("36:30 남음")
}

func TestAttendanceMonth(t *testing.T) {
	s := aWeek(t)
	s.exec("update day_records set flags = 1024 where user_id = $1 and work_date = '2026-11-17'", queriestest.Foreigner)
	s.computeMonths()
	c := s.as(queriestest.Admin)
	c.get(monthLog).want(200).shows("월별 근태", "2026년 11월", "김철수", "정하윤", "44:20", "12:20", "16일 지각", `href="/logs/workingattitude/month?month=2026-10"`,
		`href="/logs/workingattitude/month?month=2026-12"`, `data-records="/logs/workingattitude/day/6-2026-11-"`, `href="/logs/workingattitude/month?month=2026-11&user_id=6"`)
	c.get("/en"+monthLog+"?month=2026-11").want(200).shows("Monthly attendance", "November 2026")
	c.get("/ja"+monthLog).want(200).shows("月別勤怠", "2026年11月")
	for _, address := range []string{"?date=2026-10-31", "?date=2026-10-05&user_id=6", "?month=2026-10&date=2026-09-05"} {
		c.get(monthLog+address).want(200).shows("2026년 10월", `href="/logs/workingattitude/month?month=2026-09`)
	}
	c.get(monthLog + "?edited=1").want(200).shows(">Olivia Martin<").hides(">김철수<")
	c.get(monthLog).hides("전체 8명 합계", "전체 합계 보기", "인쇄")
	c.get(monthLog+"?totals=1").want(200).shows("전체 8명 합계", "<dd>268:20</dd>", "<dt>하루 평균</dt><dd>8:23</dd>", "<dd>12:20</dd>", "<dd>32 <small>일</small></dd>", "<dt>지각</dt><dd>4 <small>회</small></dd>", `href="/logs/workingattitude/month?month=2026-11&sort=-late"`)
	c.get(monthLog + "?sort=-name").want(404)
	byLate := c.get(monthLog+"?sort=-late&status=late").want(200).shows(`href="/logs/workingattitude/month?month=2026-11&sort=late&status=late"`, `href="/logs/workingattitude/month?month=2026-11&status=late"`)
	byLate.shows(`href="/logs/workingattitude/month?month=2026-11&sort=-worked&status=late"`).hides(">이준호<")
	c.get(monthLog + "?over=52").want(200).shows(">이준호<")
	c.get(monthLog+"?month=2027-02").want(200).shows("이 기간의 근태 기록이 없습니다", `?month=2027-01"`, `?month=2027-03"`)
}

// Later days off are shown as such before their records exist; a later day on
// which somebody works is not.
func TestLaterDaysOff(t *testing.T) {
	s := aWeek(t)
	s.exec("insert into company_holidays (company_id, first_date, last_date, name, updated_at, updated_by_name) values (1, '2026-11-25', '2026-11-25', '창립기념일', now(), '김서연')")
	s.exec("insert into company_holidays (company_id, first_date, last_date, name, updated_at, updated_by_name) values (1, '2026-11-22', '2026-11-22', '체육대회', now(), '김서연')")
	s.exec("update companies set policy_version = policy_version + 1")
	c := s.as(queriestest.Admin)
	days := drawnDays(c.get(monthLog).want(200).shows(`<title>창립기념일</title>`).body)
	for _, drawn := range []string{"24 not_due", "25 holiday", "28 day_off", "29 holiday"} {
		if !days[drawn] {
			t.Errorf("%s is not drawn", drawn)
		}
	}
	for _, early := range []string{"10 not_due", "8 holiday"} { // before the first record
		if days[early] {
			t.Errorf("%s is drawn", early)
		}
	}
	c.get(weekLog).want(200).shows(`<td class="end week-day off"><small data-tone="" title="체육대회">체육대회</small></td>`, `<span class="sub">11월 22일 체육대회</span>`)
	c.get("/en" + weekLog).want(200).shows(`<span class="sub">Nov 22: 체육대회</span>`)
	c.get("/ja" + weekLog).want(200).shows(`<span class="sub">11月22日 체육대회</span>`)
}

// drawnDays are the days that a month draws for anybody, with their kind: "24 not_due".
func drawnDays(body string) map[string]bool {
	days := map[string]bool{}
	for _, path := range regexp.MustCompile(`<path marker-mid="url\(#h-(\w+)\)"[^>]* d="M0 0H([\dH]+)H0"`).FindAllStringSubmatch(body, -1) {
		for x := range strings.SplitSeq(path[2], "H") {
			at, _ := strconv.Atoi(x)
			days[fmt.Sprint(at/20+1, " ", path[1])] = true
		}
	}
	return days
}

// leadsToRecord reports whether a list leads to the record of a user on 2026-11-16: by a link,
// or in a month by the drawing of the user's days.
func leadsToRecord(body string, id int64) bool {
	drawn := fmt.Sprintf(`data-records="[^"]*/day/%d-2026-11-"><svg[^>]*>(<path[^>]*>)*<path marker-mid="[^"]*" d="M0 0[H\d]*H300H`, id)
	return strings.Contains(body, fmt.Sprintf("/day/%d-2026-11-16", id)) || regexp.MustCompile(drawn).MatchString(body)
}

// Each reader sees the users in their scope (spec §6), on both pages and for
// single users.
func TestPeriodsAreScoped(t *testing.T) {
	s := aWeek(t)
	sales := []int64{queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner}
	all := append([]int64{queriestest.Admin, queriestest.Employee, queriestest.Hidden, queriestest.Japanese}, sales...)
	for name, reader := range map[string]struct {
		id   int64
		sees []int64
	}{
		"administrator": {queriestest.Admin, all}, "viewer": {queriestest.Viewer, sales}, "manager": {queriestest.Manager, sales},
		"employee": {queriestest.Employee, []int64{queriestest.Employee}}, "elsewhere": {queriestest.OtherAdmin, []int64{queriestest.OtherKim}},
	} {
		t.Run(name, func(t *testing.T) {
			c := s.as(reader.id)
			for _, log := range []string{weekLog, monthLog} {
				list := c.get(log).want(200)
				for id := int64(1); id <= queriestest.OtherKim; id++ {
					sees := false
					for _, one := range reader.sees {
						sees = sees || one == id
					}
					if got := leadsToRecord(list.body, id); got != sees {
						t.Errorf("%s lists %d: %t", log, id, got)
					}
					if status := c.get(fmt.Sprintf("%s?user_id=%d", log, id)).status; id != reader.id && (status == 200) != sees {
						t.Errorf("%s of %d: %d", log, id, status)
					}
				}
			}
		})
	}
	t.Run("nobody", func(*testing.T) {
		s.nobody().get(weekLog).leads("/login?next=%2Flogs%2Fworkingattitude%2Fweek")
		s.nobody().get(monthLog).leads("/login?next=%2Flogs%2Fworkingattitude%2Fmonth")
	})
	t.Run("a department that is not seen is not there", func(t *testing.T) {
		s.as(queriestest.Viewer).get(weekLog + "?department_id=5").want(404)
		s.as(queriestest.Viewer).get(monthLog + "?department_id=3").want(200).hides("/day/3-2026-11-16")
		s.as(queriestest.Admin).get(weekLog + "?department_id=9").want(404)
	})
	t.Run("days elsewhere are not shown", func(t *testing.T) {
		s.exec("update day_records set department_id = $1 where user_id = $2 and work_date = '2026-11-16'", queriestest.Messenger, queriestest.Kim)
		s.computeMonths()
		s.exec("update companies set directory_version = directory_version + 1")
		s.as(queriestest.Viewer).get(weekLog).want(200).shows("33:15").hides("/day/6-2026-11-16", "44:20")
		s.as(queriestest.Viewer).get(weekLog + "?user_id=6").want(200).shows("33:15").hides("/day/6-2026-11-16")
		s.as(queriestest.Admin).get(weekLog).want(200).shows("44:20")
	})
	t.Run("whoever moved away is still there", func(t *testing.T) {
		s.exec("update users set department_id = $1 where id = $2", queriestest.Japan, queriestest.Foreigner)
		s.exec("update companies set directory_version = directory_version + 1")
		s.as(queriestest.Viewer).get(weekLog).want(200).shows("/day/7-2026-11-16", "해외영업팀")
	})
}

// An employee's own periods are a calendar, without React.
func TestOwnPeriods(t *testing.T) {
	s := aWeek(t)
	s.exec(`insert into attendance_corrections (company_id, user_id, work_date, department_id, arrival_at, reason, created_at)
		values (1, $1, '2026-11-17', 6, '2026-11-17 00:00Z', '지하철 지연', '2026-11-18')`, queriestest.Employee)
	c := s.as(queriestest.Employee)
	c.get(monthLog).want(200).shows("내 월간 근무", "메신저팀", "32:00", "09:00 – 18:00", "정상", `href="/logs/workingattitude/day/2-2026-11-16"`, "정정 신청 1건", "정정 신청 중",
		`href="/logs/workingattitude/month?month=2026-10"`).hides("김철수", "data-island", "user_id=")
	c.get(weekLog).want(200).shows("내 주간 근무", "32:00", "8:00", "20:00 남음").hides("data-island")
	c.get("/en"+monthLog).want(200).shows("My month", "1 correction waits")
	c.get("/ja"+weekLog).want(200).shows("私の週間勤務", "修正申請中")
	c.get(monthLog+"?month=2026-12").want(200).shows("성탄절", "09:00 – 18:00").hides("정상")
	s.as(queriestest.Admin).get(monthLog+"?user_id=6").want(200).shows("김철수 님의 월간 근무", "모두 보기", `name="user_id" value="6"`)
}

// The planned days of somebody with two stints a day show both.
func TestOwnPeriodsOfSplitDays(t *testing.T) {
	s := newSite(t)
	stints := `{"work":true,"start":"07:00","end":"11:00","second":{"start":"17:00","end":"21:00"}}`
	s.exec(`update policy_versions set settings = jsonb_build_object('week', jsonb_build_object('mon', $1::jsonb, 'tue', $1::jsonb, 'wed', $1::jsonb, 'thu', $1::jsonb, 'fri', $1::jsonb), 'breaks', '[]'::jsonb)
		where company_id = 1 and policy_id = 2`, stints)
	s.exec("update companies set policy_version = policy_version + 1 where id = 1")
	for _, address := range []string{weekLog, monthLog, monthLog + "?month=2026-12"} {
		s.as(queriestest.Employee).get(address).want(200).shows("07:00 – 11:00, 17:00 – 21:00").hides("07:00 – 21:00")
	}
}

// Values that the page does not offer are a page that does not exist (spec §5).
func TestInvalidPeriods(t *testing.T) {
	c := newSite(t).as(queriestest.Admin)
	for _, address := range []string{
		weekLog + "?date=2026-02-30", monthLog + "?month=2026-13", monthLog + "?month=2026-1", monthLog + "?month=0001-01", monthLog + "?month=%ff", monthLog + "?date=2026-02-30",
		weekLog + "?status=working", weekLog + "?over=41", weekLog + "?over=x", weekLog + "?department_id=x", weekLog + "?cursor=x", weekLog + "?user_id=0", weekLog + "?user_id=999",
	} {
		c.get(address).want(404)
	}
}

func TestPeriodPages(t *testing.T) {
	s := aWeek(t)
	s.exec(`insert into users (company_id, department_id, name, email, employee_id, search_text, search_grams)
		select 1, 3, '가' || lpad(i::text, 3, '0'), 'p' || i || '@hanbit.example', 'P' || i, '가' || i, '{}' from generate_series(1, 60) i`)
	s.exec(`insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status)
		select 1, id, '2026-11-16', name, 3, 2, 1, 'workday', '2026-11-16', '2026-11-16', 'absent', 'absent' from users where name like '가%'`)
	s.computeMonths()
	c := s.as(queriestest.Admin)
	last := s.count("select id from users where name = '가050'")
	next := weekLog + "?cursor=" + (&lists.Cursor{List: "week", Value: "가050", ID: int64(last), First: 51}).String() + "&date=2026-11-16"
	c.get(weekLog).want(200).shows("가001", "가050", `href="`+next+`"`, "이 페이지의 행만 인쇄되었습니다. 전체 목록은 내보내기로").hides("가051", "/day/6-2026-11-16")
	c.get(next).want(200).shows("가051", "가060", "김철수", "51–68").hides("가050")
	c.get(weekLog+"?status=absent&cursor="+(&lists.Cursor{List: "week", ID: int64(last), First: 51}).String()).want(200).shows("가051", "51–60").hides("김철수")
}

// computeMonths computes the months of records that were inserted directly.
func (s *site) computeMonths() {
	s.t.Helper()
	for _, company := range []int64{queriestest.Hanbit, queriestest.Other} {
		queriestest.MustComputeMonths(s.t, s.db, company)
	}
}

// At the first and last dates that have pages, nothing leads further.
func TestAttendanceStepsEnd(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Admin)
	const day, management = "/logs/workingattitude/day", "/logs/workingattitude/management"
	step := regexp.MustCompile(`<(?:a class="btn btn-icon" href="([^"]*)"|button type="button" class="btn btn-icon" disabled) aria-label="[^"]*(?:이전|다음)[^"]*"`)
	for address, want := range map[string][]string{
		day + "?date=1900-01-01":                      {"", day + "?date=1900-01-02"},
		day + "?date=1900-01-02":                      {day + "?date=1900-01-01", day + "?date=1900-01-03"},
		day + "?date=2200-12-31":                      {day + "?date=2200-12-30", ""},
		weekLog + "?date=1900-01-01":                  {"", weekLog + "?date=1900-01-08"},
		weekLog + "?date=1900-01-08":                  {weekLog + "?date=1900-01-01", weekLog + "?date=1900-01-15"},
		weekLog + "?date=2200-12-31":                  {weekLog + "?date=2200-12-22", ""},
		weekLog + "?date=2200-12-31&user_id=6":        {weekLog + "?date=2200-12-22&user_id=6", ""},
		monthLog + "?month=1900-01":                   {"", monthLog + "?month=1900-02"},
		monthLog + "?month=2200-12":                   {monthLog + "?month=2200-11", ""},
		monthLog + "?month=2200-11":                   {monthLog + "?month=2200-10", monthLog + "?month=2200-12"},
		management + "?from=1900-01-02&to=1900-01-03": {"", management + "?from=1900-01-04&to=1900-01-05"},
		management + "?from=2200-12-29&to=2200-12-30": {management + "?from=2200-12-27&to=2200-12-28", ""},
	} {
		var steps []string
		for _, found := range step.FindAllStringSubmatch(c.get(address).want(200).body, -1) {
			path := html.UnescapeString(found[1])
			if steps = append(steps, path); path != "" {
				c.get(path).want(200)
			}
		}
		if !slices.Equal(steps, want) {
			t.Errorf("%s leads to %q, want %q", address, steps, want)
		}
	}
}
