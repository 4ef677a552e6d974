package demo

import (
	"math/rand/v2"
	"net/netip"
	"strconv"
	"time"

	"officeconsole/settings"
	"officeconsole/workday"
)

// Duty is a date of a person with the schedule and clocking settings of the
// policy that applies on it.
type Duty struct {
	workday.Day
	settings.Clocking
}

// Attendance is what a person clocked and what was edited. Editors, deciders
// and viewers are numbers of people.
type Attendance struct {
	Days        []workday.Day // the given days, with leave, approved overtime and edits of times
	Devices     []string      // devices that the person had before the first event
	Events      []ClockEvent  // sorted by the time that counts
	Edits       []Edit        // sorted by date, as the following
	Corrections []Correction
	Views       []View
}

// ClockEvent is an event as a device sent it. Received is the server's time.
type ClockEvent struct {
	ID                       string // unique among the company's events
	Kind                     workday.Kind
	Occurred, Sent, Received time.Time
	Offline                  bool
	Platform, Device         string
	Address                  netip.Addr
	Position                 *Position
	Reason, Source           string
}

// Position is the position that a phone reported. Mock means that an app made
// it up.
type Position struct {
	Lat, Lng, AccuracyM float64
	Mock                bool
}

// Edit is a change of a record: of a time (Old, New) or of a text (From, To).
type Edit struct {
	Date       workday.Date
	Extra      bool // whether it is of the second record of the date
	Field      string
	Old, New   *time.Time
	From, To   string
	At         time.Time
	By         int
	Reason     string
	Correction int // the index of the correction that it grants; -1 for none
}

// Correction is a request to correct a record. A nil time stays as it is.
type Correction struct {
	Date               workday.Date
	Arrival, Departure *time.Time
	Reason, Status     string
	Created            time.Time
	Decided            *time.Time
	By                 int // who decided; 0 for nobody yet
	Answer             string
}

// View means that a person opened another person's record.
type View struct {
	Date workday.Date
	By   int
	At   time.Time
}

// Now returns the present time of the company.
func (c *Company) Now() time.Time { return c.now }

// Period returns the dates that have attendance: Options.Days dates up to
// today, and tomorrow, for which leave is known. With Days 0 it is empty, and
// last is before first.
func (c *Company) Period() (first, last workday.Date) {
	today := workday.DateOf(c.today)
	if c.days == 0 {
		return today, today - 1
	}
	return today - workday.Date(c.days) + 1, today + 1
}

// Employed returns the part of Period in which a person works: from the day of
// joining to the day before being hidden.
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

// Consents returns when a person agreed that locations are recorded, or nil.
// Nearly everybody did on the first day.
func (p *Person) Consents() *time.Time {
	if p.Bot || p.Number%29 == 27 {
		return nil
	}
	at := p.Joined.Add(40 * time.Minute)
	return &at
}

// Attendance makes up what a person clocked until Now. The duties are
// consecutive and reach from two days before to three days after Employed. The
// events of a date do not depend on the number of dates.
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
	plans := workday.NewPlans(k.all.Days)
	for i := range plans {
		if date := plans[i].Date; date >= first && date <= last && !plans[i].Open.After(c.now) {
			k.begin(0x636c6f636b, date)
			k.duty, k.plan, k.day = &duties[i], &plans[i], &k.all.Days[i]
			k.live()
		}
	}
	return k.all
}

// clocker makes up the days of a person, one after another.
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
	events int // number of events of the date
}

// begin starts the random numbers for one aspect of a date, so that aspects do
// not influence each other.
func (k *clocker) begin(respect uint64, date workday.Date) {
	k.pcg.Seed(k.seed^respect, uint64(k.person.Number)<<24|uint64(date))
	k.events = 0
}

func (k *clocker) happens(share float64) bool { return k.Float64() < share }

func (k *clocker) minutes(from, to int) time.Duration {
	return time.Duration(60*from+k.IntN(60*(to-from))) * time.Second
}

// about returns a random duration with a mean and a spread in minutes, to the
// second.
func (k *clocker) about(mean, spread float64) time.Duration {
	return time.Duration((mean+k.NormFloat64()*spread)*60) * time.Second
}

func (k *clocker) live() {
	switch {
	case k.plan.Type == workday.Leave:
	case k.plan.Type.IsDayOff():
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

// midday makes up the events between arrival and departure.
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

// call makes up being called in at night, before the day's window opens.
func (k *clocker) call() {
	at := k.plan.Open.Add(-k.minutes(32, 50))
	k.clock(workday.In, at)
	k.clock(workday.Out, at.Add(k.minutes(15, 30)))
	if k.happens(0.3) {
		k.strike()
	}
}

// approve makes up an approval of overtime, where only approved overtime
// counts.
func (k *clocker) approve(out time.Time) {
	over := int(out.Sub(k.plan.End).Minutes())
	if k.plan.Policy.Overtime == workday.OvertimeApproved && over >= 45 && k.happens(0.8) {
		k.day.ApprovedMin = (over + 29) / 30 * 30
	}
}

// clock adds an event of the device in use, unless it has not reached the
// server yet.
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

// eventID returns an id that sorts by person, date and event.
func eventID(number int, date workday.Date, event int) string {
	id := make([]byte, 0, 24)
	id = append(id, 'd')
	id = strconv.AppendInt(id, int64(10_000_000+number), 10)
	id = append(id, '-')
	id = strconv.AppendInt(id, int64(date), 10)
	id = append(id, '-')
	return string(strconv.AppendInt(id, int64(event), 10))
}
