package attendance_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func TestLockMonth(t *testing.T) {
	db, c := lateKim(t)
	by, _ := editor(t, db, queriestest.Admin)
	november := keyOf(0, "2026-11-01").Date
	if err := db.Attendance.LockMonth(t.Context(), by, keyOf(0, friday).Date); !errors.Is(err, queries.Invalid("record.lock.not_over")) {
		t.Errorf("a month that is not over: %v", err)
	}
	c.Advance(9*24*time.Hour + 13*time.Hour) // 30 November, 09:00
	begin(t, db)
	c.Advance(17 * time.Hour) // 1 December, 02:00: the last day may still end
	accepted(t, take(t, db, clock("late", queriestest.Foreigner, workday.In, at(t, "2026-11-30 20:00"))))
	if err := db.Attendance.LockMonth(t.Context(), by, november); !errors.Is(err, queries.Invalid("record.lock.open")) {
		t.Errorf("a month with an open day: %v", err)
	}
	c.Advance(4 * time.Hour)
	if err := db.Attendance.LockMonth(t.Context(), by, november); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Admin, friday); got != "[absent - - 0]" {
		t.Errorf("locked before it was settled: %s", got)
	}
	if err := db.Attendance.LockMonth(t.Context(), by, november); !errors.Is(err, queries.Conflict("record.lock.already")) {
		t.Errorf("once more: %v", err)
	}
	months, err := db.Attendance.LockedMonths(t.Context(), queriestest.Hanbit)
	if err != nil || len(months) != 1 || months[0].Month != november || months[0].ByName != "김서연" || !months[0].LockedAt.Equal(c.Now()) {
		t.Errorf("locked: %+v, %v", months, err)
	}
	if others, err := db.Attendance.LockedMonths(t.Context(), queriestest.Other); err != nil || len(others) > 0 {
		t.Errorf("another company: %+v, %v", others, err)
	}
	t.Run("a later event is stored, but does not count", func(t *testing.T) {
		results := take(t, db, clock("very late", queriestest.Kim, workday.Out, at(t, "2026-11-20 20:30")), clock("december", queriestest.Kim, workday.In, at(t, "2026-12-01 09:00")))
		accepted(t, results)
		if results[0].Code != "event.locked" || results[1].Code != "" {
			t.Errorf("codes: %+v", results)
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 18:02 448]" {
			t.Errorf("got %s", got)
		}
		_, scope := editor(t, db, queriestest.Admin)
		f := attendance.Filter{Unit: attendance.LogUnit, First: keyOf(0, friday).Date, Last: keyOf(0, friday).Date, Limit: 10}
		page, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, f)
		if err != nil || !slices.ContainsFunc(page.Rows, func(r attendance.Row) bool {
			return r.Key() == keyOf(queriestest.Kim, friday) && r.Record.Uncounted == 1
		}) {
			t.Errorf("not listed as uncounted: %v", err)
		}
		full, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), keyOf(queriestest.Kim, friday))
		if err != nil || full.NotCounted["very late"] != attendance.AfterLocked || len(full.NotCounted) != 1 {
			t.Errorf("not counted: %+v, %v", full.NotCounted, err)
		}
	})
	t.Run("an event of somebody else with the same id counts", func(t *testing.T) {
		results := take(t, db, clock("same", queriestest.Kim, workday.Out, at(t, "2026-11-20 20:10")), clock("same", queriestest.Employee, workday.In, at(t, "2026-12-01 09:00")))
		accepted(t, results)
		if results[0].Code != "event.locked" || results[1].Code != "" {
			t.Errorf("codes: %+v", results)
		}
	})
	t.Run("nobody asks for a correction in it", func(t *testing.T) {
		kim, _ := editor(t, db, queriestest.Kim)
		var refused queries.FieldErrors
		if _, err := db.Attendance.RequestCorrection(t.Context(), kim, attendance.CorrectionRequest{Key: keyOf(queriestest.Kim, "2026-11-30"), Arrival: ptr(at(t, "2026-11-30 09:00")), Reason: "x"}); !errors.As(err, &refused) || refused["record"] != "record.locked" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("unlocked", func(t *testing.T) {
		var refused queries.FieldErrors
		if err := db.Attendance.UnlockMonth(t.Context(), by, november, ""); !errors.As(err, &refused) || refused["reason"] != "record.reason.required" {
			t.Errorf("without a reason: %v", err)
		}
		if err := db.Attendance.UnlockMonth(t.Context(), by, november, "급여 재계산"); err != nil {
			t.Fatal(err)
		}
		if err := db.Attendance.UnlockMonth(t.Context(), by, november, "급여 재계산"); !errors.Is(err, queries.NotFound) {
			t.Errorf("once more: %v", err)
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 20:30 596]" {
			t.Errorf("then counted: %s", got)
		}
		if n := queriestest.LookUp(t, db, "select count(*) from day_records where uncounted > 0"); n != "0" {
			t.Errorf("%s records with events that do not count", n)
		}
		checkMonths(t, db, queriestest.Hanbit, "unlocking")
		if got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_id || ' ' || object_name || coalesce(' ' || (new->>'reason'), ''), ', ' order by id) from changes"); got != "attendance.locked 202611 2026-11, attendance.unlocked 202611 2026-11 급여 재계산" {
			t.Errorf("change log: %s", got)
		}
	})
}
