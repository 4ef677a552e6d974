package workday

import "time"

// DayType is the kind of a day for one person (domain §6).
type DayType string

const (
	Workday     DayType = "workday"
	DayOff      DayType = "day_off"
	Holiday     DayType = "holiday"
	Leave       DayType = "leave"
	HalfLeaveAM DayType = "half_leave_am"
	HalfLeavePM DayType = "half_leave_pm"
)

// IsWorkday reports whether the person is expected to work on such a day, or on
// half of it.
func (t DayType) IsWorkday() bool { return t == Workday || t == HalfLeaveAM || t == HalfLeavePM }

// IsDayOff reports whether such a day requires no work, so that all work on it is
// overtime.
func (t DayType) IsDayOff() bool { return t == DayOff || t == Holiday }

// Day is the input for one person's day, except the clock events.
type Day struct {
	Date   Date
	Policy *Policy // the version in force on the date

	Holiday string  // id of a public holiday or name of the company's own; "" on ordinary days
	Leave   DayType // Leave, HalfLeaveAM or HalfLeavePM; "" without leave

	ApprovedMin  int       // approved overtime
	LastActivity time.Time // last known activity of the person; zero if unknown
	Edits        []Edit    // in any order
	ExtraEdits   []Edit    // edits of the Extra record
}

// Type returns the day's type. Leave has no effect on a day off.
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

// hours are the required hours of a day, in minutes of the local day: the
// earliest arrival that counts, the latest that is not late, and the end. ok is
// false if the policy requires no hours.
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
		return d.applyHalfLeave(hours{from, to, p.workEnd(to, p.RequiredMin), true})
	}
	return d.applyHalfLeave(hours{shift.Start, shift.Start, shift.end(), true})
}

// applyHalfLeave moves the start or the end by half of the work: a day from 09:00 to
// 18:00 with a break of an hour at noon becomes 14:00-18:00 or 09:00-14:00.
func (d Day) applyHalfLeave(h hours) hours {
	p := d.Policy
	switch {
	case d.Leave == HalfLeaveAM && p.WorkType == Flexible:
		h.start = p.workEnd(h.start, p.RequiredMin-p.RequiredMin/2)
		h.latest = p.workEnd(h.latest, p.RequiredMin-p.RequiredMin/2)
	case d.Leave == HalfLeavePM && p.WorkType == Flexible:
		h.end = p.workEnd(h.latest, p.RequiredMin/2)
	case d.Leave == HalfLeaveAM:
		h.start = p.workStart(h.end, p.workBetween(h.start, h.end)/2)
		h.latest = h.start
	case d.Leave == HalfLeavePM:
		h.end = p.workEnd(h.start, p.workBetween(h.start, h.end)/2)
	}
	return h
}

// required returns the minutes of work that a day requires.
func (d Day) required(t DayType) int {
	if t == HalfLeaveAM || t == HalfLeavePM {
		return d.Policy.RequiredMin / 2
	}
	return d.Policy.RequiredMin
}

// workBetween returns the minutes of work, without breaks, between two minutes
// of the local day.
func (p *Policy) workBetween(from, to int) int {
	if p.BreakMode == BreaksStatutory {
		return to - from - statutoryWithin(to-from)
	}
	return to - from - p.breaksBetween(from, to)
}

// workEnd returns the minute at which somebody who arrives at from has worked
// that long, excluding breaks.
func (p *Policy) workEnd(from, work int) int {
	if p.BreakMode == BreaksStatutory {
		return from + work + StatutoryBreak(work)
	}
	to := from + work
	for next := to + p.breaksBetween(from, to); next != to; {
		to, next = next, from+work+p.breaksBetween(from, next)
	}
	return to
}

// workStart returns the minute at which somebody has to arrive to have worked
// that long, excluding breaks, at to.
func (p *Policy) workStart(to, work int) int {
	if p.BreakMode == BreaksStatutory {
		return to - work - StatutoryBreak(work)
	}
	from := to - work
	for next := from - p.breaksBetween(from, to); next != from; {
		from, next = next, to-work-p.breaksBetween(next, to)
	}
	return from
}

// breaksBetween returns the minutes of break windows between two minutes of the
// local day. The second one may be on a following day.
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
