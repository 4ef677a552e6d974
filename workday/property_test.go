package workday

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var somePolicies = rapid.Custom(func(t *rapid.T) *Policy {
	p := officePolicy()
	p.WorkType = rapid.SampledFrom([]WorkType{Fixed, Flexible, Free}).Draw(t, "work type")
	p.Zone = zone(rapid.SampledFrom([]string{"Asia/Seoul", "America/New_York", "Europe/London", "Asia/Kolkata"}).Draw(t, "zone"))
	for i := range p.Week {
		start := rapid.IntRange(0, 1439).Draw(t, "start")
		end := (start + rapid.IntRange(60, 1080).Draw(t, "length"))
		kind := rapid.SampledFrom([]ShiftKind{ShiftWork, ShiftWork, ShiftDayOff, ShiftWeeklyHoliday}).Draw(t, "kind")
		p.Week[i] = Shift{Kind: kind, Start: start, End: end % dayMinutes, EndNextDay: end >= dayMinutes}
		if rapid.IntRange(0, 4).Draw(t, "split") == 0 && p.WorkType == Fixed {
			p.Week[i].Second = Span{(end + 60) % dayMinutes, (end + 240) % dayMinutes}
		}
	}
	p.RequiredMin = rapid.IntRange(0, 600).Draw(t, "required")
	p.EarlyInMin = rapid.IntRange(0, 720).Draw(t, "early in")
	p.DayCloseMin = rapid.IntRange(60, 960).Draw(t, "day close")
	p.GraceInMin, p.GraceOutMin = rapid.IntRange(0, 30).Draw(t, "grace"), rapid.IntRange(0, 30).Draw(t, "grace")
	p.LateAsAbsentMin = rapid.SampledFrom([]int{0, 60, 240}).Draw(t, "late as absent")
	p.BreakMode = rapid.SampledFrom([]BreakMode{BreaksNone, BreaksWindows, BreaksStatutory}).Draw(t, "break mode")
	p.CountMode = rapid.SampledFrom([]CountMode{FirstLast, Pairs}).Draw(t, "count mode")
	p.MissingDeparture = rapid.SampledFrom([]MissingDeparture{MissingKeep, MissingScheduleEnd, MissingLastActivity}).Draw(t, "missing")
	p.Overtime = rapid.SampledFrom([]OvertimeMode{OvertimeNone, OvertimeAutomatic, OvertimeApproved}).Draw(t, "overtime")
	p.RoundingMin = rapid.SampledFrom([]int{1, 5, 10, 15, 30}).Draw(t, "rounding")
	p.WeeklyOvertimeAfterMin = rapid.SampledFrom([]int{600, 2400}).Draw(t, "weekly overtime after")
	p.WeekStart = time.Weekday(rapid.IntRange(0, 6).Draw(t, "week start"))
	if p.WorkType != Fixed {
		p.Settlement = rapid.SampledFrom([]Settlement{SettlementDay, SettlementWeek, SettlementMonth}).Draw(t, "settlement")
	}
	return p
})

const propertyDays = 9

func someDays(from Date, p *Policy) *rapid.Generator[[]Day] {
	return rapid.Custom(func(t *rapid.T) []Day {
		var days []Day
		for i := range Date(propertyDays) {
			days = append(days, Day{
				Date: from + i, Policy: p,
				Holiday:     rapid.SampledFrom([]string{"", "", "", "창립기념일"}).Draw(t, "holiday"),
				Leave:       rapid.SampledFrom([]DayType{"", "", "", Leave, HalfLeaveAM, HalfLeavePM}).Draw(t, "leave"),
				ApprovedMin: rapid.IntRange(0, 120).Draw(t, "approved"),
			})
		}
		return days
	})
}

func someEvents(from Date, z *time.Location) *rapid.Generator[[]Event] {
	return rapid.Custom(func(t *rapid.T) []Event {
		begin := from.At(0, z)
		n := rapid.IntRange(0, 30).Draw(t, "events")
		var all []Event
		for i := range n {
			at := begin.Add(time.Duration(rapid.IntRange(0, propertyDays*86400).Draw(t, "at")) * time.Second)
			e := Event{
				ID: fmt.Sprint(i), OccurredAt: at,
				Kind: rapid.SampledFrom([]Kind{In, In, Out, Out, BreakStart, BreakEnd}).Draw(t, "kind"),
			}
			if rapid.Bool().Draw(t, "received") {
				e.ReceivedAt = at.Add(time.Duration(rapid.IntRange(-900, 900).Draw(t, "delay")) * time.Second)
				e.Offline = rapid.Bool().Draw(t, "offline")
			}
			all = append(all, e)
		}
		return all
	})
}

type testInput struct {
	days   []Day
	events []Event
	now    time.Time
}

func drawInput(t *rapid.T) testInput {
	p := somePolicies.Draw(t, "policy")
	from := date("2026-03-01") + Date(rapid.IntRange(0, 300).Draw(t, "from"))
	now := from.At(rapid.IntRange(0, (propertyDays+2)*dayMinutes).Draw(t, "now"), p.Zone)
	return testInput{someDays(from, p).Draw(t, "days"), someEvents(from, p.Zone).Draw(t, "events"), now}
}

