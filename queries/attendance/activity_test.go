package attendance_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func takeActivities(t *testing.T, db *areas.Areas, activities ...attendance.Activity) string {
	t.Helper()
	results, err := db.Attendance.TakeActivities(t.Context(), queriestest.Hanbit, activities)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes(results)
}

// Who does not clock out has left with their last activity, also if it is reported after
// the day is over, in any order.
func TestLastActivityIsTheDeparture(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	setAttitude(t, db, `{"missing_departure": "last_activity"}`)
	active := func(user int64, when string) attendance.Activity {
		return attendance.Activity{UserID: user, At: at(t, when)}
	}
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00"))))
	c.Advance(at(t, "2026-11-20 19:00").Sub(c.Now()))
	if got := takeActivities(t, db, active(queriestest.Kim, "2026-11-20 18:40"), active(queriestest.Kim, "2026-11-20 12:10"), active(queriestest.Employee, "2026-11-20 18:30")); got != "accepted accepted accepted" {
		t.Fatal(got)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-20"); got != "[working 09:00 - -]" {
		t.Errorf("before the day is over: %s", got)
	}
	c.Advance(at(t, "2026-11-21 12:00").Sub(c.Now()))
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ activity, want string }{
		{"", "[on_time 09:00 18:40 520]"},
		{"2026-11-20 18:39", "[on_time 09:00 18:40 520]"},
		{"2026-11-20 20:05", "[on_time 09:00 20:05 605]"},
		{"2026-11-21 11:50", "[on_time 09:00 20:05 605]"}, // outside of the day
	} {
		if step.activity != "" {
			if got := takeActivities(t, db, active(queriestest.Kim, step.activity)); got != "accepted" {
				t.Fatal(got)
			}
		}
		if got := dayOf(t, db, queriestest.Kim, "2026-11-20"); got != step.want {
			t.Errorf("with an activity at %q: %s, not %s", step.activity, got, step.want)
		}
	}
	if got := dayOf(t, db, queriestest.Employee, "2026-11-20"); got != "" {
		t.Errorf("an activity without an arrival has begun a record: %s", got)
	}
	before := queriestest.LookUp(t, db, "select string_agg(d::text, ' ' order by user_id, work_date, extra) from day_records d")
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, keyOf(0, "2026-11-20").Date, keyOf(0, "2026-11-21").Date); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, "select string_agg(d::text, ' ' order by user_id, work_date, extra) from day_records d"); after != before {
		t.Errorf("computed again, %s is %s", before, after)
	}
}

// Where another departure is chosen, nothing is stored about activity.
func TestActivityIsStoredWhereItCounts(t *testing.T) {
	db := queriestest.New(t)
	if got := takeActivities(t, db, attendance.Activity{UserID: queriestest.Kim, At: queriestest.Now}); got != "accepted" {
		t.Error(got)
	}
	if n := queriestest.LookUp(t, db, "select count(*)::text from attendance_activities"); n != "0" {
		t.Errorf("%s are stored", n)
	}
}

func TestRefusedActivities(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	now := queriestest.Now
	got := takeActivities(t, db, attendance.Activity{UserID: 404, At: now}, attendance.Activity{UserID: queriestest.Employee, At: now}, attendance.Activity{UserID: queriestest.Kim},
		attendance.Activity{UserID: queriestest.Kim, At: now.AddDate(0, 0, -32)}, attendance.Activity{UserID: queriestest.Kim, At: now.Add(time.Hour)}, attendance.Activity{UserID: queriestest.Kim, At: now.Add(time.Minute)})
	if want := "event.user event.user_hidden event.time event.past event.future accepted"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	_, err := db.Attendance.TakeActivities(t.Context(), queriestest.Hanbit, make([]attendance.Activity, attendance.ClockBatch+1))
	if !errors.Is(err, queries.Invalid("event.too_many")) {
		t.Errorf("too many: %v", err)
	}
}
