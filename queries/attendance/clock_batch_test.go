package attendance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// The records and months do not depend on how the events of many people and
// dates are divided into batches.
func TestBatchesGiveTheSameRecords(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"weekly_cap_min": 1200}' where company_id = 1 and policy_id = 2`)
	c.Advance(12 * time.Hour)
	random := rand.New(rand.NewPCG(7, 7))
	people := []int64{queriestest.Employee, queriestest.Kim, queriestest.Foreigner, queriestest.Manager}
	var events []attendance.ClockInput
	for i := range 150 {
		back := random.IntN(9)
		if i%5 == 0 {
			back = random.IntN(30)
		}
		date := workday.DateOf(queriestest.Now) - workday.Date(back)
		kind := []workday.Kind{workday.In, workday.Out, workday.BreakStart, workday.BreakEnd}[min(random.IntN(8)/2, random.IntN(4))]
		events = append(events, clock(fmt.Sprint(i), people[random.IntN(len(people))], kind, date.At(random.IntN(26*60), queriestest.Now.Location())))
	}
	const stored = `select (select string_agg(r::text, E'\n' order by user_id, work_date, extra) from day_records r)
		|| E'\n' || (select string_agg(m::text, E'\n' order by user_id, month, department_id) from attendance_months m)`
	var want string
	for _, size := range []int{1, 7, len(events)} {
		queriestest.Exec(t, db, "truncate clock_events, day_records, attendance_months")
		for from := 0; from < len(events); from += size {
			for _, r := range take(t, db, events[from:min(from+size, len(events))]...) {
				if r.Status != attendance.ClockAccepted && r.Code != "event.future" {
					t.Fatalf("event %s: %s %s", r.EventID, r.Status, r.Code)
				}
			}
		}
		got := queriestest.LookUp(t, db, stored)
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("in batches of %d:\n%s", size, queriestest.Difference(want, got))
		}
	}
	if queriestest.LookUp(t, db, "select count(*) > 40 and bool_or(flags & 4096 <> 0) and bool_or(extra) from day_records") != "true" {
		t.Error("too few records, or none of a long week or beside a day")
	}
}
