package workday

import "time"

// DayType is the kind of a day for one person (domain §6).
type DayType string

const (
	Workday     DayType = "workday"
	DayOff      DayType = "day_off" // work on it is regular time until the week passes its threshold
	Holiday     DayType = "holiday" // weekly, public or the company's own; work on it is holiday work
	Leave       DayType = "leave"
	HalfLeaveAM DayType = "half_leave_am"
	HalfLeavePM DayType = "half_leave_pm"
)

// IsWorkday reports whether the person is expected to work on such a day, or on
// half of it.
func (t DayType) IsWorkday() bool { return t == Workday || t == HalfLeaveAM || t == HalfLeavePM }

// IsDayOff reports whether such a day requires no work.
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

// IsPersonal reports whether a day has something that others with its policy may not have
// on that date.
func (d Day) IsPersonal() bool {
	return d.Leave != "" || d.ApprovedMin > 0 || !d.LastActivity.IsZero() || len(d.Edits) > 0 || len(d.ExtraEdits) > 0
}

// Type returns the day's type. Leave has no effect on a day off.
func (d Day) Type() DayType {
	switch {
	case d.Holiday != "", d.shift().Kind == ShiftWeeklyHoliday:
		return Holiday
	case d.shift().Kind != ShiftWork:
		return DayOff
	case d.Leave != "":
		return d.Leave
	}
	return Workday
}

func (d Day) shift() *Shift { return &d.Policy.Week[d.Date.Weekday()] }

// hours are the required hours of a day, in minutes of the local day: the
// earliest arrival that counts, the latest that is not late, and the end. ok is
// false if the policy requires no hours.
type hours struct {
	start, latest, end int
	ok                 bool
}

func (d Day) hours() hours {
	p := d.Policy
	shift := d.shift()
	switch {
	case p.WorkType == Free || shift.Kind != ShiftWork:
		return hours{}
	case p.WorkType == Flexible:
		from, to := p.FlexibleStart.From, p.FlexibleStart.end()
		return d.applyHalfLeave(hours{from, to, d.workEnd(to, p.RequiredMin), true})
	}
	return d.applyHalfLeave(hours{shift.Start, shift.Start, shift.end(), true})
}

// applyHalfLeave moves the start or the end by half of the work: a day from 09:00 to
// 18:00 with a break of an hour at noon becomes 14:00-18:00 or 09:00-14:00.
func (d Day) applyHalfLeave(h hours) hours {
	p := d.Policy
	switch {
	case d.Leave == HalfLeaveAM && p.WorkType == Flexible:
		h.start = d.workEnd(h.start, p.RequiredMin-p.RequiredMin/2)
		h.latest = d.workEnd(h.latest, p.RequiredMin-p.RequiredMin/2)
	case d.Leave == HalfLeavePM && p.WorkType == Flexible:
		h.end = d.workEnd(h.latest, p.RequiredMin/2)
	case d.Leave == HalfLeaveAM:
		h.start = d.workStart(h.end, d.workBetween(h.start, h.end)/2)
		h.latest = h.start
	case d.Leave == HalfLeavePM:
		h.end = d.workEnd(h.start, d.workBetween(h.start, h.end)/2)
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
func (d Day) workBetween(from, to int) int {
	present, pauses := to-from, d.pausesBetween(from, to)
	if d.Policy.BreakMode == BreaksStatutory {
		pauses = max(pauses, statutoryWithin(present))
	}
	return present - pauses
}

// workEnd returns the minute at which somebody who arrives at from has worked
// that long, excluding breaks.
func (d Day) workEnd(from, work int) int {
	to := from + work
	for next := to + d.breaksOf(work, from, to); next != to; {
		to, next = next, from+work+d.breaksOf(work, from, next)
	}
	return to
}

// workStart returns the minute at which somebody has to arrive to have worked
// that long, excluding breaks, at to.
func (d Day) workStart(to, work int) int {
	from := to - work
	for next := from - d.breaksOf(work, from, to); next != from; {
		from, next = next, to-work-d.breaksOf(work, next, to)
	}
	return from
}

// breaksOf returns the minutes of breaks of work that is done between two minutes of the
// local day: its pauses, and as many as the law requires for it, of which pauses are part.
func (d Day) breaksOf(work, from, to int) int {
	pauses := d.pausesBetween(from, to)
	if d.Policy.BreakMode == BreaksStatutory {
		return max(pauses, StatutoryBreak(work))
	}
	return pauses
}

// pausesBetween returns the minutes of break windows, and of the gap of a split
// day, between two minutes of the local day. The second one may be on a
// following day.
func (d Day) pausesBetween(from, to int) int {
	gap := d.gap()
	sum := max(0, min(to, gap.To)-max(from, gap.From))
	if d.Policy.BreakMode != BreaksWindows {
		return sum
	}
	for _, pause := range d.Policy.Breaks {
		for day := -dayMinutes; day <= 2*dayMinutes; day += dayMinutes {
			begin, end := max(from, pause.From+day), min(to, pause.end()+day)
			sum += max(0, end-begin) - max(0, min(end, gap.To)-max(begin, gap.From)) // the gap counts once
		}
	}
	return sum
}

// gap returns the time between the stints of a split workday.
func (d Day) gap() Span {
	if d.Policy.WorkType != Fixed || !d.Type().IsWorkday() {
		return Span{}
	}
	return d.shift().gap()
}
