package attendance_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

var october = keyOf(0, "2026-10-01").Date

// lockedOctober returns a company with a locked October, of which nobody has a record.
func lockedOctober(t *testing.T) (*areas.Areas, *queriestest.Clock) {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute) // what is received from now on is later
	return db, c
}

func unlockOctober(t *testing.T, db *areas.Areas) {
	t.Helper()
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.UnlockMonth(t.Context(), by, october, "x"); err != nil {
		t.Fatal(err)
	}
	if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil { // else it cannot be locked
		t.Fatal(err)
	}
}

// lateEvents returns the late events of October, each in a few words.
func lateEvents(t *testing.T, db *areas.Areas) string {
	t.Helper()
	page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	return eventsInWords(page)
}

func eventsInWords(page lists.Page[attendance.LateEvent]) string {
	words := make([]string, len(page.Rows))
	for i, e := range page.Rows {
		words[i] = fmt.Sprintf("%s %s %s", e.Key(), e.EventID, e.Kind)
	}
	return strings.Join(words, ", ")
}

// An event of a locked month is listed although its date has no record, and counts once
// the month is unlocked.
func TestLateEventIsListed(t *testing.T) {
	db, c := lockedOctober(t)
	in := clock("in", queriestest.Kim, workday.In, at(t, "2026-10-30 09:00"))
	if results := take(t, db, in, clock("out", queriestest.Kim, workday.Out, at(t, "2026-10-30 18:00"))); results[0].Code != "event.locked" || results[1].Code != "event.locked" {
		t.Errorf("codes: %+v", results)
	}
	if results := take(t, db, in); results[0].Status != attendance.ClockDuplicate {
		t.Errorf("sent again: %+v", results)
	}
	take(t, db, clock("november", queriestest.Kim, workday.In, at(t, "2026-11-19 09:00")))
	page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october+9, nil, 100)
	if err != nil || len(page.Rows) != 2 || page.Next != nil {
		t.Fatalf("listed: %+v, %v", page, err)
	}
	out := page.Rows[0]
	if out.EventID != "out" || out.Name != "김철수" || out.EmployeeID != "H0006" || out.DepartmentName != "국내영업팀" || out.Hidden ||
		!out.At.Equal(at(t, "2026-10-30 18:00")) || !out.ReceivedAt.Equal(c.Now()) || out.Key() != keyOf(queriestest.Kim, "2026-10-30") {
		t.Errorf("listed: %+v", out)
	}
	months, err := db.Attendance.LockedMonths(t.Context(), queriestest.Hanbit)
	if err != nil || len(months) != 1 || months[0].LateEvents != 2 || months[0].LatePeople != 1 {
		t.Errorf("counted: %+v, %v", months, err)
	}
	for name, companyID := range map[string]int64{"a month that is not locked": queriestest.Hanbit, "another company": queriestest.Other} {
		month := october
		if companyID == queriestest.Hanbit {
			month = october - 1
		}
		if _, err := db.Attendance.LateEvents(t.Context(), companyID, month, nil, 100); !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	unlockOctober(t, db)
	if n := queriestest.LookUp(t, db, "select count(*) from late_clock_events"); n != "0" {
		t.Errorf("%s events are late in an unlocked month", n)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-10-30"); got != "[on_time 09:00 18:00 480]" {
		t.Errorf("then counted: %s", got)
	}
}

// The list is read in both directions, and by date: what was received later may be earlier
// in it.
func TestLateEventPages(t *testing.T) {
	db, _ := lockedOctober(t)
	for _, day := range []int{25, 28, 26, 29, 27} {
		take(t, db, clock(fmt.Sprint(day), queriestest.Kim, workday.In, at(t, fmt.Sprintf("2026-10-%d 09:00", day))))
	}
	read := func(at *lists.Cursor) (string, lists.Page[attendance.LateEvent]) {
		t.Helper()
		page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october, at, 2)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(page.Rows))
		for i, e := range page.Rows {
			ids[i] = e.EventID
		}
		return fmt.Sprint(page.First, " ", strings.Join(ids, " ")), page
	}
	first, page := read(nil)
	second, page := read(page.Next)
	third, last := read(page.Next)
	back, _ := read(last.Previous)
	if got := strings.Join([]string{first, second, third, back}, ", "); got != "1 29 28, 3 27 26, 5 25, 3 27 26" || last.Next != nil {
		t.Errorf("pages: %s", got)
	}
	for _, cursor := range []*lists.Cursor{{List: "changes", ID: 1}, {List: attendance.LateEventList, Value: "soon", ID: 1}} {
		if _, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october, cursor, 2); !errors.Is(err, queries.NotFound) {
			t.Errorf("cursor %+v: %v", cursor, err)
		}
	}
}

