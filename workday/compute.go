package workday

import (
	"slices"
	"time"
)

// Compute returns the record of a day from its events, as Assign returns them,
// in any order. now decides which parts of the day are still to come; Compute
// does not read the clock.
func Compute(plan Plan, events []Event, now time.Time) Record {
	return compute(plan, facts(events), now)
}

func compute(plan Plan, all []fact, now time.Time) Record {
	c := computation{Plan: plan, facts: all, closed: plan.Closed(now), edits: Apply(plan.Edits)}
	c.record = Record{
		Date: plan.Date, Type: plan.Type, Holiday: plan.Holiday, Extra: plan.Extra,
		Start: plan.Start, End: plan.End, Open: plan.Open, Close: plan.Close, RequiredMin: plan.required,
	}
	c.flagFacts()
	c.arrive()
	c.depart()
	c.measure()
	c.count()
	c.record.Presence = c.presence(plan.Reached(now))
	c.record.Status = c.record.status()
	return c.record
}

type computation struct {
	Plan
	facts  []fact
	closed bool
	edits  Override
	record Record
}

func (c *computation) flagFacts() {
	for _, f := range c.facts {
		clocking := f.Kind == In || f.Kind == Out
		c.record.Flags.set(FlagOutside, f.Outside)
		c.record.Flags.set(FlagMock, f.Mock)
		c.record.Flags.set(FlagClockSkew, f.skewed)
		c.record.Flags.set(FlagDeviceNew, f.NewDevice)
		c.record.Flags.set(FlagUnproven, clocking && c.Policy.ProofRequired && f.Proof != "ip" && f.Proof != "gps")
	}
	c.record.Flags.set(FlagEdited, c.edits.Arrival.Edited || c.edits.Departure.Edited)
}

// arrive sets the arrival: the first one that was clocked, or the edited one.
func (c *computation) arrive() {
	var clocked *Stamp
	if i := first(c.facts, In); i >= 0 {
		clocked = newStamp(c.facts[i])
	}
	c.record.Arrival, c.record.Emptied.Arrival = applyEdit(clocked, c.edits.Arrival)
}

// depart sets the departure: the last one after the arrival, the edited one, or
// the one that the policy gives a day without a departure. While the day is
// open, somebody who arrived again after a departure has no departure.
func (c *computation) depart() {
	clocked := c.lastDeparture()
	c.record.Departure, c.record.Emptied.Departure = applyEdit(clocked, c.edits.Departure)
	if c.record.Arrival == nil || c.edits.Departure.Edited {
		return
	}
	if c.arrivedAfter(clocked) && (!c.closed || c.Policy.CountMode == Pairs) {
		c.record.Departure = nil
	}
	if c.closed && c.record.Departure == nil {
		c.record.Departure = c.automaticDeparture()
	}
}

func (c *computation) lastDeparture() *Stamp {
	for _, f := range slices.Backward(c.facts) {
		if f.Kind == Out && (c.record.Arrival == nil || !f.at.Before(c.record.Arrival.At)) {
			return newStamp(f)
		}
	}
	return nil
}

func (c *computation) arrivedAfter(departure *Stamp) bool {
	return departure != nil && slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.Kind == In && !f.at.Before(departure.At)
	})
}

// automaticDeparture returns the departure that Policy.MissingDeparture gives,
// or nil if that would be before the latest arrival.
func (c *computation) automaticDeparture() *Stamp {
	came, active := c.record.Arrival.At, time.Time{}
	for _, f := range c.facts {
		if f.Kind == In {
			came = later(came, f.at)
		}
		active = f.at
	}
	var at time.Time
	switch c.Policy.MissingDeparture {
	case MissingScheduleEnd:
		if c.Type.Owed() && !c.End.IsZero() {
			at = time.Unix(c.due()*60, 0)
		}
	case MissingLastActivity:
		at = active
		if !c.LastActivity.Before(c.Open) && c.LastActivity.Before(c.Close) {
			at = later(at, c.LastActivity)
		}
	}
	if !at.After(came) {
		return nil
	}
	c.record.Flags.set(FlagAutoClosed, true)
	return &Stamp{At: at, Auto: true}
}

// measure sets lateness and early leaving by comparing arrival and departure
// with the required hours.
func (c *computation) measure() {
	r := &c.record
	if r.Arrival == nil || !c.Type.Owed() || c.Start.IsZero() {
		return
	}
	if late := int(minute(r.Arrival.At) - minute(c.latest)); late > c.Policy.GraceInMin {
		r.LateMin = late
		r.Flags.set(FlagLate, true)
	}
	if r.Departure == nil {
		return
	}
	if early := int(c.due() - minute(r.Departure.At)); early > c.Policy.GraceOutMin {
		r.EarlyMin = early
		r.Flags.set(FlagEarlyLeave, true)
	}
}

// due returns the minute until which the person has to stay. Flexible work ends
// when the core time is over and the required time is worked, excluding breaks.
// The core time does not apply on a day with leave in the afternoon.
func (c *computation) due() int64 {
	p := c.Policy
	if p.WorkType != Flexible {
		return minute(c.End)
	}
	came := max(minute(c.record.Arrival.At), minute(c.Start))
	due := came + int64(c.required)
	switch p.BreakMode {
	case BreaksStatutory:
		due += int64(StatutoryBreak(c.required))
	case BreaksWindows:
		// Each break that is added moves the end, which may then reach a
		// further break.
		for last := int64(0); last != due; {
			last = due
			breaks := stretches{{came, due}}.daily(p.Breaks, p.Zone)
			due = came + int64(c.required+stretches{{came, due}}.within(breaks).minutes())
		}
	}
	if p.Core == (Span{}) || c.Type == HalfLeavePM {
		return due
	}
	return max(due, p.Core.on(c.Date, p.Zone).to)
}

func (c *computation) presence(reached bool) Presence {
	r := &c.record
	tooLate := c.Policy.LateAsAbsentMin > 0 && r.LateMin > c.Policy.LateAsAbsentMin
	switch {
	case r.Arrival == nil && (!c.Type.Owed() || c.Policy.WorkType == Free || !reached):
		return NotDue
	case r.Arrival == nil && !c.closed:
		return Before
	case r.Arrival == nil, tooLate && c.closed:
		return Absent
	case r.Departure != nil:
		return Left
	case c.closed:
		return DepartureMissing
	}
	return Working
}

func first(all []fact, kind Kind) int {
	return slices.IndexFunc(all, func(f fact) bool { return f.Kind == kind })
}

func newStamp(f fact) *Stamp { return &Stamp{At: f.at, Clocked: *f.Event, Original: f.at} }

// applyEdit applies an edit to a stamp. It returns the stamp that is left, and
// the stamp that the edit removed.
func applyEdit(clocked *Stamp, change Change) (now, emptied *Stamp) {
	switch {
	case !change.Edited:
		return clocked, nil
	case change.To == nil:
		return nil, clocked
	}
	now = &Stamp{At: *change.To, Edited: true}
	if clocked != nil {
		now.Clocked, now.Original = clocked.Clocked, clocked.Original
	}
	return now, nil
}
