package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/settings"
	"officeconsole/workday"
)

// afternoon is a Friday at which many are at work.
var afternoon = Afternoon(today)

// days are what a company clocked, by person. Everybody follows one policy.
func days(t testing.TB, employees, days int, now time.Time, stored string) (*Company, map[int]Attendance) {
	t.Helper()
	companies, err := Companies(Options{Employees: employees, Days: days, Seed: 1, Today: now})
	if err != nil {
		t.Fatal(err)
	}
	values, errs := settings.Parse(settings.WorkingAttitude, json.RawMessage(stored))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	policy, err := workday.ReadPolicy(values.Complete())
	if err != nil {
		t.Fatal(err)
	}
	c := companies[0]
	all := map[int]Attendance{}
	for p := range c.People() {
		first, last := c.Employed(p)
		if last < first {
			continue
		}
		var duties []Duty
		for date := first - 2; date <= last+3; date++ {
			duties = append(duties, Duty{workday.Day{Date: date, Policy: policy, Holiday: policy.HolidayOn(date)}, values.Clocking()})
		}
		all[p.Number] = c.Attendance(p, duties)
	}
	return c, all
}

// records are those of a person, of the days of Period.
func records(c *Company, a Attendance) []workday.Record {
	var events []workday.Event
	for _, e := range a.Events {
		events = append(events, workday.Event{ID: e.ID, Kind: e.Kind, OccurredAt: e.Occurred, SentAt: e.Sent, ReceivedAt: e.Received, Offline: e.Offline})
	}
	first, last := c.Period()
	return slices.DeleteFunc(workday.Records(a.Days, events, c.Now()), func(r workday.Record) bool { return r.Date < first || r.Date > last })
}

const (
	office   = `{}`
	night    = `{"week":{"mon":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"tue":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"wed":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"thu":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"fri":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"sat":{"work":false,"start":"22:00","end":"07:00","end_next_day":true},"sun":{"work":false,"start":"22:00","end":"07:00","end_next_day":true}},"breaks":[{"from":"02:00","to":"03:00"}]}`
	flexible = `{"work_type":"flexible","flexible_start":{"from":"07:00","to":"10:00"},"core_time":{"from":"10:00","to":"16:00"}}`
	free     = `{"work_type":"free"}`
)

func TestSameOptionsSameAttendance(t *testing.T) {
	text := func(length int, now time.Time) string {
		c, all := days(t, 60, length, now, office)
		var b strings.Builder
		for number := range c.Size() {
			a := all[number+1]
			for _, e := range a.Events {
				fmt.Fprintln(&b, e.ID, e.Kind, e.Occurred, e.Sent, e.Received, e.Platform, e.Device, e.Address, e.Reason)
			}
			for _, e := range a.Edits {
				fmt.Fprintln(&b, e.Date, e.Field, e.At, e.By, e.Reason)
			}
		}
		return b.String()
	}
	shorter, longer := text(30, afternoon), text(60, afternoon)
	if text(30, afternoon) != shorter {
		t.Error("the same options gave other attendance")
	}
	for line := range strings.SplitSeq(shorter, "\n") {
		if !strings.Contains(longer, line) {
			t.Fatalf("%s is not among the events of more days", line)
		}
	}
}

// Nobody is in two places at once, and nothing happens ahead of time.
func TestEventsFollowEachOther(t *testing.T) {
	for name, stored := range map[string]string{"office": office, "night": night, "flexible": flexible, "free": free} {
		t.Run(name, func(t *testing.T) {
			c, all := days(t, 150, 60, afternoon, stored)
			ids := map[string]bool{}
			for number, a := range all {
				var last time.Time
				for _, e := range a.Events {
					at, _ := workday.Event{OccurredAt: e.Occurred, SentAt: e.Sent, ReceivedAt: e.Received, Offline: e.Offline}.At()
					if !at.After(last) || e.Received.After(c.Now()) {
						t.Fatalf("person %d: %s at %s after %s", number, e.Kind, at, last)
					}
					if ids[e.ID] {
						t.Fatalf("%s is there twice", e.ID)
					}
					ids[e.ID], last = true, at
				}
				for _, r := range records(c, a) {
					if r.Arrival == nil && r.Departure != nil {
						t.Errorf("person %d left on %s without having come", number, r.Date)
					}
					if r.WorkedMin != nil && *r.WorkedMin > 15*60 {
						t.Errorf("person %d worked %d minutes on %s", number, *r.WorkedMin, r.Date)
					}
				}
			}
		})
	}
}

