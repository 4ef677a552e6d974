package attendance_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Every event that was accepted is on the page of exactly one record. Where it
// has no part in the figures, the record says so, and the management's list of
// records with such events has it, for those who may see the record.
func TestEveryAcceptedEventIsOnAPage(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(24 * time.Hour)
	today := workday.DateOf(c.Now().In(queriestest.Now.Location()))
	first := today - 20
	random := rand.New(rand.NewPCG(3, 5))
	accepted := map[string]int{}
	for batch := range 12 {
		var events []attendance.ClockInput
		for i := range 9 {
			kind := []workday.Kind{workday.In, workday.Out, workday.Out, workday.BreakStart, workday.BreakEnd}[random.IntN(5)]
			when := (first + workday.Date(random.IntN(19))).At(random.IntN(24*60), queriestest.Now.Location())
			events = append(events, clock(fmt.Sprint(batch, "-", i), queriestest.Kim, kind, when))
		}
		for _, r := range take(t, db, events...) {
			if r.Status == attendance.ClockAccepted {
				accepted[r.EventID] = 0
			}
		}
	}
	_, scope := editor(t, db, queriestest.Admin)
	uncounted := attendance.Filter{Unit: attendance.LogUnit, First: first - 2, Last: today, Uncounted: true, Limit: 500}
	listed, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, uncounted)
	if err != nil {
		t.Fatal(err)
	}
	reader, left := someone(t, db, queriestest.Admin), 0
	for date := first - 2; date <= today; date++ {
		for _, extra := range []bool{false, true} {
			key := attendance.RecordKey{UserID: queriestest.Kim, Date: date, Extra: extra}
			record, err := db.Attendance.Record(t.Context(), reader, key)
			if err != nil {
				if !extra {
					t.Fatal(err)
				}
				continue
			}
			for _, e := range record.Events {
				accepted[e.EventID]++
			}
			left += len(record.NotCounted)
			i := slices.IndexFunc(listed.Rows, func(r attendance.Row) bool { return r.Key() == key })
			if n := len(record.NotCounted); (i >= 0) != (n > 0) || i >= 0 && int(listed.Rows[i].Record.Uncounted) != n {
				t.Errorf("%s has %d events that do not count, listed: %t", key, n, i >= 0)
			}
		}
	}
	for id, pages := range accepted {
		if pages != 1 {
			t.Errorf("event %s is on %d pages", id, pages)
		}
	}
	if len(accepted) < 90 || left < 20 {
		t.Errorf("only %d events, of which %d do not count", len(accepted), left)
	}
	_, own := editor(t, db, queriestest.Employee)
	if page, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), own, uncounted); err != nil || len(page.Rows) != 0 {
		t.Errorf("a colleague sees %d of them, %v", len(page.Rows), err)
	}
}

// A record of a locked month counts its late events beside its own events that do not
// count, as its page does.
func TestLateEventsCountBesideOthers(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	by, scope := editor(t, db, queriestest.Admin)
	take(t, db, clock("break", queriestest.Kim, workday.BreakStart, at(t, "2026-10-29 08:00")), clock("earlier break", queriestest.Kim, workday.BreakStart, at(t, "2026-10-29 08:10")),
		clock("in", queriestest.Kim, workday.In, at(t, "2026-10-29 09:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-10-29 18:00")))
	c.Advance(time.Minute)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	check := func(step string, want int32) {
		t.Helper()
		page, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, attendance.Filter{Unit: attendance.LogUnit, First: october, Last: october + 30, Uncounted: true, Limit: 10})
		if err != nil || len(page.Rows) != 1 {
			t.Fatalf("%s: %d records are listed, %v", step, len(page.Rows), err)
		}
		record, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), keyOf(queriestest.Kim, "2026-10-29"))
		if err != nil {
			t.Fatal(err)
		}
		if got := page.Rows[0].Record.Uncounted; got != want || len(record.NotCounted) != int(want) {
			t.Errorf("%s: the list says %d events, and the page %d, want %d", step, got, len(record.NotCounted), want)
		}
	}
	check("locked", 2)
	for i, step := range []string{"one late", "two late", "three late"} {
		c.Advance(time.Minute)
		take(t, db, clock(step, queriestest.Kim, workday.Out, at(t, "2026-10-29 19:00").Add(time.Duration(i)*time.Minute)))
		check(step, int32(3+i))
	}
}

