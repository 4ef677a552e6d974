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

	Days    int // days with an arrival
	Unknown int // those of them whose work is unknown
	Warned  bool
	Over    bool
}

// WeekOf returns the first day of the week that contains a date.
func WeekOf(d Date, start time.Weekday) Date {
	return d - Date((d.Weekday()-start+7)%7)
}

// Week adds up the records of one person by week, holidays included (Labour
// Standards Act, Articles 50 and 53). The records must cover whole weeks.
// Warned means that warn is reached, Over that cap is exceeded; 0 is no limit.
// It also returns the records by date, with FlagOverWeek exactly on the days
// from that on which the cap was exceeded.
func Week(records []Record, start time.Weekday, cap, warn int) ([]WeekTotal, []Record) {
	marked := slices.SortedStableFunc(slices.Values(records), func(a, b Record) int {
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
	for i := range marked {
		first := WeekOf(marked[i].Date, start)
		if len(totals) == 0 || totals[len(totals)-1].Start != first {
			totals = append(totals, WeekTotal{Start: first})
		}
		total := &totals[len(totals)-1]
		total.add(&marked[i])
		total.Warned = warn > 0 && total.WorkedMin >= warn
		total.Over = cap > 0 && total.WorkedMin > cap
		marked[i].Flags &^= FlagOverWeek
		marked[i].Flags.set(FlagOverWeek, total.Over && marked[i].Arrival != nil)
	}
	return totals, marked
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
		w.Unknown++
		return
	}
	w.WorkedMin += *r.WorkedMin
}
