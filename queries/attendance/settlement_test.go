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
