package workday

import "time"

// dayBegins is when a day begins that no shift frames: 04:00 (domain §6).
const dayBegins = 4 * 60

// Plan is a day laid out in time between its neighbours.
type Plan struct {
	Day
	Type DayType

	// Start and End are the hours that are due: of fixed work those of the
	// shift; of flexible work the earliest arrival that counts, and the end for
	// whoever comes last. Zero where the clock asks for nothing.
	Start, End time.Time
	latest     time.Time // the last moment to come in time, before grace

	// Open and Close bound what belongs to the day: Open ≤ t < Close. Where
	// the next day opens before this one closes, the first arrival in between
	// is the next day's.
	Open, Close time.Time

	// Extra marks a day off beside the day's own hours, for arrivals outside of
	// every window.
	Extra bool

	required  int
	shift     stretch // the hours that frame the window, also of a holiday
	framed    bool    // shift is set
	frameFrom time.Time
	frameTo   time.Time
}

// Lay lays out a person's days, which must be in order and one a date. A day's
// window depends on its neighbours: give at least one day before and two after
// those that matter.
func Lay(days []Day) []Plan {
	plans := make([]Plan, len(days))
	// From the last to the first: a long night may reach over a day off to the
	// shift behind it.
	for i := len(days) - 1; i >= 0; i-- {
		plans[i] = lay(days[i])
		if i+1 < len(days) {
			part(&plans[i], &plans[i+1])
		}
	}
	return plans
}

// lay lays out a day as if it had no neighbours: from early_in before the
// start to day_close after the end. Days without hours last from 04:00 to
// 04:00, and holidays at least that long.
func lay(day Day) Plan {
	p, zone := day.Policy, day.Policy.Zone
	plan := Plan{Day: day, Type: day.Type()}
	plan.required = day.required(plan.Type)
	plan.frameFrom, plan.frameTo = day.Date.At(dayBegins, zone), day.Date.At(dayBegins+dayMinutes, zone)
	plan.Open, plan.Close = plan.frameFrom, plan.frameTo
	h := day.hours()
	if !h.ok {
		return plan
	}
	start, end := day.Date.At(h.start, zone), day.Date.At(h.end, zone)
	plan.shift, plan.framed = stretch{minute(start), minute(end)}, true
	plan.Open = start.Add(-minutes(p.EarlyInMin))
	plan.Close = end.Add(minutes(p.DayCloseMin))
	if plan.Type == Holiday {
		plan.Open, plan.Close = earlier(plan.Open, plan.frameFrom), later(plan.Close, plan.frameTo)
		return plan
	}
	plan.Start, plan.latest, plan.End = start, day.Date.At(h.latest, zone), end
	return plan
}

// part cuts a day's window where the next one's begins.
//
// A shift's window is not cut before its own end, and reaches into a day off
// up to day_close: from its end on, whoever leaves ends the shift, and whoever
// arrives begins the next day.
func part(day, next *Plan) {
	if !next.Open.Before(day.Close) {
		return
	}
	cut, end := next.Open, day.end()
	close := cut
	switch {
	case !day.framed:
	case next.framed && next.Type != Holiday:
		if start := next.shift.start(); cut.Before(end) {
			cut = earlier(end, start)
			close = later(cut, earlier(start, day.Close))
		}
	default:
		cut = later(cut, end)
		close = later(cut, day.Close)
	}
	// Schedules that overlap more than that still give each minute one day.
	within := func(t time.Time) time.Time { return later(day.Open, earlier(t, next.Close)) }
	next.Open, day.Close = within(cut), within(close)
}

func (p *Plan) end() time.Time { return p.shift.end() }

// Reached reports whether the window has opened, so that somebody may be due.
func (p Plan) Reached(now time.Time) bool { return !now.Before(p.Open) }

// Closed reports whether the window has closed: what is missing then is missing.
func (p Plan) Closed(now time.Time) bool { return !now.Before(p.Close) }

// Beside is the day off on the same date, for Facts.Stray.
func (p Plan) Beside() Plan {
	return Plan{
		Day:  Day{Date: p.Date, Policy: p.Policy, ApprovedMin: p.ApprovedMin, Edits: p.BesideEdits},
		Type: DayOff, Extra: true, Open: p.frameFrom, Close: p.frameTo, required: p.required,
	}
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
