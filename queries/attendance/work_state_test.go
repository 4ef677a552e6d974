package attendance_test

import (
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func TestCurrentWork(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	everybody := []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese, queriestest.Bot}
	check := func(when string, want map[int64]attendance.WorkState) {
		t.Helper()
		states, err := db.Attendance.CurrentWork(t.Context(), queriestest.Hanbit, everybody)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range everybody {
			if got := states[id].State; got != want[id] {
				t.Errorf("%s: the state of %d is %q, not %q", when, id, got, want[id])
			}
		}
	}
	check("without records", nil)
	begin(t, db)
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00")),
		clock("in 2", queriestest.Employee, workday.In, at(t, "2026-11-20 08:30")), clock("out 2", queriestest.Employee, workday.Out, at(t, "2026-11-20 09:55")),
		clock("in 3", queriestest.Viewer, workday.In, at(t, "2026-11-20 09:10"))))
	queriestest.Exec(t, db, "update day_records set flags = flags | $1 where user_id = $2", int32(workday.FlagOutside), queriestest.Viewer)
	queriestest.Exec(t, db, "update day_records set day_type = 'leave', presence = 'not_due' where user_id = $1", queriestest.Japanese)
	queriestest.Exec(t, db, "update day_records set deleted_at = now() where user_id = $1", queriestest.Foreigner)
	friday := map[int64]attendance.WorkState{
		queriestest.Admin: attendance.BeforeWork, queriestest.Employee: attendance.AfterWork, queriestest.Viewer: attendance.WorkingOut, queriestest.Kim: attendance.Working, queriestest.Japanese: attendance.OnLeave,
	}
	check("on Friday", friday)
	states, err := db.Attendance.CurrentWork(t.Context(), queriestest.Hanbit, everybody)
	if start := states[queriestest.Admin].StartsAt; err != nil || start == nil || !start.Equal(at(t, "2026-11-20 09:00")) {
		t.Errorf("work starts at %v (%v)", start, err)
	}
	if others, err := db.Attendance.CurrentWork(t.Context(), queriestest.Other, everybody); err != nil || len(others) != 0 {
		t.Errorf("another company sees %v (%v)", others, err)
	}

	c.Advance(17*time.Hour + 59*time.Minute) // a minute before the windows of Friday close
	check("at night", friday)
	c.Advance(time.Minute)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("on Saturday", map[int64]attendance.WorkState{
		queriestest.Admin: attendance.DayOff, queriestest.Employee: attendance.DayOff, queriestest.Viewer: attendance.DayOff, queriestest.Kim: attendance.DayOff, queriestest.Japanese: attendance.DayOff,
	})
}
