package workday

// setMinutes sets the minutes of work, breaks, overtime and night work.
func (c *computation) setMinutes() {
	r := &c.record
	r.Flags.set(FlagHolidayWork, c.Type.IsDayOff() && r.Arrival != nil)
	if r.Arrival == nil {
		r.WorkedMin = new(int)
		return
	}
	if r.Departure == nil {
		return
	}
	work := c.work()
	breaks := c.breaks(work)
	r.Work, r.Breaks = toIntervals(work), toIntervals(breaks)
	r.BreakMin = c.breakMinutes(work.minutes(), breaks.minutes())

	worked := floorTo(work.minutes()-r.BreakMin, c.Policy.RoundingMin)
	r.WorkedMin = &worked
	r.OvertimeMin = c.overtime(worked)
	r.Flags.set(FlagOvertime, r.OvertimeMin > 0)
	r.NightMin = min(worked, c.night(work, breaks))
	r.Flags.set(FlagNight, r.NightMin > 0)
	r.Flags.set(FlagShortHours, c.Type.IsWorkday() && c.Policy.WorkType == Free && worked < c.required)
}

// work returns the time between arrival and departure, or between each pair of
// them. If the policy counts no overtime, the time before the start does not
// count.
func (c *computation) work() intervals {
	whole := interval{minute(c.record.Arrival.At), minute(c.record.Departure.At)}
	work := intervals{whole}
	if c.Policy.CountMode == Pairs {
		work = c.pairs(whole)
	}
	if c.Policy.Overtime == OvertimeNone && c.Type.IsWorkday() && !c.Start.IsZero() {
		for i := range work {
			work[i].from = max(work[i].from, minute(c.Start))
		}
	}
	return merge(work)
}

// pairs returns the time from each arrival to the departure after it. An edited
// arrival moves the start of the first pair, an edited departure the end of the
// last.
func (c *computation) pairs(whole interval) intervals {
	var all intervals
	in := int64(-1)
	for _, e := range c.events {
		switch {
		case e.Kind == In && in < 0:
			in = minute(e.at)
		case e.Kind == Out && in >= 0:
			all = append(all, interval{in, minute(e.at)})
			in = -1
		}
	}
	if in >= 0 {
		all = append(all, interval{in, whole.to})
	}
	all = all.within(intervals{whole})
	if len(all) == 0 {
		return intervals{whole}
	}
	if c.record.Arrival.Edited {
		all[0].from = whole.from
	}
	if c.record.Departure.Edited {
		all[len(all)-1].to = whole.to
	}
	return all
}

// breaks returns the breaks that have a time of day, as far as they are within
// the work: the policy's break windows, and the breaks that were clocked.
func (c *computation) breaks(work intervals) intervals {
	var breaks intervals
	if c.Policy.BreakMode == BreaksWindows {
		breaks = work.daily(c.Policy.Breaks, c.Policy.Zone)
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

// overtime returns the work beyond the required time, on days off all of it, as
// far as the policy recognizes it.
func (c *computation) overtime(worked int) int {
	over := max(0, worked-c.required)
	if c.Type.IsDayOff() {
		over = worked
	}
	switch c.Policy.Overtime {
	case OvertimeAutomatic:
		return over
	case OvertimeApproved:
		return min(over, max(0, c.ApprovedMin))
	}
	return 0
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
