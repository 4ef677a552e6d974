package attendance_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// lockAttendance takes the company's lock, as a transaction that derives records
// does, and returns what releases it.
func lockAttendance(t *testing.T, db *areas.Areas) (release func()) {
	t.Helper()
	return holdLock(t, db, "attendance")
}

// holdLock takes a lock of the company by its name.
func holdLock(t *testing.T, db *areas.Areas, name string) (release func()) {
	t.Helper()
	other, err := pgx.Connect(t.Context(), db.Pool().Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close(context.Background()) })
	if _, err := other.Exec(t.Context(), "select pg_advisory_lock(hashtextextended($1, 1))", name); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := other.Exec(t.Context(), "select pg_advisory_unlock_all()"); err != nil {
			t.Error(err)
		}
	}
}

// blockBatch holds the company's lock until release is called. The first call of
// TakeClockEvents waits for the lock, and the others wait for the first;
// blockBatch returns when all of them wait.
func blockBatch(t *testing.T, db *areas.Areas, calls ...func()) (release func()) {
	t.Helper()
	release = lockAttendance(t, db)
	for i, call := range calls {
		go call()
		for {
			const waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())"
			var stored int
			if err := db.Pool().QueryRow(t.Context(), waits).Scan(&stored); err != nil {
				t.Fatal(err)
			}
			if stored == 1 && db.Attendance.WaitingClockCalls(queriestest.Hanbit) == i {
				break
			}
		}
	}
	return release
}

func TestWaitingClockEventsShareATransaction(t *testing.T) {
	db := queriestest.New(t)
	const count = 40
	done := make(chan error, count)
	calls := make([]func(), count)
	for i := range calls {
		calls[i] = func() {
			id := fmt.Sprint("call-", i)
			results, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{
				clock(id, queriestest.Kim, workday.In, queriestest.Now.Add(-time.Duration(i)*time.Minute)),
				clock(id, queriestest.Kim, workday.In, queriestest.Now),
			})
			if err == nil && (len(results) != 2 || results[0] != (attendance.ClockResult{EventID: id, Status: attendance.ClockAccepted}) || results[1].Status != attendance.ClockDuplicate) {
				err = fmt.Errorf("%s: %v", id, results)
			}
			done <- err
		}
	}
	blockBatch(t, db, calls...)()
	for range count {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from clock_events"); got != fmt.Sprint(count) {
		t.Errorf("%s events are stored, not %d", got, count)
	}
	if got := queriestest.LookUp(t, db, "select count(distinct xmin::text) from clock_events"); got != "2" {
		t.Errorf("%s transactions for one call and %d that waited for it", got, count-1)
	}
}

// unstorable is the reason of an event that the database refuses after refuse.
const unstorable = "unstorable"

func refuse(t *testing.T, db *areas.Areas) {
	t.Helper()
	queriestest.Exec(t, db, "alter table clock_events add constraint storable check (reason <> '"+unstorable+"')")
}

// An event that the database refuses is an error only for the call that sent
// it, not for other calls in the same transaction.
func TestClockEventThatFailsFailsAlone(t *testing.T) {
	db := queriestest.New(t)
	refuse(t, db)
	failed := map[string]chan error{}
	call := func(id string, ctx context.Context, reason string) func() {
		failed[id] = make(chan error, 1)
		return func() {
			event := clock(id, queriestest.Kim, workday.In, queriestest.Now)
			event.Reason = reason
			_, err := db.Attendance.TakeClockEvents(ctx, queriestest.Hanbit, []attendance.ClockInput{event})
			failed[id] <- err
		}
	}
	leaving, leave := context.WithCancel(t.Context())
	release := blockBatch(t, db, call("first", leaving, ""), call("good", t.Context(), ""), call("bad", t.Context(), unstorable), call("last", t.Context(), ""))
	leave()
	if err := <-failed["first"]; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who leaves: %v", err)
	}
	release()
	for id, wants := range map[string]bool{"good": false, "bad": true, "last": false} {
		if err := <-failed[id]; (err != nil) != wants {
			t.Errorf("%s: %v", id, err)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(event_id, ' ' order by event_id) from clock_events"); got != "first good last" {
		t.Errorf("stored: %s", got)
	}
}

// Where the company's lock is held for too long, everybody who waits is told so.
func TestWaitingClockEventsEnd(t *testing.T) {
	url := queriestest.URL(t)
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	db, err := areas.Open(t.Context(), url+separator+"lock_timeout=500ms", func() time.Time { return queriestest.Now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	const count = 5
	done := make(chan error, count)
	calls := make([]func(), count)
	for i := range calls {
		calls[i] = func() {
			_, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{clock(fmt.Sprint(i), queriestest.Kim, workday.In, queriestest.Now)})
			done <- err
		}
	}
	release := lockAttendance(t, db)
	for _, call := range calls {
		go call()
	}
	for range count {
		if err := <-done; queries.Outage(err) != "server.busy" {
			t.Errorf("while the lock is held: %v", err)
		}
	}
	release()
	calls[0]()
	if err := <-done; err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// The people of a company are divided into two lanes, and events of one do not wait for
// the other.
func TestClockLanesDoNotWaitForEachOther(t *testing.T) {
	db := queriestest.New(t)
	release := holdLock(t, db, "attendance/0")
	both := make(chan error, 1)
	go func() {
		results, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{
			clock("first", queriestest.Foreigner, workday.In, queriestest.Now.Add(-2*time.Minute)),
			clock("second", queriestest.Kim, workday.In, queriestest.Now.Add(-time.Minute)),
			clock("third", queriestest.Foreigner, workday.Out, queriestest.Now),
		})
		var ids []string
		for _, r := range results {
			ids = append(ids, r.EventID+" "+string(r.Status))
		}
		if got := strings.Join(ids, ", "); err == nil && got != "first accepted, second accepted, third accepted" {
			err = errors.New(got)
		}
		both <- err
	}()
	waitUntil(t, db, "select coalesce(string_agg(event_id, ' ' order by at), '') from clock_events", "first third")
	accepted(t, take(t, db, clock("fourth", queriestest.Foreigner, workday.In, queriestest.Now)))
	select {
	case err := <-both:
		t.Fatalf("answered although a lane was locked: %v", err)
	default:
	}
	release()
	if err := <-both; err != nil {
		t.Error(err)
	}
}

// If the events of one lane cannot be stored, the call fails. Those of the other lane are
// stored, and known when they are sent again.
func TestClockEventsOfOneLaneFail(t *testing.T) {
	db := queriestest.New(t)
	events := []attendance.ClockInput{
		clock("odd", queriestest.Foreigner, workday.In, queriestest.Now), clock("even", queriestest.Kim, workday.In, queriestest.Now),
	}
	refuse(t, db)
	events[1].Reason = unstorable
	if results, err := db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, events); err == nil || results != nil {
		t.Errorf("%v, %v", results, err)
	}
	events[1].Reason = ""
	results := take(t, db, events...)
	if results[0].Status != attendance.ClockDuplicate || results[1].Status != attendance.ClockAccepted {
		t.Errorf("sent again: %+v", results)
	}
}
