package attendance_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// After a restart nothing is cached, and every connection may be waiting for
// the company's lock. The transaction that holds the lock must read the
// policies without a second connection. Each event is sent through its own
// store, because one store sends them one after another.
func TestMoreClockEventsThanConnections(t *testing.T) {
	db := queriestest.New(t)
	other, err := pgx.Connect(t.Context(), db.Pool().Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	if _, err := other.Exec(t.Context(), "select pg_advisory_lock(hashtextextended('attendance', 1))"); err != nil {
		t.Fatal(err)
	}
	connections := int(db.Pool().Config().MaxConns)
	results := make(chan error)
	for i := range 4 * connections {
		go func() {
			answer, err := areas.Over(db.DB).Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{
				clock(fmt.Sprint(i), queriestest.Kim, workday.In, queriestest.Now.Add(-time.Duration(i)*time.Minute)),
			})
			if err == nil && answer[0].Status != attendance.ClockAccepted {
				err = fmt.Errorf("event %d: %s %s", i, answer[0].Status, answer[0].Code)
			}
			results <- err
		}()
	}
	for waiting := 0; waiting < connections; {
		const waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())"
		if err := other.QueryRow(t.Context(), waits).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := other.Exec(t.Context(), "select pg_advisory_unlock_all()"); err != nil {
		t.Fatal(err)
	}
	for range 4 * connections {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from clock_events"); got != fmt.Sprint(4*connections) {
		t.Errorf("%s events are stored, not %d", got, 4*connections)
	}
}
