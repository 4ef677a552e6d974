package workday

import (
	"slices"
	"time"
)

// DayEvents are the events of a day, ordered by time.
type DayEvents struct {
	Events      []Event // of the day's record
	ExtraEvents []Event // of the Extra record, whose arrivals are in no window
	Unmatched   []Event // of the date, without a record: departures and breaks without an arrival, outside of every window
}

// MaxPresence is the time after an arrival within which a departure belongs to
// it.
const MaxPresence = 24 * time.Hour

// Assign returns the events of each day. Every event between the first and the
// last plan is in exactly one list.
func Assign(plans []Plan, events []Event) map[Date]DayEvents {
	days := map[Date]DayEvents{}
	eachEvent(plans, timedEvents(events), func(owner owner, e timedEvent) {
		entry := days[plans[owner.day].Date]
		switch owner.of {
		case ofDay:
			entry.Events = append(entry.Events, *e.Event)
		case ofExtra:
			entry.ExtraEvents = append(entry.ExtraEvents, *e.Event)
		case ofNone:
			entry.Unmatched = append(entry.Unmatched, *e.Event)
		}
		days[plans[owner.day].Date] = entry
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
	lists := make([][ofNone + 1][]timedEvent, len(plans))
	eachEvent(plans, timedEvents(events), func(owner owner, e timedEvent) {
		list := &lists[owner.day][owner.of]
		*list = append(*list, e)
	})
	count := 0
	for i := range plans {
		if wanted(plans[i].Date) {
			count++
		}
	}
	records := make([]Record, 0, count)
	for i := range plans {
		plan := &plans[i]
		if !wanted(plan.Date) {
			continue
		}
		record := compute(*plan, lists[i][ofDay], now)
		for _, e := range lists[i][ofNone] {
			record.Unmatched = append(record.Unmatched, *e.Event)
		}
		records = append(records, record)
		if events := lists[i][ofExtra]; len(events) > 0 {
			records = append(records, compute(plan.ExtraPlan(), events, now))
		}
	}
	return records
}

// AffectedDates returns the dates, in order, whose records new events change,
// and those on which they lie by the windows alone. events hold the new events
// too, with all others from MaxPresence before to MaxPresence after them.
//
// Dates on which an event lies get a record even if an event that comes later
// moves it to another one. So the records do not depend on the order in which
// events come.
func AffectedDates(plans []Plan, events []Event, isNew func(Event) bool) (affected, begun []Date) {
	with, without := map[*Event]owner{}, map[*Event]owner{}
	changed, windows := map[int]bool{}, map[int]bool{}
	all := timedEvents(events)
	before := make([]timedEvent, 0, len(all))
	for _, e := range all {
		if !isNew(*e.Event) {
			before = append(before, e)
		} else if own, found := ownerAt(plans, e); found {
			windows[own.day] = true
		}
	}
	eachEvent(plans, all, func(o owner, e timedEvent) { with[e.Event] = o })
	eachEvent(plans, before, func(o owner, e timedEvent) { without[e.Event] = o })
	noteMissing(changed, with, without)
	noteMissing(changed, without, with)
	return datesOf(plans, changed), datesOf(plans, windows)
}

// noteMissing adds the days of the events whose owner is not the same in others.
func noteMissing(days map[int]bool, owners, others map[*Event]owner) {
	for e, o := range owners {
		if other, found := others[e]; !found || other != o {
			days[o.day] = true
		}
	}
}

func datesOf(plans []Plan, days map[int]bool) []Date {
	dates := make([]Date, 0, len(days))
	for day := range days {
		dates = append(dates, plans[day].Date)
	}
	slices.Sort(dates)
	return dates
}

// Since is the earliest time of an event that can affect the records of the
// date: an arrival that a departure in the window belongs to.
func (p *Plan) Since() time.Time { return earlier(p.Open, p.dayStart).Add(-MaxPresence) }

// Until is the end of the period that begins with Since.
func (p *Plan) Until() time.Time { return p.ends().Add(MaxPresence + 1) }

// owner is what an event belongs to: a list of the day with an index.
type owner struct {
	day int
	of  ownerKind
}

type ownerKind int

const (
	ofDay ownerKind = iota
	ofExtra
	ofNone
)

// eachEvent calls yield for each event, in order of time, with its owner. It
// leaves out events before the first plan and after the last one.
func eachEvent(plans []Plan, all []timedEvent, yield func(owner, timedEvent)) {
	first := 0 // no earlier plan contains the event
	var arrived owner
	var arrivedAt time.Time // of the latest arrival; zero before the first one
	for _, e := range all {
		for first < len(plans) && plans[first].ends().Before(e.at) {
			first++
		}
		if e.Kind != In && !arrivedAt.IsZero() && belongsTo(plans, arrived.day, arrivedAt, e.at) {
			yield(arrived, e)
			continue
		}
		o, found := ownerAt(plans[first:], e)
		o.day += first
		if e.Kind == In {
			arrivedAt = time.Time{}
			if found {
				arrived, arrivedAt = o, e.at
			}
		}
		if found {
			yield(o, e)
		}
	}
}

// belongsTo reports whether a departure belongs to the latest arrival before it,
// which is one of a day: it is soon enough, and the scheduled start of no later
// day lies between them.
func belongsTo(plans []Plan, day int, arrival, departure time.Time) bool {
	if departure.Sub(arrival) > MaxPresence {
		return false
	}
	for i := day + 1; i < len(plans) && !plans[i].dayStart.After(departure.Add(MaxPresence)); i++ {
		p := &plans[i]
		if p.Type.IsWorkday() && !p.Start.IsZero() && p.Start.After(arrival) && p.Start.Before(departure) {
			return false
		}
	}
	return true
}

// ownerAt returns what an event at a time belongs to by the windows alone: an
// arrival to the latest day whose window contains it, anything else to the
// earliest one. An event in no window is of the day's date. It is not found
// outside of the plans.
func ownerAt(plans []Plan, e timedEvent) (o owner, found bool) {
	date := -1
	window := -1
	for i := range plans {
		p := &plans[i]
		if p.dayStart.Add(-MaxPresence).After(e.at) {
			break
		}
		if !p.dayStart.After(e.at) {
			date = i
		}
		if !e.at.Before(p.Open) && !e.at.After(p.Close) && (e.Kind == In || window < 0) {
			window = i
		}
	}
	switch {
	case window >= 0:
		return owner{window, ofDay}, true
	case date < 0, date == len(plans)-1 && !e.at.Before(plans[date].dayEnd):
		return owner{}, false
	case e.Kind == In:
		return owner{date, ofExtra}, true
	}
	return owner{date, ofNone}, true
}

// ends returns the end of the window and of the date.
func (p *Plan) ends() time.Time { return later(p.Close, p.dayEnd) }
