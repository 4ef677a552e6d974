package attendance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// reminders runs the job at a time of 20 November and returns the people that it
// has reminded since the last call, as "in 00:00Z 2 6".
func reminders(t *testing.T, db *areas.Areas, c *queriestest.Clock, when string, before *int) []string {
	t.Helper()
	if behind := at(t, when).Sub(db.Now()); behind > 0 {
		c.Advance(behind)
	}
	if err := db.Attendance.SendReminders(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := messagesOf(t, db, "attendance.reminded")
	fresh := all[*before:]
	*before = len(all)
	return fresh
}

// reminded is a message with the time in Seoul.
func reminded(t *testing.T, kind, when string, ids ...int64) string {
	return fmt.Sprintf(`{"at": "%s", "kind": "%s", "user_ids": %s, "work_date": "%s"}`,
		at(t, when).UTC().Format(time.RFC3339), kind, strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), when[:10])
}

// beginMonday sets the policy of everybody in the company and creates the records of
// Monday, the 23rd.
func beginMonday(t *testing.T, settings string) (*areas.Areas, *queriestest.Clock) {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	setAttitude(t, db, settings)
	queriestest.Exec(t, db, "delete from policy_targets where company_id = 1")
	queriestest.Exec(t, db, "update users set hidden_at = now() where company_id = 1 and id not in ($1, $2, $3)", queriestest.Kim, queriestest.Employee, queriestest.Viewer)
	c.Advance(at(t, "2026-11-23 06:00").Sub(db.Now()))
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db, c
}

func TestReminders(t *testing.T) {
	db, c := beginMonday(t, `{"remind_in": 10, "remind_out": 5}`)
	sent := 0
	check := func(when string, want ...string) {
		t.Helper()
		if got := reminders(t, db, c, when, &sent); !slices.Equal(got, want) {
			t.Errorf("at %s: %q, want %q", when, got, want)
		}
	}
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, $1, '2026-11-23', 'leave')", queriestest.Viewer)
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, workday.NewDate(2026, 11, 23), workday.NewDate(2026, 11, 23)); err != nil {
		t.Fatal(err)
	}
	check("2026-11-23 08:49")
	check("2026-11-23 08:50", reminded(t, "in", "2026-11-23 09:00", queriestest.Employee, queriestest.Kim))
	check("2026-11-23 08:51")
	accepted(t, take(t, db, clock("kim", queriestest.Kim, workday.In, at(t, "2026-11-23 08:51")), clock("employee", queriestest.Employee, workday.In, at(t, "2026-11-23 08:51"))))
	check("2026-11-23 18:04")
	accepted(t, take(t, db, clock("left", queriestest.Kim, workday.Out, at(t, "2026-11-23 18:04"))))
	check("2026-11-23 18:05", reminded(t, "out", "2026-11-23 18:00", queriestest.Employee))
	check("2026-11-23 18:06")
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("2026-11-24 09:00") // due ten minutes ago, which is too long
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	check("2026-11-25 08:40")
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("2026-11-25 08:59", reminded(t, "in", "2026-11-25 09:00", queriestest.Viewer, queriestest.Kim))
}

func TestNobodyIsRemindedOnHolidays(t *testing.T) {
	db, c := beginMonday(t, `{"remind_in": 10, "holiday_dates": [{"date": "2026-11-23", "name": "창립기념일"}]}`)
	sent := 0
	if got := reminders(t, db, c, "2026-11-23 08:55", &sent); len(got) > 0 {
		t.Errorf("reminded %q", got)
	}
}

// Flexible work is reminded of the latest arrival that is on time, and when the
// hours since one's own arrival are over.
func TestRemindersOfFlexibleWork(t *testing.T) {
	db, c := beginMonday(t, `{"work_type": "flexible", "remind_in": 15, "remind_out": 0, "flexible_start": {"from": "07:00", "to": "10:00"}}`)
	sent := 0
	check := func(when string, want ...string) {
		t.Helper()
		if got := reminders(t, db, c, when, &sent); !slices.Equal(got, want) {
			t.Errorf("at %s: %q, want %q", when, got, want)
		}
	}
	accepted(t, take(t, db, clock("early", queriestest.Kim, workday.In, at(t, "2026-11-23 06:00"))))
	check("2026-11-23 09:44")
	check("2026-11-23 09:45", reminded(t, "in", "2026-11-23 10:00", queriestest.Employee, queriestest.Viewer))
	accepted(t, take(t, db, clock("employee", queriestest.Employee, workday.In, at(t, "2026-11-23 09:45"))))
	check("2026-11-23 10:30")
	accepted(t, take(t, db, clock("viewer", queriestest.Viewer, workday.In, at(t, "2026-11-23 10:30"))))
	check("2026-11-23 15:59")
	check("2026-11-23 16:00", reminded(t, "out", "2026-11-23 16:00", queriestest.Kim))
	check("2026-11-23 18:45", reminded(t, "out", "2026-11-23 18:45", queriestest.Employee))
	check("2026-11-23 19:30", reminded(t, "out", "2026-11-23 19:30", queriestest.Viewer))
}
