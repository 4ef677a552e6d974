package attendance_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// If the connection is lost in the middle of a batch, after writing to any of
// its tables, the sender gets an error and sends the batch again. No event is
// stored twice, and none is lost.
func TestConnectionLostInABatch(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(10 * time.Hour)
	people := []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese}
	var batch []attendance.ClockInput
	for _, id := range people {
		for kind, when := range map[workday.Kind]string{workday.In: "2026-11-20 08:50", workday.Out: "2026-11-20 18:10"} {
			e := clock(fmt.Sprint(kind, id), id, kind, at(t, when))
			e.DeviceID = fmt.Sprint("phone", id)
			batch = append(batch, e)
		}
	}
	const stored = `select (select count(*) from clock_events) || ' ' || (select count(*) from clock_devices) || ' ' || (select count(*) from day_records where arrival_at is not null)`
	queriestest.Exec(t, db, "create function end_connection() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'")
	for _, table := range []string{"clock_events", "clock_devices", "day_records", "attendance_months"} {
		queriestest.Exec(t, db, "create trigger goes_away after insert or update on "+table+" for each statement execute function end_connection()")
		if _, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, batch); err == nil {
			t.Errorf("%s: the sender got no error", table)
		}
		queriestest.Exec(t, db, "drop trigger goes_away on "+table)
		if got := queriestest.LookUp(t, db, stored); got != "0 0 0" {
			t.Errorf("%s: %s events, devices and records are left", table, got)
		}
	}
	accepted(t, take(t, db, batch...))
	for _, r := range take(t, db, batch...) {
		if r.Status != attendance.ClockDuplicate {
			t.Errorf("sent once more, %s is %s", r.EventID, r.Status)
		}
	}
	if got := queriestest.LookUp(t, db, stored); got != "14 7 7" {
		t.Errorf("%s events, devices and records, not 14, 7 and 7", got)
	}
	for _, id := range people {
		if got := dayOf(t, db, id, friday); got != "[on_time 08:50 18:10 500]" {
			t.Errorf("day of %d is %s", id, got)
		}
	}
}
