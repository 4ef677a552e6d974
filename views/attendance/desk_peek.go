package attendance

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
)

// zone is that of the field, in which all times of the desk are: that of the company.
func (p *DeskPeek) zone() *time.Location { return p.View.Now.Location() }

// time is the time in the field: as it was typed, else the suggested one.
func (p *DeskPeek) time() TimeField {
	if p.Time.Clock != "" || p.Errors["time"] != "" || p.Item.Suggestion.At.IsZero() {
		return p.Time
	}
	return NewTimeField(p.Item.Date, &p.Item.Suggestion.At, p.zone())
}

// asksPreviousDay reports whether the field has a box for the day before.
func (p *DeskPeek) asksPreviousDay() bool {
	r := p.Record
	return p.time().Previous || asksPreviousDay(p.Item.Date, p.zone(), &r.Plan.Open, r.ArrivalAt, r.DepartureAt)
}

// basis says what the suggested time comes from, and what the day becomes with it.
func (p *DeskPeek) basis(ctx context.Context, d Desk) []string {
	s := p.Item.Suggestion
	var all []string
	switch {
	case s.At.IsZero() && p.Item.Kind == attendance.DeskUncounted:
		all = append(all, locales.T(ctx, "desk.basis.uncounted"))
	case s.At.IsZero():
		all = append(all, locales.T(ctx, "desk.basis.none"))
	case s.Basis == attendance.FromActivity:
		all = append(all, locales.T(ctx, "desk.basis.activity."+string(p.Item.Kind), "Time", d.clock(ctx, p.Item, &s.At)))
	case s.Basis == attendance.FromTeam:
		all = append(all, locales.N(ctx, "desk.basis.team", len(p.Team), "Time", d.clock(ctx, p.Item, &s.At)))
	case s.Basis != "":
		all = append(all, locales.T(ctx, "desk.basis."+string(s.Basis), "Time", d.clock(ctx, p.Item, &s.At)))
	}
	if p.After != nil && p.After.WorkedMin != nil {
		all = append(all, locales.T(ctx, "desk.after", "Worked", hours(*p.After.WorkedMin), "Overtime", hours(p.After.OvertimeMin)))
	}
	return all
}

// schedule is what the person was to work on the date.
func (p *DeskPeek) schedule(ctx context.Context) string {
	words := p.View.schedule(ctx)
	if p.View.Record.Department != "" {
		words = words[1:] // the header has it
	}
	if len(words) == 0 {
		return unknownTime
	}
	return joined(words...)
}

// choice is a pending request of the desk.
func (p *DeskPeek) choice(ctx context.Context, d Desk) correctionChoice {
	v := p.View
	v.Back = d.address(p.Next)
	v.Form.Refused = p.Errors
	return v.choice(ctx, v.Record.Pending())
}

// A deskStrip places departures along a line of 312 units.
type deskStrip struct {
	first, last time.Time
	dots        []string
	suggested   string // "" for none
	middle      time.Time
}

// newDeskStrip returns the strip of departures, which are in order, and of the suggested
// time, which is zero for none.
func newDeskStrip(team []time.Time, suggested time.Time) deskStrip {
	s := deskStrip{first: team[0], last: team[len(team)-1], middle: team[(len(team)-1)/2]}
	from, to := s.first, s.last
	if !suggested.IsZero() {
		if suggested.Before(from) {
			from = suggested
		}
		if suggested.After(to) {
			to = suggested
		}
	}
	const left, width = 6, 300
	x := func(at time.Time) string {
		if !to.After(from) {
			return strconv.Itoa(left + width/2)
		}
		return strconv.Itoa(left + int(width*at.Sub(from)/to.Sub(from)))
	}
	for _, at := range team {
		s.dots = append(s.dots, x(at))
	}
	if !suggested.IsZero() {
		s.suggested = x(suggested)
	}
	s.first, s.last = from, to
	return s
}

// label describes the strip in words.
func (s deskStrip) label(ctx context.Context, zone *time.Location) string {
	return locales.T(ctx, "desk.team.label", "First", locales.Time(ctx, s.first.In(zone)), "Last", locales.Time(ctx, s.last.In(zone)), "Middle", locales.Time(ctx, s.middle.In(zone)))
}
