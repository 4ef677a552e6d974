package workday

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// forecastInput is a week with the clock events that the forecast must agree with.
type forecastInput struct {
	ForecastWeek
	zone *time.Location
}

// someWeeks draws a week: days that are over, then one on which somebody may be
// at work, then days to come.
func someWeeks(t *rapid.T) forecastInput {
	p := somePolicies.Draw(t, "policy")
	p.CountMode, p.Settlement = FirstLast, SettlementDay
	if p.RequiredMin > 480 { // more than the windows of a day may hold
		p.RequiredMin = 480
	}
	first := date("2026-03-02") + Date(7*rapid.IntRange(0, 40).Draw(t, "week"))
	var days []Day
	for d := first - 1; d < first+9; d++ {
		days = append(days, Day{
			Date: d, Policy: p,
			Holiday: rapid.SampledFrom([]string{"", "", "", "창립기념일"}).Draw(t, "holiday"),
			Leave:   rapid.SampledFrom([]DayType{"", "", "", Leave, HalfLeaveAM, HalfLeavePM}).Draw(t, "leave"),
		})
	}
	plans := NewPlans(days)[1:8]
	today := rapid.IntRange(0, 7).Draw(t, "today")
	in := forecastInput{ForecastWeek{
		HabitMin: rapid.IntRange(-90, 180).Draw(t, "habit"),
		CapMin:   rapid.SampledFrom([]int{600, 2400, 3120}).Draw(t, "cap"),
	}, p.Zone}
	in.WarnMin = in.CapMin - 240
	in.Now = (first + Date(today)).At(rapid.IntRange(0, 1439).Draw(t, "now"), p.Zone)
	for i := range plans {
		d := ForecastDay{Plan: &plans[i]}
		switch {
		case i < today:
			d.Over = true
			d.Arrival = plans[i].Date.At(rapid.IntRange(0, 900).Draw(t, "arrival"), p.Zone)
			d.Departure = d.Arrival.Add(minutes(rapid.IntRange(1, 900).Draw(t, "presence")))
			d.WorkedMin = countedBetween(&d, d.Departure)
		case i == today && plans[i].HasOpened(in.Now) && rapid.Bool().Draw(t, "at work"):
			d.Arrival = later(plans[i].Open, in.Now.Add(-minutes(rapid.IntRange(0, 700).Draw(t, "presence"))))
		}
		in.Days = append(in.Days, d)
	}
	return in
}

// countedBetween returns what Compute counts for the arrival of a day and a departure.
func countedBetween(d *ForecastDay, departure time.Time) int {
	clocked := []Event{{ID: "in", Kind: In, OccurredAt: d.Arrival}, {ID: "out", Kind: Out, OccurredAt: departure}}
	return value(Compute(*d.Plan, clocked, departure).WorkedMin)
}

func TestForecastIsNotBelowTheHoursSoFar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := someWeeks(t)
		f := w.Forecast()
		sum, finished := 0, true
		for _, d := range w.Days {
			sum, finished = sum+d.WorkedMin, finished && d.Over
		}
		switch {
		case f.WorkedMin < sum || f.ProjectedMin < f.WorkedMin:
			t.Fatalf("%d was worked, %+v", sum, f)
		case finished && (f.ProjectedMin != sum || f.WorkedMin != sum || !f.LastDeparture.IsZero()):
			t.Fatalf("%d was worked in the week, %+v", sum, f)
		case (f.PassesOn != 0) != (f.ProjectedMin > w.CapMin):
			t.Fatalf("the limit is %d, %+v", w.CapMin, f)
		case (f.Level() == "") != (f.ProjectedMin < w.WarnMin):
			t.Fatalf("level %q of %+v", f.Level(), f)
		}
	})
}

