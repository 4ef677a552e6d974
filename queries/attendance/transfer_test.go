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

// transferred returns a company with Kim, who was added at a time and was in the messenger
// team under another name until noon of 5 August. Research, which the team is below, begins
// at 7.
func transferred(t *testing.T, added string) *areas.Areas {
	t.Helper()
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into policies (company_id, id, kind) overriding system value values (1, 20, 'workingattitude')`)
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		values (1, 20, 1, '2026-01-01', true, '연구소 근태', '{"week":{"tue":{"work":true,"start":"07:00","end":"16:00"},"wed":{"work":true,"start":"07:00","end":"16:00"}}}', '', '2026-01-01')`)
	queriestest.Exec(t, db, "insert into policy_targets (company_id, policy_id, no, department_id) values (1, 20, 1, $1)", queriestest.Research)
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1")
	queriestest.Exec(t, db, "update users set created_at = $1 where company_id = 1 and id = $2", at(t, added), queriestest.Kim)
	queriestest.Exec(t, db, "insert into user_history (company_id, user_id, department_id, name, until) values (1, $1, $2, '김옛이름', $3)", queriestest.Kim, queriestest.Messenger, at(t, "2026-08-05 12:00"))
	return db
}

// A day without a record belongs to the department of then, and follows its policy.
func TestDaysBeforeATransfer(t *testing.T) {
	const recorded = "select string_agg(concat_ws(' ', work_date, department_id, policy_id, name, status), ', ' order by work_date) from day_records where company_id = 1 and user_id = 6 and work_date < '2026-09-01'"
	rows := []string{"H0006,2026-08-04,08:00,18:00,,", "H0006,2026-08-05,08:00,18:00,,", "H0006,2026-08-06,08:00,18:00,,"}
	for added, want := range map[string]string{
		"2026-01-02 09:00": "2026-08-04 6 20 김옛이름 late, 2026-08-05 6 20 김옛이름 late, 2026-08-06 3 2 김철수 on_time",
		"2026-08-05 11:00": "2026-08-04 3 2 김철수 on_time, 2026-08-05 3 2 김철수 on_time, 2026-08-06 3 2 김철수 on_time",
	} {
		db := transferred(t, added)
		importLong(t, db, attendance.ImportOptions{}, rows...)
		if got := queriestest.LookUp(t, db, recorded); got != want {
			t.Errorf("added %s: %s", added, got)
		}
		checkMonths(t, db, queriestest.Hanbit, "a transfer")
	}
}

// Whoever is responsible for a department neither sees nor edits what was before somebody
// came to it.
func TestDaysBeforeATransferAreOfTheFormerDepartment(t *testing.T) {
	db := transferred(t, "2026-01-02 09:00")
	by, scope := editor(t, db, queriestest.Manager)
	for date, want := range map[string]error{"2026-08-04": queries.NotFound, "2026-08-06": nil} {
		key := keyOf(queriestest.Kim, date)
		if _, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Manager), key); !errors.Is(err, want) {
			t.Errorf("the record of %s: %v", date, err)
		}
		arrival := at(t, date+" 08:30")
		if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Arrival: set(arrival), Reason: "x"}); !errors.Is(err, want) {
			t.Errorf("editing %s: %v", date, err)
		}
	}
}

// An event is judged by the policy of its own date, like the record that it belongs to: a
// transfer takes effect with the next date.
func TestEventsOfTheDayOfATransfer(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `insert into policies (company_id, id, kind) overriding system value values (1, 20, 'workingattitude')`)
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		values (1, 20, 1, '2026-01-01', true, '연구소 근태', '{"clock_platforms": ["web"]}', '', '2026-01-01')`)
	queriestest.Exec(t, db, "insert into policy_targets (company_id, policy_id, no, department_id) values (1, 20, 1, $1)", queriestest.Research)
	setAttitude(t, db, `{"clock_platforms": ["pc"]}`)
	queriestest.Exec(t, db, "update users set created_at = '2026-01-02' where company_id = 1 and id = $1", queriestest.Kim)
	queriestest.Exec(t, db, "insert into user_history (company_id, user_id, department_id, name, until) values (1, $1, $2, '김철수', $3)", queriestest.Kim, queriestest.Messenger, at(t, "2026-11-20 09:30"))
	c.Advance(24 * time.Hour)
	for when, want := range map[string]string{
		"2026-11-19 18:00": "event.platform accepted",
		"2026-11-20 09:00": "event.platform accepted",
		"2026-11-20 18:00": "event.platform accepted",
		"2026-11-21 09:00": "accepted event.platform",
	} {
		pc, web := clock("pc "+when, queriestest.Kim, workday.Out, at(t, when)), clock("web "+when, queriestest.Kim, workday.Out, at(t, when))
		pc.Platform, web.Platform = "pc", "web"
		if got := outcomes(take(t, db, pc, web)); got != want {
			t.Errorf("at %s: %s, not %s", when, got, want)
		}
	}
}
