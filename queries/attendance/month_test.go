package attendance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// checkMonths checks that the stored months of a company are the sums of its
// records.
func checkMonths(t *testing.T, db *areas.Areas, companyID int64, after string) {
	t.Helper()
	months := fmt.Sprintf(`select coalesce(string_agg(m::text, E'\n' order by user_id, month, department_id), '') from attendance_months m where company_id = %d`, companyID)
	stored := queriestest.LookUp(t, db, months)
	queriestest.MustComputeMonths(t, db, companyID)
	if made := queriestest.LookUp(t, db, months); stored != made {
		t.Fatalf("after %s\n%s", after, queriestest.Difference(made, stored))
	}
}

// checkWeeks checks that FlagOverWeek is set on exactly the records at the end
// of which the work of their week so far exceeds cap, in minutes.
func checkWeeks(t *testing.T, db *areas.Areas, cap int, after string) {
	t.Helper()
	wrong := queriestest.LookUp(t, db, fmt.Sprintf(`select coalesce(string_agg(r::text, E'\n'), '') from (
			select r.*, sum(worked_min) over (partition by user_id, date_trunc('week', work_date) order by work_date, extra) as so_far
			from day_records r where company_id = 1 and deleted_at is null) r
		where (flags & 4096 <> 0) <> (arrival_at is not null and coalesce(so_far, 0) > %d)`, cap))
	if wrong != "" {
		t.Fatalf("after %s\n%s", after, wrong)
	}
	checkPremiums(t, db, after)
}

// checkPremiums checks the premium time of each week and holiday in another way:
// by the sums of its dates.
func checkPremiums(t *testing.T, db *areas.Areas, after string) {
	t.Helper()
	wrong := queriestest.LookUp(t, db, `with dates as (
			select user_id, work_date, date_trunc('week', work_date) as week, bool_or(day_type = 'holiday') as holiday, coalesce(sum(worked_min), 0) as worked,
				max(required_min) as required, sum(overtime_min) as overtime, sum(holiday_min) as holiday_min, sum(holiday_over_min) as holiday_over_min
			from day_records where company_id = 1 and deleted_at is null group by user_id, work_date
		), weeks as (
			select user_id, week, sum(overtime) as overtime, sum(greatest(0, worked - required)) filter (where not holiday) as daily, sum(least(worked, required)) filter (where not holiday) as regular
			from dates group by user_id, week
		)
		select coalesce((select string_agg(w::text, E'\n') from weeks w where overtime <> coalesce(daily, 0) + greatest(0, coalesce(regular, 0) - 2400)), '')
			|| coalesce((select string_agg(d::text, E'\n') from dates d where (holiday_min, holiday_over_min) <> (case when holiday then least(worked, 480) else 0 end, case when holiday then greatest(0, worked - 480) else 0 end)), '')`)
	if wrong != "" {
		t.Fatalf("after %s, premium time is wrong:\n%s", after, wrong)
	}
}