// The hours of a day that has begun, and the times of the forecast, are those
// that Compute finds minute by minute.
func TestForecastAgreesWithTheRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := someWeeks(t)
		f := w.Forecast()
		before := 0
		for i := range w.Days {
			d := &w.Days[i]
			if d.Date == f.PassesOn && !d.Arrival.IsZero() {
				checkPassing(t, w, d, f, before)
			}
			if !d.Over && !d.Arrival.IsZero() {
				if got := f.WorkedMin - before; got != countedBetween(d, later(w.Now, d.Arrival)) {
					t.Fatalf("%s: %d minutes until now, the record has %d", d.Date, got, countedBetween(d, w.Now))
				}
				break
			}
			before += d.WorkedMin
		}
	})
}

// checkPassing compares the time at which the limit is passed.
func checkPassing(t *rapid.T, w forecastInput, d *ForecastDay, f Forecast, before int) {
	last := d.Arrival.Add(MaxPresence)
	if d.Over {
		last = d.Departure
	}
	from := minute(d.Arrival)
	if now := minute(w.Now); !d.Over && before+countedBetween(d, w.Now) <= w.CapMin {
		from = max(from, now)
	}
	for m := from + 1; m <= minute(last); m++ {
		if before+countedBetween(d, time.Unix(m*60, 0)) > w.CapMin {
			if minute(f.PassesAt) != m-1 {
				t.Fatalf("%s: the limit is passed at %s, not %s", d.Date, time.Unix((m-1)*60, 0), f.PassesAt)
			}
			return
		}
	}
	t.Fatalf("%s: the limit is not passed, %+v", d.Date, f)
}

// Leaving at LastDeparture keeps the limit, a minute later does not.
func TestLastDepartureKeepsTheLimit(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		w := someWeeks(t)
		f := w.Forecast()
		// A limit near the hours of the week: few other limits have a last departure.
		w.CapMin = rapid.IntRange(f.WorkedMin+1, f.ProjectedMin+240).Draw(t, "near cap")
		w.WarnMin = w.CapMin - 240
		f = w.Forecast()
		for i := range w.Days {
			d := &w.Days[i]
			if d.Over || d.Arrival.IsZero() || f.LastDeparture.IsZero() {
				continue
			}
			found++
			if f.LastDeparture.Before(w.Now.Truncate(time.Minute)) {
				t.Fatalf("it was at %s, and now it is %s", f.LastDeparture, w.Now)
			}
			leave := func(at time.Time) int {
				w.Days[i].Over, w.Days[i].WorkedMin = true, countedBetween(d, at)
				return w.Forecast().ProjectedMin
			}
			if at := leave(f.LastDeparture); at > w.CapMin {
				t.Fatalf("leaving at %s gives %d", f.LastDeparture, at)
			}
			if at := leave(f.LastDeparture.Add(time.Minute)); at <= w.CapMin {
				t.Fatalf("leaving a minute after %s gives %d", f.LastDeparture, at)
			}
			return
		}
	})
	if found == 0 {
		t.Error("no week had a last departure")
	}
}

func TestHabitNeedsThreeDays(t *testing.T) {
	var h Habit
	for day, want := range []int{0, 0, 40, 35} {
		h.Add([]int{500, 530, 530, 500}[day], 480)
		if got := h.Min(); got != want {
			t.Errorf("after %d days: %d, not %d", day+1, got, want)
		}
	}
}

// forecastExample is a forecast of the week of 2026-11-16 under a limit of 52
// hours. Days without events have not begun unless they are before now.
type forecastExample struct {
	id    string
	now   string // "2026-11-20 15:00"
	habit int
	leave map[string]DayType
	days  []string // as in example; "in 09:00" alone is somebody at work
	want  string
}

var elevenHours = []string{
	"2026-11-16: in 09:00, out 21:00", "2026-11-17: in 09:00, out 21:00", "2026-11-18: in 09:00, out 21:00", "2026-11-19: in 09:00, out 21:00",
}

