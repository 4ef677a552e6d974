package demo

import (
	"math/rand/v2"
	"net/netip"
	"strconv"
	"time"

	"officeconsole/settings"
	"officeconsole/workday"
)

// Duty is a date of a person and what the policy in force on it asks for.
type Duty struct {
	workday.Day
	settings.Clocking
}

// Attendance is what became of a person's days. Editors, deciders and viewers
// are people by their numbers.
type Attendance struct {
	Days        []workday.Day // as given, with leave, approved overtime and edits of times
	Devices     []string      // that the person had before
	Events      []ClockEvent  // in order of the time that counts
	Edits       []Edit        // in order of the dates, as the following
	Corrections []Correction
	Views       []View
}

// ClockEvent is what a device sent. Received is the time of the server.
type ClockEvent struct {
	ID                       string // of the company's events
	Kind                     workday.Kind
	Occurred, Sent, Received time.Time
	Offline                  bool
	Platform, Device         string
	Address                  netip.Addr
	Position                 *Position
	Reason, Source           string
}

// Position is where a phone said it was; Mock that an app made it up.
type Position struct {
	Lat, Lng, AccuracyM float64
	Mock                bool
}

// Edit is a change of a record by somebody: of a time, or else of a text.
type Edit struct {
	Date       workday.Date
	Extra      bool // of the record beside the day's own
	Field      string
	Old, New   *time.Time
	From, To   string
	At         time.Time
	By         int
	Reason     string
	Correction int // the index of the one that it grants; -1: none
}

// Correction is what somebody asked to have corrected; nil is left as it is.
type Correction struct {
	Date               workday.Date
	Arrival, Departure *time.Time
	Reason, Status     string
	Created            time.Time
	Decided            *time.Time
	By                 int // 0: nobody yet
	Answer             string
}

// View is that somebody looked at a record of somebody else.
type View struct {
	Date workday.Date
	By   int
	At   time.Time
}

// Now is the moment that the company is looked at.
func (c *Company) Now() time.Time { return c.now }

// Period is the dates that have attendance: as many as Options.Days up to
// today, and tomorrow, for which leave is known. Without days it is empty, and
// last is before first.
func (c *Company) Period() (first, last workday.Date) {
	today := workday.DateOf(c.today)
	if c.days == 0 {
		return today, today - 1
	}
	return today - workday.Date(c.days) + 1, today + 1
}

// Employed is the part of Period in which a person comes to work: from the day
// of joining to the day before being hidden.
func (c *Company) Employed(p *Person) (first, last workday.Date) {
	first, last = c.Period()
	if p.Bot {
		return first, first - 1
	}
	first = max(first, workday.DateOf(p.Joined))
	if p.Hidden != nil {
		last = min(last, workday.DateOf(*p.Hidden)-1)
	}
	return first, last
}

// Consents tells when a person agreed that places are recorded: nearly
// everybody did on the first day.
func (p *Person) Consents() *time.Time {
	if p.Bot || p.Number%29 == 27 {
		return nil
	}
	at := p.Joined.Add(40 * time.Minute)
	return &at
}

// Attendance makes up what a person clocked, until Now. The duties are
// consecutive and reach two days before and three days behind Employed. What
// happens on a date does not depend on how many dates there are.
func (c *Company) Attendance(p *Person, duties []Duty) Attendance {
	first, last := c.Employed(p)
	pcg := &rand.PCG{}
	k := &clocker{Company: c, person: p, pcg: pcg, Rand: rand.New(pcg), all: Attendance{Days: make([]workday.Day, len(duties))}}
	k.habits = k.newHabits()
	k.all.Devices = []string{k.own("pc"), k.own("web"), k.phoneOn(first)}
	for i, d := range duties {
		k.all.Days[i] = d.Day
		if d.Date >= first && d.Date <= last {
			k.all.Days[i].Leave = k.leave(d.Day)
		}
	}
	plans := workday.Lay(k.all.Days)
	for i := range plans {
		if date := plans[i].Date; date >= first && date <= last && !plans[i].Open.After(c.now) {
			k.begin(0x636c6f636b, date)
			k.duty, k.plan, k.day = &duties[i], &plans[i], &k.all.Days[i]
			k.live()
		}
	}
	return k.all
}

// clocker makes up the days of a person one after another.
type clocker struct {
	*Company
	*rand.Rand
	habits
	person *Person
	pcg    *rand.PCG
	all    Attendance

	duty   *Duty
	plan   *workday.Plan
	day    *workday.Day
	events int // of the date
}

// begin turns to what happens on a date by chance, in one respect or another.
func (k *clocker) begin(respect uint64, date workday.Date) {
	k.pcg.Seed(k.seed^respect, uint64(k.person.Number)<<24|uint64(date))
	k.events = 0
}

