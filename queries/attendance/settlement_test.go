package attendance_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Whoever leaves within a settlement period, or has no record on its last date for another
// reason, has its overtime on the last record once the period is over.
func TestSettlementOfWhoLeft(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week"}' where company_id = 1 and policy_id = 2`)
	begin(t, db)
	c.Advance(10 * time.Hour)
	for _, day := range []string{"2026-11-18", "2026-11-19", "2026-11-20"} {
		for _, user := range []int64{queriestest.Kim, queriestest.Employee} {
			id := map[int64]string{queriestest.Kim: "kim ", queriestest.Employee: "employee "}[user]
			accepted(t, take(t, db, clock(id+"in "+day, user, workday.In, at(t, day+" 09:00")), clock(id+"out "+day, user, workday.Out, at(t, day+" 19:00"))))
		}
	}
	queriestest.Exec(t, db, "update users set hidden_at = $1 where company_id = 1 and id = $2", c.Now(), queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = 1")
	overtime := func(user int64) string {
		return queriestest.LookUp(t, db, "select string_agg(to_char(work_date, 'DD') || ' ' || balance_min || ' ' || overtime_min, ', ' order by work_date) from day_records where company_id = 1 and user_id = $1 and work_date between '2026-11-20' and '2026-11-22' and deleted_at is null", user)
	}
	for _, step := range []struct{ until, kim, employee string }{
		{"2026-11-21 10:00", "20 180 0", "20 180 0, 21 180 0, 22 180 180"},
		{"2026-11-22 10:00", "20 180 0", "20 180 0, 21 180 0"}, // without the record of Sunday
		{"2026-11-23 10:00", "20 180 180", "20 180 0, 21 180 180"},
	} {
		c.Advance(at(t, step.until).Sub(c.Now()))
		begin(t, db)
		if step.until == "2026-11-22 10:00" {
			by, scope := editor(t, db, queriestest.Admin)
			if err := db.Attendance.DeleteRecord(t.Context(), by, scope, keyOf(queriestest.Employee, "2026-11-22"), "휴직", nil); err != nil {
				t.Fatal(err)
			}
		}
		if kim, employee := overtime(queriestest.Kim), overtime(queriestest.Employee); kim != step.kim || employee != step.employee {
			t.Errorf("at %s: %q and %q, not %q and %q", step.until, kim, employee, step.kim, step.employee)
		}
	}
	checkMonths(t, db, queriestest.Hanbit, "the week is over")
	// A day that arrives late takes the overtime with it.
	queriestest.Exec(t, db, "update users set hidden_at = null where company_id = 1 and id = $1", queriestest.Kim)
	accepted(t, take(t, db, clock("kim late in", queriestest.Kim, workday.In, at(t, "2026-11-21 09:00")), clock("kim late out", queriestest.Kim, workday.Out, at(t, "2026-11-21 10:00"))))
	if got := overtime(queriestest.Kim); got != "20 180 0, 21 240 240" {
		t.Errorf("with a later day: %q", got)
	}
}

// A settled week of two months: the records before it, in the month in which it begins, do
// not end it there, and what a locked month has paid is not paid again.
func TestSettlementOfAWeekInTwoMonths(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	queriestest.Exec(t, db, `update policy_versions set settings = '{"work_type": "flexible", "settlement": "week", "week_start": "wed"}' where company_id = 1 and policy_id = 2`)
	clockIn := func(day, until string) {
		accepted(t, take(t, db, clock("in "+day, queriestest.Kim, workday.In, at(t, day+" 09:00")), clock("out "+day, queriestest.Kim, workday.Out, at(t, day+" "+until))))
	}
	overtime := func() string {
		return queriestest.LookUp(t, db, "select string_agg(to_char(work_date, 'DD') || ' ' || balance_min || ' ' || overtime_min, ', ' order by work_date) from day_records where company_id = 1 and user_id = $1 and work_date between '2026-10-28' and '2026-11-03' and deleted_at is null", queriestest.Kim)
	}
	expect := func(when, want string) {
		t.Helper()
		if got := overtime(); got != want {
			t.Errorf("%s: %q, not %q", when, got, want)
		}
		checkMonths(t, db, queriestest.Hanbit, when)
	}
	clockIn("2026-10-30", "20:00")
	expect("the last record", "30 120 120")
	by, _ := editor(t, db, queriestest.Admin)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	clockIn("2026-11-02", "19:00")
	expect("after the month was locked", "30 120 120, 02 180 60")
	unlockOctober(t, db)
	expect("unlocked", "30 120 0, 02 180 180")
	clockIn("2026-10-28", "18:00")
	expect("of the same week", "28 0 0, 30 120 0, 02 180 180")
	clockIn("2026-10-23", "19:00")
	expect("of a week before", "28 0 0, 30 120 0, 02 180 180")
	c.Advance(time.Hour)
	if err := db.Attendance.LockMonth(t.Context(), by, october); err != nil {
		t.Fatal(err)
	}
	expect("locked again", "28 0 0, 30 120 0, 02 180 180")
}

// Whatever the order in which days arrive, premium time is that of all records computed at
// once: what an event does not derive does not depend on it.
func TestSettlementDoesNotDependOnTheOrder(t *testing.T) {
	weekDays := map[string]time.Weekday{"mon": time.Monday, "wed": time.Wednesday, "sat": time.Saturday}
	for _, test := range []struct {
		settlement workday.Settlement
		weekStart  string
	}{{workday.SettlementWeek, "mon"}, {workday.SettlementWeek, "wed"}, {workday.SettlementWeek, "sat"}, {workday.SettlementMonth, "mon"}, {workday.SettlementDay, "wed"}} {
		t.Run(string(test.settlement)+" "+test.weekStart, func(t *testing.T) {
			db, c := queriestest.NewWithClock(t)
			queriestest.Exec(t, db, `update policy_versions set settings = jsonb_build_object('work_type', 'flexible', 'settlement', $1::text, 'week_start', $2::text) where company_id = 1 and policy_id = 2`, test.settlement, test.weekStart)
			random := rand.New(rand.NewPCG(uint64(len(test.settlement)), uint64(weekDays[test.weekStart])))
			policy := &workday.Policy{Settlement: test.settlement, WeekStart: weekDays[test.weekStart], Overtime: workday.OvertimeAutomatic, WeeklyOvertimeAfterMin: 40 * 60}
			first := keyOf(0, "2026-10-22").Date
			for _, n := range random.Perm(28) {
				day := (first + workday.Date(n)).String()
				accepted(t, take(t, db,
					clock("in "+day, queriestest.Kim, workday.In, at(t, day+" 09:00")),
					clock("out "+day, queriestest.Kim, workday.Out, at(t, day+" 17:00").Add(time.Duration(random.IntN(6))*time.Hour))))
				rows, err := db.Pool().Query(t.Context(), "select work_date, extra, day_type, worked_min, required_min, overtime_min, balance_min from day_records where company_id = 1 and user_id = $1 order by work_date, extra", queriestest.Kim)
				if err != nil {
					t.Fatal(err)
				}
				var stored []workday.PremiumDay
				var one workday.PremiumDay
				var date time.Time
				if _, err := pgx.ForEachRow(rows, []any{&date, &one.Extra, &one.Type, &one.WorkedMin, &one.RequiredMin, &one.OvertimeMin, &one.BalanceMin}, func() error {
					one.Date, one.Policy = workday.DateOf(date), policy
					stored = append(stored, one)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				computed := slices.Clone(stored)
				workday.AddPremiums(computed, workday.DateOf(c.Now().In(queriestest.Now.Location())))
				for i := range stored {
					was, is := stored[i].Premium, computed[i].Premium
					if was.OvertimeMin != is.OvertimeMin || (was.BalanceMin == nil) != (is.BalanceMin == nil) || was.BalanceMin != nil && *was.BalanceMin != *is.BalanceMin {
						t.Fatalf("after %s, %s has overtime %d, not %d", day, stored[i].Date, was.OvertimeMin, is.OvertimeMin)
					}
				}
			}
		})
	}
}
