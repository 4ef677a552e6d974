package workday

import (
	"slices"
	"testing"
	"time"
)

// The hours of an extra record are not those of the date's shift, so that the gap of a
// split day is none of its breaks.
func TestExtraRecordHasNoGap(t *testing.T) {
	p := officePolicy()
	setWeek(p, "20:30-22:30")
	p.EarlyInMin, p.DayCloseMin, p.BreakMode = 0, 60, BreaksNone
	for d := range p.Week {
		p.Week[d].Second = span("23:30-02:30")
	}
	days := daysOf(p, "2026-11-16", 5)
	at := func(text string) time.Time { return date("2026-11-18").At(clock(text), p.Zone) }
	events := []Event{{ID: "1", Kind: In, OccurredAt: at("08:00")}, {ID: "2", Kind: Out, OccurredAt: at("20:00").Add(5 * time.Hour)}}
	records := slices.DeleteFunc(Records(days, events, at("23:59").Add(MaxPresence)), func(r Record) bool { return !r.Extra })
	if len(records) != 1 || records[0].BreakMin != 0 || records[0].NightMin != 180 || value(records[0].WorkedMin) != 17*60 {
		t.Errorf("%+v", records)
	}
}

// Where a policy with a time zone further west begins, the date before it lasts until
// then, and so do the events that it needs.
func TestDateLastsUntilTheNextTimeZone(t *testing.T) {
	p, then := officePolicy(), officePolicy()
	then.Zone = zone("Europe/London")
	for d := range then.Week {
		then.Week[d].Kind = ShiftDayOff
	}
	days := daysOf(p, "2026-11-16", 5)
	for i := 2; i < len(days); i++ {
		days[i].Policy = then
	}
	plan := &NewPlans(days)[1]
	arrival := date("2026-11-18").At(clock("12:30"), p.Zone) // 03:30 in London
	events := []Event{{ID: "1", Kind: In, OccurredAt: arrival}, {ID: "2", Kind: Out, OccurredAt: arrival.Add(MaxPresence)}}
	affected, _ := AffectedDates(NewPlans(days), events, func(Event) bool { return true })
	if len(affected) != 1 || affected[0] != plan.Date {
		t.Errorf("the events change %v, not %s", affected, plan.Date)
	}
	if !events[1].OccurredAt.Before(plan.Until()) {
		t.Errorf("%s needs the events until %s", plan.Date, plan.Until())
	}
}

func daysOf(p *Policy, first string, count int) []Day {
	days := make([]Day, count)
	for i := range days {
		days[i] = Day{Date: date(first) + Date(i), Policy: p}
	}
	return days
}
