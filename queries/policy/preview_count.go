package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"officeconsole/settings"
)

// comparison counts users by what applies to them before and after. The changed
// settings are computed once for each pair of versions.
type comparison struct {
	preview  *Preview
	policyID int64
	settings map[string]int
	keys     map[[2]*Span][]string
}

// effect is what a change does to users to whom the same applies before and after. The
// zero effect is nothing.
type effect struct {
	people      int
	saving      int // of people: those who can no longer save files
	gains, ends bool
	keys        []string // of the settings that change
}

func (c *comparison) count(before, after decision, people int) effect {
	if people == 0 || before.Span == after.Span || before.Span == nil || after.Span == nil {
		return effect{}
	}
	e := effect{
		people: people, keys: c.differing(before.Span, after.Span),
		gains: before.PolicyID != c.policyID && after.PolicyID == c.policyID, ends: before.PolicyID == c.policyID && after.PolicyID != c.policyID,
	}
	switch {
	case e.gains:
		c.preview.Gain += people
	case e.ends:
		c.preview.Lose += people
	case len(e.keys) == 0:
		return effect{}
	default:
		c.preview.Change += people
	}
	for _, key := range e.keys {
		c.settings[key] += people
	}
	if slices.Contains(e.keys, "file_save") && losesSaving(before.Settings(), after.Settings()) {
		e.saving = people
		c.preview.Saving += people
	}
	return e
}

// losesSaving reports whether files could be saved on a platform and no longer can.
func losesSaving(before, after settings.Values) bool {
	return slices.ContainsFunc(settings.Platforms(), func(platform string) bool {
		return before.FileSaving(platform) == "allow" && after.FileSaving(platform) != "allow"
	})
}

func (c *comparison) differing(before, after *Span) []string {
	pair := [2]*Span{before, after}
	keys, known := c.keys[pair]
	if !known {
		for _, change := range settings.Diff(before.Settings(), after.Settings()) {
			keys = append(keys, change.Key)
		}
		keys = slices.Compact(keys)
		c.keys[pair] = keys
	}
	return keys
}

func (c *comparison) finish() {
	for _, key := range slices.Sorted(maps.Keys(c.settings)) {
		c.preview.Settings = append(c.preview.Settings, SettingPeople{key, c.settings[key]})
	}
	slices.SortStableFunc(c.preview.Settings, func(a, b SettingPeople) int { return b.People - a.People })
	slices.SortFunc(c.preview.Departments, func(a, b AffectedDepartment) int {
		return cmp.Or(b.People-a.People, cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	c.preview.Departments = c.preview.Departments[:min(mostAffected, len(c.preview.Departments))]
}

// listedPeople returns the users whom any of the timelines lists.
func listedPeople(timelines ...*Timeline) []int64 {
	ids := map[int64]bool{}
	for _, t := range timelines {
		for id := range t.ofPeople {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// falls returns the policies that targets follow in a timeline that does not
// list them.
func (s *previewer) falls(ctx context.Context, targets []Target, after *Timeline) ([]Fall, error) {
	var departments, people []int64
	for _, t := range targets {
		if t.Type == DepartmentTarget {
			departments = append(departments, t.ID)
		} else {
			people = append(people, t.ID)
		}
	}
	ancestors := map[node][]int64{}
	rows, err := s.ancestorsOf(ctx, ancestorsOfParams{s.by.CompanyID, departments})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		ancestors[node{DepartmentTarget, row.ID}] = row.Ancestors
	}
	persons, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{s.by.CompanyID, people})
	if err != nil {
		return nil, err
	}
	for _, row := range persons {
		ancestors[node{UserTarget, row.ID}] = row.Ancestors
	}
	var all []Fall
	for _, t := range targets {
		if d := after.inherit(ancestors[t.node()], s.now); d.Span != nil {
			all = append(all, Fall{t, d.PolicyID, d.Name})
		}
	}
	return all, nil
}
