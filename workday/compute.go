package workday

import (
	"slices"
	"time"
)

// Compute returns the record of a day from its events, as Assign returns them,
// in any order. now decides which parts of the day are still to come; Compute
// does not read the clock.
func Compute(plan Plan, events []Event, now time.Time) Record {
	return compute(plan, timedEvents(events), now)
}

func compute(plan Plan, all []timedEvent, now time.Time) Record {
	c := computation{Plan: plan, events: all, closed: plan.HasClosed(now), edits: CombineEdits(plan.Edits)}
	c.record = Record{
		Date: plan.Date, Type: plan.Type, Holiday: plan.Holiday, Extra: plan.Extra,
		Start: plan.Start, End: plan.End, Open: plan.Open, Close: plan.Close, RequiredMin: plan.required,
	}
	c.flagEvents()
	c.setArrival()
	c.setDeparture()
	c.setLateness()
	c.setMinutes()
	c.setUncounted()
	c.record.Presence = c.presence(plan.HasOpened(now))
	c.record.Status = c.record.status()
	return c.record
}

type computation struct {
	Plan
	events []timedEvent
	closed bool
	edits  Override
	record Record
}

func (c *computation) flagEvents() {
	for _, e := range c.events {
		clocking := e.Kind == In || e.Kind == Out
		c.record.Flags.set(FlagOutside, e.Outside)
		c.record.Flags.set(FlagMock, e.Mock)
		c.record.Flags.set(FlagClockSkew, e.skewed)
		c.record.Flags.set(FlagDeviceNew, e.NewDevice)
		c.record.Flags.set(FlagUnproven, clocking && c.Policy.ProofRequired && e.Proof != "ip" && e.Proof != "gps")
	}
	c.record.Flags.set(FlagEdited, c.edits.Arrival.Edited || c.edits.Departure.Edited)
}

// setArrival sets the arrival: the first one that was clocked, or the edited one.
func (c *computation) setArrival() {
	var clocked *ClockTime
	if i := first(c.events, In); i >= 0 {
		clocked = newClockTime(c.events[i])
	}
	c.record.Arrival, c.record.Removed.Arrival = applyEdit(clocked, c.edits.Arrival)
}

