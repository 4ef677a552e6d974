package attendance_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// longWeek returns a company in which Kim works from Monday to Saturday, so that Saturday is
// overtime of the week.
func longWeek(t *testing.T, monday string) *areas.Areas {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = settings || '{"overtime": "automatic"}' where company_id = 1 and policy_id = $1`, defaultAttendance)
	first := keyOf(queriestest.Kim, monday).Date
	var rows []string
	for date := first; date < first+6; date++ {
		rows = append(rows, fmt.Sprintf("H0006,%s,09:00,18:00,,", date))
	}
	if got := summary(importLong(t, db, attendance.ImportOptions{}, rows...)); got != "rows 6 created 6 unchanged 0 refused 0 written true" {
		t.Fatal(got)
	}
	c.Advance(time.Minute) // what is received from now on is later
	return db
}

// overtime returns the overtime of a record as it is stored, and as its page computes it.
func overtime(t *testing.T, db *areas.Areas, key attendance.RecordKey) string {
	t.Helper()
	r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), key)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %d", r.OvertimeMin, r.Premium.OvertimeMin)
}

func leaveAt(t *testing.T, db *areas.Areas, key attendance.RecordKey, hour string) {
	t.Helper()
	by, scope := editor(t, db, queriestest.Admin)
	departure := at(t, key.Date.String()+" "+hour)
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Departure: set(departure), Reason: "x"}); err != nil {
		t.Fatal(err)
	}
}

func recomputeChangesNothing(t *testing.T, db *areas.Areas, first, last string) {
	t.Helper()
	before := queriestest.LookUp(t, db, storedRecords)
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, keyOf(0, first).Date, keyOf(0, last).Date); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Errorf("computing the records once more changes them from\n%s\nto\n%s", before, after)
	}
	checkMonths(t, db, queriestest.Hanbit, "recomputing")
}

// The overtime of a week follows an edit, also in a locked month, which administrators may
// edit.
func TestEditInALockedMonthCountsInItsWeek(t *testing.T) {
	db := longWeek(t, "2026-10-26")
	by, _ := editor(t, db, queriestest.Admin)
	saturday := keyOf(queriestest.Kim, "2026-10-31")
	if got := overtime(t, db, saturday); got != "480 480" {
		t.Fatalf("at first: %s", got)
	}
	if err := db.Attendance.LockMonth(t.Context(), by, saturday.Date); err != nil {
		t.Fatal(err)
	}
	leaveAt(t, db, keyOf(queriestest.Kim, "2026-10-26"), "12:00")
	if got := overtime(t, db, saturday); got != "180 180" {
		t.Errorf("after the edit: %s", got)
	}
	if err := db.Attendance.UnlockMonth(t.Context(), by, saturday.Date, "x"); err != nil {
		t.Fatal(err)
	}
	recomputeChangesNothing(t, db, "2026-10-01", "2026-10-31")
}

// A locked month does not follow an edit before it until it is unlocked.
func TestUnlockedMonthFollowsTheWeekBefore(t *testing.T) {
	db := longWeek(t, "2026-08-31")
	by, _ := editor(t, db, queriestest.Admin)
	saturday := keyOf(queriestest.Kim, "2026-09-05")
	if err := db.Attendance.LockMonth(t.Context(), by, saturday.Date); err != nil {
		t.Fatal(err)
	}
	leaveAt(t, db, keyOf(queriestest.Kim, "2026-08-31"), "12:00")
	if got := overtime(t, db, saturday); got != "480 180" {
		t.Errorf("locked: %s", got)
	}
	if err := db.Attendance.UnlockMonth(t.Context(), by, saturday.Date, "x"); err != nil {
		t.Fatal(err)
	}
	if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := overtime(t, db, saturday); got != "180 180" {
		t.Errorf("unlocked: %s", got)
	}
	recomputeChangesNothing(t, db, "2026-08-01", "2026-09-30")
}

// Events that were received after a month was locked count once it is unlocked, and not when
// somebody edits the record meanwhile.
func TestEditInALockedMonthCountsNoLateEvents(t *testing.T) {
	db := longWeek(t, "2026-10-26")
	by, scope := editor(t, db, queriestest.Admin)
	monday, sunday := keyOf(queriestest.Kim, "2026-10-26"), keyOf(queriestest.Kim, "2026-10-25")
	if err := db.Attendance.LockMonth(t.Context(), by, monday.Date); err != nil {
		t.Fatal(err)
	}
	accepted(t, take(t, db, clock("out", queriestest.Kim, workday.Out, at(t, "2026-10-26 20:00")),
		clock("sunday in", queriestest.Kim, workday.In, at(t, "2026-10-25 10:00")), clock("sunday out", queriestest.Kim, workday.Out, at(t, "2026-10-25 14:00"))))
	figures := func(key attendance.RecordKey) string {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), key)
		if err != nil {
			t.Fatal(err)
		}
		worked := int32(0)
		if r.WorkedMin != nil {
			worked = *r.WorkedMin
		}
		return fmt.Sprintf("worked %d uncounted %d late %d", worked, r.Uncounted, len(r.NotCounted))
	}
	if got := figures(monday); got != "worked 480 uncounted 1 late 1" {
		t.Errorf("before the edit: %s", got)
	}
	if got := figures(sunday); got != "worked 0 uncounted 2 late 2" {
		t.Errorf("without a record: %s", got)
	}
	grant := 30
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: monday, OvertimeMin: &grant, Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	if got := figures(monday); got != "worked 480 uncounted 1 late 1" {
		t.Errorf("after the edit: %s", got)
	}
	if err := db.Attendance.UnlockMonth(t.Context(), by, monday.Date, "x"); err != nil {
		t.Fatal(err)
	}
	if got := figures(monday); got != "worked 600 uncounted 0 late 0" {
		t.Errorf("unlocked: %s", got)
	}
	if got := figures(sunday); got != "worked 180 uncounted 0 late 0" {
		t.Errorf("unlocked, without a record: %s", got)
	}
	if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
		t.Fatal(err)
	}
	recomputeChangesNothing(t, db, "2026-10-01", "2026-10-31")
}

// Deleting and restoring a record in a locked month changes its week and changes it back.
func TestDeletionInALockedMonth(t *testing.T) {
	db := longWeek(t, "2026-10-26")
	by, scope := editor(t, db, queriestest.Admin)
	monday, saturday := keyOf(queriestest.Kim, "2026-10-26"), keyOf(queriestest.Kim, "2026-10-31")
	if err := db.Attendance.LockMonth(t.Context(), by, monday.Date); err != nil {
		t.Fatal(err)
	}
	before := queriestest.LookUp(t, db, storedRecords)
	if err := db.Attendance.DeleteRecord(t.Context(), by, scope, monday, "x", nil); err != nil {
		t.Fatal(err)
	}
	if got := overtime(t, db, saturday); got != "0 0" {
		t.Errorf("deleted: %s", got)
	}
	if err := db.Attendance.RestoreRecord(t.Context(), by, scope, monday, "x", nil); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Errorf("restored:\n%s\nnot\n%s", after, before)
	}
}
