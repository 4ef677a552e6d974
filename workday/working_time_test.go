package workday

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func weekPolicy(t interface{ Fatal(...any) }) *Policy {
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	p := &Policy{WorkType: Fixed, Zone: zone, Night: Span{22 * 60, 6 * 60}, OwnHolidays: map[Date]string{}}
	for _, day := range []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday} {
		p.Week[day] = Shift{Kind: ShiftWork, Start: 9 * 60, End: 18 * 60}
	}
	return p
}

func TestNextWorkingTime(t *testing.T) {
	fixed := weekPolicy(t)
	company := weekPolicy(t)
	company.OwnHolidays[NewDate(2026, 11, 23)] = "창립 기념일"
	free := weekPolicy(t)
	free.WorkType = Free
	saturdays := weekPolicy(t)
	saturdays.WorkType = Free
	saturdays.Week[time.Saturday].Kind = ShiftWork
	flexible := weekPolicy(t)
	flexible.WorkType, flexible.FlexibleStart, flexible.RequiredMin = Flexible, Span{7 * 60, 10 * 60}, 8*60
	late := weekPolicy(t)
	late.Week[time.Friday] = Shift{Kind: ShiftWork, Start: 15 * 60, End: 60, EndNextDay: true}
	nights := weekPolicy(t)
	for day := range nights.Week {
		nights.Week[day] = Shift{Kind: ShiftWork, Start: 23 * 60, End: 5 * 60, EndNextDay: true}
	}
	tokyo := weekPolicy(t)
	tokyo.Zone = time.FixedZone("somewhere", -5*60*60)
	nobody := weekPolicy(t)
	nobody.Week = [7]Shift{}
	const layout = "Mon 2006-01-02 15:04"
	for _, c := range []struct {
		name      string
		policy    *Policy
		now, want string
	}{
		{"at work", fixed, "Fri 2026-11-20 10:00", "Fri 2026-11-20 10:00"},
		{"as it begins", fixed, "Fri 2026-11-20 09:00", "Fri 2026-11-20 09:00"},
		{"before", fixed, "Fri 2026-11-20 08:59", "Fri 2026-11-20 09:00"},
		{"as it ends", fixed, "Fri 2026-11-20 18:00", "Mon 2026-11-23 09:00"},
		{"at night", fixed, "Fri 2026-11-20 02:00", "Fri 2026-11-20 09:00"},
		{"on Sunday", fixed, "Sun 2026-11-22 12:00", "Mon 2026-11-23 09:00"},
		{"before a holiday", company, "Sun 2026-11-22 12:00", "Tue 2026-11-24 09:00"},
		{"free on Saturday", free, "Sat 2026-11-21 12:00", "Mon 2026-11-23 09:00"},
		{"free, with Saturdays", saturdays, "Sat 2026-11-21 12:00", "Sat 2026-11-21 12:00"},
		{"free in the evening", free, "Thu 2026-11-19 20:00", "Fri 2026-11-20 09:00"},
		{"flexible, early", flexible, "Fri 2026-11-20 06:30", "Fri 2026-11-20 07:00"},
		{"late shift before the night", late, "Fri 2026-11-20 21:59", "Fri 2026-11-20 21:59"},
		{"late shift at night", late, "Fri 2026-11-20 22:00", "Mon 2026-11-23 09:00"},
		{"night shift at work", nights, "Sat 2026-11-21 02:00", "Sat 2026-11-21 02:00"},
		{"night shift by day", nights, "Fri 2026-11-20 12:00", "Fri 2026-11-20 23:00"},
		{"another zone", tokyo, "Fri 2026-11-20 10:00", "Fri 2026-11-20 23:00"},
		{"never at work", nobody, "Fri 2026-11-20 10:00", "Sat 2026-11-21 09:00"},
	} {
		now, err := time.ParseInLocation(layout, c.now, fixed.Zone)
		if err != nil {
			t.Fatal(err)
		}
		next, _ := c.policy.NextWorkingTime(now, nil)
		if got := next.In(fixed.Zone).Format(layout); got != c.want {
			t.Errorf("%s: %s leads to %s, not %s", c.name, c.now, got, c.want)
		}
	}
}

// A shift that touches the day is never at night, and no time goes back.
func TestNextWorkingTimeIsByDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := weekPolicy(t)
		for day := range p.Week {
			start := rapid.IntRange(0, 1439).Draw(t, "start")
			kind := rapid.SampledFrom([]ShiftKind{ShiftWork, ShiftDayOff}).Draw(t, "kind")
			p.Week[day] = Shift{Kind: kind, Start: start, End: (start + rapid.IntRange(9*60, 16*60).Draw(t, "length")) % (24 * 60)}
			p.Week[day].EndNextDay = p.Week[day].End <= start
		}
		now := time.Unix(rapid.Int64Range(1_700_000_000, 1_800_000_000).Draw(t, "now"), 0)
		next, _ := p.NextWorkingTime(now, nil)
		if hour := next.In(p.Zone).Hour(); next.Before(now) || hour >= 22 || hour < 6 {
			t.Errorf("%s leads to %s", now.In(p.Zone), next.In(p.Zone))
		}
	})
}