// setDeparture sets the departure: the last one after the arrival, the edited one, or
// the one that the policy gives a day without a departure. While the day is
// open, somebody who arrived again after a departure has no departure.
func (c *computation) setDeparture() {
	clocked := c.lastDeparture()
	c.record.Departure, c.record.Removed.Departure = applyEdit(clocked, c.edits.Departure)
	defer func() {
		if d := c.record.Departure; d != nil && !d.Auto {
			c.record.Flags.set(FlagPastClose, d.At.After(c.Close))
		}
	}()
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

func (c *computation) lastDeparture() *ClockTime {
	for _, e := range slices.Backward(c.events) {
		if e.Kind == Out && (c.record.Arrival == nil || e.at.After(c.record.Arrival.At)) {
			return newClockTime(e)
		}
	}
	return nil
}

func (c *computation) arrivedAfter(departure *ClockTime) bool {
	return departure != nil && slices.ContainsFunc(c.events, func(e timedEvent) bool {
		return e.Kind == In && !e.at.Before(departure.At)
	})
}

// automaticDeparture returns the departure that Policy.MissingDeparture gives,
// or nil if that would be before the latest arrival.
func (c *computation) automaticDeparture() *ClockTime {
	lastArrival, lastEvent := c.record.Arrival.At, time.Time{}
	for _, e := range c.events {
		if e.Kind == In {
			lastArrival = later(lastArrival, e.at)
		}
		lastEvent = e.at
	}
	var at time.Time
	switch c.Policy.MissingDeparture {
	case MissingScheduleEnd:
		if c.Type.IsWorkday() && !c.End.IsZero() {
			at = time.Unix(c.requiredEnd()*60, 0)
		}
	case MissingLastActivity:
		at = lastEvent
		if !c.LastActivity.Before(c.Open) && !c.LastActivity.After(c.Close) {
			at = later(at, c.LastActivity)
		}
	}
	if !at.After(lastArrival) {
		return nil
	}
	c.record.Flags.set(FlagAutoClosed, true)
	return &ClockTime{At: at, Auto: true}
}

// setLateness sets lateness and early leaving by comparing arrival and departure
// with the required hours.
func (c *computation) setLateness() {
	r := &c.record
	if r.Arrival == nil || !c.Type.IsWorkday() || c.Start.IsZero() {
		return
	}
	if late := c.missed(minute(c.latest), minute(r.Arrival.At)); late > c.Policy.GraceInMin {
		r.LateMin = late
		r.Flags.set(FlagLate, true)
	}
	if r.Departure == nil || c.settlesLater() && !c.hasCore() {
		return
	}
	if early := c.missed(minute(r.Departure.At), c.requiredEnd()); early > c.Policy.GraceOutMin {
		r.EarlyMin = early
		r.Flags.set(FlagEarlyLeave, true)
	}
}

// missed returns the minutes of an absence; of a split day only those of its stints.
func (c *computation) missed(from, to int64) int {
	absence := interval{from, to}
	if !c.IsSplit() {
		return absence.minutes()
	}
	return intervals{absence}.within(c.stints()).minutes()
}

// requiredEnd returns the minute until which the person has to stay. Flexible work ends
// when the core time is over and the required time is worked, excluding breaks.
// The core time does not apply on a day with leave in the afternoon.
func (c *computation) requiredEnd() int64 {
	p := c.Policy
	switch {
	case p.WorkType != Flexible:
		return minute(c.End)
	case c.settlesLater() && c.hasCore():
		return p.Core.on(c.Date, p.Zone).to
	}
	from := max(minute(c.record.Arrival.At), minute(c.Start))
	end := from + int64(c.required)
	switch p.BreakMode {
	case BreaksStatutory:
		end += int64(StatutoryBreak(c.required))
	case BreaksWindows:
		// Each break that is added moves the end, which may then reach a
		// further break.
		for last := int64(0); last != end; {
			last = end
			breaks := intervals{{from, end}}.daily(p.Breaks, p.Zone)
			end = from + int64(c.required+intervals{{from, end}}.within(breaks).minutes())
		}
	}
	if !c.hasCore() {
		return end
	}
	return max(end, p.Core.on(c.Date, p.Zone).to)
}

func (c *computation) hasCore() bool { return c.Policy.Core != (Span{}) && c.Type != HalfLeavePM }

// settlesLater reports whether the work of the day is compared with the required
// time of a longer period.
func (c *computation) settlesLater() bool { return c.Policy.Settlement.isPeriod() }

func (c *computation) presence(opened bool) Presence {
	r := &c.record
	tooLate := c.Policy.LateAsAbsentMin > 0 && r.LateMin > c.Policy.LateAsAbsentMin
	switch {
	case r.Arrival == nil && r.Departure != nil && c.closed:
		return PresenceMissingArrival
	case r.Arrival == nil && (!c.Type.IsWorkday() || c.Policy.WorkType == Free || !opened):
		return PresenceNotDue
	case r.Arrival == nil && !c.closed:
		return PresenceBefore
	case r.Arrival == nil, tooLate && c.closed:
		return PresenceAbsent
	case r.Departure != nil:
		return PresenceLeft
	case c.closed:
		return PresenceMissingDeparture
	}
	return PresenceWorking
}

func first(all []timedEvent, kind Kind) int {
	return slices.IndexFunc(all, func(e timedEvent) bool { return e.Kind == kind })
}

func newClockTime(e timedEvent) *ClockTime {
	return &ClockTime{At: e.at, Event: *e.Event, Original: e.at}
}

// applyEdit applies an edit to a clocked time. It returns the resulting time,
// and the time that the edit removed; either may be nil.
func applyEdit(clocked *ClockTime, change Change) (current, removed *ClockTime) {
	switch {
	case !change.Edited:
		return clocked, nil
	case change.To == nil:
		return nil, clocked
	}
	current = &ClockTime{At: *change.To, Edited: true}
	if clocked != nil {
		current.Event, current.Original = clocked.Event, clocked.Original
	}
	return current, nil
}
