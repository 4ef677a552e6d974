package attendance_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func holiday(first, last workday.Date, name string) *policy.HolidayDraft {
	return &policy.HolidayDraft{First: first, Last: last, Name: name}
}

func saveHoliday(t *testing.T, db *areas.Areas, c policy.HolidayChange) policy.Holiday {
	t.Helper()
	h, err := db.Policies.SaveHoliday(t.Context(), queriestest.AdminActor(t, db), c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// computeOutdated runs the job that computes records again.
func computeOutdated(t *testing.T, db *areas.Areas) {
	t.Helper()
	if err := db.Attendance.RecomputeOutdated(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A holiday of the past changes the records of its date, as its preview says, and deleting it
// changes them back.
func TestHolidayOfThePast(t *testing.T) {
	db, _ := monthOfRecords(t)
	before := queriestest.LookUp(t, db, storedRecords)
	by := queriestest.AdminActor(t, db)
	tenth := workday.NewDate(2026, 11, 10)
	change := policy.HolidayChange{Draft: holiday(tenth, tenth, "창립기념일")}
	plan, err := db.Policies.PlanHoliday(t.Context(), queriestest.Hanbit, change)
	if err != nil || !plan.Records {
		t.Fatalf("plan %+v, %v", plan, err)
	}
	preview, err := db.Attendance.PreviewHoliday(t.Context(), queriestest.Hanbit, plan)
	if err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Error("a preview wrote records")
	}
	if _, err := db.Policies.SaveHoliday(t.Context(), by, change); !errors.Is(err, policy.ErrHolidayUnconfirmed) {
		t.Fatalf("unconfirmed: %v", err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from company_holidays"); n != "0" {
		t.Errorf("%s holidays are stored although nobody confirmed", n)
	}
	change.Confirmed = true
	h := saveHoliday(t, db, change)
	computeOutdated(t, db)
	if got := dayOf(t, db, queriestest.Kim, "2026-11-10"); got != "[holiday_work 09:50 19:10 500]" {
		t.Errorf("on the holiday: %s", got)
	}
	// Two people worked eight hours and 25 and 5 minutes more.
	const changed = `select concat_ws(' ', sum(worked_min), sum(overtime_min), sum(holiday_min), sum(holiday_over_min), sum(late_min)) from day_records`
	after := queriestest.LookUp(t, db, changed)
	if preview.People != 2 || preview.HolidayMin != 960 || preview.HolidayOverMin != 30 || preview.LateMin != -50 || !preview.IsExact || preview.Records < 2 {
		t.Errorf("preview: %+v", preview)
	}
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, workday.NewDate(2026, 11, 2), workday.NewDate(2026, 11, 19)); err != nil {
		t.Fatal(err)
	}
	if again := queriestest.LookUp(t, db, changed); again != after {
		t.Errorf("computing the records once more changes %s to %s", after, again)
	}

	// Another name is another record; then the holiday is deleted.
	h = saveHoliday(t, db, policy.HolidayChange{ID: h.ID, VersionNo: h.VersionNo, Draft: holiday(tenth, tenth, "회사 생일"), Confirmed: true})
	computeOutdated(t, db)
	if got := queriestest.LookUp(t, db, "select distinct holiday from day_records where work_date = '2026-11-10'"); got != "회사 생일" {
		t.Errorf("renamed: %s", got)
	}
	saveHoliday(t, db, policy.HolidayChange{ID: h.ID, Confirmed: true})
	computeOutdated(t, db)
	if got := queriestest.LookUp(t, db, storedRecords); got != before {
		t.Errorf("after it is deleted the records are\n%s\nnot\n%s", got, before)
	}
}

// The preview has the overtime of the week on dates around the holiday, too.
func TestHolidayPreviewHasTheWeek(t *testing.T) {
	db, _ := monthOfRecords(t)
	var rows []string
	for date := workday.NewDate(2026, 10, 12); date <= workday.NewDate(2026, 10, 17); date++ {
		rows = append(rows, fmt.Sprintf("H0006,%s,09:00,18:00,,", date))
	}
	importLong(t, db, attendance.ImportOptions{}, rows...)
	const overtime = "select sum(overtime_min) from day_records where work_date between '2026-10-11' and '2026-10-17'"
	before := queriestest.LookUp(t, db, overtime)
	monday := workday.NewDate(2026, 10, 12)
	change := policy.HolidayChange{Draft: holiday(monday, monday, "창립기념일"), Confirmed: true}
	plan, err := db.Policies.PlanHoliday(t.Context(), queriestest.Hanbit, change)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := db.Attendance.PreviewHoliday(t.Context(), queriestest.Hanbit, plan)
	if err != nil {
		t.Fatal(err)
	}
	saveHoliday(t, db, change)
	computeOutdated(t, db)
	if after := queriestest.LookUp(t, db, overtime); before != "480" || after != "0" || preview.OvertimeMin != -480 || preview.HolidayMin != 480 {
		t.Errorf("overtime of the week from %s to %s, preview %+v", before, after, preview)
	}
}

// Until the records are computed again, their month cannot be locked; in a locked month
// no holiday changes.
func TestHolidaysAndLocks(t *testing.T) {
	db, c := monthOfRecords(t)
	c.Advance(30 * 24 * time.Hour)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	by, tenth := queriestest.AdminActor(t, db), workday.NewDate(2026, 11, 10)
	saveHoliday(t, db, policy.HolidayChange{Draft: holiday(tenth, tenth, "창립기념일"), Confirmed: true})
	if err := db.Attendance.LockMonth(t.Context(), by, tenth); !errors.Is(err, queries.Invalid("record.lock.recomputing")) {
		t.Errorf("a month that is computed again: %v", err)
	}
	computeOutdated(t, db)
	if err := db.Attendance.LockMonth(t.Context(), by, tenth); err != nil {
		t.Fatal(err)
	}
	var fields queries.FieldErrors
	_, err := db.Policies.SaveHoliday(t.Context(), by, policy.HolidayChange{Draft: holiday(tenth+1, tenth+1, "하루 더"), Confirmed: true})
	if !errors.As(err, &fields) || fields["first_date"] != "holiday.date.locked" {
		t.Errorf("in a locked month: %v", err)
	}
	// Days behind the locked month can be added to a holiday that begins in it.
	last := workday.NewDate(2026, 11, 30)
	queriestest.Exec(t, db, "update company_holidays set first_date = $1, last_date = $1", last.Time())
	h, err := db.Policies.Holidays(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	saveHoliday(t, db, policy.HolidayChange{ID: h[0].ID, Draft: holiday(last, last+2, "창립기념일"), Confirmed: true})
}

// An upcoming holiday applies wherever the policy of a date is read, without another
// version of the policy.
func TestUpcomingHoliday(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	monday := workday.NewDate(2026, 11, 23) // tomorrow's record exists on Sunday
	c.Advance(2 * 24 * time.Hour)
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	types := func() string {
		return queriestest.LookUp(t, db, "select string_agg(distinct day_type || ' ' || holiday, ', ') from day_records where company_id = 1 and work_date = '2026-11-23'")
	}
	if got := types(); got != "workday " {
		t.Fatalf("before: %s", got)
	}
	saveHoliday(t, db, policy.HolidayChange{Draft: holiday(monday, monday+1, "창립기념일"), Confirmed: true})
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := types(); got != "holiday 창립기념일" {
		t.Errorf("tomorrow's records: %s", got)
	}
	p := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Kim)
	for date, want := range map[workday.Date]string{monday - 1: "", monday: "창립기념일", monday + 1: "창립기념일", monday + 2: "", workday.NewDate(2026, 12, 25): "kr.christmas"} {
		if got, err := db.Attendance.HolidayOn(t.Context(), p, date); err != nil || got != want {
			t.Errorf("%s is %q, not %q: %v", date, got, want, err)
		}
	}
	scope, err := db.Attendance.RecordScope(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	week, err := db.Attendance.Own(t.Context(), p, scope, queriestest.Kim, monday, monday+6)
	if err != nil || week.Days[1].Holiday != "창립기념일" || week.Days[1].Planned != nil || week.Days[2].Planned == nil {
		t.Errorf("the plan of the week is %+v: %v", week.Days, err)
	}

	// Somebody who works on it has holiday work.
	c.Advance(24 * time.Hour)
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-23 07:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-23 10:00"))))
	if got := dayOf(t, db, queriestest.Kim, "2026-11-23"); got != "[holiday_work 07:00 10:00 180]" {
		t.Errorf("worked on it: %s", got)
	}

	// Another company has no part in it.
	other := queriestest.Person(t, db, queriestest.Other, queriestest.OtherAdmin)
	if got, err := db.Attendance.HolidayOn(t.Context(), other, monday); err != nil || got != "" {
		t.Errorf("another company: %q, %v", got, err)
	}
}

// Holidays are read once after they were changed, and not for each event or page.
func TestHolidaysAreCached(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	day := workday.NewDate(2027, 1, 4)
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	saveHoliday(t, db, policy.HolidayChange{Draft: holiday(day, day, "시무식")})
	statements := queriestest.LogStatements(t, db)
	for minute := range 3 {
		accepted(t, take(t, db, clock(fmt.Sprint("in", minute), queriestest.Kim, workday.In, at(t, fmt.Sprintf("2026-11-20 09:0%d", minute)))))
		if _, err := db.Attendance.HolidayOn(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Kim), day); err != nil {
			t.Fatal(err)
		}
	}
	if read := statements.TakeCount("companyHolidays"); read != 1 {
		t.Errorf("holidays were read %d times", read)
	}
}
