package demo

import (
	"time"

	"officeconsole/workday"
)

// habits are the habits of a person, which never change.
type habits struct {
	early    float64 // mean minutes of arrival before the start
	flexes   float64 // position in the window of flexible work, from 0 to 1
	lateness float64 // share of the days with a late arrival
	stays    float64 // mean minutes of departure after the end
	forgets  float64 // share of the days without a departure
	weekend  float64 // share of the days off on which the person works
	breaks   bool    // whether the person clocks breaks
	mobile   bool    // whether the person clocks by phone
	fakes    bool    // whether the phone sometimes fakes its position
	replaced int     // days before today on which the phone was replaced; 0 for never
}

func (k *clocker) newHabits() habits {
	k.pcg.Seed(k.seed^0x6861626974, uint64(k.person.Number))
	h := habits{
		early: 3 + k.ExpFloat64()*9, flexes: 0.15 + k.Float64()*0.7, lateness: 0.008 + k.ExpFloat64()*0.022,
		stays: 12 + k.ExpFloat64()*26, forgets: 0.006, weekend: 0.004,
		breaks: k.happens(0.03), mobile: k.happens(0.28), fakes: k.happens(0.06),
	}
	if k.happens(0.03) {
		h.forgets = 0.07
	}
	if k.happens(0.03) {
		h.weekend = 0.09
	}
	if k.happens(0.15) {
		h.replaced = 1 + k.IntN(365)
	}
	return h
}

// leave returns the leave of a day: in about every second quarter a holiday of
// some days, and single or half days.
func (k *clocker) leave(d workday.Day) workday.DayType {
	if d.Type() != workday.Workday {
		return ""
	}
	const quarter = 91
	k.pcg.Seed(k.seed^0x6c65617665, uint64(k.person.Number)<<24|uint64(d.Date/quarter))
	if away := k.IntN(8); away >= 2 && away <= 5 {
		start := d.Date/quarter*quarter + workday.Date(k.IntN(quarter-8))
		if d.Date >= start && d.Date < start+workday.Date(away) {
			return workday.Leave
		}
	}
	k.begin(0x736963, d.Date)
	long := 1.0 // leave next to a weekend is more likely
	if weekday := d.Date.Weekday(); weekday == time.Friday || weekday == time.Monday {
		long = 1.7
	}
	switch chance := k.Float64() / long; {
	case chance < 0.012:
		return workday.Leave
	case chance < 0.019 && d.Policy.WorkType != workday.Free:
		return workday.HalfLeaveAM
	case chance < 0.029 && d.Policy.WorkType != workday.Free:
		return workday.HalfLeavePM
	}
	return ""
}

// hours returns the hours at which the person intends to work today.
func (k *clocker) hours() (in, out time.Time) {
	switch p := k.plan.Policy; p.WorkType {
	case workday.Free:
		in = k.plan.Date.At(8*60+20, p.Zone).Add(k.about(k.flexes*130, 20))
		return in, in.Add(time.Duration(p.RequiredMin)*time.Minute + k.about(40, 50))
	case workday.Flexible:
		return k.flexibleHours()
	}
	in = k.plan.Start.Add(-min(abs(k.about(k.early, 6)), 100*time.Minute))
	if k.late() {
		in = k.plan.Start.Add(min(time.Duration(60+k.ExpFloat64()*780)*time.Second, 2*time.Hour))
	}
	out = k.plan.End.Add(k.stay())
	if k.happens(0.012) {
		out = k.plan.End.Add(-k.minutes(8, 95))
	}
	return in, out
}

func (k *clocker) flexibleHours() (in, out time.Time) {
	p := k.plan.Policy
	window := float64(p.FlexibleStart.Minutes())
	in = later(k.plan.Start.Add(-15*time.Minute), k.plan.Start.Add(k.about(window*k.flexes, 13)))
	if k.late() {
		in = k.plan.Start.Add(time.Duration(window*60+60+k.ExpFloat64()*700) * time.Second)
	}
	need := time.Duration(p.RequiredMin+60) * time.Minute
	if k.plan.Type != workday.Workday {
		need = time.Duration(p.RequiredMin/2+10) * time.Minute
	}
	out = later(in, k.plan.Start).Add(need)
	if p.Core != (workday.Span{}) && k.plan.Type == workday.Workday {
		out = later(out, k.plan.Date.At(p.Core.To, p.Zone))
	}
	if k.happens(0.012) {
		return in, out.Add(-k.minutes(8, 80))
	}
	return in, out.Add(k.stay())
}

// dueAt returns the last moment to arrive in time.
func (k *clocker) dueAt() time.Time {
	p := k.plan.Policy
	if p.WorkType == workday.Flexible {
		return k.plan.Start.Add(time.Duration(p.FlexibleStart.Minutes()) * time.Minute)
	}
	return k.plan.Start
}

// late reports whether the person is late, which is more likely on Mondays and
// on mornings with snow.
func (k *clocker) late() bool {
	share := k.lateness
	if k.plan.Date.Weekday() == time.Monday {
		share *= 2.6
	}
	if (uint64(k.plan.Date)*2654435761+k.seed)%31 == 0 {
		share *= 3
	}
	return k.happens(share)
}

// stay returns how long a person stays after the end: a few minutes, or until
// something is finished; in some weeks that is late every evening.
func (k *clocker) stay() time.Duration {
	week := uint64(workday.WeekOf(k.plan.Date, time.Monday)) / 7
	night := k.plan.End.In(k.plan.Policy.Zone).Hour() < 12
	switch {
	case k.plan.Type != workday.Workday || k.happens(0.45):
		return k.minutes(0, 9)
	case night:
		return k.minutes(2, 35)
	case (uint64(k.person.Number)*40503+week*9973+k.seed)%41 == 0:
		return k.minutes(125, 245)
	}
	return min(time.Duration(k.ExpFloat64()*k.stays*60)*time.Second, 4*time.Hour)
}

func abs(d time.Duration) time.Duration { return max(d, -d) }

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
