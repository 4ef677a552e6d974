package workday

import "time"

// Facts are the events of a day, ordered by time: those within the day's
// window, and those of its date that are in no window.
type Facts struct {
	Events []Event
	Stray  []Event
}

// Assign returns the events of each day. Events that belong to a day outside of
// the plans are left out.
func Assign(plans []Plan, events []Event) map[Date]Facts {
	all := map[Date]Facts{}
	walk(plans, facts(events), func(day int, f fact, stray bool) {
		of := all[plans[day].Date]
		if stray {
			of.Stray = append(of.Stray, *f.Event)
		} else {
			of.Events = append(of.Events, *f.Event)
		}
		all[plans[day].Date] = of
	})
	return all
}

// Records returns the records of one person's consecutive days, in order; Lay
// says which days are needed. events must hold all events of these days and of
// the days next to them. A date with an arrival outside of every window has a
// second record, which is Extra.
func Records(days []Day, events []Event, now time.Time) []Record {
	return RecordsOn(Lay(days), events, now, func(Date) bool { return true })
}

// RecordsOn returns the records of the wanted dates only, from days that Lay
// has laid out. It needs only the events between Plan.Since and Plan.Until of
// these dates.
func RecordsOn(plans []Plan, events []Event, now time.Time, wanted func(Date) bool) []Record {
	within, stray := make([][]fact, len(plans)), make([][]fact, len(plans))
	walk(plans, facts(events), func(day int, f fact, outside bool) {
		if outside {
			stray[day] = append(stray[day], f)
		} else {
			within[day] = append(within[day], f)
		}
	})
	records := make([]Record, 0, len(plans))
	for i, plan := range plans {
		if !wanted(plan.Date) {
			continue
		}
		records = append(records, compute(plan, within[i], now))
		if extra := stray[i]; first(extra, In) >= 0 {
			records = append(records, compute(plan.Beside(), extra, now))
		}
	}
	return records
}

// Touched returns the dates, in order, whose records one more event at a time
// can change: those whose window contains it, or else those whose day from
// 04:00 to 04:00 contains it.
func Touched(plans []Plan, at time.Time) []Date {
	var within, framed []Date
	for i := range plans {
		p := &plans[i]
		if !at.Before(p.Open) && at.Before(p.Close) {
			within = append(within, p.Date)
		}
		if !at.Before(p.frameFrom) && at.Before(p.frameTo) {
			framed = append(framed, p.Date)
		}
	}
	if len(within) > 0 {
		return within
	}
	return framed
}

// Since is the earliest time of an event that can affect the records of the
// date.
func (p *Plan) Since() time.Time { return earlier(p.Open, p.frameFrom) }

// Until is the end of the period that begins with Since.
func (p *Plan) Until() time.Time { return later(p.Close, p.frameTo) }

// walk calls give for each fact with the index of the plan that it belongs to.
// stray reports whether the fact is outside of the plan's window.
func walk(plans []Plan, all []fact, give func(day int, f fact, stray bool)) {
	at := 0
	for _, f := range all {
		for at+1 < len(plans) && beginsNextDay(&plans[at], &plans[at+1], f) {
			at++
		}
		switch {
		case at >= len(plans):
			return
		case !f.at.Before(plans[at].Open) && f.at.Before(plans[at].Close):
			give(at, f, false)
		default:
			if day := dayContaining(plans, at, f.at); day >= 0 {
				give(day, f, true)
			}
		}
	}
}

// beginsNextDay reports whether a fact begins the next day.
func beginsNextDay(day, next *Plan, f fact) bool {
	return !f.at.Before(next.Open) && (f.Kind == In || !f.at.Before(day.Close))
}

// dayContaining returns the index of the plan, among those next to around,
// whose day from 04:00 to 04:00 contains a time, or -1.
func dayContaining(plans []Plan, around int, t time.Time) int {
	for i := max(0, around-1); i < min(len(plans), around+2); i++ {
		if !t.Before(plans[i].frameFrom) && t.Before(plans[i].frameTo) {
			return i
		}
	}
	return -1
}