// Somebody who was hidden since is listed, and their record can be opened although it is
// not stored.
func TestLateEventOfHiddenPerson(t *testing.T) {
	db, _ := lockedOctober(t)
	queriestest.Exec(t, db, "update users set hidden_at = $1 where company_id = 1 and id = $2", at(t, "2026-11-01 09:00"), queriestest.Kim)
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-10-30 09:00"))))
	page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october, nil, 100)
	if err != nil || len(page.Rows) != 1 || !page.Rows[0].Hidden {
		t.Fatalf("listed: %+v, %v", page, err)
	}
	reader := someone(t, db, queriestest.Admin)
	record, err := db.Attendance.Record(t.Context(), reader, page.Rows[0].Key())
	if err != nil || record.NotCounted["in"] != attendance.AfterLocked {
		t.Errorf("the record: %+v, %v", record.NotCounted, err)
	}
	if _, err := db.Attendance.Record(t.Context(), reader, keyOf(queriestest.Kim, "2026-10-29")); !errors.Is(err, queries.NotFound) {
		t.Errorf("a date without events: %v", err)
	}
}

// An extra record cannot be created in a locked month, so its events are with the main one.
func TestLateEventsOfAnExtraRecord(t *testing.T) {
	db, _ := lockedOctober(t)
	accepted(t, take(t, db, clock("night", queriestest.Kim, workday.In, at(t, "2026-10-30 04:30")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-10-30 04:45"))))
	if got := lateEvents(t, db); got != "6-2026-10-30 out out, 6-2026-10-30 night in" {
		t.Errorf("listed: %s", got)
	}
	record, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), keyOf(queriestest.Kim, "2026-10-30"))
	if err != nil || len(record.Events) != 2 || len(record.NotCounted) != 2 || record.Uncounted != 2 {
		t.Errorf("the record: %d events, %+v, %v", len(record.Events), record.NotCounted, err)
	}
	unlockOctober(t, db)
	if got := dayOf(t, db, queriestest.Kim, "2026-10-30"); !strings.Contains(got, "04:30 04:45") {
		t.Errorf("then counted: %s", got)
	}
}

// A new arrival takes a departure out of the locked month, or into it.
func TestLateEventsMove(t *testing.T) {
	t.Run("out", func(t *testing.T) {
		db, _ := lockedOctober(t)
		accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-10-31 20:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-01 10:00"))))
		if got := lateEvents(t, db); got != "6-2026-10-31 out out, 6-2026-10-31 in in" {
			t.Fatalf("at first: %s", got)
		}
		accepted(t, take(t, db, clock("sunday", queriestest.Kim, workday.In, at(t, "2026-11-01 08:00"))))
		if got := lateEvents(t, db); got != "6-2026-10-31 in in" {
			t.Errorf("then: %s", got)
		}
		if got := dayOf(t, db, queriestest.Kim, "2026-11-01"); !strings.Contains(got, "08:00 10:00") {
			t.Errorf("the record of November: %s", got)
		}
	})
	t.Run("in", func(t *testing.T) {
		db, _ := lockedOctober(t)
		if results := take(t, db, clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-01 10:00"))); results[0].Code != "" {
			t.Fatalf("at first: %+v", results)
		}
		accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-10-31 20:00"))))
		if got := lateEvents(t, db); got != "6-2026-10-31 out out, 6-2026-10-31 in in" {
			t.Errorf("then: %s", got)
		}
		unlockOctober(t, db)
		if got := dayOf(t, db, queriestest.Kim, "2026-10-31"); !strings.Contains(got, "20:00 10:00") {
			t.Errorf("then counted: %s", got)
		}
	})
}

// A late event is listed with the record that shows it also when a leave or a policy moves
// its day: within the month, or into it and out of it again.
func TestLateEventsMoveWithHours(t *testing.T) {
	november := keyOf(0, "2026-11-01").Date
	edit := func(leave workday.DayType, date string) func(*testing.T, *areas.Areas) {
		return func(t *testing.T, db *areas.Areas) {
			by, scope := editor(t, db, queriestest.Admin)
			if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: keyOf(queriestest.Kim, date), Leave: &leave, Reason: "x"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	policyFrom := func(start, end string) func(*testing.T, *areas.Areas) {
		return func(t *testing.T, db *areas.Areas) {
			saveHours(t, db, start, end, "2026-12-01")
			recompute(t, db)
		}
	}
	for _, test := range []struct {
		name          string
		month         workday.Date
		wait          time.Duration // until the month is locked
		first, second string
		change, back  func(*testing.T, *areas.Areas)
		before, after string
	}{
		{"within the month", october, 0, "2026-10-29", "2026-10-30", edit(workday.HalfLeaveAM, "2026-10-30"), edit("", "2026-10-30"),
			"6-2026-10-30 out out, 6-2026-10-29 in in", "6-2026-10-29 out out, 6-2026-10-29 in in"},
		{"by an edit", november, 14 * 24 * time.Hour, "2026-11-30", "2026-12-01", edit(workday.HalfLeaveAM, "2026-12-01"), edit("", "2026-12-01"),
			"6-2026-11-30 in in", "6-2026-11-30 out out, 6-2026-11-30 in in"},
		{"by a policy", november, 14 * 24 * time.Hour, "2026-11-30", "2026-12-01", policyFrom("12:00", "21:00"), policyFrom("09:00", "18:00"),
			"6-2026-11-30 in in", "6-2026-11-30 out out, 6-2026-11-30 in in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, c := queriestest.NewWithClock(t)
			by, _ := editor(t, db, queriestest.Admin)
			c.Advance(test.wait)
			if err := db.Attendance.LockMonth(t.Context(), by, test.month); err != nil {
				t.Fatal(err)
			}
			c.Advance(time.Minute)
			accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, test.first+" 20:00")), clock("out", queriestest.Kim, workday.Out, at(t, test.second+" 10:30"))))
			check := func(step, want string) {
				t.Helper()
				page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, test.month, nil, 10)
				if got := eventsInWords(page); err != nil || got != want {
					t.Errorf("%s: listed %q, want %q, %v", step, got, want, err)
				}
				if n := queriestest.LookUp(t, db, "select count(*) from late_clock_events"); n != fmt.Sprint(len(page.Rows)) {
					t.Errorf("%s: %s late events are stored", step, n)
				}
			}
			check("at first", test.before)
			test.change(t, db)
			check("moved", test.after)
			c.Advance(time.Minute)
			test.back(t, db)
			check("moved back", test.before)
		})
	}
}

