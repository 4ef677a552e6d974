package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/search"
	"officeconsole/settings"
)

// PoliciesAt is the policies of a kind as they apply at a time, past or future,
// compared with now. The people and departments are those of now.
type PoliciesAt struct {
	At, Now   time.Time
	Rows      []PolicyAt // those that differ first, then by name
	Differing int        // the number of rows that differ
	Settings  int        // the number of settings that differ in any policy
	People    int        // people for whom another policy or another setting applies
	Total     int        // all people
}

// PolicyAt is a policy at a time, compared with now.
type PolicyAt struct {
	ID          int64
	IsDefault   bool
	Then, Now   *Version    // the versions in force; nil for none, not both. Their targets have names.
	Differences Differences // from Now to Then, if there are both; without the start
	PeopleThen  int         // people to whom it applies
	PeopleNow   int
	Moves       []PolicyMove // the policies that then apply to people to whom it applies now; the largest first
	DeletedAt   *time.Time
}

// PolicyMove counts the people to whom another policy applies.
type PolicyMove struct {
	PolicyID int64
	Name     string
	People   int
}

// Version returns the version at the time, or that of now if there is none.
func (p PolicyAt) Version() *Version { return cmp.Or(p.Then, p.Now) }

// Differs reports whether the policy, or to whom it applies, differs from now.
func (p PolicyAt) Differs() bool {
	return p.Then == nil || p.Now == nil || len(p.Differences.Fields)+len(p.Differences.Settings)+len(p.Moves) > 0 || p.PeopleThen != p.PeopleNow
}

// PoliciesAt compares the policies of a kind at a time with now. A search chooses by
// the names of policies and their targets; the sums are those of all policies.
func (s *Store) PoliciesAt(ctx context.Context, p directory.Person, kind string, at time.Time, chosen search.Search) (PoliciesAt, error) {
	now := s.db.Now()
	earlier := at
	if now.Before(at) {
		earlier = now
	}
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, earlier})
	if err != nil {
		return PoliciesAt{}, err
	}
	c := &comparisonAt{timeline: t, PoliciesAt: PoliciesAt{At: at, Now: now}, people: map[int64]*peopleAt{}, keys: map[[2]*Span][]string{}}
	if err := s.countPeopleAt(ctx, p.CompanyID, c); err != nil {
		return PoliciesAt{}, err
	}
	if c.Rows, err = s.policiesAt(ctx, p.CompanyID, c); err != nil {
		return PoliciesAt{}, err
	}
	c.sum()
	c.Rows = slices.DeleteFunc(c.Rows, func(row PolicyAt) bool { return !chosen.Match(row.searchText()) })
	return c.PoliciesAt, nil
}

// comparisonAt compares the policies of a timeline at two times.
type comparisonAt struct {
	PoliciesAt
	timeline *Timeline
	people   map[int64]*peopleAt   // by policy
	keys     map[[2]*Span][]string // the settings that differ between two versions
}

// peopleAt counts the people to whom a policy applies.
type peopleAt struct {
	then, now int
	moves     map[*Span]int // of those of now, by the version that applies then
}

// countPeopleAt counts the people of a company by what applies to them at both times.
func (s *Store) countPeopleAt(ctx context.Context, companyID int64, c *comparisonAt) error {
	departments, err := s.peopleByDepartment(ctx, companyID)
	if err != nil {
		return err
	}
	listed, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{companyID, listedPeople(c.timeline)})
	if err != nil {
		return err
	}
	ownOf := map[int64]int{} // listed people by department
	for _, person := range listed {
		if !person.Hidden {
			ownOf[person.Ancestors[len(person.Ancestors)-1]]++
			c.count(c.timeline.resolve(person.ID, person.Ancestors, c.At).Span, c.timeline.resolve(person.ID, person.Ancestors, c.Now).Span, 1)
		}
	}
	for _, d := range departments {
		c.count(c.timeline.inherit(d.Ancestors, c.At).Span, c.timeline.inherit(d.Ancestors, c.Now).Span, int(d.People)-ownOf[d.ID])
	}
	return nil
}

func (c *comparisonAt) count(then, now *Span, people int) {
	if people == 0 {
		return
	}
	c.Total += people
	if then != nil {
		c.of(then.PolicyID).then += people
	}
	if now != nil {
		c.of(now.PolicyID).now += people
	}
	if then == nil || now == nil || then == now {
		return
	}
	if then.PolicyID != now.PolicyID {
		c.of(now.PolicyID).moves[then] += people
	}
	if then.PolicyID != now.PolicyID || len(c.differing(now, then)) > 0 {
		c.People += people
	}
}

