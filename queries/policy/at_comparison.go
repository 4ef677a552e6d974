package policy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/settings"
)

// comparisonAt compares the policies of a timeline at a time with now.
type comparisonAt struct {
	at, now  time.Time
	timeline *Timeline
	people   map[spansAt]int // by what applies to them
}

// spansAt is what applies to somebody at both times; nil for nothing.
type spansAt struct{ then, now *Span }

// peopleAt counts the people to whom a policy applies.
type peopleAt struct {
	then, now int
	moves     map[*Span]int // of those of now, by the version of another policy that applies then
}

// comparisonAt counts the people of a company by what applies to them at both times.
func (s *Store) comparisonAt(ctx context.Context, p directory.Person, kind string, at time.Time) (*comparisonAt, error) {
	now := s.db.Now()
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, earlier(at, now)})
	if err != nil {
		return nil, err
	}
	departments, err := s.peopleByDepartment(ctx, p.CompanyID)
	if err != nil {
		return nil, err
	}
	listed, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{p.CompanyID, listedPeople(t)})
	if err != nil {
		return nil, err
	}
	c := &comparisonAt{at: at, now: now, timeline: t, people: map[spansAt]int{}}
	listedOf := map[int64]int{} // by department
	for _, person := range listed {
		if !person.Hidden {
			listedOf[person.Ancestors[len(person.Ancestors)-1]]++
			c.people[spansAt{t.resolve(person.ID, person.Ancestors, at).Span, t.resolve(person.ID, person.Ancestors, now).Span}]++
		}
	}
	for _, d := range departments {
		c.people[spansAt{t.inherit(d.Ancestors, at).Span, t.inherit(d.Ancestors, now).Span}] += int(d.People) - listedOf[d.ID]
	}
	return c, nil
}

// versionAt returns the version of a policy that applies at a time, or nil.
func (c *comparisonAt) versionAt(policyID int64, at time.Time) *Span {
	if policyID == c.timeline.defaultID {
		return c.timeline.defaultAt(at)
	}
	return c.timeline.inForce(policyID, at)
}

// byPolicy counts the people of each policy.
func (c *comparisonAt) byPolicy() map[int64]*peopleAt {
	all := map[int64]*peopleAt{}
	of := func(id int64) *peopleAt {
		if all[id] == nil {
			all[id] = &peopleAt{moves: map[*Span]int{}}
		}
		return all[id]
	}
	for spans, people := range c.people {
		if spans.then != nil {
			of(spans.then.PolicyID).then += people
		}
		if spans.now != nil {
			of(spans.now.PolicyID).now += people
		}
		if people > 0 && spans.then != nil && spans.now != nil && spans.then.PolicyID != spans.now.PolicyID {
			of(spans.now.PolicyID).moves[spans.then] += people
		}
	}
	return all
}

// sum counts the people, and the rows and settings that differ.
func (c *comparisonAt) sum(all *PoliciesAt) {
	for spans, people := range c.people {
		all.Total += people
		if spans.then == nil || spans.now == nil || spans.then == spans.now {
			continue
		}
		changes := settings.Diff(spans.now.Settings(), spans.then.Settings())
		if len(changes) > 0 || spans.then.PolicyID != spans.now.PolicyID {
			all.People += people
		}
		if losesSaving(spans.now.Settings(), spans.then.Settings()) {
			all.Saving += people
		}
	}
	keys := map[string]bool{}
	for _, row := range all.Rows {
		if row.Differs() {
			all.Differing++
		}
		for _, change := range row.Differences.Settings {
			keys[change.Key] = true
		}
	}
	all.Settings = len(keys)
}

func (p *peopleAt) sortedMoves() []PolicyMove {
	byPolicy := map[int64]*PolicyMove{}
	for span, people := range p.moves {
		if byPolicy[span.PolicyID] == nil {
			byPolicy[span.PolicyID] = &PolicyMove{PolicyID: span.PolicyID, Name: span.Name}
		}
		byPolicy[span.PolicyID].People += people
	}
	var moves []PolicyMove
	for _, move := range byPolicy {
		moves = append(moves, *move)
	}
	slices.SortFunc(moves, func(a, b PolicyMove) int {
		return cmp.Or(cmp.Compare(b.People, a.People), cmp.Compare(a.PolicyID, b.PolicyID))
	})
	return moves
}

// earlier returns the earlier one of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
