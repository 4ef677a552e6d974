package workday

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The model computes the figures of records by brute force, minute by minute,
// from the windows of the plans. It shares no code with the calculation.

// modelRecord is what the model says about a record.
type modelRecord struct {
	date               Date
	extra              bool
	worked, night      int
	known              bool
	holiday, beyond    int
	daily, weekly      int
	period, overtime   int
	balance            int
	hasBalance         bool
	late, early        int // of fixed work
	forgotten          int // arrivals before another one, whose departure is missing
	arrival, departure time.Time
}

type modelKey struct {
	date  Date
	extra bool
}

// modelOwners returns the events of each record.
func modelOwners(plans []Plan, events []Event) map[modelKey][]Event {
	sorted := slices.Clone(events)
	order := map[Kind]int{BreakEnd: 0, Out: 1, In: 2, BreakStart: 3}
	slices.SortStableFunc(sorted, func(a, b Event) int {
		if !a.OccurredAt.Equal(b.OccurredAt) {
			return a.OccurredAt.Compare(b.OccurredAt)
		}
		return order[a.Kind] - order[b.Kind]
	})
	owned := map[modelKey][]Event{}
	owners := make([]*modelKey, len(sorted))
	for i, e := range sorted {
		if e.Kind == In {
			owners[i] = modelWindow(plans, e, true)
		} else {
			for j := i - 1; j >= 0; j-- {
				if sorted[j].Kind == In {
					if owners[j] != nil && modelFollows(plans, owners[j].date, sorted[j].OccurredAt, e.OccurredAt) {
						owners[i] = owners[j]
					}
					break
				}
			}
			if owners[i] == nil {
				owners[i] = modelWindow(plans, e, false)
			}
		}
		if owners[i] != nil {
			owned[*owners[i]] = append(owned[*owners[i]], e)
		}
	}
	return owned
}

func modelFollows(plans []Plan, arrivedOn Date, arrival, departure time.Time) bool {
	for _, p := range plans {
		isDue := p.Type == Workday || p.Type == HalfLeaveAM || p.Type == HalfLeavePM
		if isDue && p.Date > arrivedOn && !p.Start.IsZero() && arrival.Before(p.Start) && p.Start.Before(departure) {
			return false
		}
	}
	return departure.Sub(arrival) <= 24*time.Hour
}

// modelWindow returns the record whose window contains an event, for an arrival
// in none the extra record of the date, and for a departure nil.
func modelWindow(plans []Plan, e Event, isArrival bool) *modelKey {
	var found *modelKey
	for _, p := range plans {
		contains := !e.OccurredAt.Before(p.Open) && !e.OccurredAt.After(p.Close)
		if contains && (isArrival || found == nil) {
			found = &modelKey{p.Date, false}
		}
	}
	if found != nil || !isArrival {
		return found
	}
	local := e.OccurredAt.In(plans[0].Policy.Zone)
	date := DateOf(local)
	if local.Hour() < 4 {
		date--
	}
	if date < plans[0].Date || date > plans[len(plans)-1].Date {
		return nil
	}
	return &modelKey{date, true}
}

// modelMinutes returns the minutes of work of a record and those of them at
// night, before rounding.
func modelMinutes(p *Plan, typ DayType, events []Event, r *modelRecord) (worked, night int) {
	policy := p.Policy
	present, paused := map[int64]bool{}, map[int64]bool{}
	floor := func(t time.Time) int64 { return t.Truncate(time.Minute).Unix() / 60 }
	fill := func(set map[int64]bool, from, to int64) {
		for m := from; m < to; m++ {
			set[m] = true
		}
	}
	if policy.CountMode == FirstLast && r.known {
		fill(present, floor(r.arrival), floor(r.departure))
	}
	var pause int64 = -1
	var taps []time.Time // the arrivals since the last departure
	for _, e := range events {
		if e.OccurredAt.Before(r.arrival) {
			continue
		}
		at := floor(e.OccurredAt)
		switch {
		case policy.CountMode == FirstLast:
		case e.Kind == In:
			taps = append(taps, e.OccurredAt)
		case e.Kind == Out && len(taps) > 0:
			begin, forgotten := modelBegin(taps)
			fill(present, floor(begin), at)
			r.forgotten += forgotten
			taps = nil
		}
		switch {
		case e.Kind == BreakStart && pause < 0:
			pause = at
		case e.Kind == BreakEnd && pause >= 0:
			fill(paused, pause, at)
			pause = -1
		case e.Kind == In || e.Kind == Out:
			pause = -1
		}
	}
	if len(taps) > 0 {
		_, forgotten := modelBegin(taps)
		r.forgotten += forgotten
	}
	isDue := typ == Workday || typ == HalfLeaveAM || typ == HalfLeavePM
	gap := modelGap(p, typ)
	inPause, inNight := 0, 0
	for m := range present {
		at := time.Unix(m*60, 0)
		if policy.Overtime == OvertimeNone && isDue && !p.Start.IsZero() && at.Before(p.Start.Truncate(time.Minute)) {
			continue
		}
		worked++
		local := at.In(policy.Zone)
		clock := local.Hour()*60 + local.Minute()
		isPause := paused[m] || policy.CountMode == FirstLast && gap(at)
		for _, b := range policy.Breaks {
			isPause = isPause || policy.BreakMode == BreaksWindows && clock >= b.From && clock < b.To
		}
		if isPause {
			inPause++
		}
		if (clock >= 22*60 || clock < 6*60) && !isPause {
			inNight++
		}
	}
	if policy.BreakMode == BreaksStatutory {
		for _, law := range []int{0, 30, 60} { // the shortest break that is enough for the rest
			rest := worked - law
			if rest < 240 || rest < 480 && law >= 30 || law == 60 {
				inPause = min(worked, max(inPause, law))
				break
			}
		}
	}
	return worked - inPause, inNight
}

