package attendance_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Whoever leaves within a settlement period, or has no record on its last date for another
// reason, has its overtime on the last record once the period is over.
func TestSettlementOfWhoLeft(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week"}' where company_id = 1 and policy_id = 2`)
	begin(t, db)
	c.Advance(10 * time.Hour)
	for _, day := range []string{"2026-11-18", "2026-11-19", "2026-11-20"} {
		for _, user := range []int64{queriestest.Kim, queriestest.Employee} {
			id := map[int64]string{queriestest.Kim: "kim ", queriestest.Employee: "employee "}[user]
			accepted(t, take(t, db, clock(id+"in "+day, user, workday.In, at(t, day+" 09:00")), clock(id+"out "+day, user, workday.Out, at(t, day+" 19:00"))))
		}
	}
	queriestest.Exec(t, db, "update users set hidden_at = $1 where company_id = 1 and id = $2", c.Now(), queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = 1")
	overtime := func(user int64) string {
		return queriestest.LookUp(t, db, "select string_agg(to_char(work_date, 'DD') || ' ' || balance_min || ' ' || overtime_min, ', ' order by work_date) from day_records where company_id = 1 and user_id = $1 and work_date between '2026-11-20' and '2026-11-22' and deleted_at is null", user)
	}
	for _, step := range []struct{ until, kim, employee string }{
		{"2026-11-21 10:00", "20 180 0", "20 180 0, 21 180 0, 22 180 180"},
		{"2026-11-22 10:00", "20 180 0", "20 180 0, 21 180 0"}, // without the record of Sunday
		{"2026-11-23 10:00", "20 180 180", "20 180 0, 21 180 180"},
	} {
		c.Advance(at(t, step.until).Sub(c.Now()))
		begin(t, db)
		if step.until == "2026-11-22 10:00" {
			by, scope := editor(t, db, queriestest.Admin)
			if err := db.Attendance.DeleteRecord(t.Context(), by, scope, keyOf(queriestest.Employee, "2026-11-22"), "휴직", nil); err != nil {
				t.Fatal(err)
			}
		}
		if kim, employee := overtime(queriestest.Kim), overtime(queriestest.Employee); kim != step.kim || employee != step.employee {
			t.Errorf("at %s: %q and %q, not %q and %q", step.until, kim, employee, step.kim, step.employee)
		}
	}
	checkMonths(t, db, queriestest.Hanbit, "the week is over")
	// A day that arrives late takes the overtime with it.
	queriestest.Exec(t, db, "update users set hidden_at = null where company_id = 1 and id = $1", queriestest.Kim)
	accepted(t, take(t, db, clock("kim late in", queriestest.Kim, workday.In, at(t, "2026-11-21 09:00")), clock("kim late out", queriestest.Kim, workday.Out, at(t, "2026-11-21 10:00"))))
	if got := overtime(queriestest.Kim); got != "20 180 0, 21 240 240" {
		t.Errorf("with a later day: %q", got)
	}
}

// A settled week of two months: the records before it, in the month in which it begins, do
// not end it there, and what a locked month has paid is not paid again.
func TestSettlementOfAWeekInTwoMonths(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week", "week_start": "wed"}' where company_id = 1 and policy_id = 2`)
	clockIn := func(day, until string) {
		accepted(t, take(t, db, clock("in "+day, queriestest.Kim, workday.In, at(t, day+" 09:00")), clock("out "+day, queriestest.Kim, workday.Out, at(t, day+" "+until))))
	}
	overtime := func() string {
		return queriestest.LookUp(t, db, "select string_agg(to_char(work_date, 'DD') || ' ' || balance_min || ' ' || overtime_min, ', ' order by work_date) from day_records where company_id = 1 and user_id = $1 and work_date between '2026-10-28' and '2026-11-03' and deleted_at is null", queriestest.Kim)
	}
	expect := func(when, want string) {
		t.Helper()
		if got := overtime(); got != want {
			t.Errorf("%s: %q, not %q", when, got, want)
		}
		checkMonths(t, db, queriestest.Hanbit, when)
	}
	clockIn("2026-10-30", "20:00")
	expect("the last record", "30 120 120")
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	clockIn("2026-11-02", "19:00")
	expect("after the month was locked", "30 120 120, 02 180 60")
	unlockOctober(t, db)
	expect("unlocked", "30 120 0, 02 180 180")
	clockIn("2026-10-28", "18:00")
	expect("of the same week", "28 0 0, 30 120 0, 02 180 180")
	clockIn("2026-10-23", "19:00")
	expect("of a week before", "28 0 0, 30 120 0, 02 180 180")
	c.Advance(time.Hour)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	expect("locked again", "28 0 0, 30 120 0, 02 180 180")
}