func (c *comparisonAt) of(policyID int64) *peopleAt {
	if c.people[policyID] == nil {
		c.people[policyID] = &peopleAt{moves: map[*Span]int{}}
	}
	return c.people[policyID]
}

// differing returns the keys of the settings that differ between two versions.
func (c *comparisonAt) differing(from, to *Span) []string {
	pair := [2]*Span{from, to}
	keys, known := c.keys[pair]
	if !known {
		for _, change := range settings.Diff(from.Settings(), to.Settings()) {
			keys = append(keys, change.Key)
		}
		c.keys[pair] = keys
	}
	return keys
}

// versionAt returns the version of a policy that applies at a time, or nil.
func (c *comparisonAt) versionAt(policyID int64, at time.Time) *Span {
	if policyID == c.timeline.defaultID {
		return c.timeline.defaultAt(at)
	}
	return c.timeline.inForce(policyID, at)
}

// policiesAt returns the policies that are in force at one of the times.
func (s *Store) policiesAt(ctx context.Context, companyID int64, c *comparisonAt) ([]PolicyAt, error) {
	sources := versionSourcesParams{CompanyID: companyID}
	var nodes []node
	listed := map[node]bool{}
	for _, id := range sortedKeys(c.timeline.byPolicy) {
		for _, span := range []*Span{c.versionAt(id, c.At), c.versionAt(id, c.Now)} {
			if span == nil {
				continue
			}
			sources.PolicyIds, sources.Nos = append(sources.PolicyIds, id), append(sources.Nos, span.No)
			for _, target := range span.targets {
				if n := target.node(); !listed[n] {
					listed[n], nodes = true, append(nodes, n)
				}
			}
		}
	}
	names, err := s.nodeNames(ctx, companyID, nodes)
	if err != nil {
		return nil, err
	}
	rows, err := s.versionSources(ctx, sources)
	if err != nil {
		return nil, err
	}
	sourceOf := make(map[VersionKey]versionSourcesRow, len(rows))
	for _, row := range rows {
		sourceOf[VersionKey{row.PolicyID, row.No}] = row
	}
	version := func(span *Span) *Version {
		if span == nil {
			return nil
		}
		source := sourceOf[VersionKey{span.PolicyID, span.No}]
		v := &Version{
			No: span.No, EffectiveFrom: span.EffectiveFrom, Until: span.Until, Enabled: span.Enabled, Name: span.Name, Settings: span.policySpansRow.Settings,
			Description: source.Description, CreatedByName: source.CreatedByName, CreatedAt: source.CreatedAt,
		}
		for _, target := range span.targets {
			target.Name = names[target.node()].name
			v.Targets = append(v.Targets, target)
		}
		slices.SortFunc(v.Targets, func(a, b Target) int { return cmp.Compare(names[a.node()].position, names[b.node()].position) })
		return v
	}
	var all []PolicyAt
	for _, id := range sortedKeys(c.timeline.byPolicy) {
		then, now := c.versionAt(id, c.At), c.versionAt(id, c.Now)
		if then == nil && now == nil {
			continue
		}
		row := PolicyAt{ID: id, IsDefault: id == c.timeline.defaultID, Then: version(then), Now: version(now)}
		row.DeletedAt = sourceOf[VersionKey{id, row.Version().No}].DeletedAt
		if row.Then != nil && row.Now != nil {
			row.Differences = Compare(c.timeline.kind, *row.Now, *row.Then)
			row.Differences.Fields = slices.DeleteFunc(row.Differences.Fields, func(f FieldDifference) bool { return f.Field == "effective_from" })
		}
		if people := c.people[id]; people != nil {
			row.PeopleThen, row.PeopleNow, row.Moves = people.then, people.now, people.sortedMoves()
		}
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(a, b PolicyAt) int {
		if a.Differs() != b.Differs() {
			if a.Differs() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Version().Name, b.Version().Name), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
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

// sum counts the rows and the settings that differ.
func (c *comparisonAt) sum() {
	keys := map[string]bool{}
	for _, row := range c.Rows {
		if row.Differs() {
			c.Differing++
		}
		for _, change := range row.Differences.Settings {
			keys[change.Key] = true
		}
	}
	c.Settings = len(keys)
}

// searchText returns the text in which searches find the policy.
func (p PolicyAt) searchText() string {
	names := map[string]bool{}
	for _, v := range []*Version{p.Then, p.Now} {
		if v == nil {
			continue
		}
		names[v.Name], names[v.Description] = true, true
		for _, target := range v.Targets {
			names[target.Name] = true
		}
	}
	return search.Text(slices.Sorted(maps.Keys(names))...)
}
