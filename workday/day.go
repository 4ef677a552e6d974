package workday

import "time"

// DayType is what a day is to a person (domain §6).
type DayType string

const (
	Workday     DayType = "workday"
	DayOff      DayType = "day_off"
	Holiday     DayType = "holiday"
	Leave       DayType = "leave"
	HalfLeaveAM DayType = "half_leave_am"
	HalfLeavePM DayType = "half_leave_pm"
)

// Owed reports whether the person is expected on such a day.
func (t DayType) Owed() bool { return t == Workday || t == HalfLeaveAM || t == HalfLeavePM }

// Rest reports whether all work on such a day is beyond what is owed.
func (t DayType) Rest() bool { return t == DayOff || t == Holiday }

// Day is all that is known of a person's day except what was clocked.
type Day struct {
	Date   Date
	Policy *Policy // the version in force on the date

	Holiday string  // its id or name; "" on ordinary days
	Leave   DayType // Leave, HalfLeaveAM or HalfLeavePM; "" without leave

	ApprovedMin  int       // overtime that was approved
	LastActivity time.Time // when the person was last seen working; zero: not known
	Edits        []Edit    // in any order
	BesideEdits  []Edit    // those of the Extra record
}

// Type is the day's type. Nobody takes leave from a day that is free anyway.
func (d Day) Type() DayType {
	switch {
	case d.Holiday != "":
		return Holiday
	case !d.Policy.Week[d.Date.Weekday()].Work:
		return DayOff
	case d.Leave != "":
		return d.Leave
	}
	return Workday
}

// hours are those that a day asks for, in minutes of the local day: the
// earliest arrival that counts, the latest that is not late, the end. ok is
// false where the clock asks for nothing.
type hours struct {
	start, latest, end int
	ok                 bool
}

func (d Day) hours() hours {
	p := d.Policy
	shift := p.Week[d.Date.Weekday()]
	switch {
	case p.WorkType == Free || !shift.Work:
		return hours{}
	case p.WorkType == Flexible:
		from, to := p.FlexibleStart.From, p.FlexibleStart.end()
		return d.halved(hours{from, to, p.after(to, p.RequiredMin), true})
	}
	return d.halved(hours{shift.Start, shift.Start, shift.end(), true})
}

// halved moves the start or the end by half of the work: somebody due from
// 09:00 to 18:00 with an hour's lunch at noon works 14:00-18:00 or 09:00-14:00.
func (d Day) halved(h hours) hours {
	p := d.Policy
	switch {
	case d.Leave == HalfLeaveAM && p.WorkType == Flexible:
		h.start = p.after(h.start, p.RequiredMin-p.RequiredMin/2)
		h.latest = p.after(h.latest, p.RequiredMin-p.RequiredMin/2)
	case d.Leave == HalfLeavePM && p.WorkType == Flexible:
		h.end = p.after(h.latest, p.RequiredMin/2)
	case d.Leave == HalfLeaveAM:
		h.start = p.before(h.end, p.net(h.start, h.end)/2)
		h.latest = h.start
	case d.Leave == HalfLeavePM:
		h.end = p.after(h.start, p.net(h.start, h.end)/2)
	}
	return h
}

// required is the work that makes the day full.
func (d Day) required(t DayType) int {
	if t == HalfLeaveAM || t == HalfLeavePM {
		return d.Policy.RequiredMin / 2
	}
	return d.Policy.RequiredMin
}

// net is the work between two minutes of the local day.
func (p *Policy) net(from, to int) int {
	if p.BreakMode == BreaksStatutory {
		return to - from - statutoryWithin(to-from)
	}
	return to - from - p.breaksBetween(from, to)
}

// after is when somebody who comes at a minute and takes the breaks has worked
// that long.
func (p *Policy) after(from, work int) int {
	if p.BreakMode == BreaksStatutory {
		return from + work + StatutoryBreak(work)
	}
	to := from + work
	for next := to + p.breaksBetween(from, to); next != to; {
		to, next = next, from+work+p.breaksBetween(from, next)
	}
	return to
}

// before is when somebody must come who leaves at a minute and has worked that
// long.
func (p *Policy) before(to, work int) int {
	if p.BreakMode == BreaksStatutory {
		return to - work - StatutoryBreak(work)
	}
	from := to - work
	for next := from - p.breaksBetween(from, to); next != from; {
		from, next = next, to-work-p.breaksBetween(next, to)
	}
	return from
}

// breaksBetween is how much of the break windows lies between two minutes of
// the local day, the second of which may be on one of the next days.
func (p *Policy) breaksBetween(from, to int) int {
	if p.BreakMode != BreaksWindows {
		return 0
	}
	sum := 0
	for _, pause := range p.Breaks {
		for day := -dayMinutes; day <= 2*dayMinutes; day += dayMinutes {
			sum += max(0, min(to, pause.end()+day)-max(from, pause.From+day))
		}
	}
	return sum
}