// After every change of records, the months and the flags of weeks over the cap
// are right, and deriving all of them again changes nothing.
func TestMonthsFollowRecords(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"weekly_cap_min": 1200, "holiday_dates": [{"date": "2026-11-26", "name": "창립기념일"}, {"date": "2026-11-24", "name": "대청소"}]}'
		where company_id = 1 and policy_id = 2`)
	by, scope := editor(t, db, queriestest.Admin)
	random := rand.New(rand.NewPCG(20, 20))
	users := []int64{queriestest.Employee, queriestest.Kim, queriestest.Foreigner}
	user := func() int64 { return users[random.IntN(len(users))] }
	today := func() workday.Date { return workday.DateOf(c.Now().In(queriestest.Now.Location())) }
	someTime := func(d workday.Date) time.Time { return d.At(random.IntN(26*60), queriestest.Now.Location()) }
	refused := 0
	edit := func(change func(*attendance.RecordEdit)) func(int) error {
		return func(int) error {
			e := attendance.RecordEdit{Key: attendance.RecordKey{UserID: user(), Date: today() - workday.Date(random.IntN(9)), Extra: random.IntN(5) == 0}, Reason: "x"}
			change(&e)
			if err := db.Attendance.EditRecord(t.Context(), by, scope, e); err != nil {
				refused++
			}
			return nil
		}
	}
	operations := []struct {
		what string
		do   func(step int) error
	}{
		{"events", func(step int) error {
			var events []attendance.ClockInput
			for i := range 6 {
				kind := []workday.Kind{workday.In, workday.Out}[random.IntN(2)]
				events = append(events, clock(fmt.Sprint(step, "-", i), user(), kind, someTime(today()-workday.Date(random.IntN(9)))))
			}
			_, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, events)
			return err
		}},
		{"a long day", func(step int) error {
			id, date := user(), today()-workday.Date(random.IntN(9))
			_, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{
				clock(fmt.Sprint(step, "-in"), id, workday.In, date.At(7*60, queriestest.Now.Location())), clock(fmt.Sprint(step, "-out"), id, workday.Out, date.At(20*60, queriestest.Now.Location()))})
			return err
		}},
		{"an edit", edit(func(e *attendance.RecordEdit) {
			e.Arrival, e.Departure = set(someTime(e.Key.Date)), set(someTime(e.Key.Date))
		})},
		{"leave", edit(func(e *attendance.RecordEdit) {
			e.Leave = ptr([]workday.DayType{"", workday.Leave, workday.HalfLeaveAM}[random.IntN(3)])
		})},
		{"a deletion", edit(func(e *attendance.RecordEdit) { e.Deleted = ptr(true) })},
		{"a restoring", edit(func(e *attendance.RecordEdit) { e.Deleted = ptr(false) })},
		{"moving", func(int) error {
			queriestest.Exec(t, db, "update users set department_id = $1 where id = $2", 1+random.Int64N(7), user())
			queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = 1")
			return db.Attendance.BeginDays(t.Context())
		}},
		{"time", func(int) error {
			c.Advance(time.Duration(random.IntN(16)) * time.Hour)
			if err := db.Attendance.BeginDays(t.Context()); err != nil {
				return err
			}
			return db.Attendance.SettleDays(t.Context())
		}},
		{"an import", func(int) error {
			importLong(t, db, attendance.ImportOptions{SkipBad: true}, fmt.Sprintf("H0006,%s,08:00,19:00,,", today()-workday.Date(random.IntN(60))))
			return nil
		}},
	}
	const records = "select coalesce(string_agg(r::text, E'\n' order by user_id, work_date, extra), '') from day_records r where company_id = 1"
	for step := range 400 {
		operation := operations[random.IntN(len(operations))]
		after := fmt.Sprintf("step %d, %s", step, operation.what)
		if err := operation.do(step); err != nil {
			t.Fatalf("%s: %v", after, err)
		}
		checkMonths(t, db, queriestest.Hanbit, after)
		checkWeeks(t, db, 1200, after)
		stored := queriestest.LookUp(t, db, records)
		if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, today()-9, today()+1); err != nil {
			t.Fatalf("%s: %v", after, err)
		}
		if again := queriestest.LookUp(t, db, records); again != stored {
			t.Fatalf("after %s, deriving once more changes records:\n%s", after, queriestest.Difference(stored, again))
		}
	}
	for what, sql := range map[string]string{
		"months":      "select count(distinct month) > 2 from attendance_months",
		"departments": "select count(*) > 0 from (select from attendance_months group by user_id, month having count(*) > 1) m",
		"long weeks":  "select count(*) > 0 from day_records where flags & 4096 <> 0",
		"extra":       "select count(*) > 0 from day_records where extra and deleted_at is null",
		"deleted":     "select count(*) > 0 from day_records where deleted_at is not null",
		"holidays":    "select count(*) > 0 from attendance_months where holidays like E'%\\n%' and holidays like '%창립기념일%'",
		"premiums":    "select count(*) > 0 from day_records where overtime_min > 480 and holiday_min = 0",
		"holiday":     "select count(*) > 0 from day_records where holiday_min > 0",
		"uncounted":   "select count(*) > 0 from day_records where uncounted > 0",
		"edited":      "select count(*) > 0 from attendance_months where edited",
	} {
		if queriestest.LookUp(t, db, sql) != "true" {
			t.Errorf("no %s in the test", what)
		}
	}
	t.Logf("%d edits refused, %s at the end", refused, c.Now())
}

// A day keeps the policy version with which it began. The version is read from
// the month, or from the record itself if it is deleted.
func TestEventsKeepTheVersionOfTheDay(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	by, scope := editor(t, db, queriestest.Admin)
	users := []int64{queriestest.Employee, queriestest.Kim}
	clockBoth := func(kind workday.Kind, when string) {
		for _, id := range users {
			accepted(t, take(t, db, clock(fmt.Sprint(id, kind, when), id, kind, at(t, when))))
		}
	}
	clockBoth(workday.In, "2026-11-18 09:00")
	clockBoth(workday.In, "2026-11-19 09:00")
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at, cancelled_at, until)
		select company_id, policy_id, 7, effective_from, enabled, name, '{"weekly_cap_min": 60}', search_text, created_at, effective_from, effective_from
		from policy_versions where company_id = 1 and policy_id = 2 and no = 1`)
	queriestest.Exec(t, db, "update day_records set version_no = 7 where company_id = 1 and policy_id = 2 and work_date = '2026-11-18'")
	queriestest.MustComputeMonths(t, db, queriestest.Hanbit)
	deletion := attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2026-11-18"), Deleted: ptr(true), Reason: "x"}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, deletion); err != nil {
		t.Fatal(err)
	}
	clockBoth(workday.Out, "2026-11-18 18:00")
	clockBoth(workday.Out, "2026-11-19 18:00")
	checkMonths(t, db, queriestest.Hanbit, "a version that is no more in force")
	days := queriestest.LookUp(t, db, `select string_agg(concat_ws(' ', to_char(work_date, 'DD'), 'version', version_no, case when deleted_at is not null then 'deleted' end, case when flags & 4096 <> 0 then 'over' end), ', ' order by user_id = $1, work_date)
		from day_records where company_id = 1 and user_id in ($1, $2) and departure_at is not null`, queriestest.Kim, queriestest.Employee)
	if days != "18 version 7 over, 19 version 1, 18 version 7 deleted, 19 version 1" {
		t.Errorf("the days are %s", days)
	}
}

func TestDemoMonthsFollowRecords(t *testing.T) {
	db := queriestest.DemoAttendance(t, 60, 40)
	for company := int64(1); company <= 2; company++ {
		checkMonths(t, db, company, "filling the demo")
	}
}
