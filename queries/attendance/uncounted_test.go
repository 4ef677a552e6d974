package attendance_test

import (
	"fmt"
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
	listed, err := db.Attendance.Log(t.Context(), queriestest.Hanbit, scope, uncounted)
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
	if page, err := db.Attendance.Log(t.Context(), queriestest.Hanbit, own, uncounted); err != nil || len(page.Rows) != 0 {
		t.Errorf("a colleague sees %d of them, %v", len(page.Rows), err)
	}
}
