package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
)

// Coverage is which policies apply to the people of a company at a time, in a
// transaction that changes the directory: without hidden users and bots.
type Coverage struct {
	at        time.Time
	timelines []*Timeline // by the index of the kind in kinds
	people    map[int64]coveredPerson
	employed  map[int64]int // people by department, without those below; 0 of those without people
}

// coveredPerson is what applies to a user, by the index of the kind.
type coveredPerson struct {
	departmentID int64
	spans        [2]*Span
}

// Coverage returns which policies apply to the people of a company now.
func (s *Store) Coverage(ctx context.Context, tx queries.Tx, companyID int64) (Coverage, error) {
	c := Coverage{at: s.db.Now(), people: map[int64]coveredPerson{}, employed: map[int64]int{}}
	rows, err := New(tx).companyWithAncestors(ctx, companyID)
	if err != nil {
		return c, err
	}
	ancestors := map[int64][]int64{}
	var version int64
	for _, row := range rows {
		switch {
		case row.ID == 0:
			version = row.Number
		case row.Ancestors != nil:
			ancestors[row.ID], c.employed[row.ID] = row.Ancestors, 0
		}
	}
	inherited := make([]map[int64]*Span, len(kinds))
	for k, kind := range kinds {
		t, err := s.TimelineTx(ctx, tx, TimelineRequest{companyID, kind, version, c.at})
		if err != nil {
			return c, err
		}
		c.timelines = append(c.timelines, t)
		inherited[k] = make(map[int64]*Span, len(ancestors))
		for id, path := range ancestors {
			inherited[k][id] = t.inherit(path, c.at).Span
		}
	}
	for _, row := range rows {
		if row.ID == 0 || row.Ancestors != nil {
			continue
		}
		person := coveredPerson{departmentID: row.Number}
		for k, t := range c.timelines {
			person.spans[k] = inherited[k][row.Number]
			if own, found := t.own(row.ID, c.at); found {
				person.spans[k] = own.Span
			}
		}
		c.people[row.ID] = person
		c.employed[row.Number]++
	}
	return c, nil
}

// Move counts the people to whom another policy applies than before.
type Move struct {
	Kind     string
	From, To string // names of policies
	People   int
	Of       int // people to whom From applied
	Lost     int // of People: those whose department was moved, or left by everybody for one that is new
}

// Compare returns what a change of the directory did to the people who were in it
// before: the largest moves first. Leavers are people who count as having left their
// department although they are still in it.
func (c Coverage) Compare(after Coverage, leavers []int64) []Move {
	type key struct {
		kind     int
		from, to int64
	}
	moves, of := map[key]*Move{}, map[key]int{}
	remaining := maps.Clone(after.employed)
	for _, id := range leavers {
		if person, found := after.people[id]; found {
			remaining[person.departmentID]--
		}
	}
	for id, before := range c.people {
		now, remains := after.people[id]
		for k, kind := range kinds {
			from, to := before.spans[k], now.spans[k]
			if from == nil {
				continue
			}
			of[key{kind: k, from: from.PolicyID}]++
			if !remains || to == nil || from.PolicyID == to.PolicyID {
				continue
			}
			m := moves[key{k, from.PolicyID, to.PolicyID}]
			if m == nil {
				m = &Move{Kind: kind, From: from.Name, To: to.Name}
				moves[key{k, from.PolicyID, to.PolicyID}] = m
			}
			m.People++
			_, existed := c.employed[now.departmentID]
			if now.departmentID == before.departmentID || remaining[before.departmentID] == 0 && !existed {
				m.Lost++
			}
		}
	}
	all := make([]Move, 0, len(moves))
	for k, m := range moves {
		m.Of = of[key{kind: k.kind, from: k.from}]
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b Move) int {
		return cmp.Or(cmp.Compare(b.People, a.People), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return all
}

// NamesOf returns the names of the policies that list one of some departments, now or
// by a planned version.
func (c Coverage) NamesOf(departmentIDs []int64) (names []string) {
	for _, t := range c.timelines {
		for _, id := range departmentIDs {
			for _, l := range t.ofDepartments[id] {
				if (l.EffectiveFrom.After(c.at) || t.inForce(l.PolicyID, c.at) == l.Span) && !slices.Contains(names, l.Name) {
					names = append(names, l.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
