package attendance_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Records that earlier rules computed are computed again once, also those of
// hidden users; a run that was interrupted goes on behind the noted user.
func TestRecomputeOutdated(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(12 * time.Hour)
	for _, user := range []int64{queriestest.Employee, queriestest.Kim} {
		accepted(t, take(t, db, clock(queriestest.LookUp(t, db, "select gen_random_uuid()::text"), user, workday.In, at(t, "2026-11-18 09:00")),
			clock(queriestest.LookUp(t, db, "select gen_random_uuid()::text"), user, workday.Out, at(t, "2026-11-18 20:00"))))
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where company_id = 1 and id = $1", queriestest.Kim)
	overtime := func() string {
		return queriestest.LookUp(t, db, "select string_agg(overtime_min::text, ' ' order by user_id) from day_records where work_date = '2026-11-18' and arrival_at is not null")
	}
	falsify := func(after int64) {
		queriestest.Exec(t, db, "update day_records set overtime_min = 1 where work_date = '2026-11-18'")
		queriestest.MustComputeMonths(t, db, queriestest.Hanbit)
		queriestest.Exec(t, db, "insert into attendance_outdated (company_id, first, last, after_user_id) values (1, '2026-10-01', '2026-11-30', $1)", after)
	}
	for _, one := range []struct {
		after int64
		want  string
	}{{0, "120 120"}, {min(queriestest.Employee, queriestest.Kim), "1 120"}} {
		falsify(one.after)
		if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := overtime(); got != one.want {
			t.Errorf("after user %d: overtime %s, want %s", one.after, got, one.want)
		}
		if n := queriestest.LookUp(t, db, "select count(*) from attendance_outdated"); n != "0" {
			t.Errorf("%s recomputations are left", n)
		}
	}
}
