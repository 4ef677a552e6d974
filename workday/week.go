package workday

import (
	"slices"
	"time"
)

// WeekTotal is the sum of one person's records in a week.
type WeekTotal struct {
	Start Date // its first day

	WorkedMin, OvertimeMin, NightMin int
	LateMin, EarlyMin                int

	Days           int  // days with an arrival
	UnknownDays    int  // those of them whose work is unknown
	ReachesWarning bool // WorkedMin is at least the warning threshold
	ExceedsCap     bool // WorkedMin is more than the cap
}

// WeekOf returns the first day of the week that contains a date.
func WeekOf(d Date, start time.Weekday) Date {
	return d - Date((d.Weekday()-start+7)%7)
}

// SumByWeek adds up the records of one person by week, holidays included
// (Labour Standards Act, Articles 50 and 53). The records must cover whole
// weeks. cap and warn are in minutes a week; 0 is no limit.
//
// It also returns the records by date. FlagOverWeek is set on exactly the days
// with an arrival from the one on which the cap was exceeded.
func SumByWeek(records []Record, start time.Weekday, cap, warn int) ([]WeekTotal, []Record) {
	sorted := slices.SortedStableFunc(slices.Values(records), func(a, b Record) int {
		switch {
		case a.Date != b.Date:
			return int(a.Date - b.Date)
		case a.Extra == b.Extra:
			return 0
		case b.Extra:
			return -1
		}
		return 1
	})
	var totals []WeekTotal
	for i := range sorted {
		first := WeekOf(sorted[i].Date, start)
		if len(totals) == 0 || totals[len(totals)-1].Start != first {
			totals = append(totals, WeekTotal{Start: first})
		}
		total := &totals[len(totals)-1]
		total.add(&sorted[i])
		total.ReachesWarning = warn > 0 && total.WorkedMin >= warn
		total.ExceedsCap = cap > 0 && total.WorkedMin > cap
		sorted[i].Flags &^= FlagOverWeek
		sorted[i].Flags.set(FlagOverWeek, total.ExceedsCap && sorted[i].Arrival != nil)
	}
	return totals, sorted
}

func (w *WeekTotal) add(r *Record) {
	w.OvertimeMin += r.OvertimeMin
	w.NightMin += r.NightMin
	w.LateMin += r.LateMin
	w.EarlyMin += r.EarlyMin
	if r.Arrival != nil {
		w.Days++
	}
	if r.WorkedMin == nil {
		w.UnknownDays++
		return
	}
	w.WorkedMin += *r.WorkedMin
}
