package workday

import (
	"slices"
	"testing"
	"time"
)

// A week's limit marks the records from the one that exceeds it.
func TestWeeksBeyondTheCap(t *testing.T) {
	for _, c := range []struct {
		name    string
		from    string
		start   time.Weekday
		minutes []int
		want    []string // the dates beyond the cap
	}{
		{"exactly 52 hours", "2026-11-16", time.Monday, []int{624, 624, 624, 624, 624, 0, 0}, nil},
		{"beyond on Saturday", "2026-11-16", time.Monday, []int{600, 600, 600, 600, 600, 180, 0}, []string{"2026-11-21", "2026-11-22"}},
		{"from the day that exceeds it", "2026-11-16", time.Monday, []int{900, 900, 900, 600, 300, 0, 60}, []string{"2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"}},
		{"a week from Sunday", "2026-11-15", time.Sunday, []int{600, 600, 600, 600, 600, 180}, []string{"2026-11-20"}},
		{"two weeks", "2026-11-19", time.Monday, []int{1000, 1000, 700, 700, 600, 600, 600}, []string{"2026-11-22"}},
		{"the turn of the year", "2026-12-28", time.Monday, []int{900, 900, 900, 480}, []string{"2026-12-31"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := officePolicy()
			p.WeekStart, p.WeeklyCapMin = c.start, 3120
			var days []PremiumDay
			for i, n := range c.minutes {
				days = append(days, PremiumDay{Date: date(c.from) + Date(i), Type: Workday, Policy: p, WorkedMin: n, RequiredMin: 480})
			}
			AddPremiums(days, 0)
			var got []string
			for _, d := range days {
				if d.OverWeek {
					got = append(got, d.Date.String())
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestOnlyDaysWithAnArrivalAreMarkedBeyondTheCap(t *testing.T) {
	r := Record{Flags: FlagOverWeek}
	if r.SetPremium(Premium{OverWeek: true}); r.Flags.Has(FlagOverWeek) {
		t.Error("a day without an arrival is marked")
	}
	r.Arrival = &ClockTime{}
	if r.SetPremium(Premium{OverWeek: true}); !r.Flags.Has(FlagOverWeek) {
		t.Error("a day with an arrival is not marked")
	}
	if r.SetPremium(Premium{}); r.Flags.Has(FlagOverWeek) {
		t.Error("the mark remains below the cap")
	}
}