// tickingOctober returns lockedOctober over a clock of which no two readings are equal.
func tickingOctober(t *testing.T) *areas.Areas {
	t.Helper()
	db, c := lockedOctober(t)
	var readings atomic.Int64
	ticking, err := areas.Open(t.Context(), db.Pool().Config().ConnString(), func() time.Time {
		return c.Now().Add(time.Duration(readings.Add(1)) * time.Millisecond)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ticking.Close)
	return ticking
}

// misplacedLateEvents counts the events that were received after the lock of October but
// are not late, and those that are late but should not be.
const misplacedLateEvents = `select count(*)
	from (select e.event_id from clock_events e join attendance_locks l on l.company_id = e.company_id and l.month = '2026-10-01' and e.received_at >= l.locked_at) received
	full join late_clock_events late using (event_id)
	where received.event_id is null or late.event_id is null`

// While October is locked and unlocked, an event either counts or is late.
func TestLateEventsWhileMonthIsLocked(t *testing.T) {
	db := tickingOctober(t)
	by, _ := editor(t, db, queriestest.Admin)
	var both sync.WaitGroup
	both.Go(func() {
		for range 8 {
			if err := db.Attendance.UnlockMonth(t.Context(), by, october, "x"); err != nil {
				t.Error(err)
			}
			if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
				t.Error(err)
			}
			if n := queriestest.LookUp(t, db, misplacedLateEvents); n != "0" {
				t.Errorf("unlocked: %s events", n)
			}
			if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
				t.Error(err)
			}
			if n := queriestest.LookUp(t, db, misplacedLateEvents); n != "0" {
				t.Errorf("locked: %s events", n)
			}
		}
	})
	for i, user := range []int64{queriestest.Kim, queriestest.Employee, queriestest.Foreigner, queriestest.Viewer} {
		both.Go(func() {
			for n := range 10 {
				event := clock(fmt.Sprint(i, "-", n), user, workday.In, at(t, "2026-10-30 09:00").Add(time.Duration(n)*time.Minute))
				if _, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{event}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	unlockOctober(t, db)
	if got := queriestest.LookUp(t, db, "select (select count(*) from late_clock_events) || ' ' || (select count(*) from day_records where work_date = '2026-10-30' and arrival_at = '2026-10-30 09:00+09')"); got != "0 4" {
		t.Errorf("late events and records with the first arrival: %s", got)
	}
}

// An event that a lock of the month waits for counts, although it is received after the
// lock was asked for.
func TestLockWaitsForEvents(t *testing.T) {
	db := tickingOctober(t)
	unlockOctober(t, db)
	by, _ := editor(t, db, queriestest.Admin)
	other, err := pgx.Connect(t.Context(), db.Pool().Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.WithoutCancel(t.Context()))
	if _, err := other.Exec(t.Context(), "select pg_advisory_lock(hashtextextended('attendance/' || lane, 1)) from generate_series(0, 63) lane"); err != nil {
		t.Fatal(err)
	}
	const waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())"
	taken, locked := make(chan attendance.ClockResult, 1), make(chan error, 1)
	go func() {
		taken <- take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-10-30 09:00")))[0]
	}()
	waitUntil(t, db, waiting, "1")
	go func() { locked <- db.Attendance.LockMonth(t.Context(), by, october) }()
	waitUntil(t, db, waiting, "2")
	if _, err := other.Exec(t.Context(), "select pg_advisory_unlock_all()"); err != nil {
		t.Fatal(err)
	}
	if result := <-taken; result.Status != attendance.ClockAccepted || result.Code != "" {
		t.Errorf("the event: %+v", result)
	}
	if err := <-locked; err != nil {
		t.Fatal(err)
	}
	record, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), keyOf(queriestest.Kim, "2026-10-30"))
	if err != nil || record.ArrivalAt == nil || record.NotCounted["in"] == attendance.AfterLocked {
		t.Errorf("the record: %v, %+v, %v", record.ArrivalAt, record.NotCounted, err)
	}
}

