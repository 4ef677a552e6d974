package attendance_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// recomputed is lastRecomputation after saveLater was computed for all eight people of
// monthOfRecords, of whom two have nine records each.
const recomputed = "2026-11-09 8/8 18 2 0 -450 t f"

// saveLater saves working hours that begin later, of which each step has one person.
func saveLater(t *testing.T, db *areas.Areas) {
	t.Helper()
	db.Attendance.RecomputeAtMost(1)
	saveHours(t, db, "10:00", "19:00", "2026-11-09")
}

func checkRecomputed(t *testing.T, db *areas.Areas) {
	t.Helper()
	if got := queriestest.LookUp(t, db, lastRecomputation); got != recomputed {
		t.Errorf("result: %s", got)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from day_records where (version_no = 2) <> (work_date >= '2026-11-09')"); n != "0" {
		t.Errorf("%s records follow another version", n)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_recomputation_steps"); n != "0" {
		t.Errorf("%s steps are left", n)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from changes where action = 'attendance.recomputed'"); n != "1" {
		t.Errorf("the change log has %s results", n)
	}
}

// waitUntil waits until a statement returns a text.
func waitUntil(t *testing.T, db *areas.Areas, statement, want string) {
	t.Helper()
	for got := ""; got != want; {
		if t.Context().Err() != nil {
			t.Fatalf("%s: %s, not %s", statement, got, want)
		}
		got = queriestest.LookUp(t, db, statement)
	}
}

// While one step cannot go on, another is computed beside it, and clock events wait for
// both.
func TestRecomputeTwoStepsAtOnce(t *testing.T) {
	db, _ := monthOfRecords(t)
	saveLater(t, db)
	other, err := pgx.Connect(t.Context(), db.Pool().Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.WithoutCancel(t.Context()))
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "select from day_records where user_id = $1 for update", queriestest.Employee); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- db.Attendance.RecomputePast(t.Context()) }()
	// One step waits, and all others are computed.
	const isBlocked = `select done = 7 and exists (select from pg_locks where locktype = 'transactionid' and not granted) from attendance_recomputations`
	waitUntil(t, db, isBlocked, "true")
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		accepted(t, take(t, db, clock("meanwhile", queriestest.Employee, workday.Out, at(t, "2026-11-10 19:30"))))
	}()
	waitUntil(t, db, "select exists (select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database()))", "true")
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-taken
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Employee, "2026-11-10"); got != "[on_time 08:50 19:30 580]" {
		t.Errorf("with the event: %s", got)
	}
	checkRecomputed(t, db)
}

// If one of two steps fails, the other one counts, and what is left is computed once
// the cause is gone.
func TestRecomputeStepFails(t *testing.T) {
	db, c := monthOfRecords(t)
	saveLater(t, db)
	queriestest.Exec(t, db, "create function refuse() returns trigger language plpgsql as 'begin raise ''no space''; end'")
	queriestest.Exec(t, db, "create trigger refuses before update on day_records for each row when (new.user_id = 2) execute function refuse()")
	if queriestest.Employee != 2 {
		t.Fatal("the trigger is for another user")
	}
	for range 3 {
		if err := db.Attendance.RecomputePast(t.Context()); err == nil || !strings.Contains(err.Error(), "no space") {
			t.Fatalf("a step should fail: %v", err)
		}
		if got := queriestest.LookUp(t, db, "select concat_ws(' ', done + (select count(*) from attendance_recomputation_steps), finished_at is null, error like '%no space%') from attendance_recomputations"); got != "8 t t" {
			t.Fatalf("people done or left, and the error: %s", got)
		}
		if n := queriestest.LookUp(t, db, "select count(*) from day_records where user_id = 2 and version_no = 2"); n != "0" {
			t.Errorf("%s records of the failed step are stored", n)
		}
		recompute(t, db) // not due
		c.Advance(time.Minute)
	}
	queriestest.Exec(t, db, "drop trigger refuses on day_records")
	recompute(t, db)
	checkRecomputed(t, db)
}

// Several processes divide the steps of a recomputation between them.
func TestRecomputeByTwoProcesses(t *testing.T) {
	db, c := monthOfRecords(t)
	other, err := areas.Open(t.Context(), db.Pool().Config().ConnString(), c.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.Attendance.RecomputeAtMost(1)
	saveLater(t, db)
	var both sync.WaitGroup
	for _, process := range []*areas.Areas{db, other} {
		both.Go(func() {
			if err := process.Attendance.RecomputePast(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	recompute(t, db) // in case each left the end to the other
	checkRecomputed(t, db)
}
