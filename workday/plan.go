package workday

import "time"

// dayStartMin is the start, 04:00, of a day without a shift (domain §6).
const dayStartMin = 4 * 60

// Plan is a day with its window of time, which depends on the days next to it.
type Plan struct {
	Day
	Type DayType

	// Start and End are the required hours: of fixed work those of the shift;
	// of flexible work the earliest arrival that counts, and the end for the
	// latest allowed arrival. They are zero if no hours are required.
	Start, End time.Time
	latest     time.Time // the latest arrival that is not late, before grace

	// Open and Close bound the day's window of arrivals: Open ≤ t ≤ Close. If
	// the next day opens before this one closes, an arrival in between begins
	// the next day. A departure belongs to the arrival before it, also after
	// Close; see Check.
	Open, Close time.Time
	nextStart   time.Time // of the next workday with required hours; zero if there is none in the plans

	// Extra marks a second record of the date, for arrivals outside of every
	// window.
	Extra bool

	required int
	shift    interval // the hours around which the window lies, also of a holiday
	hasShift bool     // shift is set
	dayStart time.Time
	dayEnd   time.Time
}

// NewPlans returns the plans of one person's days, which must be in order, one for
// each date. A day's window depends on the days next to it: days must begin at
// least one day before and end at least two days after the dates of interest.
func NewPlans(days []Day) []Plan {
	plans := make([]Plan, len(days))
	// In reverse order, because a long night may extend across a day off into
	// the shift after it.
	var nextStart time.Time
	for i := len(days) - 1; i >= 0; i-- {
		plans[i] = newPlan(days[i])
		plans[i].nextStart = nextStart
		if plans[i].Type.IsWorkday() && !plans[i].Start.IsZero() {
			nextStart = plans[i].Start
		}
		if i+1 < len(days) {
			cutWindow(&plans[i], &plans[i+1])
			// Where the next policy has a time zone further west, the date lasts
			// until the next one begins.
			plans[i].dayEnd = later(plans[i].dayEnd, plans[i+1].dayStart)
		}
	}
	return plans
}

// newPlan returns the plan of a day as if it had no other days next to it: from
// early_in before the start to day_close after the end. Days without hours last
// from 04:00 to 04:00, and holidays at least that long.
func newPlan(day Day) Plan {
	p, zone := day.Policy, day.Policy.Zone
	plan := Plan{Day: day, Type: day.Type()}
	plan.required = day.required(plan.Type)
	plan.dayStart, plan.dayEnd = day.Date.At(dayStartMin, zone), day.Date.At(dayStartMin+dayMinutes, zone)
	plan.Open, plan.Close = plan.dayStart, plan.dayEnd
	h := day.hours()
	if !h.ok {
		return plan
	}
	start, end := day.Date.At(h.start, zone), day.Date.At(h.end, zone)
	plan.shift, plan.hasShift = interval{minute(start), minute(end)}, true
	plan.Open = start.Add(-minutes(p.EarlyInMin))
	plan.Close = end.Add(minutes(p.DayCloseMin))
	if plan.Type == Holiday {
		plan.Open, plan.Close = earlier(plan.Open, plan.dayStart), later(plan.Close, plan.dayEnd)
		return plan
	}
	plan.Start, plan.latest, plan.End = start, day.Date.At(h.latest, zone), end
	return plan
}

// cutWindow ends a day's window where the next one begins.
//
// A shift's window never ends before the shift itself, and extends into a day
// off by up to day_close. After the shift's end, a departure still belongs to
// it, and an arrival begins the next day.
func cutWindow(day, next *Plan) {
	if !next.Open.Before(day.Close) {
		return
	}
	cut, end := next.Open, day.end()
	close := cut
	switch {
	case !day.hasShift:
	case next.hasShift && next.Type != Holiday:
		if start := next.shift.start(); cut.Before(end) {
			cut = earlier(end, start)
			close = later(cut, earlier(start, day.Close))
		}
	default:
		cut = later(cut, end)
		close = later(cut, day.Close)
	}
	// Even for shifts that overlap further, each minute belongs to one day
	// only.
	within := func(t time.Time) time.Time { return later(day.Open, earlier(t, next.Close)) }
	next.Open, day.Close = within(cut), within(close)
}

// gap is that of the day: work outside of its hours has none.
func (p *Plan) gap() Span {
	if !p.Type.IsWorkday() {
		return Span{}
	}
	return p.Day.gap()
}

// IsSplit reports whether the hours of the day have a gap between two stints.
func (p *Plan) IsSplit() bool { return p.gap() != (Span{}) }

// Stints returns the required hours: two intervals on a split day, unless leave covers
// one of them. It returns none if no hours are required.
func (p *Plan) Stints() []Interval { return toIntervals(p.stints()) }

func (p *Plan) stints() intervals {
	if p.Start.IsZero() || !p.Type.IsWorkday() {
		return nil
	}
	hours := interval{minute(p.Start), minute(p.End)}
	if !p.IsSplit() {
		return intervals{hours}
	}
	gap := p.gap().on(p.Date, p.Policy.Zone)
	return merge(intervals{{hours.from, min(hours.to, gap.from)}, {max(hours.from, gap.to), hours.to}})
}

func (p *Plan) end() time.Time { return p.shift.end() }

// HasOpened reports whether the window has opened, so that the person may be
// expected.
func (p Plan) HasOpened(now time.Time) bool { return !now.Before(p.Open) }

// HasClosed reports whether the window has closed, so that missing times are
// final.
func (p Plan) HasClosed(now time.Time) bool { return !now.Before(p.Close) }

// ExtraPlan returns the plan of the second record on the same date, for
// DayEvents.ExtraEvents.
func (p Plan) ExtraPlan() Plan {
	extra := Plan{
		Day:  Day{Date: p.Date, Policy: p.Policy, ApprovedMin: p.ApprovedMin, Edits: p.ExtraEdits},
		Type: DayOff, Extra: true, Open: p.dayStart, Close: p.dayEnd, nextStart: p.nextStart, required: p.required,
	}
	if p.Type == Holiday {
		extra.Type = Holiday
	}
	return extra
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
