package workday

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// officePolicy is the default policy of domain §5: 09:00-18:00 from Monday to
// Friday, a break at noon, in Seoul.
func officePolicy() *Policy {
	p := &Policy{
		WorkType: Fixed, Zone: zone("Asia/Seoul"),
		FlexibleStart: span("07:00-11:00"), Core: span("11:00-16:00"), RequiredMin: 480,
		EarlyInMin: 240, DayCloseMin: 600,
		BreakMode: BreaksWindows, Breaks: []Span{span("12:00-13:00")},
		CountMode: FirstLast, MissingDeparture: MissingKeep, RoundingMin: 1,
		Overtime: OvertimeAutomatic, Night: span("22:00-06:00"),
		Settlement: SettlementDay, WeeklyOvertimeAfterMin: 2400,
	}
	setWeek(p, "09:00-18:00")
	return p
}

// setWeek sets the same hours for Monday to Friday.
func setWeek(p *Policy, hours string) {
	for d := range p.Week {
		p.Week[d] = shift(hours)
	}
	p.Week[time.Saturday].Kind, p.Week[time.Sunday].Kind = ShiftDayOff, ShiftWeeklyHoliday
}

func everyDay(p *Policy) {
	for d := range p.Week {
		p.Week[d].Kind = ShiftWork
	}
}

func nightGuard(p *Policy) {
	setWeek(p, "22:00-07:00")
	everyDay(p)
	p.Breaks = []Span{span("02:00-03:00")}
}

func flexible(p *Policy) { p.WorkType = Flexible }
func free(p *Policy)     { p.WorkType = Free }
func pairs(p *Policy)    { p.CountMode = Pairs }

func zone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

func clock(text string) int {
	var h, m, days int
	text, after, _ := strings.Cut(text, "+")
	fmt.Sscanf(after, "%d", &days)
	if n, err := fmt.Sscanf(text, "%d:%d", &h, &m); n != 2 {
		panic(fmt.Sprintf("clock %q: %v", text, err))
	}
	return days*dayMinutes + h*60 + m
}

func span(text string) Span {
	from, to, _ := strings.Cut(text, "-")
	return Span{clock(from), clock(to)}
}

func shift(text string) Shift {
	s := span(text)
	return Shift{Kind: ShiftWork, Start: s.From, End: s.To, EndNextDay: s.To <= s.From}
}

func date(text string) Date {
	d, err := ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// events parses "in 08:55, out 18:02:30, break_start 12:00"; "out 07:00+1" is
// on the following day.
func events(d Date, z *time.Location, text string) []Event {
	var all []Event
	for i, part := range strings.Split(text, ", ") {
		words := strings.Fields(part)
		if len(words) < 2 {
			continue
		}
		at := d.At(clock(words[1]), z)
		for _, seconds := range words[2:] {
			var s int
			if n, _ := fmt.Sscanf(seconds, ":%d", &s); n == 1 {
				at = at.Add(time.Duration(s) * time.Second)
			}
		}
		all = append(all, Event{ID: fmt.Sprint("e", i), Kind: Kind(words[0]), OccurredAt: at, Proof: "ip"})
	}
	return all
}

// testCase is a day of one person. want describes the record as summary does.
// Further days follow after " | " with their distance in days, as "+1"; extra
// records have an "x".
type testCase struct {
	name   string
	date   string
	policy []func(*Policy)
	clock  string
	events func([]Event) []Event
	day    func(*Day)
	now    string // local time on date; "" is a week later
	want   string
}

func (c testCase) run(t *testing.T) {
	policy := officePolicy()
	for _, change := range c.policy {
		change(policy)
	}
	d := date(c.date)
	var days []Day
	for n := d - 3; n <= d+3; n++ {
		day := Day{Date: n, Policy: policy}
		if h, is := CalendarKR.HolidayOn(n); is && policy.Zone.String() == "Asia/Seoul" {
			day.Holiday = h.ID
		}
		if n == d && c.day != nil {
			c.day(&day)
		}
		days = append(days, day)
	}
	clocked := events(d, policy.Zone, c.clock)
	if c.events != nil {
		clocked = c.events(clocked)
	}
	now := d.At(7*dayMinutes, policy.Zone)
	if c.now != "" {
		now = d.At(clock(c.now), policy.Zone)
	}
	records := Records(days, clocked, now)
	for _, want := range strings.Split(c.want, " | ") {
		offset, extra := 0, strings.HasPrefix(want, "x ")
		want = strings.TrimPrefix(want, "x ")
		if want[0] == '+' || want[0] == '-' {
			fmt.Sscanf(want, "%d", &offset)
			_, want, _ = strings.Cut(want, " ")
		}
		found := "no record"
		for _, r := range records {
			if r.Date == d+Date(offset) && r.Extra == extra {
				found = summary(r, policy.Zone)
			}
		}
		if found != want {
			t.Errorf("%+d:\n got %s\nwant %s", offset, found, want)
		}
	}
}

// summary returns a record in one line, without zero values; "?" is unknown
// work.
func summary(r Record, z *time.Location) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	add("%s %s %s-%s", r.Status, r.Presence, timeText(r, r.Arrival, z), timeText(r, r.Departure, z))
	if r.WorkedMin == nil {
		add("worked=?")
	}
	for _, one := range []struct {
		name string
		n    int
	}{
		{"worked", value(r.WorkedMin)}, {"break", r.BreakMin}, {"holiday", r.HolidayMin}, {"holiday_over", r.HolidayOverMin}, {"over", r.OvertimeMin},
		{"night", r.NightMin}, {"late", r.LateMin}, {"early", r.EarlyMin},
	} {
		if one.n != 0 {
			add("%s=%d", one.name, one.n)
		}
	}
	if r.BalanceMin != nil {
		add("balance=%+d", *r.BalanceMin)
	}
	if r.Flags != 0 {
		add("[%s]", r.Flags)
	}
	for _, e := range r.Uncounted {
		add("uncounted:%s", e.Kind)
	}
	for _, e := range r.Unmatched {
		add("unmatched:%s", e.Kind)
	}
	return strings.Join(parts, " ")
}

func value(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func timeText(r Record, s *ClockTime, z *time.Location) string {
	if s == nil {
		return "…"
	}
	text := s.At.In(z).Format("15:04")
	if days := DateOf(s.At.In(z)) - r.Date; days > 0 {
		text += fmt.Sprintf("+%d", days)
	}
	return text
}

func runAll(t *testing.T, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, c.run)
	}
}
