package workday

import "time"

// ForecastDay is a date of a week for Forecast, or the extra record of one.
type ForecastDay struct {
	*Plan
	WorkedMin int  // counted; 0 while unknown
	Over      bool // nothing more is expected of the day

	// Arrival is zero if nobody has arrived. Of a day that is over, Arrival and
	// Departure are needed only for the time at which the limit was passed.
	Arrival, Departure time.Time
}

// ForecastWeek is what a forecast of a person's week depends on.
type ForecastWeek struct {
	Days            []ForecastDay // in order, each before its extra record
	HabitMin        int           // see Habit
	CapMin, WarnMin int           // Policy.WeeklyCapMin and WeeklyWarnMin
	Now             time.Time
}

// ForecastLevel says how close a week comes to its limit.
type ForecastLevel string

const (
	ForecastPassed   ForecastLevel = "passed"   // the limit is passed
	ForecastExpected ForecastLevel = "expected" // the limit is expected to pass
	ForecastNear     ForecastLevel = "near"     // the week is expected to reach Policy.WeeklyWarnMin
)

// Forecast is the expected time worked in a week, in minutes.
type Forecast struct {
	WorkedMin       int // until now, including the presence of somebody who is at work
	ProjectedMin    int // at the end of the week; never less than WorkedMin
	HabitMin        int
	CapMin, WarnMin int

	// PassesOn is the work date on which the week passes CapMin, 0 if it does
	// not, and PassesAt the last minute before. Of a day that is over PassesAt is
	// zero if its times are not known.
	PassesOn Date
	PassesAt time.Time

	// LastDeparture is the last departure from today's work with which the week
	// keeps the limit, if the days after it are worked as projected. It is zero
	// below ForecastNear, if no work is expected today, and if no departure keeps
	// the limit any more.
	LastDeparture time.Time
}

// Level returns the level of the forecast, "" below ForecastNear.
func (f Forecast) Level() ForecastLevel {
	switch {
	case f.CapMin <= 0:
		return ""
	case f.WorkedMin > f.CapMin:
		return ForecastPassed
	case f.ProjectedMin > f.CapMin:
		return ForecastExpected
	case f.ProjectedMin >= f.WarnMin:
		return ForecastNear
	}
	return ""
}

// RemainingMin returns the minutes until the limit, negative beyond it.
func (f Forecast) RemainingMin() int { return f.CapMin - f.WorkedMin }

// Forecast projects the week: what was worked, and for each day to come the
// required work with the habit. Leave, days off and holidays require none.
// Somebody at work is expected to finish the day like any other, somebody who
// has not arrived when the day has begun to work until its end.
func (w ForecastWeek) Forecast() Forecast {
	f := Forecast{HabitMin: w.HabitMin, CapMin: w.CapMin, WarnMin: w.WarnMin}
	today := -1
	for i := range w.Days {
		d := &w.Days[i]
		e := w.expect(d)
		f.WorkedMin += e.doneMin
		if before := f.ProjectedMin; f.PassesOn == 0 && w.CapMin > 0 && before+e.min > w.CapMin {
			f.PassesOn, f.PassesAt = d.Date, e.lastWithin(w.CapMin-before)
		}
		f.ProjectedMin += e.min
		if !d.Over && today < 0 && (!d.Arrival.IsZero() || e.min > 0 && d.dayStart.Before(w.Now)) {
			today = i
		}
	}
	if today >= 0 && f.Level() != "" {
		e := w.expect(&w.Days[today])
		if budget := w.CapMin - (f.ProjectedMin - e.min); budget >= e.doneMin {
			f.LastDeparture = e.lastWithin(budget)
		}
	}
	return f
}

// expectedWork is the work of a day as it is expected to become.
type expectedWork struct {
	dayWork
	doneMin int   // until now
	min     int   // at the end of the day
	since   int64 // the minute from which a departure is possible
	until   int64 // the last one that is considered; 0 if the times are not known
}

// maxForecastDay is the longest presence that a forecast considers, in minutes.
const maxForecastDay = int64(maxPresence / time.Minute)