// modelBegin returns when the last presence of successive arrivals begins, and how
// many before it have no departure. Taps of five minutes are one arrival.
func modelBegin(taps []time.Time) (begin time.Time, forgotten int) {
	begin = taps[0]
	for _, tap := range taps {
		if tap.After(begin.Add(5 * time.Minute)) {
			begin, forgotten = tap, forgotten+1
		}
	}
	return begin, forgotten
}

// modelGap reports the minutes between the stints of a split day.
func modelGap(p *Plan, typ DayType) func(time.Time) bool {
	s := p.Policy.Week[p.Date.Weekday()]
	if s.Second == (Span{}) || p.Policy.WorkType != Fixed || typ != Workday && typ != HalfLeaveAM && typ != HalfLeavePM {
		return func(time.Time) bool { return false }
	}
	from := s.End
	if s.EndNextDay {
		from += 1440
	}
	to := s.Second.From
	for to < from {
		to += 1440
	}
	begin, end := p.Date.At(from, p.Policy.Zone), p.Date.At(to, p.Policy.Zone)
	return func(t time.Time) bool { return !t.Before(begin) && t.Before(end) }
}

// modelLateness returns the minutes of fixed work before the arrival and after the
// departure, 0 within grace. On a day with a gap they are those of its stints, on others
// those from the start and until the end.
func modelLateness(p *Plan, typ DayType, r *modelRecord) (late, early int) {
	isDue := typ == Workday || typ == HalfLeaveAM || typ == HalfLeavePM
	if p.Policy.WorkType != Fixed || !isDue || r.arrival.IsZero() {
		return 0, 0
	}
	gap := modelGap(p, typ)
	isSplit := p.Policy.Week[p.Date.Weekday()].Second != (Span{})
	missed := func(from, to time.Time) int {
		n := 0
		for at := from.Truncate(time.Minute); at.Before(to.Truncate(time.Minute)); at = at.Add(time.Minute) {
			if !isSplit || !gap(at) && !at.Before(p.Start) && at.Before(p.End) {
				n++
			}
		}
		return n
	}
	if late = missed(p.Start, r.arrival); late <= p.Policy.GraceInMin {
		late = 0
	}
	if r.known {
		early = missed(r.departure, p.End)
	}
	if early <= p.Policy.GraceOutMin {
		early = 0
	}
	return late, early
}

// modelRecords returns the records of days that are over.
func modelRecords(plans []Plan, events []Event) []modelRecord {
	owned := modelOwners(plans, events)
	var all []modelRecord
	for i := range plans {
		p := &plans[i]
		for _, extra := range []bool{false, true} {
			mine := owned[modelKey{p.Date, extra}]
			if extra && len(mine) == 0 {
				continue
			}
			typ := modelType(p, extra)
			r := modelRecord{date: p.Date, extra: extra}
			for _, e := range mine {
				switch {
				case e.Kind == In && r.arrival.IsZero():
					r.arrival = e.OccurredAt
				case e.Kind == Out && !r.arrival.IsZero():
					r.departure = e.OccurredAt
				}
			}
			trailing := false // an arrival without a departure
			for _, e := range mine {
				trailing = e.Kind == In || trailing && e.Kind != Out
			}
			if trailing && p.Policy.CountMode == Pairs {
				r.departure = time.Time{}
			}
			r.known = !r.arrival.IsZero() && !r.departure.IsZero()
			if !r.arrival.IsZero() {
				unrounded := 0
				q := *p
				if extra {
					q.Start = time.Time{}
				}
				unrounded, r.night = modelMinutes(&q, typ, mine, &r)
				for r.worked+p.Policy.RoundingMin <= unrounded {
					r.worked += p.Policy.RoundingMin
				}
				r.night = min(r.night, r.worked)
				r.late, r.early = modelLateness(&q, typ, &r)
			}
			all = append(all, r)
		}
	}
	modelPremiums(plans, all)
	return all
}

func modelType(p *Plan, extra bool) DayType {
	if extra && p.Type != Holiday {
		return DayOff
	}
	return p.Type
}