// The same with a month that is locked between the events: those that come later are
// listed, also where the date has no record, until the month is unlocked.
func TestEveryAcceptedEventOfALockedMonthIsOnAPage(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	by, scope := editor(t, db, queriestest.Admin)
	zone, today := queriestest.Now.Location(), workday.DateOf(queriestest.Now)
	first := today - 25
	october := first
	random := rand.New(rand.NewPCG(6, 11))
	accepted := map[string]bool{}
	for batch := range 12 {
		c.Advance(time.Minute)
		if batch == 3 {
			if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
				t.Fatal(err)
			}
		}
		var events []attendance.ClockInput
		for i := range 5 {
			kind := []workday.Kind{workday.In, workday.Out, workday.Out, workday.BreakStart, workday.BreakEnd}[random.IntN(5)]
			day := random.IntN(11)
			if batch < 3 {
				day &^= 1 // the others have no record when the month is locked
			}
			when := (first + workday.Date(day)).At(random.IntN(24*60), zone)
			events = append(events, clock(fmt.Sprint(batch, "-", i), queriestest.Kim, kind, when))
		}
		for _, r := range take(t, db, events...) {
			if r.Status == attendance.ClockAccepted {
				accepted[r.EventID] = r.Code == "event.locked"
			}
		}
	}
	// found returns the record of each event, and why it does not count.
	found := func() (pages map[string]attendance.RecordKey, reasons map[string]attendance.NotCounted, stored map[attendance.RecordKey]bool) {
		pages, reasons, stored = map[string]attendance.RecordKey{}, map[string]attendance.NotCounted{}, map[attendance.RecordKey]bool{}
		for date := first - 2; date <= first+12; date++ {
			for _, extra := range []bool{false, true} {
				key := attendance.RecordKey{UserID: queriestest.Kim, Date: date, Extra: extra}
				record, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), key)
				if err != nil && extra {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				stored[key] = record.Stored
				for _, e := range record.Events {
					if at, twice := pages[e.EventID]; twice {
						t.Errorf("event %s is at %s and at %s", e.EventID, at, key)
					}
					pages[e.EventID] = key
				}
				maps.Copy(reasons, record.NotCounted)
			}
		}
		return pages, reasons, stored
	}
	listed := func() map[string]attendance.RecordKey {
		all := map[string]attendance.RecordKey{}
		page, err := db.Attendance.LateEvents(t.Context(), queriestest.Hanbit, october, nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Rows {
			all[e.EventID] = e.Key()
		}
		return all
	}
	pages, reasons, stored := found()
	late := listed()
	uncounted, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, attendance.Filter{Unit: attendance.LogUnit, First: first - 2, Last: today, Uncounted: true, Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	notCounted := map[attendance.RecordKey]int32{}
	for id := range reasons {
		notCounted[pages[id]]++
	}
	withRecord, withoutRecord, moved := 0, 0, 0
	for id, isLocked := range accepted {
		key, isShown := pages[id]
		if !isShown {
			t.Errorf("event %s is on no page", id)
		}
		// A later arrival may have taken it into the month or out of it.
		at, isLate := late[id]
		if isLate && at != key || (reasons[id] == attendance.AfterLocked) != isLate {
			t.Errorf("event %s is listed as late: %t, at %s, and the page of %s says %q", id, isLate, at, key, reasons[id])
		}
		if isLate != isLocked {
			moved++
		}
		if !isLate {
			continue
		}
		i := slices.IndexFunc(uncounted.Rows, func(r attendance.Row) bool { return r.Key() == key })
		if isListed := i >= 0; isListed != stored[key] {
			t.Errorf("record %s is stored: %t, and is listed with events that do not count: %t", key, stored[key], isListed)
		} else if isListed && uncounted.Rows[i].Record.Uncounted != notCounted[key] {
			t.Errorf("record %s is listed with %d events that do not count, and its page has %d", key, uncounted.Rows[i].Record.Uncounted, notCounted[key])
		}
		if stored[key] {
			withRecord++
		} else {
			withoutRecord++
		}
	}
	if withRecord < 5 || withoutRecord < 5 || moved == 0 {
		t.Errorf("only %d late events of records, %d without a record, and %d that moved", withRecord, withoutRecord, moved)
	}
	months, err := db.Attendance.LockedMonths(t.Context(), queriestest.Hanbit)
	if err != nil || months[0].LateEvents != len(late) || months[0].LatePeople != 1 {
		t.Errorf("%d late events are counted as %+v, %v", len(late), months, err)
	}
	if err := db.Attendance.UnlockMonth(t.Context(), by, october, "x"); err != nil {
		t.Fatal(err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from late_clock_events"); n != "0" {
		t.Errorf("%s late events of an unlocked month", n)
	}
	pages, reasons, _ = found()
	for id := range accepted {
		if pages[id] == (attendance.RecordKey{}) || reasons[id] == attendance.AfterLocked {
			t.Errorf("unlocked: event %s is at %s: %q", id, pages[id], reasons[id])
		}
	}
	recomputeChangesNothing(t, db, (first - 2).String(), today.String())
}