func (d testInput) records() []Record { return Records(d.days, d.events, d.now) }

func TestEventsInAnyOrderGiveTheSameRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		want := d.records()
		shuffled := rapid.Permutation(d.events).Draw(t, "shuffled")
		if got := Records(d.days, shuffled, d.now); !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

// New events change only the records of the dates that AffectedDates returns,
// and these need only the events between Since and Until.
func TestEventsChangeOnlyTheirDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, then := drawInput(t), somePolicies.Draw(t, "then")
		for i := rapid.IntRange(1, propertyDays).Draw(t, "from then"); i < propertyDays; i++ {
			d.days[i].Policy = then
		}
		plans := NewPlans(d.days)
		on := func(plans []Plan, events []Event, date Date) []Record {
			return RecordsOn(plans, events, d.now, func(other Date) bool { return other == date })
		}
		for i, e := range d.events {
			touched, _ := AffectedDates(plans, d.events, func(one Event) bool { return one.ID == e.ID })
			others := slices.Delete(slices.Clone(d.events), i, i+1)
			for _, p := range plans {
				if !slices.Contains(touched, p.Date) && !reflect.DeepEqual(on(plans, d.events, p.Date), on(plans, others, p.Date)) {
					t.Fatalf("the event at %s changes %s, not only %v", e.OccurredAt, p.Date, touched)
				}
			}
		}
		for _, p := range plans {
			near := slices.DeleteFunc(slices.Clone(d.events), func(e Event) bool {
				at, _ := e.At()
				return at.Before(p.Since()) || !at.Before(p.Until())
			})
			if got, want := on(plans, near, p.Date), on(plans, d.events, p.Date); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s of the events near it %+v\nof all %+v", p.Date, got, want)
			}
		}
	})
}

func TestComputingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		before := slices.Clone(d.events)
		want := d.records()
		if !reflect.DeepEqual(d.records(), want) || !reflect.DeepEqual(d.events, before) {
			t.Fatal("the second time is another")
		}
		plans := NewPlans(d.days)
		assigned := Assign(plans, d.events)
		for _, r := range want {
			i := slices.IndexFunc(plans, func(p Plan) bool { return p.Date == r.Date })
			got := Compute(plans[i], assigned[r.Date].Events, d.now)
			if r.Extra {
				got = Compute(plans[i].ExtraPlan(), assigned[r.Date].ExtraEvents, d.now)
			}
			got.Unmatched = r.Unmatched
			if !reflect.DeepEqual(got, r) {
				t.Fatalf("alone  %+v\namong others %+v", got, r)
			}
		}
	})
}

func TestReplayedAndSplitBatchesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		want := d.records()
		cut := rapid.IntRange(0, len(d.events)).Draw(t, "cut")
		var stored []Event // events arrive in batches, the second batch twice
		for _, batch := range [][]Event{d.events[cut:], d.events[:cut], d.events[cut:]} {
			stored = append(stored, batch...)
		}
		if got := Records(d.days, stored, d.now); !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestFiguresStayWithinTheDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		for _, r := range d.records() {
			isPairs := d.days[0].Policy.CountMode == Pairs
			if r.Arrival == nil || r.Departure == nil {
				if (r.Arrival != nil || r.Departure != nil) && r.WorkedMin != nil && !isPairs {
					t.Fatalf("%+v knows the work without a departure", r)
				}
				continue
			}
			span := int(minute(r.Departure.At) - minute(r.Arrival.At))
			worked := *r.WorkedMin
			switch {
			case worked < 0 || worked > span || worked+r.BreakMin > span:
				t.Fatalf("%d worked and %d break in %d: %+v", worked, r.BreakMin, span, r)
			case r.NightMin > worked || r.DailyOverMin+r.WeeklyOverMin > worked || r.OvertimeMin < 0 || r.Type == Holiday && r.HolidayMin+r.HolidayOverMin != worked:
				t.Fatalf("%d at night and %d over of %d: %+v", r.NightMin, r.OvertimeMin, worked, r)
			case worked%d.days[0].Policy.RoundingMin != 0:
				t.Fatalf("%d is not rounded", worked)
			case r.Arrival.At.Before(r.Open) || r.Arrival.At.After(r.Close) || !r.Departure.Auto && r.Departure.At.After(r.Close.Add(MaxPresence)):
				t.Fatalf("outside of the window: %+v", r)
			case r.Flags.Has(FlagPastClose) != (!r.Departure.Auto && r.Departure.At.After(r.Close)):
				t.Fatalf("past the close: %+v", r)
			case r.Departure.At.Before(r.Arrival.At):
				t.Fatalf("left before coming: %+v", r)
			}
		}
	})
}

func TestWindowsFollowEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plans := NewPlans(drawInput(t).days)
		for i, p := range plans[1:] {
			// Shifts that overlap each other have no correct result.
			if p.hasShift && plans[i].hasShift && p.shift.from < plans[i].shift.to {
				return
			}
		}
		for i, p := range plans {
			if p.Close.Before(p.Open) {
				t.Fatalf("%s opens %s and closes %s", p.Date, p.Open, p.Close)
			}
			if i+2 < len(plans) && plans[i+2].Open.Before(p.Close) {
				t.Fatalf("%s closes %s, after %s opened", p.Date, p.Close, plans[i+2].Date)
			}
		}
	})
}

// Every event is in exactly one record, or in the list of unmatched events of a
// date.
func TestEveryEventBelongsToOneDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		plans, given := NewPlans(d.days), map[string]int{}
		for _, of := range Assign(plans, d.events) {
			for _, e := range slices.Concat(of.Events, of.ExtraEvents, of.Unmatched) {
				given[e.ID]++
			}
		}
		for _, e := range d.events {
			at, _ := e.At()
			inside := !at.Before(plans[0].dayStart) && at.Before(plans[len(plans)-1].dayEnd)
			if n := given[e.ID]; n > 1 || n == 0 && inside {
				t.Fatalf("%s %s is given to %d days", e.Kind, at, n)
			}
		}
	})
}

// Moving everything by a week changes nothing else, unless the clocks change in
// between.
func TestAWeekLaterIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		for i := range d.days {
			d.days[i].Date += date("2026-06-01") - d.days[i].Date + Date(i)
		}
		week := 7 * 24 * time.Hour
		d.events = someEvents(d.days[0].Date, d.days[0].Policy.Zone).Draw(t, "summer events")
		d.now = d.days[0].Date.At(10*dayMinutes, d.days[0].Policy.Zone)
		want := d.records()
		for i := range d.days {
			d.days[i].Date += 7
		}
		for i := range d.events {
			d.events[i].OccurredAt = d.events[i].OccurredAt.Add(week)
			if !d.events[i].ReceivedAt.IsZero() {
				d.events[i].ReceivedAt = d.events[i].ReceivedAt.Add(week)
			}
		}
		d.now = d.now.Add(week)
		got := d.records()
		if len(got) != len(want) {
			t.Fatalf("%d records, not %d", len(got), len(want))
		}
		for i := range got {
			z := d.days[0].Policy.Zone
			if got[i].Date != want[i].Date+7 || got[i].Extra != want[i].Extra || summary(got[i], z) != summary(want[i], z) {
				t.Fatalf("%s\nis not %s", summary(got[i], z), summary(want[i], z))
			}
		}
	})
}

// A night from 22:00 to 07:00 is nine hours by the clock on the wall; the hour
// that summer time skips or repeats appears only in the record of that night.
func TestNightsOverSummerTime(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/London", "Australia/Lord_Howe"} {
		p := officePolicy()
		nightGuard(p)
		p.Zone, p.BreakMode = zone(name), BreaksNone
		changed := 0
		for d := date("2020-01-01"); d < date("2036-01-01"); d++ {
			in, out := d.At(22*60, p.Zone), d.At(31*60, p.Zone)
			_, before := in.Zone()
			_, after := out.Zone()
			r := Records([]Day{{Date: d - 1, Policy: p}, {Date: d, Policy: p}, {Date: d + 1, Policy: p}},
				[]Event{{Kind: Out, OccurredAt: out}, {Kind: In, OccurredAt: in}}, out)[1]
			if want := 9*60 + (before-after)/60; *r.WorkedMin != want || r.LateMin != 0 || r.EarlyMin != 0 {
				t.Fatalf("%s, %s: %d minutes, not %d", name, d, *r.WorkedMin, want)
			}
			if before != after {
				changed++
			}
		}
		if changed != 32 {
			t.Errorf("%s changed its clocks in %d nights of 16 years", name, changed)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	p := officePolicy()
	d := date("2026-11-16")
	plan := NewPlans([]Day{{Date: d - 1, Policy: p}, {Date: d, Policy: p}, {Date: d + 1, Policy: p}})[1]
	clocked := events(d, p.Zone, "in 08:55, out 18:10")
	now := plan.Close
	b.ReportAllocs()
	for b.Loop() {
		Compute(plan, clocked, now)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkMonth(b *testing.B) {
	p := officePolicy()
	var days []Day
	var clocked []Event
	for d := date("2026-11-01"); d < date("2026-12-01"); d++ {
		days = append(days, Day{Date: d, Policy: p})
		clocked = append(clocked, events(d, p.Zone, "in 08:55, out 18:10")...)
	}
	for i := range clocked {
		clocked[i].ID = fmt.Sprint(i)
	}
	rand.New(rand.NewSource(1)).Shuffle(len(clocked), func(i, j int) { clocked[i], clocked[j] = clocked[j], clocked[i] })
	now := date("2026-12-02").Time()
	b.ReportAllocs()
	for b.Loop() {
		Records(days, clocked, now)
	}
	b.ReportMetric(float64(b.N*len(days))/b.Elapsed().Seconds(), "records/s")
}
