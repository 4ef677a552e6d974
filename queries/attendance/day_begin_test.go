package attendance_test

import (
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func begin(t *testing.T, db *areas.Areas) {
	t.Helper()
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestDaysBeginAndSettle(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	count := func(statement string) string { return queriestest.LookUp(t, db, statement) }
	if got := count("select string_agg(work_date || ' ' || n, ', ' order by work_date) from (select work_date, count(*) n from day_records where company_id = 1 group by 1) d"); got != "2026-11-20 7, 2026-11-21 7" {
		t.Errorf("rows by date: %s", got) // seven people who are neither bots nor hidden
	}
	if got := count("select string_agg(distinct work_date || ' ' || day_type || ' ' || status, ', ') from day_records where company_id = 1"); got != "2026-11-20 workday before, 2026-11-21 day_off day_off" {
		t.Errorf("days: %s", got)
	}
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00")),
		clock("in 2", queriestest.Employee, workday.In, at(t, "2026-11-20 08:30")), clock("out 2", queriestest.Employee, workday.Out, at(t, "2026-11-20 09:55"))))
	for user, want := range map[int64]string{queriestest.Kim: "[working 09:00 - -]", queriestest.Employee: "[early_leave 08:30 09:55 85]", queriestest.Admin: "[before - - 0]"} {
		if got := dayOf(t, db, user, "2026-11-20"); got != want {
			t.Errorf("before the window closes, %d: %s", user, got)
		}
	}
	c.Advance(17*time.Hour + 59*time.Minute) // 03:59, a minute before the window closes
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Admin, "2026-11-20"); got != "[before - - 0]" {
		t.Errorf("a minute before the window closes: %s", got)
	}
	c.Advance(time.Minute)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[int64]string{queriestest.Kim: "[missing_departure 09:00 - -]", queriestest.Employee: "[early_leave 08:30 09:55 85]", queriestest.Admin: "[absent - - 0]"} {
		if got := dayOf(t, db, user, "2026-11-20"); got != want {
			t.Errorf("after the window closed, %d: %s", user, got)
		}
	}
	if got := count("select count(*) from day_records where settles_at <= '2026-11-21 04:00+09'"); got != "0" {
		t.Errorf("%s records have still to settle", got)
	}
}

// Deriving records again from the same events changes nothing.
func TestRecordsAreDerivedOnce(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(12 * time.Hour)
	for _, day := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"} {
		accepted(t, take(t, db, clock("in"+day, queriestest.Kim, workday.In, at(t, day+" 07:00")), clock("out"+day, queriestest.Kim, workday.Out, at(t, day+" 19:30"))))
	}
	c.Advance(24 * time.Hour)
	begin(t, db)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	const all = "select string_agg(r::text, E'\n' order by user_id, work_date, extra) from day_records r where company_id = 1"
	before := queriestest.LookUp(t, db, all)
	if got := queriestest.LookUp(t, db, "select string_agg(work_date::text, ' ' order by work_date) from day_records where flags & 4096 <> 0"); got != "2026-11-20" {
		t.Errorf("over the 52 hours on %q", got) // 11.5 hours a day
	}
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, workday.NewDate(2026, 11, 16), workday.NewDate(2026, 11, 21)); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, all); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestNewPolicyReachesDaysAhead(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	begin(t, db)
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		values (1, 2, 2, '2026-11-20 15:00Z', true, '기본 근태 정책', '{"holiday_calendar": "none", "week": {"sat": {"work": true, "start": "10:00", "end": "14:00", "end_next_day": false}}}', '', now())`)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1 where id = 1")
	begin(t, db)
	if got := queriestest.LookUp(t, db, "select string_agg(distinct work_date || ' ' || version_no || ' ' || day_type, ', ') from day_records where company_id = 1"); got != "2026-11-20 1 workday, 2026-11-21 2 workday" {
		t.Errorf("days: %s", got)
	}
}

// A record and the extra record of the same date settle in the same run.
func TestDayAndExtraSettle(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(10 * time.Hour)
	accepted(t, take(t, db, clock("night in", queriestest.Kim, workday.In, at(t, "2026-11-20 04:10")), clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00"))))
	c.Advance(24 * time.Hour)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-20"); got != "[missing_departure 09:00 - -][missing_departure 04:10 - -]" {
		t.Errorf("settled as %s", got)
	}
}

// A deleted record stays deleted when a newer version of its policy starts on
// its date, although the record gets that version, and when its date is
// computed again.
func TestNewPolicyDoesNotRestoreRecords(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	begin(t, db)
	by, scope := editor(t, db, queriestest.Admin)
	key := keyOf(queriestest.Kim, friday)
	if err := db.Attendance.DeleteRecord(t.Context(), by, scope, key, "휴직", nil); err != nil {
		t.Fatal(err)
	}
	const kim = "select version_no || ' ' || (deleted_at is not null) from day_records where user_id = 6 and work_date = '2026-11-20'"
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		values (1, 2, 2, '2026-11-20 09:59+09', true, '기본 근태 정책', '{"grace_in_min": 10}', '', now())`)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1 where id = 1")
	begin(t, db)
	if got := queriestest.LookUp(t, db, kim); got != "2 true" {
		t.Errorf("after the new version started: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from day_records where company_id = 1 and work_date = '2026-11-20' and version_no = 2"); got != "7" {
		t.Errorf("%s records have the new version", got)
	}
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, key.Date, key.Date); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, kim); got != "2 true" {
		t.Errorf("after recomputing: %s", got)
	}
	if err := db.Attendance.RestoreRecord(t.Context(), by, scope, key, "복직", nil); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, kim); got != "2 false" {
		t.Errorf("after restoring: %s", got)
	}
}
