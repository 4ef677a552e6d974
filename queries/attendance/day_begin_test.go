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

// Days on which the program did not run begin when it runs again, for who was there then and
// not in locked months.
func TestMissedDaysBegin(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, "update users set created_at = '2026-01-02' where company_id = 1 and id <> $1", queriestest.Employee)
	queriestest.Exec(t, db, "update users set created_at = $1 where company_id = 1 and id = $2", at(t, "2026-11-24 09:00"), queriestest.Employee)
	begin(t, db)
	c.Advance(at(t, "2026-11-25 10:00").Sub(c.Now()))
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-24 09:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-24 18:00"))))
	begin(t, db)
	const rows = "select string_agg(work_date || ' ' || status || ' ' || n, ', ' order by work_date, status) from (select work_date, status, count(*) n from day_records where company_id = 1 and work_date between '2026-11-22' and '2026-11-25' group by 1, 2) d"
	if got := queriestest.LookUp(t, db, rows); got != "2026-11-22 holiday 6, 2026-11-23 absent 6, 2026-11-24 absent 6, 2026-11-24 on_time 1, 2026-11-25 before 7" {
		t.Errorf("made up for: %s", got)
	}
	checkMonths(t, db, queriestest.Hanbit, "missed days")
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-11-01', now(), 1)")
	c.Advance(at(t, "2026-12-02 10:00").Sub(c.Now()))
	begin(t, db)
	if got := queriestest.LookUp(t, db, "select string_agg(distinct work_date::text, ' ' order by work_date::text) from day_records where company_id = 1 and work_date > '2026-11-26'"); got != "2026-12-01 2026-12-02 2026-12-03" {
		t.Errorf("with a locked month: %s", got)
	}
	c.Advance(90 * 24 * time.Hour)
	if err := db.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin(t, db)
	if got := queriestest.LookUp(t, db, "select count(distinct work_date)::text from day_records where company_id = 1 and work_date > '2026-12-03'"); got != "33" {
		t.Errorf("after three months: %s dates", got)
	}
}

// Whoever is hidden or deactivated is not absent from then on. A day that they have begun
// stays, and so does leave.
func TestNoRecordsAfterHiding(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, $1, '2026-11-20', 'leave')", queriestest.Viewer)
	begin(t, db)
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00"))))
	c.Advance(time.Hour)
	queriestest.Exec(t, db, "update users set hidden_at = $1 where company_id = 1 and id = any ($2)", c.Now(), []int64{queriestest.Kim, queriestest.Employee, queriestest.Viewer})
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = 1")
	begin(t, db)
	for user, want := range map[int64]string{queriestest.Kim: "2026-11-20 working", queriestest.Employee: "", queriestest.Viewer: "2026-11-20 leave", queriestest.Admin: "2026-11-20 before, 2026-11-21 day_off"} {
		if got := queriestest.LookUp(t, db, "select coalesce(string_agg(work_date || ' ' || status, ', ' order by work_date), '') from day_records where user_id = $1", user); got != want {
			t.Errorf("records of %d: %q, not %q", user, got, want)
		}
	}
	checkMonths(t, db, queriestest.Hanbit, "people are hidden")
	queriestest.Exec(t, db, "update users set hidden_at = null where company_id = 1 and id = $1", queriestest.Employee)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = 1")
	begin(t, db)
	if got := queriestest.LookUp(t, db, "select count(*)::text from day_records where user_id = $1", queriestest.Employee); got != "2" {
		t.Errorf("shown again: %s records", got)
	}
}

// A day that begins leaves the records of a locked month as they are, also those of its own
// settlement period, and what the month has paid is not paid again.
func TestDayBeginsBesideALockedMonth(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week"}' where company_id = 1 and policy_id = 2`)
	begin(t, db)
	c.Advance(at(t, "2026-12-07 10:00").Sub(c.Now()))
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-30 09:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-30 20:00"))))
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.LockMonth(t.Context(), by, keyOf(0, "2026-11-01").Date); err != nil {
		t.Fatal(err)
	}
	const november = "select string_agg(user_id || ' ' || work_date || ' ' || overtime_min, ', ' order by user_id, work_date) from day_records where company_id = 1 and work_date between '2026-11-22' and '2026-11-30'"
	if got := queriestest.LookUp(t, db, november); got != "6 2026-11-30 120" {
		t.Fatalf("locked with %s", got)
	}
	begin(t, db)
	if got := queriestest.LookUp(t, db, november); got != "6 2026-11-30 120" {
		t.Errorf("the locked month: %s", got)
	}
	checkMonths(t, db, queriestest.Hanbit, "beginning days")
	before := queriestest.LookUp(t, db, storedRecords)
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, keyOf(0, "2026-12-01").Date, keyOf(0, "2026-12-08").Date); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// In a time zone further west it may be the last day of a locked month again.
func TestTodayDoesNotBeginInALockedMonth(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(at(t, "2026-12-01 05:00").Sub(c.Now()))
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.LockMonth(t.Context(), by, keyOf(0, "2026-11-01").Date); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update companies set time_zone = 'UTC' where id = 1")
	begin(t, db)
	if got := queriestest.LookUp(t, db, "select string_agg(distinct work_date::text, ' ') from day_records where company_id = 1"); got != "2026-12-01" {
		t.Errorf("days: %s", got)
	}
}
