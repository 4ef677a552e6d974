package policy

import (
	"cmp"
	"context"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// Reach is what saving a draft would do, with the departments that it reaches.
type Reach struct {
	Preview
	Groups     []ReachGroup
	CannotSave []AffectedPerson // by name, the first of those who can no longer save files
}

// mostNamed is how many people a reach names.
const mostNamed = 20

// ReachGroup is a department with the largest parts of its subtree, or the remaining
// departments, which have the zero ID.
type ReachGroup struct {
	ReachPart
	Parts []ReachPart
}

// ReachPart is a department with its subtree, or what remains beside the parts that are
// named, which has the zero ID.
type ReachPart struct {
	ID       int64
	Name     string
	People   int
	Covered  int // to whom the policy applies then
	Affected int
	Gain     int
	Lose     int
	Saving   int            // who can no longer save files
	Settings map[string]int // the people for whom each setting changes, by its key
}

// A map has as many groups and parts as can be read on it, and no group with less than
// one of leastReachShare parts of the company. The remaining departments have the parts
// that the groups leave.
const (
	mostReachGroups = 4
	mostReachParts  = 6
	leastReachShare = 10
)

// PreviewReach is PreviewDraft with the departments that the draft reaches.
func (store *Store) PreviewReach(ctx context.Context, p directory.Person, by queries.Actor, draft Draft, policyID int64) (Reach, error) {
	s, added, err := store.trial(ctx, by, draft, policyID)
	if err != nil {
		return Reach{}, err
	}
	held := s.timeline.with(added).takenBy(added)
	if err := s.checkMovable(held); err != nil {
		return Reach{}, err
	}
	all, err := store.Tree(ctx, p)
	if err != nil {
		return Reach{}, err
	}
	parts := map[int64]*ReachPart{} // by department, with those below
	r := Reach{Preview: Preview{At: added.EffectiveFrom}}
	after := s.saved(added, held)
	err = s.previewEach(ctx, &r.Preview, added.PolicyID, after, func(d peopleByDepartmentRow, e effect, covered bool, people int) {
		for _, id := range d.Ancestors {
			part := parts[id]
			if part == nil {
				part = &ReachPart{ID: id, Settings: map[string]int{}}
				parts[id] = part
			}
			part.add(e, covered, people)
		}
	})
	if err != nil {
		return Reach{}, err
	}
	r.Groups = reachGroups(all, parts)
	if r.Saving > 0 {
		r.CannotSave, err = store.peopleWith(ctx, s, added, after, mostNamed, func(e effect) bool { return e.saving > 0 })
	}
	return r, err
}

func (p *ReachPart) add(e effect, covered bool, people int) {
	p.People += people
	if covered {
		p.Covered += people
	}
	p.Affected, p.Saving = p.Affected+e.people, p.Saving+e.saving
	switch {
	case e.gains:
		p.Gain += e.people
	case e.ends:
		p.Lose += e.people
	}
	for _, key := range e.keys {
		p.Settings[key] += e.people
	}
}

// merge adds a part to another one.
func (p *ReachPart) merge(other ReachPart) {
	p.People, p.Covered, p.Affected = p.People+other.People, p.Covered+other.Covered, p.Affected+other.Affected
	p.Gain, p.Lose, p.Saving = p.Gain+other.Gain, p.Lose+other.Lose, p.Saving+other.Saving
	for key, people := range other.Settings {
		p.Settings[key] += people
	}
}

// minus returns what remains of a part without others, of which it consists.
func (p ReachPart) minus(others []ReachPart) ReachPart {
	rest := ReachPart{ID: p.ID, Name: p.Name, Settings: map[string]int{}}
	rest.merge(p)
	for _, o := range others {
		rest.People, rest.Covered, rest.Affected = rest.People-o.People, rest.Covered-o.Covered, rest.Affected-o.Affected
		rest.Gain, rest.Lose, rest.Saving = rest.Gain-o.Gain, rest.Lose-o.Lose, rest.Saving-o.Saving
		for key, people := range o.Settings {
			rest.Settings[key] -= people
		}
	}
	return rest
}

// reachGroups arranges the departments of a company: those below the root that the
// draft reaches first, then the larger ones; the rest is one group.
func reachGroups(all Tree, parts map[int64]*ReachPart) (groups []ReachGroup) {
	below := map[int64][]ReachPart{} // by the department above, 0 for the root
	for i := range all.Departments {
		d := &all.Departments[i]
		part := parts[d.ID]
		if part == nil {
			continue
		}
		part.Name = d.Name
		var above int64
		if n := len(d.Ancestors); n > 1 {
			above = d.Ancestors[n-2]
		}
		below[above] = append(below[above], *part)
	}
	top := below[0]
	for len(top) == 1 && len(below[top[0].ID]) > 0 {
		root := top[0]
		top = slices.Clone(below[root.ID])
		if own := root.minus(top); own.People > 0 {
			own.ID = -root.ID // it has no departments below
			top = append(top, own)
		}
	}
	slices.SortFunc(top, compareParts)
	people := 0
	for _, part := range top {
		people += part.People
	}
	var shown, rest []ReachPart
	for _, part := range top {
		if len(shown) < mostReachGroups-1 && part.People*leastReachShare >= people {
			shown = append(shown, part)
		} else {
			rest = append(rest, part)
		}
	}
	for _, part := range shown {
		inside := slices.Clone(below[part.ID])
		if own := part.minus(inside); own.People > 0 {
			inside = append(inside, own)
		}
		groups = append(groups, ReachGroup{part, largestParts(inside, mostReachParts)})
	}
	if len(rest) > 0 {
		group := ReachGroup{ReachPart: ReachPart{Settings: map[string]int{}}}
		for _, part := range rest {
			group.merge(part)
		}
		group.Parts = largestParts(rest, mostReachParts*(mostReachGroups-len(shown)))
		groups = append(groups, group)
	}
	return groups
}

// compareParts puts parts in which a draft affects somebody first, then the larger ones.
func compareParts(a, b ReachPart) int {
	reached := func(p ReachPart) int { return min(p.Affected, 1) }
	return cmp.Or(cmp.Compare(reached(b), reached(a)), cmp.Compare(b.People, a.People), cmp.Compare(a.ID, b.ID))
}

// largestParts returns the parts that a draft reaches first, then the larger ones, and
// one with the rest.
func largestParts(parts []ReachPart, most int) []ReachPart {
	slices.SortFunc(parts, compareParts)
	if len(parts) <= most {
		return parts
	}
	rest := ReachPart{Settings: map[string]int{}}
	for _, part := range parts[most-1:] {
		rest.merge(part)
	}
	return append(parts[:most-1:most-1], rest)
}
