package attendance_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

var forecastMonday = workday.NewDate(2026, 11, 16)

// aLongWeek has four people near the limit on Friday at ten: 이준호, who has not
// arrived, and 김철수 are expected to pass it, 박지민 has, and Olivia Martin is near.
func aLongWeek(t *testing.T) (*areas.Areas, *queriestest.Clock) {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, date := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"} {
		worked(t, db, queriestest.Kim, date, "21:00")
		worked(t, db, queriestest.Foreigner, date, "20:00")
		worked(t, db, queriestest.Employee, date, "22:00")
		worked(t, db, queriestest.Viewer, date, "23:30")
		worked(t, db, queriestest.Manager, date, "18:00")
	}
	accepted(t, take(t, db, clock("kim arrives", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00"))))
	return db, c
}

func forecastOf(t *testing.T, db *areas.Areas, reader int64, f attendance.ForecastFilter) attendance.WeekForecast {
	t.Helper()
	p := queriestest.Person(t, db, queriestest.Hanbit, reader)
	if f.First == 0 {
		f.First = forecastMonday
	}
	if f.Limit == 0 {
		f.Limit = 9
	}
	found, err := db.Attendance.WeekForecast(t.Context(), p, attendanceScopeOf(t, db, p), f)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// forecastText is a row as "김철수 45:00 55:00 expected 20 18:00 last 18:00".
func forecastText(r attendance.ForecastRow) string {
	seoul := queriestest.Now.Location()
	text := fmt.Sprintf("%s %d:%02d %d:%02d %s", r.Name, r.WorkedMin/60, r.WorkedMin%60, r.ProjectedMin/60, r.ProjectedMin%60, r.Level())
	if r.PassesOn != 0 {
		text += r.PassesAt.In(seoul).Format(" 02 15:04")
	}
	if !r.LastDeparture.IsZero() {
		text += r.LastDeparture.In(seoul).Format(" last 15:04")
	}
	return text
}

func TestWeekForecast(t *testing.T) {
	db, c := aLongWeek(t)
	check := func(name string, reader int64, f attendance.ForecastFilter, want ...string) {
		t.Helper()
		found := forecastOf(t, db, reader, f)
		got := []string{fmt.Sprint(found.ForecastCount)}
		for _, d := range found.Departments {
			got[0] += fmt.Sprintf(" %s %v", d.Name, d.ForecastCount)
		}
		for _, r := range found.Page.Rows {
			got = append(got, forecastText(r))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	lee, kim := "이준호 48:00 59:00 expected 20 15:00 last 15:00", "김철수 45:00 55:00 expected 20 18:00 last 18:00"
	park, olivia := "박지민 54:00 66:30 passed 19 21:30", "Olivia Martin 40:00 49:00 near last 23:00"
	check("everybody", queriestest.Admin, attendance.ForecastFilter{}, "{1 2 1} 영업본부 {1 1 1} 연구소 {0 1 0}", lee, kim, park, olivia)
	check("a department", queriestest.Admin, attendance.ForecastFilter{DepartmentID: queriestest.Sales}, "{1 1 1} 국내영업팀 {0 1 0} 해외영업팀 {0 0 1}", kim, park, olivia)
	check("a level", queriestest.Admin, attendance.ForecastFilter{Level: workday.ForecastNear}, "{1 2 1} 영업본부 {1 1 1} 연구소 {0 1 0}", olivia)
	check("a manager", queriestest.Manager, attendance.ForecastFilter{}, "{1 1 1} 국내영업팀 {0 1 0} 해외영업팀 {0 0 1}", kim, park, olivia)
	check("an employee", queriestest.Employee, attendance.ForecastFilter{}, "{0 1 0}", lee)

	first := forecastOf(t, db, queriestest.Admin, attendance.ForecastFilter{Limit: 3})
	if len(first.Page.Rows) != 3 || first.Page.Next == nil || first.Page.Total != 4 {
		t.Fatalf("the first page: %d rows of %d", len(first.Page.Rows), first.Page.Total)
	}
	check("the second page", queriestest.Admin, attendance.ForecastFilter{Limit: 3, Cursor: first.Page.Next}, "{1 2 1} 영업본부 {1 1 1} 연구소 {0 1 0}", olivia)

	t.Run("leave, arrivals and departures count", func(t *testing.T) {
		queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Viewer)
		queriestest.Exec(t, db, "update day_records set day_type = 'leave', status = 'leave', presence = 'not_due' where user_id = $1 and work_date = '2026-11-20'", queriestest.Foreigner)
		computeMonths(t, db)
		c.Advance(at(t, "2026-11-20 17:10").Sub(db.Now()))
		accepted(t, take(t, db, clock("kim leaves", queriestest.Kim, workday.Out, at(t, "2026-11-20 17:00")),
			clock("lee arrives", queriestest.Employee, workday.In, at(t, "2026-11-20 11:00"))))
		db.Attendance.ForgetWeeks()
		check("in the evening", queriestest.Admin, attendance.ForecastFilter{}, "{1 0 1} 연구소 {1 0 0} 영업본부 {0 0 1}",
			"이준호 53:10 60:00 passed 20 16:00", "김철수 51:00 51:00 near")
	})
}

// A forecast of a department's manager counts the time in the departments that the
// manager sees.
func TestForecastIsScopedByDay(t *testing.T) {
	db, _ := aLongWeek(t)
	queriestest.Exec(t, db, "update day_records set department_id = $1 where user_id = $2 and work_date = '2026-11-16'", queriestest.Research, queriestest.Kim)
	computeMonths(t, db)
	one := func(reader int64) string {
		for _, r := range forecastOf(t, db, reader, attendance.ForecastFilter{}).Page.Rows {
			if r.UserID == queriestest.Kim {
				return forecastText(r)
			}
		}
		return "none"
	}
	if got := one(queriestest.Admin); got != "김철수 45:00 55:00 expected 20 18:00 last 18:00" {
		t.Errorf("the administrator: %s", got)
	}
	if got := one(queriestest.Manager); got != "none" { // 44 hours in the departments of the manager
		t.Errorf("the manager: %s", got)
	}
}

func TestForecastRefuses(t *testing.T) {
	db, _ := aLongWeek(t)
	p := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Manager)
	_, err := db.Attendance.WeekForecast(t.Context(), p, attendanceScopeOf(t, db, p), attendance.ForecastFilter{First: forecastMonday, DepartmentID: queriestest.Research, Limit: 9})
	if !errors.Is(err, queries.NotFound) {
		t.Errorf("a department out of sight: %v", err)
	}
	f := attendance.ForecastFilter{First: forecastMonday - 7, Limit: 1, Cursor: forecastOf(t, db, queriestest.Manager, attendance.ForecastFilter{Limit: 1}).Page.Next}
	if _, err = db.Attendance.WeekForecast(t.Context(), p, attendanceScopeOf(t, db, p), f); !errors.Is(err, queries.NotFound) {
		t.Errorf("a cursor of another week: %v", err)
	}
}

func TestOwnForecast(t *testing.T) {
	db, _ := aLongWeek(t)
	of := func(user int64) *workday.Forecast {
		f, err := db.Attendance.OwnForecast(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, user), forecastMonday)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := of(queriestest.Kim); f == nil || f.RemainingMin() != 7*60 || f.Level() != workday.ForecastExpected {
		t.Errorf("김철수: %+v", f)
	}
	if f := of(queriestest.Manager); f != nil {
		t.Errorf("최유진, with 40 hours: %+v", f)
	}
}

// The forecast reads only the people who may come near the limit. It must find the
// same as adding up all records.
func TestForecastFindsEverybody(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	people := []int64{queriestest.Admin, queriestest.Employee, queriestest.Kim}
	monday := forecastMonday + 7
	for today := monday + 2; today <= monday+5; today++ {
		c.Advance(today.At(8*60, queriestest.Now.Location()).Sub(c.Now()))
		rapid.Check(t, func(rt *rapid.T) {
			var records []loggedRecord
			want := attendance.ForecastCount{}
			for _, user := range people {
				sum, over, days := 0, 0, 0
				for date := forecastMonday + 3; date < min(today, monday+5); date++ {
					if weekday := date.Weekday(); weekday == time.Saturday || weekday == time.Sunday || date < monday && rapid.Bool().Draw(rt, "away") {
						continue
					}
					r := loggedRecord{user, queriestest.Root, "이름", date, "on_time", 0, rapid.SampledFrom([]int{400, 480, 540, 600, 700}).Draw(rt, "day"), false}
					records, over, days = append(records, r), over+r.worked-480, days+1
					if date >= monday {
						sum += r.worked
					}
				}
				habit := 0
				if days >= 3 {
					habit = over / days
				}
				projected := sum + (480+habit)*int(max(0, monday+5-today))
				switch {
				case sum > 52*60:
					want.Passed++
				case projected > 52*60:
					want.Expected++
				case projected >= 48*60:
					want.Near++
				}
			}
			logRecords(t, db, records)
			db.Attendance.ForgetWeeks()
			if got := forecastOf(t, db, queriestest.Admin, attendance.ForecastFilter{First: monday}); got.ForecastCount != want || got.Page.Total != want.People("") {
				rt.Fatalf("on %s: %v and %d rows, not %v", today, got.ForecastCount, got.Page.Total, want)
			}
		})
	}
}

func TestTellManagers(t *testing.T) {
	db, _ := aLongWeek(t)
	queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, true, queriestest.Japanese, queriestest.Kim))
	tell := func(by int64, ids ...int64) (string, error) {
		p := queriestest.Person(t, db, queriestest.Hanbit, by)
		told, err := db.Attendance.TellManagers(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit, UserID: by, Name: p.Name}, p, forecastMonday, ids)
		return fmt.Sprint(told), err
	}
	check := func(by int64, want string, ids ...int64) {
		t.Helper()
		if got, err := tell(by, ids...); err != nil || got != want {
			t.Errorf("%d tells about %v: %s, not %s (%v)", by, ids, got, want, err)
		}
	}
	check(queriestest.Admin, "{[{6 김철수 [佐藤ひろし 최유진]}] 0 [이준호]}", queriestest.Kim, queriestest.Employee, queriestest.Admin)
	check(queriestest.Admin, "{[{7 Olivia Martin [김철수 佐藤ひろし 최유진]}] 1 []}", queriestest.Kim, queriestest.Foreigner)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Japanese)
	check(queriestest.Manager, "{[{3 박지민 [김철수]}] 0 []}", queriestest.Viewer, queriestest.Employee)
	for by, about := range map[int64]int64{queriestest.Manager: queriestest.Employee, queriestest.Viewer: queriestest.Kim, queriestest.Employee: queriestest.Employee, queriestest.Kim: queriestest.Kim} {
		if got, err := tell(by, about); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d tells about %d: %s, %v", by, about, got, err)
		}
	}
	if _, err := tell(queriestest.Admin, make([]int64, attendance.MostTold+1)...); !errors.Is(err, queries.Invalid("forecast.tell.many")) {
		t.Errorf("too many: %v", err)
	}
	if got := messagesOf(t, db, "attendance.weekly_forecast"); len(got) != 3 || got[0] != `{"week": "2026-11-16", "people": [{"level": "expected", "user_id": 6, "limit_min": 3120, "passes_at": "2026-11-20T09:00:00Z", "worked_min": 2700, "manager_ids": [8, 4], "projected_min": 3300, "last_departure": "2026-11-20T09:00:00Z"}]}` {
		t.Errorf("messages: %q", got)
	}
	told := 0
	changes := queriestest.LookUp(t, db, "select count(*) from changes where action = 'attendance.forecast_told' and new -> 'managers' ? '김철수' or new -> 'managers' ? '최유진'")
	for _, r := range forecastOf(t, db, queriestest.Admin, attendance.ForecastFilter{}).Page.Rows {
		if r.ToldAt != nil && r.ToldAt.Equal(db.Now()) {
			told++
		}
	}
	if changes != "3" || told != 3 {
		t.Errorf("%s changes and %d people who are marked", changes, told)
	}
}

// Of two clicks at once, one tells.
func TestManagersAreToldOnce(t *testing.T) {
	db, _ := aLongWeek(t)
	p := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, err := db.Attendance.TellManagers(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit, UserID: p.ID, Name: p.Name}, p, forecastMonday, []int64{queriestest.Kim, queriestest.Foreigner}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := messagesOf(t, db, "attendance.weekly_forecast"); len(got) != 1 || strings.Count(got[0], "user_id") != 2 {
		t.Errorf("messages: %q", got)
	}
}
