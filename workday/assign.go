package workday

import "time"

// Facts are the events of a day in the order that they happened: those within
// its window, and those of its date that are in no window at all.
type Facts struct {
	Events []Event
	Stray  []Event
}

// Assign gives every event the day that it belongs to. Events of other days
// than the plans' are left out.
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

// Records are the records of a person's days, in order; see Lay for which days
// to give. Give also all events of these days, and those of the neighbours. A
// date with an arrival outside of every window has a second record, which is
// Extra.
func Records(days []Day, events []Event, now time.Time) []Record {
	return RecordsOn(Lay(days), events, now, func(Date) bool { return true })
}

// RecordsOn are those of Records on some of the dates, of laid out days. The
// events between Plan.Since and Plan.Until of these dates do.
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

// Touched are the dates, in order, whose records one more event at a time may
// change: those in whose windows it is, or else those in whose days, from 04:00
// to 04:00.
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

// Since and Until bound the events that the records of a date are made of.
func (p *Plan) Since() time.Time { return earlier(p.Open, p.frameFrom) }

// Until is the end, see Since.
func (p *Plan) Until() time.Time { return later(p.Close, p.frameTo) }

// walk goes through the facts and the plans side by side, and gives each fact
// with the place of its plan.
func walk(plans []Plan, all []fact, give func(day int, f fact, stray bool)) {
	at := 0
	for _, f := range all {
		for at+1 < len(plans) && turns(&plans[at], &plans[at+1], f) {
			at++
		}
		switch {
		case at >= len(plans):
			return
		case !f.at.Before(plans[at].Open) && f.at.Before(plans[at].Close):
			give(at, f, false)
		default:
			if day := framing(plans, at, f.at); day >= 0 {
				give(day, f, true)
			}
		}
	}
}

// turns reports whether the next day begins with a fact.
func turns(day, next *Plan, f fact) bool {
	return !f.at.Before(next.Open) && (f.Kind == In || !f.at.Before(day.Close))
}

// framing is the place of the plan among the neighbours in whose day, from 04:00
// to 04:00, a time lies, or -1.
func framing(plans []Plan, around int, t time.Time) int {
	for i := max(0, around-1); i < min(len(plans), around+2); i++ {
		if !t.Before(plans[i].frameFrom) && t.Before(plans[i].frameTo) {
			return i
		}
	}
	return -1
}
