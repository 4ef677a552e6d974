package policy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

// PoliciesAt is the policies of a kind as they apply at a time, past or future,
// compared with now. The people and departments are those of now.
type PoliciesAt struct {
	At, Now   time.Time
	Rows      []PolicyAt // those that differ first, then by name
	Differing int        // the number of rows that differ
	Settings  int        // the number of settings that differ in any policy
	People    int        // people for whom another policy or another setting applies
	Saving    int        // of them, people who can save files now and cannot then
	Total     int        // all people
}

// Shown returns the rows that a list shows: those that differ, or all if it asks for them or
// none differs.
func (p PoliciesAt) Shown(all bool) []PolicyAt {
	first := slices.IndexFunc(p.Rows, func(row PolicyAt) bool { return !row.Differs() })
	if all || p.Differing == 0 || first < 0 {
		return p.Rows
	}
	return p.Rows[:first]
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
	c, err := s.comparisonAt(ctx, p, kind, at)
	if err != nil {
		return PoliciesAt{}, err
	}
	all := PoliciesAt{At: at, Now: c.now}
	if all.Rows, err = s.rowsAt(ctx, p.CompanyID, c, sortedKeys(c.timeline.byPolicy)); err != nil {
		return PoliciesAt{}, err
	}
	c.sum(&all)
	all.Rows = slices.DeleteFunc(all.Rows, func(row PolicyAt) bool { return !chosen.Match(row.searchText()) })
	return all, nil
}

// PolicyAt compares a policy of a kind at a time with now. One that is in force at neither
// is NotFound.
func (s *Store) PolicyAt(ctx context.Context, p directory.Person, kind string, at time.Time, id int64) (PolicyAt, error) {
	c, err := s.comparisonAt(ctx, p, kind, at)
	if err != nil {
		return PolicyAt{}, err
	}
	rows, err := s.rowsAt(ctx, p.CompanyID, c, []int64{id})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("policy %d: %w", id, queries.NotFound)
	}
	if err != nil {
		return PolicyAt{}, err
	}
	return rows[0], nil
}

// rowsAt returns those of some policies that are in force at one of the times, as
// PoliciesAt.Rows.
func (s *Store) rowsAt(ctx context.Context, companyID int64, c *comparisonAt, ids []int64) ([]PolicyAt, error) {
	versions, err := s.versionsAt(ctx, companyID, c, ids)
	if err != nil {
		return nil, err
	}
	people := c.byPolicy()
	var all []PolicyAt
	for _, id := range ids {
		row := PolicyAt{ID: id, IsDefault: id == c.timeline.defaultID, Then: versions.of(c.versionAt(id, c.at)), Now: versions.of(c.versionAt(id, c.now))}
		if row.Then == nil && row.Now == nil {
			continue
		}
		row.DeletedAt = versions.sources[VersionKey{id, row.Version().No}].DeletedAt
		if row.Then != nil && row.Now != nil {
			row.Differences = Compare(c.timeline.kind, *row.Now, *row.Then)
			row.Differences.Fields = slices.DeleteFunc(row.Differences.Fields, func(f FieldDifference) bool { return f.Field == "effective_from" })
		}
		if of := people[id]; of != nil {
			row.PeopleThen, row.PeopleNow, row.Moves = of.then, of.now, of.sortedMoves()
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