func TestAttendanceLooksLikeACompany(t *testing.T) {
	c, all := days(t, 600, 90, afternoon, office)
	counts, weekdays, late := map[string]int{}, map[time.Weekday]int{}, map[time.Weekday]int{}
	devices, owed := map[string]bool{}, 0
	count := func(what string, when bool) {
		if when {
			counts[what]++
		}
	}
	for _, a := range all {
		for _, e := range a.Events {
			devices[e.Device] = true
			_, skewed := workday.Event{OccurredAt: e.Occurred, SentAt: e.Sent, ReceivedAt: e.Received, Offline: e.Offline}.At()
			count("skewed", skewed)
			count("offline", e.Offline)
			count("break", e.Kind == workday.BreakStart)
		}
		for _, r := range records(c, a) {
			if r.Date >= workday.DateOf(afternoon) {
				continue
			}
			count("extra", r.Extra)
			count(string(r.Type), r.Type != workday.Workday)
			count(string(r.Status), true)
			if r.Type.IsWorkday() {
				owed++
				weekdays[r.Date.Weekday()]++
				if r.Flags.Has(workday.FlagLate) {
					late[r.Date.Weekday()]++
				}
				count("rush", r.Type == workday.Workday && r.Arrival != nil && r.Start.Sub(r.Arrival.At).Abs() < 20*time.Minute)
			}
		}
		count("edit", len(a.Edits) > 0)
		for _, r := range a.Corrections {
			count(r.Status+" correction", true)
		}
	}
	share := func(what string) float64 { return float64(counts[what]) / float64(owed) }
	for _, test := range []struct {
		what       string
		from, till float64
	}{
		{"late", 0.02, 0.07}, {"absent", 0.001, 0.006}, {"missing_departure", 0.001, 0.012}, {"early_leave", 0.005, 0.03}, {"leave", 0.03, 0.09},
		{"half_leave_am", 0.003, 0.02}, {"half_leave_pm", 0.005, 0.03}, {"holiday_work", 0.001, 0.02}, {"rush", 0.55, 0.95}, {"skewed", 0.001, 0.01},
		{"offline", 0.001, 0.02}, {"break", 0.01, 0.06}, {"extra", 0.00005, 0.002},
	} {
		if got := share(test.what); got < test.from || got > test.till {
			t.Errorf("%s: %.4f of the days, not between %g and %g", test.what, got, test.from, test.till)
		}
	}
	rate := func(day time.Weekday) float64 { return float64(late[day]) / float64(weekdays[day]) }
	for day := time.Tuesday; day <= time.Friday; day++ {
		if rate(time.Monday) < 1.6*rate(day) {
			t.Errorf("late on Mondays %.3f, on %ss %.3f", rate(time.Monday), day, rate(day))
		}
	}
	for _, what := range []string{"edit", "pending correction", "approved correction", "refused correction"} {
		if counts[what] < 3 {
			t.Errorf("%d of %s", counts[what], what)
		}
	}
	if len(devices) < 700 {
		t.Errorf("only %d devices", len(devices))
	}
}

// A night is one record of its first date, with the hours until the morning.
func TestNightsAreOneRecord(t *testing.T) {
	c, all := days(t, 100, 40, afternoon, night)
	nights := 0
	for number, a := range all {
		for _, r := range records(c, a) {
			if r.Type != workday.Workday || r.Departure == nil || r.Presence != workday.PresenceLeft {
				continue
			}
			if r.LateMin == 0 && r.EarlyMin == 0 {
				nights++
				if r.NightMin < 6*60 || workday.DateOf(r.Departure.At.In(seoul)) != r.Date+1 {
					t.Errorf("person %d on %s: %s to %s, %d minutes at night", number, r.Date, r.Arrival.At, r.Departure.At, r.NightMin)
				}
			}
		}
	}
	if nights < 1500 {
		t.Errorf("%d nights", nights)
	}
}

// Whoever signs in as the documented employee finds a day of each kind.
func TestTheEmployeeHasSomethingToSee(t *testing.T) {
	c, all := days(t, 1200, 90, afternoon, office)
	found := map[string]bool{}
	a := all[2]
	for _, r := range records(c, a) {
		found[string(r.Status)] = true
	}
	for _, r := range a.Corrections {
		found[r.Status] = true
	}
	for _, e := range a.Edits {
		found["edited by "+c.Named(e.By)] = true
	}
	for _, want := range []string{"late", "missing_departure", "on_time", "pending", "approved", "refused", "edited by 이준호"} {
		if !found[want] {
			t.Errorf("no %s", want)
		}
	}
}

// Events do not depend on when the company is looked at, but for what has not
// happened yet.
func TestTodayEndsNow(t *testing.T) {
	morning := afternoon.Add(-6*time.Hour - 5*time.Minute)
	c, early := days(t, 300, 3, morning, office)
	_, later := days(t, 300, 3, afternoon, office)
	in, more := 0, 0
	for number, a := range early {
		for _, e := range a.Events {
			if !slices.ContainsFunc(later[number].Events, func(o ClockEvent) bool { return o.ID == e.ID && o.Occurred.Equal(e.Occurred) }) {
				t.Fatalf("%s is gone later", e.ID)
			}
		}
		more += len(later[number].Events) - len(a.Events)
		for _, r := range records(c, a) {
			if r.Date == workday.DateOf(morning) && r.Presence == workday.PresenceWorking {
				in++
			}
		}
	}
	if in < 100 || in > 260 || more < 20 {
		t.Errorf("at 08:55 %d of 300 were in, %d events came later", in, more)
	}
}

func BenchmarkAttendance(b *testing.B) {
	c, _ := days(b, MinEmployees, 365, afternoon, office)
	values, _ := settings.Parse(settings.WorkingAttitude, json.RawMessage(office))
	policy, err := workday.ReadPolicy(values.Complete())
	if err != nil {
		b.Fatal(err)
	}
	var person *Person
	for p := range c.People() {
		person = p
		break
	}
	first, last := c.Employed(person)
	var duties []Duty
	for date := first - 2; date <= last+3; date++ {
		duties = append(duties, Duty{workday.Day{Date: date, Policy: policy}, values.Clocking()})
	}
	for b.Loop() {
		c.Attendance(person, duties)
	}
}
