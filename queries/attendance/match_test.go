package attendance_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// latePeople returns a database in which three people arrived late on friday;
// the time is 20:00 of that day.
func latePeople(t *testing.T) *areas.Areas {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(10 * time.Hour)
	for _, id := range []int64{queriestest.Kim, queriestest.Foreigner, queriestest.Employee} {
		name := string(rune('a' + id))
		accepted(t, take(t, db, clock("in"+name, id, workday.In, at(t, "2026-11-20 09:34")), clock("out"+name, id, workday.Out, at(t, "2026-11-20 18:02"))))
	}
	return db
}

func matches(t *testing.T, db *areas.Areas, scope attendance.RecordScope, f attendance.Filter) attendance.RecordMatches {
	t.Helper()
	day := keyOf(0, friday).Date
	f.First, f.Last = day-3, day
	m, err := db.Attendance.RecordMatches(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func arriving(keys []attendance.RecordKey, when time.Time) []attendance.RecordEdit {
	edits := make([]attendance.RecordEdit, len(keys))
	for i, key := range keys {
		edits[i] = attendance.RecordEdit{Key: key, Arrival: set(when), Reason: "정전"}
	}
	return edits
}

func TestEditWhatMatches(t *testing.T) {
	db := latePeople(t)
	by, scope := editor(t, db, queriestest.Admin)
	late := matches(t, db, scope, attendance.Filter{Status: workday.StatusLate})
	if len(late.Keys) != 3 || late.LastEdit != 0 {
		t.Fatalf("late are %+v", late)
	}
	if narrow := matches(t, db, scope, attendance.Filter{Status: workday.StatusLate, DepartmentIDs: lists.OneDepartment(queriestest.Sales)}); len(narrow.Keys) != 2 {
		t.Errorf("late of a subtree are %+v", narrow)
	}
	edits := arriving(late.Keys, at(t, "2026-11-20 08:55"))

	// Somebody else edits one of the records meanwhile.
	manager, theirs := editor(t, db, queriestest.Manager)
	if err := db.Attendance.EditRecord(t.Context(), manager, theirs, attendance.RecordEdit{Key: keyOf(queriestest.Foreigner, friday), Departure: set(at(t, "2026-11-20 19:00")), Reason: "착오"}); err != nil {
		t.Fatal(err)
	}
	plan, err := db.Attendance.PlanEdits(t.Context(), by, scope, edits, late.LastEdit)
	if err != nil || plan.Edited != 2 || len(plan.Refused) != 1 || plan.Refused[keyOf(queriestest.Foreigner, friday)]["record"] != "record.changed" {
		t.Fatalf("plan %+v (%v)", plan, err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_edits"); n != "1" {
		t.Errorf("planning made %s edits", n)
	}
	if _, changed, err := db.Attendance.EditPossible(t.Context(), by, scope, edits, late.LastEdit, 3); err != nil || !changed {
		t.Errorf("confirmed with another number of records: changed %v, %v", changed, err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_edits"); n != "1" {
		t.Errorf("a number of records that was not confirmed made %s edits", n)
	}
	if plan, changed, err := db.Attendance.EditPossible(t.Context(), by, scope, edits, late.LastEdit, 2); err != nil || changed || plan.Edited != 2 {
		t.Errorf("%+v %v %v", plan, changed, err)
	}
	if still := matches(t, db, scope, attendance.Filter{Status: workday.StatusLate}); len(still.Keys) != 1 || still.Keys[0].UserID != queriestest.Foreigner {
		t.Errorf("late are still %+v", still.Keys)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from changes where action = 'attendance.edited' and actor_name = '김서연'"); n != "2" {
		t.Errorf("the change log has %s", n)
	}
}

// A user who may not edit locked months gets a refusal for each of their
// records. Records that already have the new time are reported as unchanged.
func TestEditWhatMatchesRefuses(t *testing.T) {
	db := latePeople(t)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-11-01', now(), 1)")
	by, scope := editor(t, db, queriestest.Manager)
	late := matches(t, db, scope, attendance.Filter{Status: workday.StatusLate})
	plan, err := db.Attendance.PlanEdits(t.Context(), by, scope, arriving(late.Keys, at(t, "2026-11-20 08:55")), late.LastEdit)
	if err != nil || plan.Edited != 0 || len(plan.Refused) != 2 || plan.Refused[keyOf(queriestest.Kim, friday)]["record"] != "record.locked" {
		t.Errorf("in a locked month %+v (%v)", plan, err)
	}
	by, scope = editor(t, db, queriestest.Admin)
	plan, err = db.Attendance.PlanEdits(t.Context(), by, scope, arriving(late.Keys, at(t, "2026-11-20 09:34")), late.LastEdit)
	if err != nil || plan.Edited != 0 || plan.Refused[keyOf(queriestest.Kim, friday)]["record"] != "record.unchanged" {
		t.Errorf("the same times %+v (%v)", plan, err)
	}
}

func TestTooMuchMatches(t *testing.T) {
	db := queriestest.New(t)
	_, scope := editor(t, db, queriestest.Admin)
	queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, extra, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status)
		select 1, 1000 + n % 600, date '2026-11-01' + n / 600, false, 'x', 1, 2, 1, 'workday', now(), now(), 'left', 'late' from generate_series(0, 10000) n`)
	first := keyOf(0, "2026-11-01").Date
	if m, err := db.Attendance.RecordMatches(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, attendance.Filter{First: first, Last: first + 15}); err != nil || len(m.Keys) != 9600 {
		t.Errorf("%d records, %v", len(m.Keys), err)
	}
	if _, err := db.Attendance.RecordMatches(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, attendance.Filter{First: first, Last: first + 16}); !errors.Is(err, queries.Invalid("attendance.match.too_many")) {
		t.Errorf("10,001 records: %v", err)
	}
	queriestest.Exec(t, db, "delete from day_records where user_id = 1000 and work_date = '2026-11-05'")
	if m, err := db.Attendance.RecordMatches(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, attendance.Filter{First: first, Last: first + 16}); err != nil || len(m.Keys) != attendance.EditMatches {
		t.Errorf("10,000 records: %d, %v", len(m.Keys), err)
	}
}