func (k *clocker) happens(share float64) bool { return k.Float64() < share }

func (k *clocker) minutes(from, to int) time.Duration {
	return time.Duration(60*from+k.IntN(60*(to-from))) * time.Second
}

// about is a time around so many minutes, as seconds.
func (k *clocker) about(mean, spread float64) time.Duration {
	return time.Duration((mean+k.NormFloat64()*spread)*60) * time.Second
}

func (k *clocker) live() {
	switch {
	case k.plan.Type == workday.Leave:
	case k.plan.Type.Rest():
		if k.happens(k.weekend) {
			in := k.plan.Date.At(9*60+20+k.IntN(240), k.plan.Policy.Zone)
			k.clock(workday.In, in)
			k.clock(workday.Out, in.Add(k.minutes(110, 430)))
		}
	case k.happens(k.absence()):
		k.excuse()
	default:
		k.work()
	}
}

func (k *clocker) absence() float64 {
	if k.person.Email == employee {
		return 0
	}
	return 0.004
}

func (k *clocker) work() {
	in, out := k.hours()
	lapse := k.lapse()
	switch lapse {
	case late:
		in = k.dueAt().Add(k.minutes(12, 41))
		out = later(out, k.plan.End)
	case forgotten:
		in = earlier(in, k.dueAt().Add(-4*time.Minute))
	}
	if k.happens(0.0004) && k.plan.Policy.WorkType == workday.Fixed && k.plan.Open.Hour() == 5 {
		k.call()
	}
	k.clock(workday.In, in)
	if k.happens(0.012) {
		k.clock(workday.In, in.Add(k.minutes(1, 3)))
	}
	k.midday(in, out)
	forgot := lapse == forgotten || lapse == none && k.happens(k.forgets)
	if !forgot {
		k.clock(workday.Out, out)
		if k.happens(0.01) {
			k.clock(workday.Out, out.Add(k.minutes(1, 14)))
		}
	}
	k.approve(out)
	k.settle(lapse, in, forgot)
}

// midday is what happens between arrival and departure.
func (k *clocker) midday(in, out time.Time) {
	middle := in.Add(out.Sub(in) / 2)
	switch {
	case out.Sub(in) < 5*time.Hour:
	case k.breaks:
		start := middle.Add(k.minutes(20, 100))
		k.clock(workday.BreakStart, start)
		k.clock(workday.BreakEnd, start.Add(k.minutes(9, 28)))
	case k.happens(0.004):
		gone := middle.Add(-k.minutes(10, 60))
		k.clock(workday.Out, gone)
		k.clock(workday.In, gone.Add(k.minutes(25, 90)))
	}
}

// call is being called in at night, before the day's window opens.
func (k *clocker) call() {
	at := k.plan.Open.Add(-k.minutes(32, 50))
	k.clock(workday.In, at)
	k.clock(workday.Out, at.Add(k.minutes(15, 30)))
	if k.happens(0.3) {
		k.strike()
	}
}

// approve is overtime that was applied for, where it counts only then.
func (k *clocker) approve(out time.Time) {
	over := int(out.Sub(k.plan.End).Minutes())
	if k.plan.Policy.Overtime == workday.OvertimeApproved && over >= 45 && k.happens(0.8) {
		k.day.ApprovedMin = (over + 29) / 30 * 30
	}
}

// clock adds an event by the device that the person has at hand, if it has
// reached the server.
func (k *clocker) clock(kind workday.Kind, at time.Time) {
	k.events++
	e := ClockEvent{Kind: kind, Occurred: at, Sent: at, Received: at.Add(time.Duration(200+k.IntN(1500)) * time.Millisecond), Source: "manual"}
	e.ID = eventID(k.person.Number, k.plan.Date, k.events)
	k.device(&e)
	switch {
	case e.Platform == "mobile" && k.happens(0.008):
		e.Offline = true
		e.Sent = at.Add(k.minutes(12, 200))
		e.Received = e.Sent.Add(time.Second)
	case k.happens(0.0015):
		wrong := k.minutes(7, 38)
		if k.happens(0.5) {
			wrong = -wrong
		}
		e.Occurred, e.Sent = at.Add(wrong), at.Add(wrong)
	}
	if !e.Received.After(k.now) {
		k.all.Events = append(k.all.Events, e)
	}
}

// eventID is in the order of people, dates and events.
func eventID(number int, date workday.Date, event int) string {
	id := make([]byte, 0, 24)
	id = append(id, 'd')
	id = strconv.AppendInt(id, int64(10_000_000+number), 10)
	id = append(id, '-')
	id = strconv.AppendInt(id, int64(date), 10)
	id = append(id, '-')
	return string(strconv.AppendInt(id, int64(event), 10))
}
