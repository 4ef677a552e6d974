package attendance_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// A night shift during which summer time begins or ends, and after which a
// holiday follows, is one record with the hours that really passed.
func TestNightsOfSummerTime(t *testing.T) {
	for _, zone := range []struct {
		name                 string
		spring, autumn       string // when the shifts begin
		spring2nd, autumn2nd string // the dates after them
	}{
		{"Europe/Berlin", "2027-03-27", "2027-10-30", "2027-03-28", "2027-10-31"},
		{"America/New_York", "2027-03-13", "2027-11-06", "2027-03-14", "2027-11-07"},
	} {
		t.Run(zone.name, func(t *testing.T) {
			db, c := queriestest.NewWithClock(t)
			here, err := time.LoadLocation(zone.name)
			if err != nil {
				t.Fatal(err)
			}
			queriestest.Exec(t, db, "update companies set time_zone = $1 where id = 1", zone.name)
			queriestest.Exec(t, db, "update policy_versions set settings = $1 where company_id = 1 and policy_id = 2", nightGuard(zone.name, zone.spring2nd, zone.autumn2nd))
			for _, night := range []struct {
				date, next              string
				worked, night, overtime int
			}{{zone.spring, zone.spring2nd, 8 * 60, 7 * 60, 0}, {zone.autumn, zone.autumn2nd, 10 * 60, 9 * 60, 2 * 60}} {
				at := func(date, clock string) time.Time {
					when, err := time.ParseInLocation("2006-01-02 15:04", date+" "+clock, here)
					if err != nil {
						t.Fatal(err)
					}
					return when
				}
				to := func(when time.Time) { c.Advance(when.Sub(c.Now())) }
				to(at(night.date, "20:00"))
				if err := db.EnsurePartitions(t.Context()); err != nil {
					t.Fatal(err)
				}
				begin(t, db)
				to(at(night.date, "22:01"))
				accepted(t, take(t, db, clock("in "+night.date, queriestest.Kim, workday.In, at(night.date, "22:00"))))
				to(at(night.next, "07:01"))
				begin(t, db)
				accepted(t, take(t, db, clock("out "+night.date, queriestest.Kim, workday.Out, at(night.next, "07:00"))))
				want := fmt.Sprintf("%s on_time %d %d %d %d f", night.date, night.worked, night.night, night.overtime, night.worked)
				records := func() string {
					return queriestest.LookUp(t, db, `select string_agg(concat_ws(' ', work_date, status, worked_min, night_min, overtime_min, extract(epoch from departure_at - arrival_at)::int / 60, extra), ', ')
						from day_records where user_id = 6 and arrival_at is not null and work_date between $1::date - 1 and $1::date + 2`, night.date)
				}
				if got := records(); got != want {
					t.Errorf("at once: %q, not %q", got, want)
				}
				to(at(night.next, "20:00"))
				if err := db.Attendance.SettleDays(t.Context()); err != nil {
					t.Fatal(err)
				}
				date := keyOf(0, night.date).Date
				if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, date-1, date+1); err != nil {
					t.Fatal(err)
				}
				if got := records(); got != want {
					t.Errorf("in the end: %q, not %q", got, want)
				}
				if got := queriestest.LookUp(t, db, "select day_type || ' ' || holiday from day_records where user_id = 6 and work_date = $1::date and not extra", night.next); got != "holiday 창립기념일" {
					t.Errorf("the holiday is %q", got)
				}
			}
		})
	}
}

// nightGuard returns settings with a night shift on every date except the
// holidays.
func nightGuard(zone string, holidays ...string) string {
	week := ""
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week += fmt.Sprintf(`,%q:{"work":true,"start":"22:00","end":"07:00","end_next_day":true}`, day)
	}
	off := ""
	for _, date := range holidays {
		off += fmt.Sprintf(`,{"date":%q,"name":"창립기념일"}`, date)
	}
	return fmt.Sprintf(`{"timezone":%q,"break_mode":"none","holiday_calendar":"none","holiday_dates":[%s],"week":{%s}}`, zone, off[1:], week[1:])
}
