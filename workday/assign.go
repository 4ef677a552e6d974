package workday

import "time"

// DayEvents are the events of a day, ordered by time: those within the day's
// window, and as ExtraEvents those of its date that are in no window, which
// belong to the Extra record.
type DayEvents struct {
	Events      []Event
	ExtraEvents []Event
}

// Assign returns the events of each day. Events that belong to a day outside of
// the plans are left out.
func Assign(plans []Plan, events []Event) map[Date]DayEvents {
	days := map[Date]DayEvents{}
	eachEvent(plans, timedEvents(events), func(day int, e timedEvent, extra bool) {
		entry := days[plans[day].Date]
		if extra {
			entry.ExtraEvents = append(entry.ExtraEvents, *e.Event)
		} else {
			entry.Events = append(entry.Events, *e.Event)
		}
		days[plans[day].Date] = entry
	})
	return days
}

// Records returns the records of one person's consecutive days, in order;
// NewPlans says which days are needed. events must hold all events of these days and of
// the days next to them. A date with an arrival outside of every window has a
// second record, which is Extra.
func Records(days []Day, events []Event, now time.Time) []Record {
	return RecordsOn(NewPlans(days), events, now, func(Date) bool { return true })
}

// RecordsOn returns the records of the wanted dates only, from the plans that
// NewPlans returns. It needs only the events between Plan.Since and Plan.Until of
// these dates.
func RecordsOn(plans []Plan, events []Event, now time.Time, wanted func(Date) bool) []Record {
	within, extra := make([][]timedEvent, len(plans)), make([][]timedEvent, len(plans))
	eachEvent(plans, timedEvents(events), func(day int, e timedEvent, isExtra bool) {
		if isExtra {
			extra[day] = append(extra[day], e)
		} else {
			within[day] = append(within[day], e)
		}
	})
	records := make([]Record, 0, len(plans))
	for i, plan := range plans {
		if !wanted(plan.Date) {
			continue
		}
		records = append(records, compute(plan, within[i], now))
		if events := extra[i]; first(events, In) >= 0 {
			records = append(records, compute(plan.ExtraPlan(), events, now))
		}
	}
	return records
}

// AffectedDates returns the dates, in order, whose records one more event at a time
// can change: those whose window contains it, or else those whose day from
// 04:00 to 04:00 contains it.
func AffectedDates(plans []Plan, at time.Time) []Date {
	var within, sameDay []Date
	for i := range plans {
		p := &plans[i]
		if !at.Before(p.Open) && at.Before(p.Close) {
			within = append(within, p.Date)
		}
		if !at.Before(p.dayStart) && at.Before(p.dayEnd) {
			sameDay = append(sameDay, p.Date)
		}
	}
	if len(within) > 0 {
		return within
	}
	return sameDay
}

// Since is the earliest time of an event that can affect the records of the
// date.
func (p *Plan) Since() time.Time { return earlier(p.Open, p.dayStart) }

// Until is the end of the period that begins with Since.
func (p *Plan) Until() time.Time { return later(p.Close, p.dayEnd) }

// eachEvent calls yield for each event with the index of the plan that it
// belongs to. extra reports whether the event is outside of the plan's window.
func eachEvent(plans []Plan, all []timedEvent, yield func(day int, e timedEvent, extra bool)) {
	at := 0
	for _, e := range all {
		for at+1 < len(plans) && beginsNextDay(&plans[at], &plans[at+1], e) {
			at++
		}
		switch {
		case at >= len(plans):
			return
		case !e.at.Before(plans[at].Open) && e.at.Before(plans[at].Close):
			yield(at, e, false)
		default:
			if day := dayContaining(plans, at, e.at); day >= 0 {
				yield(day, e, true)
			}
		}
	}
}

// beginsNextDay reports whether an event begins the next day.
func beginsNextDay(day, next *Plan, e timedEvent) bool {
	return !e.at.Before(next.Open) && (e.Kind == In || !e.at.Before(day.Close))
}

// dayContaining returns the index of the plan, among those next to around,
// whose day from 04:00 to 04:00 contains a time, or -1.
func dayContaining(plans []Plan, around int, t time.Time) int {
	for i := max(0, around-1); i < min(len(plans), around+2); i++ {
		if !t.Before(plans[i].dayStart) && t.Before(plans[i].dayEnd) {
			return i
		}
	}
	return -1
}
