package attendance_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// positionsOf returns the ids of a user's events whose position is stored.
func positionsOf(t *testing.T, db *areas.Areas, user int64) []string {
	t.Helper()
	var ids []string
	err := db.Pool().QueryRow(t.Context(), "select coalesce(array_agg(event_id order by at), '{}') from clock_events where user_id = $1 and lat is not null", user).Scan(&ids)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// clockIn stores events with positions, one a day until the time.
func clockIn(t *testing.T, db *areas.Areas, user int64, until time.Time, days int) {
	t.Helper()
	for day := days; day >= 0; day-- {
		e := clock(fmt.Sprintf("%d-%02d", user, day), user, workday.In, until.AddDate(0, 0, -day))
		e.GPS = &attendance.GPS{Lat: 37.4, Lng: 127.1, AccuracyM: 20}
		if result := take(t, db, e)[0]; result.Status != attendance.ClockAccepted {
			t.Fatal(e.EventID, result)
		}
	}
}

func recordLocations(t *testing.T, db *areas.Areas, days int) {
	t.Helper()
	queriestest.Exec(t, db, fmt.Sprintf(`update policy_versions set settings = '{"gps_mode": "record", "location_keep_days": %d}' where company_id = 1 and policy_id = 2`, days))
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1")
}

func TestErasePositions(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	recordLocations(t, db, 3)
	clockIn(t, db, queriestest.Kim, queriestest.Now, 5)
	if err := db.Attendance.ErasePositions(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"6-03", "6-02", "6-01", "6-00"}
	if got := positionsOf(t, db, queriestest.Kim); !slices.Equal(got, want) {
		t.Errorf("stored positions are those of %v, not of %v", got, want)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from clock_events where user_id = 6"); got != "6" {
		t.Errorf("%s events are left of 6", got)
	}
	if got := queriestest.LookUp(t, db, "select object_id || ' ' || old || ' ' || new from changes where action = 'position.expired'"); got != `0 {"positions": 2} {"positions": 0}` {
		t.Errorf("the change log has %s", got)
	}

	clock.Advance(24 * time.Hour)
	for range 2 { // the second time nothing is due
		if err := db.Attendance.ErasePositions(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := positionsOf(t, db, queriestest.Kim); !slices.Equal(got, want[1:]) {
		t.Errorf("a day later the stored positions are those of %v, not of %v", got, want[1:])
	}
	if got := queriestest.LookUp(t, db, "select count(*) from changes where action = 'position.expired'"); got != "2" {
		t.Errorf("%s erasures in the change log, not 2", got)
	}
}

// Positions without a record are stored longest. Here they fill more than one batch.
func TestErasePositionsAfterABatchOfOthers(t *testing.T) {
	db := queriestest.New(t)
	recordLocations(t, db, 3)
	queriestest.Exec(t, db, `insert into clock_events (company_id, user_id, at, event_id, kind, occurred_at, received_at, lat, lng)
		select 1, 7, at, 'old ' || n, 'in', at, at, 37.4, 127.1 from (select n, '2026-10-20T00:00Z'::timestamptz + n * interval '1 second' as at from generate_series(1, 2100) n) e`)
	clockIn(t, db, queriestest.Kim, queriestest.Now, 5)
	if err := db.Attendance.ErasePositions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := positionsOf(t, db, queriestest.Kim); len(got) != 4 {
		t.Errorf("stored positions are those of %v", got)
	}
	if got := positionsOf(t, db, 7); len(got) != 2100 {
		t.Errorf("%d positions without a record are stored", len(got))
	}
}

func TestWithdrawnConsent(t *testing.T) {
	db := queriestest.New(t)
	recordLocations(t, db, 90)
	clockIn(t, db, queriestest.Kim, queriestest.Now, 3)
	at := func(hours int) time.Time { return queriestest.Now.Add(time.Duration(hours) * time.Hour) }
	consent := func(given bool, hours int) {
		t.Helper()
		results, err := db.Attendance.TakeConsents(t.Context(), queriestest.Hanbit, []attendance.Consent{{UserID: queriestest.Kim, Given: given, At: at(hours)}})
		if err != nil || results[0].Status != attendance.ClockAccepted {
			t.Fatal(results, err)
		}
	}
	consent(true, -1)
	consent(true, -10)
	consent(false, -30) // arrives late; events are of 72, 48, 24 and 0 hours ago
	if got := positionsOf(t, db, queriestest.Kim); !slices.Equal(got, []string{"6-00"}) {
		t.Errorf("positions of %v are stored after the consent was withdrawn and given again", got)
	}
	history, err := db.Attendance.Consents(t.Context(), attendance.ConsentsParams{CompanyID: queriestest.Hanbit, UserID: queriestest.Kim, Size: 10})
	if err != nil || len(history) != 4 || !history[0].Given || !history[1].Given || history[2].Given || !history[3].Given {
		t.Errorf("the history is %v (%v)", history, err)
	}
	consent(false, 0)
	if got := positionsOf(t, db, queriestest.Kim); len(got) != 0 {
		t.Errorf("positions of %v are stored without consent", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(object_name || ' ' || (old->>'positions'), ', ' order by id) from changes where action = 'position.withdrawn'"); got != "김철수 3, 김철수 1" {
		t.Errorf("the change log has %s", got)
	}
	if got := queriestest.LookUp(t, db, "select location_consent_at is null from users where id = 6"); got != "true" {
		t.Error("the user still agrees")
	}
}

// What was clocked without consent gets no position when it arrives after the user
// agreed.
func TestConsentAtTheTimeOfTheEvent(t *testing.T) {
	db := queriestest.New(t)
	recordLocations(t, db, 90)
	hourAgo := queriestest.Now.Add(-time.Hour)
	consents := []attendance.Consent{{UserID: queriestest.Kim, At: hourAgo}, {UserID: queriestest.Kim, Given: true}, {UserID: queriestest.Kim, Given: true}}
	if _, err := db.Attendance.TakeConsents(t.Context(), queriestest.Hanbit, consents); err != nil {
		t.Fatal(err)
	}
	clockIn(t, db, queriestest.Kim, queriestest.Now, 2)
	if got := positionsOf(t, db, queriestest.Kim); !slices.Equal(got, []string{"6-00"}) {
		t.Errorf("positions of %v are stored", got)
	}
}