// expect returns the expected work of a day.
func (w ForecastWeek) expect(d *ForecastDay) expectedWork {
	if d.Over {
		e := expectedWork{doneMin: d.WorkedMin, min: d.WorkedMin}
		if !d.Arrival.IsZero() && !d.Departure.IsZero() {
			e.dayWork, e.since, e.until = d.work(d.Arrival), minute(d.Arrival), minute(d.Departure)
		}
		return e
	}
	now := minute(w.Now)
	planned := w.planned(d)
	if !d.Arrival.IsZero() {
		e := expectedWork{dayWork: d.work(d.Arrival), since: max(now, minute(d.Arrival))}
		e.doneMin = e.workUntil(now)
		e.min, e.until = max(planned, e.doneMin), minute(d.Arrival)+maxForecastDay
		return e
	}
	begin := d.usualStart()
	if w.Now.After(begin) {
		begin = w.Now
	}
	e := expectedWork{dayWork: d.work(begin), min: planned, since: minute(begin), until: minute(begin) + maxForecastDay}
	if begin.Equal(w.Now) && !d.End.IsZero() {
		e.min = 0
		if w.Now.Before(d.End) {
			e.min = min(planned, e.workUntil(minute(d.End))+max(0, w.HabitMin))
		}
	}
	return e
}

// planned returns the minutes that somebody with the habit works on a day.
func (w ForecastWeek) planned(d *ForecastDay) int {
	switch {
	case d.Extra || !d.Type.IsWorkday():
		return 0
	case d.Type == Workday:
		return floorTo(max(0, d.required+w.HabitMin), d.Policy.RoundingMin)
	}
	return d.required
}

// usualStart returns when work is expected to begin: of flexible work in the
// middle of the start window, of free work at usualStartMin.
func (p *Plan) usualStart() time.Time {
	if p.Start.IsZero() {
		return p.Date.At(usualStartMin, p.Policy.Zone)
	}
	return p.Start.Add(p.latest.Sub(p.Start) / 2).Truncate(time.Minute)
}

// lastWithin returns the last minute until which the work is within a budget,
// zero if it is always within.
func (e *expectedWork) lastWithin(budget int) time.Time {
	if e.until == 0 {
		return time.Time{}
	}
	from := e.since
	if e.workUntil(from) > budget {
		from = e.from
	}
	for m := from; m < e.until; m++ {
		if e.workUntil(m+1) > budget {
			return time.Unix(m*60, 0)
		}
	}
	return time.Time{}
}

// dayWork is the work of a presence that has not ended.
type dayWork struct {
	*Policy
	from   int64
	breaks intervals
}

// work returns the work since an arrival. Breaks are those of the policy, because
// what is clocked later is not known.
func (d *ForecastDay) work(arrival time.Time) dayWork {
	w := dayWork{Policy: d.Policy, from: minute(arrival)}
	if d.Policy.Overtime == OvertimeNone && d.Type.IsWorkday() && !d.Start.IsZero() {
		w.from = max(w.from, minute(d.Start))
	}
	present := intervals{{w.from, w.from + maxForecastDay}}
	if d.Policy.BreakMode == BreaksWindows {
		w.breaks = present.daily(d.Policy.Breaks, d.Policy.Zone)
	}
	if gap := d.gap(); gap != (Span{}) && d.Policy.CountMode == FirstLast {
		w.breaks = append(w.breaks, gap.on(d.Date, d.Policy.Zone))
	}
	w.breaks = merge(w.breaks)
	return w
}

// workUntil returns the work with a departure in a minute, as Compute counts it.
func (w *dayWork) workUntil(to int64) int {
	present, breaks := int(max(0, to-w.from)), 0
	for _, b := range w.breaks {
		breaks += b.intersect(interval{w.from, to}).minutes()
	}
	if w.BreakMode == BreaksStatutory {
		breaks = min(present, max(breaks, statutoryWithin(present)))
	}
	return floorTo(present-breaks, w.RoundingMin)
}

// Habit is how much longer or shorter than required somebody works on ordinary
// workdays.
type Habit struct{ Days, SumMin int }

// minHabitDays is the number of days from which on there is a habit.
const minHabitDays = 3

// Add adds a workday without leave that is over.
func (h *Habit) Add(workedMin, requiredMin int) {
	h.Days, h.SumMin = h.Days+1, h.SumMin+workedMin-requiredMin
}

// Min returns the mean in minutes, 0 for too few days.
func (h Habit) Min() int {
	if h.Days < minHabitDays {
		return 0
	}
	return h.SumMin / h.Days
}
