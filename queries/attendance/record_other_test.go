package attendance_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// An arrival outside of every window begins a record that the date's own one leads to, and
// the other way round.
func TestRecordsOfADateLeadToEachOther(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(12 * time.Hour)
	accepted(t, take(t, db, clock("night", queriestest.Kim, workday.In, at(t, "2026-11-19 04:10"))))
	kim := someone(t, db, queriestest.Kim)
	for _, test := range []struct {
		date            string
		isExtra, expect bool
	}{{"2026-11-19", false, true}, {"2026-11-19", true, true}, {"2026-11-20", false, false}} {
		key := keyOf(queriestest.Kim, test.date)
		key.Extra = test.isExtra
		if r, err := db.Attendance.Record(t.Context(), kim, key); err != nil || r.HasOther != test.expect {
			t.Errorf("%+v: %v, %v", test, r.HasOther, err)
		}
	}
}
