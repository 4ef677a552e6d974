package workday

import "time"

// Hours in which people with free work are taken to be at work: their policy
// requires none.
const (
	usualStartMin = 9 * 60
	usualEndMin   = 18 * 60
)

// WorkingTime is a time in which a person is expected to be at work: Start ≤ t < End.
type WorkingTime struct{ Start, End time.Time }

// WorkingTimes returns when somebody with a policy is expected to be at work on
// some dates, in order. The hours of the night are left out, except of shifts that
// lie in the night as a whole.
func (p *Policy) WorkingTimes(first, last Date) []WorkingTime {
	return p.workingTimes(first, last, nil)
}

// workingTimes is WorkingTimes of a person whose days of some dates are of other
// types than by the policy.
func (p *Policy) workingTimes(first, last Date, types map[Date]DayType) []WorkingTime {
	var times []WorkingTime
	for date := first; date <= last; date++ {
		of := types[date]
		if of == DayOff || of == Holiday {
			continue
		}
		day := Day{Date: date, Policy: p, Holiday: p.HolidayOn(date)}
		if of != Workday {
			day.Leave = of
		}
		plan := newPlan(day)
		if !plan.Type.IsWorkday() {
			continue
		}
		shift := WorkingTime{plan.Start, plan.End}
		if shift.Start.IsZero() {
			shift = WorkingTime{date.At(usualStartMin, p.Zone), date.At(usualEndMin, p.Zone)}
		}
		times = append(times, p.byDay(shift, date)...)
	}
	return times
}

// byDay returns the parts of a shift that are not at night, or the whole shift if
// it has none.
func (p *Policy) byDay(shift WorkingTime, date Date) []WorkingTime {
	parts := []WorkingTime{shift}
	for night := date - 1; p.Night != (Span{}) && night <= date+1; night++ {
		from, to := night.At(p.Night.From, p.Zone), night.At(p.Night.end(), p.Zone)
		var rest []WorkingTime
		for _, part := range parts {
			for _, left := range []WorkingTime{{part.Start, earlier(part.End, from)}, {later(part.Start, to), part.End}} {
				if left.Start.Before(left.End) {
					rest = append(rest, left)
				}
			}
		}
		parts = rest
	}
	if len(parts) == 0 {
		return []WorkingTime{shift}
	}
	return parts
}

// TypeOf returns the type of a date by the policy alone.
func (p *Policy) TypeOf(date Date) DayType {
	return Day{Date: date, Policy: p, Holiday: p.HolidayOn(date)}.Type()
}

// longestAbsence is the number of days within which a next working time is looked
// for. It is longer than any run of holidays.
const longestAbsence = 31

// NextWorkingTime returns when somebody with a policy is at work next: now, if that
// is during a working time, else when the next one begins. types are the days of
// the person that are not as in the policy, such as leave. Who never works is taken
// to be at work tomorrow at nine, and works is false.
func (p *Policy) NextWorkingTime(now time.Time, types map[Date]DayType) (next time.Time, works bool) {
	today := DateOf(now.In(p.Zone))
	last := today
	for date := range types {
		last = max(last, date)
	}
	for _, t := range p.workingTimes(today-1, last+longestAbsence, types) {
		if t.End.After(now) {
			return later(now, t.Start), true
		}
	}
	return (today + 1).At(usualStartMin, p.Zone), false
}
