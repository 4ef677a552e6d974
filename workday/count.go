package workday

import (
	"math"
	"time"
)

// setMinutes sets the minutes of work, breaks, overtime and night work.
func (c *computation) setMinutes() {
	r := &c.record
	r.Flags.set(FlagHolidayWork, c.Type == Holiday && r.Arrival != nil)
	if r.Arrival == nil && r.Departure == nil {
		r.WorkedMin = new(int)
	}
	work := c.work()
	if len(work) == 0 && (r.Arrival == nil || r.Departure == nil) {
		c.setPremium() // a day without work also changes a balance
		return
	}
	breaks := c.breaks(work)
	r.Work, r.Breaks = toIntervals(work), toIntervals(breaks)
	r.BreakMin = c.breakMinutes(work.minutes(), breaks.minutes())

	worked := floorTo(work.minutes()-r.BreakMin, c.Policy.RoundingMin)
	r.WorkedMin = &worked
	r.NightMin = min(worked, c.night(work, breaks))
	r.Flags.set(FlagNight, r.NightMin > 0)
	counted := c.Policy.WorkType == Free || c.Policy.CountMode == Pairs
	r.Flags.set(FlagShortHours, counted && c.Type.IsWorkday() && r.Departure != nil && !c.settlesLater() && worked < c.required)
	c.setPremium()
}

func (c *computation) setPremium() {
	alone := []PremiumDay{c.record.premiumDay(&c.Plan)}
	AddPremiums(alone, 0)
	alone[0].OverWeek = false
	c.record.SetPremium(alone[0].Premium)
}

// work returns the time between arrival and departure, or between each pair of
// them. If the policy counts no overtime, the time before the start does not
// count. Pairs also count where the last departure is missing, once that is
// final.
func (c *computation) work() intervals {
	r := &c.record
	var work intervals
	switch {
	case r.Arrival != nil && r.Departure != nil && c.Policy.CountMode == Pairs:
		work = c.pairs(interval{minute(r.Arrival.At), minute(r.Departure.At)})
	case r.Arrival != nil && r.Departure != nil:
		work = intervals{{minute(r.Arrival.At), minute(r.Departure.At)}}
	case r.Arrival != nil && c.closed && c.Policy.CountMode == Pairs:
		work = c.pairs(interval{minute(r.Arrival.At), math.MaxInt64})
	}
	if c.Policy.Overtime == OvertimeNone && c.Type.IsWorkday() && !c.Start.IsZero() {
		for i := range work {
			work[i].from = max(work[i].from, minute(c.Start))
		}
	}
	return merge(work)
}

// pairs returns the time from each arrival to the departure after it. An arrival
// without a departure before the next arrival has no pair, because nobody knows when
// the person left. An edited arrival moves the start of the first pair, an edited
// departure the end of the last; where no pair lies between them, all of it counts.
// The last arrival has a pair only with the departure of the day.
func (c *computation) pairs(whole interval) intervals {
	var all intervals
	var in *timedEvent
	for i := range c.events {
		e := &c.events[i]
		switch {
		case e.Kind == In && !c.isAfterDeparture(e) && (in == nil || isNextArrival(in, e)):
			in = e
		case e.Kind == Out && in != nil:
			all = append(all, interval{minute(in.at), minute(e.at)})
			in = nil
		}
	}
	if in != nil && c.record.Departure != nil {
		all = append(all, interval{minute(in.at), whole.to})
	}
	edited := c.record.Arrival.Edited || c.record.Departure != nil && c.record.Departure.Edited
	paired := len(all) > 0
	all = all.within(intervals{whole})
	switch {
	case len(all) > 0:
	case c.record.Departure != nil && (edited || !paired):
		return intervals{whole}
	default:
		return nil
	}
	if c.record.Arrival.Edited {
		all[0].from = whole.from
	}
	if c.record.Departure != nil && c.record.Departure.Edited {
		all[len(all)-1].to = whole.to
	}
	return all
}

// sameArrival is the time within which a second arrival repeats the first one:
// people tap twice, and a computer and a phone both report that somebody came.
const sameArrival = 5 * time.Minute

// isNextArrival reports whether an arrival is another one than the arrival before it,
// so that a departure between them is missing.
func isNextArrival(in, next *timedEvent) bool { return next.at.Sub(in.at) > sameArrival }

// breaks returns the breaks that have a time of day, as far as they are within
// the work: the policy's break windows, the gap of a split day unless pairs say
// who worked in it, and the breaks that were clocked.
func (c *computation) breaks(work intervals) intervals {
	var breaks intervals
	if c.Policy.BreakMode == BreaksWindows {
		breaks = work.daily(c.Policy.Breaks, c.Policy.Zone)
	}
	if gap := c.gap(); gap != (Span{}) && c.Policy.CountMode == FirstLast {
		breaks = append(breaks, gap.on(c.Date, c.Policy.Zone))
	}
	from := int64(-1)
	for _, e := range c.events {
		switch {
		case e.Kind == BreakStart && from < 0:
			from = minute(e.at)
		case e.Kind == BreakEnd && from >= 0:
			breaks = append(breaks, interval{from, minute(e.at)})
			from = -1
		case e.Kind == In || e.Kind == Out:
			from = -1 // a break without an end has no known length
		}
	}
	return work.within(merge(breaks))
}

func (c *computation) breakMinutes(present, breaks int) int {
	if c.Policy.BreakMode == BreaksStatutory {
		return min(present, max(breaks, statutoryWithin(present)))
	}
	return breaks
}

// night returns the minutes of work within the night hours, without breaks.
func (c *computation) night(work, breaks intervals) int {
	if c.Policy.Night == (Span{}) {
		return 0
	}
	night := work.within(work.daily([]Span{c.Policy.Night}, c.Policy.Zone))
	return night.minutes() - night.within(breaks).minutes()
}

func floorTo(n, unit int) int { return n - n%max(1, unit) }

func toIntervals(all intervals) []Interval {
	var out []Interval
	for _, s := range all {
		out = append(out, Interval{s.start().UTC(), s.end().UTC()})
	}
	return out
}
