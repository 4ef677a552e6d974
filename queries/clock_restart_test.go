package queries_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Where the database goes away in the middle of a batch, whoever sent it learns
// so and sends it again: nothing is doubled, and nothing is lost.
func TestDatabaseGoesAwayInABatch(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(10 * time.Hour)
	people := []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese}
	var batch []queries.ClockInput
	for _, id := range people {
		for kind, when := range map[workday.Kind]string{workday.In: "2026-11-20 08:50", workday.Out: "2026-11-20 18:10"} {
			e := clock(fmt.Sprint(kind, id), id, kind, at(t, when))
			e.DeviceID = fmt.Sprint("phone", id)
			batch = append(batch, e)
		}
	}
	const stored = `select (select count(*) from clock_events) || ' ' || (select count(*) from clock_devices) || ' ' || (select count(*) from day_records where arrival_at is not null)`
	for round := range 3 {
		// The batch has its events in, and waits to write the records.
		holder, err := db.Pool().Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := holder.Exec(t.Context(), "lock table day_records in share mode"); err != nil {
			t.Fatal(err)
		}
		failed := make(chan error, 1)
		go func() {
			_, err := db.TakeClockEvents(t.Context(), queriestest.Hanbit, batch)
			failed <- err
		}()
		const waiting = "select coalesce((select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1), 0)"
		pid := "0"
		for deadline := time.Now().Add(20 * time.Second); pid == "0" && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			pid = lookUp(t, db, waiting)
		}
		if got := lookUp(t, db, "select pg_terminate_backend($1::text::int)", pid); got != "true" {
			t.Fatalf("round %d: nobody waits", round)
		}
		if err := <-failed; err == nil {
			t.Errorf("round %d: the sender does not learn of it", round)
		}
		if err := holder.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := lookUp(t, db, stored); got != "0 0 0" {
			t.Errorf("round %d: %s events, devices and records are left", round, got)
		}
	}
	accepted(t, take(t, db, batch...))
	for _, r := range take(t, db, batch...) {
		if r.Status != queries.ClockDuplicate {
			t.Errorf("sent once more, %s is %s", r.EventID, r.Status)
		}
	}
	if got := lookUp(t, db, stored); got != "14 7 7" {
		t.Errorf("%s events, devices and records, not 14, 7 and 7", got)
	}
	for _, id := range people {
		if got := dayOf(t, db, id, friday); got != "[on_time 08:50 18:10 500]" {
			t.Errorf("day of %d is %s", id, got)
		}
	}
}
