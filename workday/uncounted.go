package workday

// setUncounted sets the events of the record that have no part in its figures:
// departures and breaks before the arrival, arrivals after the departure, what
// lacks its other half, and with Pairs a departure that follows another one or an
// arrival that another one follows.
// What an open day still lacks may come.
func (c *computation) setUncounted() {
	r := &c.record
	var in, breakStart *timedEvent // without their other half
	add := func(e *timedEvent) {
		if e != nil {
			r.Uncounted = append(r.Uncounted, *e.Event)
		}
	}
	arrived := false
	for i := range c.events {
		e := &c.events[i]
		switch e.Kind {
		case In:
			add(breakStart)
			breakStart, arrived = nil, true
			switch {
			case c.isAfterDeparture(e):
				add(e)
			case in == nil:
				in = e
			case c.lacksDeparture(in, e):
				add(in)
				in = e
			}
		case Out:
			add(breakStart)
			breakStart = nil
			if !c.countsDeparture(e, arrived, in != nil) {
				add(e)
			}
			in = nil
		case BreakStart:
			add(breakStart)
			breakStart = e
		case BreakEnd:
			if breakStart == nil || r.Arrival == nil || e.at.Before(r.Arrival.At) {
				add(breakStart)
				add(e)
			}
			breakStart = nil
		}
	}
	if c.closed {
		add(breakStart)
		if r.Departure == nil && len(r.Work) > 0 {
			add(in)
		}
	}
}

// lacksDeparture reports whether an arrival has no pair because the next arrival
// follows it. An edit of the arrival decides that the first pair begins with it.
func (c *computation) lacksDeparture(in, next *timedEvent) bool {
	arrival := c.record.Arrival
	isEdited := arrival == nil || arrival.Edited && arrival.Original.Equal(in.at)
	return c.Policy.CountMode == Pairs && isNextArrival(in, next) && !isEdited
}

// isAfterDeparture reports whether nothing counts from an arrival on, because it
// is after the last departure.
func (c *computation) isAfterDeparture(in *timedEvent) bool {
	arrival, departure := c.record.Arrival, c.record.Departure
	return arrival != nil && departure != nil && !departure.Auto && in.at.After(arrival.At) && !in.at.Before(departure.At)
}

// countsDeparture reports whether a departure has a part in the figures or is
// shown as the record's departure. isPresent says whether an arrival before it
// has no departure yet.
func (c *computation) countsDeparture(out *timedEvent, arrived, isPresent bool) bool {
	r := &c.record
	switch {
	case r.Arrival == nil:
		return r.Departure != nil && r.Departure.Original.Equal(out.at)
	case !out.at.After(r.Arrival.At):
		return false
	}
	return isPresent || !arrived || c.Policy.CountMode == FirstLast
}