// modelPremiums walks through every worked minute in order.
func modelPremiums(plans []Plan, all []modelRecord) {
	onDate, inWeek, approved := 0, 0, 0
	inPeriod, required, periodApproved := 0, 0, 0
	for i := range all {
		r := &all[i]
		p := plans[slices.IndexFunc(plans, func(p Plan) bool { return p.Date == r.date })]
		policy, typ := p.Policy, modelType(&p, r.extra)
		if !r.extra {
			onDate, approved = 0, p.ApprovedMin
		}
		if !r.extra && (i == 0 || r.date.Weekday() == policy.WeekStart) {
			inWeek = 0
		}
		month := r.date.Time().Month()
		if !r.extra && (i == 0 || policy.Settlement == SettlementWeek && r.date.Weekday() == policy.WeekStart || policy.Settlement == SettlementMonth && r.date.Time().Day() == 1) {
			inPeriod, required, periodApproved = 0, 0, 0
		}
		need := policy.RequiredMin
		if p.Type == HalfLeaveAM || p.Type == HalfLeavePM {
			need /= 2
		}
		perDay := policy.Settlement == SettlementDay
		for range r.worked {
			onDate++
			switch {
			case typ == Holiday && onDate <= 480:
				r.holiday++
			case typ == Holiday:
				r.beyond++
			case !perDay:
				inPeriod++
			case onDate > need:
				r.daily++
			default:
				if inWeek++; inWeek > policy.WeeklyOvertimeAfterMin {
					r.weekly++
				}
			}
		}
		if !r.extra {
			periodApproved += p.ApprovedMin
			if typ == Workday || typ == HalfLeaveAM || typ == HalfLeavePM {
				required += need
			}
		}
		if !perDay {
			r.balance, r.hasBalance = inPeriod-required, true
			isLast := policy.Settlement == SettlementMonth && (r.date+1).Time().Month() != month || policy.Settlement == SettlementWeek && (r.date+1).Weekday() == policy.WeekStart
			if i+1 == len(all) {
				isLast = true // the period is over, and there is no later record
			} else if all[i+1].date == r.date {
				isLast = false
			}
			if isLast {
				r.period = max(0, r.balance)
			}
		}
		switch policy.Overtime {
		case OvertimeAutomatic:
			r.overtime = r.daily + r.weekly + r.period
		case OvertimeApproved:
			used := min(approved, r.daily+r.weekly)
			approved -= used
			r.overtime = used + min(periodApproved, r.period)
		}
	}
}

func TestModelAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawInput(t)
		d.now = d.now.AddDate(1, 0, 0)
		d.days[0].Policy.MissingDeparture = MissingKeep
		for i := range d.events {
			d.events[i].ReceivedAt = time.Time{}
		}
		plans := NewPlans(d.days)
		records := RecordsOn(plans, d.events, d.now, func(Date) bool { return true })
		premiums := make([]PremiumDay, len(records))
		for i := range records {
			plan := plans[records[i].Date-plans[0].Date]
			premiums[i] = records[i].premiumDay(&plan)
		}
		AddPremiums(premiums, DateOf(d.now))
		want := modelRecords(plans, d.events)
		if len(records) != len(want) {
			t.Fatalf("%d records, the model has %d", len(records), len(want))
		}
		for i, r := range records {
			got := modelRecord{
				date: r.Date, extra: r.Extra, worked: value(r.WorkedMin), night: r.NightMin, known: want[i].known,
				holiday: premiums[i].HolidayMin, beyond: premiums[i].HolidayOverMin, daily: premiums[i].DailyOverMin, weekly: premiums[i].WeeklyOverMin,
				period: premiums[i].PeriodOverMin, overtime: premiums[i].OvertimeMin,
				hasBalance: premiums[i].BalanceMin != nil, balance: value(premiums[i].BalanceMin), arrival: want[i].arrival, departure: want[i].departure,
			}
			if plans[0].Policy.WorkType == Fixed {
				got.late, got.early = r.LateMin, r.EarlyMin
			}
			if r.Arrival != nil {
				got.arrival = r.Arrival.At
				got.forgotten = forgottenArrivals(r, plans[0].Policy.CountMode)
			}
			if got != want[i] || (r.Arrival == nil) != want[i].arrival.IsZero() || r.Arrival != nil && (r.Departure == nil) != want[i].departure.IsZero() || want[i].known && !r.Departure.At.Equal(want[i].departure) {
				t.Fatalf("%s\n got %+v\nwant %+v", summary(r, plans[0].Policy.Zone), got, want[i])
			}
		}
	})
}

// forgottenArrivals returns the number of uncounted arrivals that another one follows.
func forgottenArrivals(r Record, mode CountMode) int {
	n := 0
	for _, e := range r.Uncounted {
		if e.Kind == In && mode == Pairs {
			n++
		}
	}
	if r.Departure == nil && len(r.Work) > 0 {
		n-- // the last one
	}
	return max(0, n)
}