var forecastExamples = []forecastExample{
	{id: "forecast_with_a_habit", now: "2026-11-20 15:00", habit: 30, days: append(elevenHours[:4:4], "2026-11-20: in 09:00"),
		want: "worked 49:00 projected 52:30 expected, passes 2026-11-20 18:00, last departure 18:00"},
	{id: "forecast_without_a_habit", now: "2026-11-20 15:00", days: append(elevenHours[:4:4], "2026-11-20: in 09:00"),
		want: "worked 49:00 projected 52:00 near, last departure 18:00"},
	{id: "forecast_of_wednesday", now: "2026-11-18 10:00", habit: 90, days: append(elevenHours[:2:2], "2026-11-18: in 09:00"),
		want: "worked 23:00 projected 50:30 near, last departure 21:00"},
	{id: "forecast_of_leave", now: "2026-11-19 16:00", habit: 90, leave: map[string]DayType{"2026-11-20": Leave}, days: append(elevenHours[:3:3], "2026-11-19: in 09:00"),
		want: "worked 39:00 projected 42:30 no level"},
	{id: "forecast_leaves_time_for_the_next_day", now: "2026-11-19 16:00", habit: 60, days: append(elevenHours[:3:3], "2026-11-19: in 07:00"),
		want: "worked 41:00 projected 51:00 near, last departure 18:00"},
	{id: "forecast_too_late_for_today", now: "2026-11-19 20:00", habit: 60, days: append(elevenHours[:3:3], "2026-11-19: in 07:00"),
		want: "worked 45:00 projected 54:00 expected, passes 2026-11-20 17:00"},
	{id: "forecast_passed", now: "2026-11-20 21:30", days: append(elevenHours[:4:4], "2026-11-20: in 09:00"),
		want: "worked 55:30 projected 55:30 passed, passes 2026-11-20 18:00"},
	{id: "forecast_before_arrival", now: "2026-11-20 14:00", days: elevenHours,
		want: "worked 44:00 projected 48:00 near, last departure 22:00"},
}

func (e forecastExample) forecast() Forecast {
	policy := officePolicy()
	now, err := time.ParseInLocation("2006-01-02 15:04", e.now, policy.Zone)
	if err != nil {
		panic(err)
	}
	w := ForecastWeek{HabitMin: e.habit, CapMin: 52 * 60, WarnMin: 48 * 60, Now: now}
	var days []Day
	for d := date("2026-11-15"); d <= date("2026-11-24"); d++ {
		days = append(days, Day{Date: d, Policy: policy, Leave: e.leave[d.String()]})
	}
	plans := NewPlans(days)[1:8]
	for i := range plans {
		d := ForecastDay{Plan: &plans[i], Over: plans[i].Date < DateOf(now)}
		for _, text := range e.days {
			on, clocked, _ := strings.Cut(text, ": ")
			if date(on) != d.Date {
				continue
			}
			all := events(d.Date, policy.Zone, clocked)
			d.Arrival = all[0].OccurredAt
			if len(all) > 1 {
				d.Over, d.Departure = true, all[1].OccurredAt
				d.WorkedMin = countedBetween(&d, d.Departure)
			}
		}
		w.Days = append(w.Days, d)
	}
	return w.Forecast()
}

func (e forecastExample) line() string {
	f, z := e.forecast(), officePolicy().Zone
	level := string(f.Level())
	if level == "" {
		level = "no level"
	}
	text := fmt.Sprintf("worked %s projected %s %s", hourText(f.WorkedMin), hourText(f.ProjectedMin), level)
	if f.PassesOn != 0 {
		text += ", passes " + f.PassesAt.In(z).Format("2006-01-02 15:04")
	}
	if !f.LastDeparture.IsZero() {
		text += ", last departure " + f.LastDeparture.In(z).Format("15:04")
	}
	return text
}

// block returns the example for docs/attendance.md.
func (e forecastExample) block() string {
	text := "```\n"
	for _, day := range e.days {
		text += day + "\n"
	}
	for on, leave := range e.leave {
		text += on + ": " + string(leave) + "\n"
	}
	text += "now " + e.now
	if e.habit != 0 {
		text += ", habit " + hourText(e.habit) + " a day"
	}
	return text + "\n\n" + e.line() + "\n```\n"
}

func TestForecastExamples(t *testing.T) {
	for _, e := range forecastExamples {
		if got := e.line(); got != e.want {
			t.Errorf("%s:\n got %s\nwant %s", e.id, got, e.want)
		}
	}
}