// An event of a server whose clock is behind that of the one that locked the month seems
// to be received before the lock. It does not count until the month is unlocked, either, also
// when somebody edits its record.
func TestLateEventByAnotherClock(t *testing.T) {
	db, c := lockedOctober(t)
	behind, err := areas.Open(t.Context(), db.Pool().Config().ConnString(), func() time.Time { return c.Now().Add(-time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	if results := take(t, behind, clock("in", queriestest.Kim, workday.In, at(t, "2026-10-30 09:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-10-30 18:00"))); results[0].Code != "event.locked" || results[1].Code != "event.locked" {
		t.Errorf("codes: %+v", results)
	}
	if got := lateEvents(t, db); got != "6-2026-10-30 out out, 6-2026-10-30 in in" {
		t.Errorf("listed: %s", got)
	}
	key := keyOf(queriestest.Kim, "2026-10-30")
	record, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), key)
	if err != nil || record.NotCounted["in"] != attendance.AfterLocked || record.Uncounted != 2 {
		t.Errorf("the record: %d, %+v, %v", record.Uncounted, record.NotCounted, err)
	}
	by, scope := editor(t, db, queriestest.Admin)
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Arrival: set(at(t, "2026-10-30 10:00")), Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-10-30"); got != "[missing_departure 10:00 - -]" {
		t.Errorf("edited: %s", got)
	}
	take(t, behind, clock("later", queriestest.Kim, workday.Out, at(t, "2026-10-30 18:30")))
	if n := queriestest.LookUp(t, db, "select uncounted from day_records where user_id = $1 and work_date = '2026-10-30'", queriestest.Kim); n != "3" {
		t.Errorf("%s events do not count", n)
	}
	unlockOctober(t, db)
	if got := dayOf(t, db, queriestest.Kim, "2026-10-30"); got != "[late 10:00 18:30 450]" {
		t.Errorf("then counted: %s", got)
	}
}

// What a leave or another policy after a locked month takes into the month is counted when it
// is unlocked, although it was received before.
func TestUnlockedMonthFollowsTheHoursBehindIt(t *testing.T) {
	for name, change := range map[string]func(*testing.T, *areas.Areas){
		"leave": func(t *testing.T, db *areas.Areas) {
			by, scope := editor(t, db, queriestest.Admin)
			if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2026-12-01"), Leave: ptr(workday.HalfLeaveAM), Reason: "x"}); err != nil {
				t.Fatal(err)
			}
		},
		"policy": func(t *testing.T, db *areas.Areas) {
			saveHours(t, db, "12:00", "21:00", "2026-12-01")
			recompute(t, db)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, c := queriestest.NewWithClock(t)
			c.Advance(14 * 24 * time.Hour)
			accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-30 20:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-12-01 10:30"))))
			by, _ := editor(t, db, queriestest.Admin)
			november := keyOf(0, "2026-11-01").Date
			c.Advance(time.Minute)
			if err := db.Attendance.LockMonth(t.Context(), by, november); err != nil {
				t.Fatal(err)
			}
			change(t, db)
			if got := dayOf(t, db, queriestest.Kim, "2026-11-30"); got != "[missing_departure 20:00 - -]" {
				t.Errorf("locked: %s", got)
			}
			if err := db.Attendance.UnlockMonth(t.Context(), by, november, "x"); err != nil {
				t.Fatal(err)
			}
			if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := dayOf(t, db, queriestest.Kim, "2026-11-30"); !strings.Contains(got, "20:00 10:30") {
				t.Errorf("unlocked: %s", got)
			}
			recomputeChangesNothing(t, db, "2026-11-01", "2026-12-02")
		})
	}
}
