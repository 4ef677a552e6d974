package policy

import (
	"context"
	"maps"
	"slices"

	"officeconsole/settings"
)

// singlesOf returns the users to whom something else may apply than to the rest of their
// department: those whom a policy or a check names, or who are exempt from ranges.
func singlesOf(checks []Check, timelines ...*Timeline) []int64 {
	ids := map[int64]bool{}
	for _, t := range timelines {
		for id := range t.ofPeople {
			ids[id] = true
		}
	}
	isAboutSignIn := false
	for _, c := range checks {
		isAboutSignIn = isAboutSignIn || c.Relation == settings.SignIn
		_, users := c.ids()
		for _, id := range users {
			ids[id] = true
		}
	}
	for _, t := range timelines {
		for _, s := range t.Spans() {
			if isAboutSignIn {
				for _, id := range s.Settings().ExemptUsers() {
					ids[id] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// checkUnits returns the users of a company as units, as they are now: single ones, and
// the rest of each department.
func (q *Queries) checkUnits(ctx context.Context, companyID int64, singles []int64) ([]checkUnit, error) {
	departments, err := q.peopleByDepartment(ctx, companyID)
	if err != nil {
		return nil, err
	}
	return q.unitsOf(ctx, companyID, departments, singles)
}

// unitsOf returns the users of some departments as units, and single ones of any.
func (q *Queries) unitsOf(ctx context.Context, companyID int64, departments []peopleByDepartmentRow, singles []int64) ([]checkUnit, error) {
	rows, err := q.peopleWithAncestors(ctx, peopleWithAncestorsParams{companyID, singles})
	if err != nil {
		return nil, err
	}
	units, inDepartment := []checkUnit{}, map[int64]int{}
	for _, row := range rows {
		if row.Hidden {
			continue // peopleByDepartment does not count them either
		}
		own := row.Ancestors[len(row.Ancestors)-1]
		inDepartment[own]++
		units = append(units, checkUnit{departmentID: own, userID: row.ID, people: 1, before: row.Ancestors, after: row.Ancestors})
	}
	for _, d := range departments {
		if people := int(d.People) - inDepartment[d.ID]; people > 0 {
			units = append(units, checkUnit{departmentID: d.ID, people: people, before: d.Ancestors, after: d.Ancestors})
		}
	}
	return units, nil
}

// named returns the checks that a change breaks, with names.
func (t *checkTrial) named(ctx context.Context, q *Queries, companyID int64, singles []int64) ([]BrokenCheck, error) {
	broken, concerned, err := t.broken(ctx)
	if err != nil {
		return nil, err
	}
	for i, units := range concerned {
		if broken[i].Names, err = q.breakingPeople(ctx, companyID, breakers{units, singles}, mostBrokenNames); err != nil {
			return nil, err
		}
	}
	return broken, nil
}

// concernedUnits returns the units to which a version may apply that only one of two
// timelines has, or has for another time.
func concernedUnits(units []checkUnit, before, after *Timeline) []checkUnit {
	changed := changedSpans(before, after)
	nodes, isDefault := map[node]bool{}, false
	for _, s := range changed {
		isDefault = isDefault || s.IsDefault
		for _, t := range s.targets {
			nodes[t.node()] = true
		}
	}
	if isDefault {
		return units
	}
	return slices.DeleteFunc(slices.Clone(units), func(u checkUnit) bool {
		return !nodes[node{UserTarget, u.userID}] && !slices.ContainsFunc(u.after, func(id int64) bool { return nodes[node{DepartmentTarget, id}] })
	})
}

// changedSpans returns the versions of two timelines that the other one does not have for
// the same time, and the other versions of their policies, which they may replace.
func changedSpans(before, after *Timeline) (changed []*Span) {
	type period struct {
		VersionKey
		from, until int64
	}
	periodOf := func(s *Span) period {
		p := period{VersionKey: VersionKey{s.PolicyID, s.No}, from: s.EffectiveFrom.UnixMicro()}
		if s.Until != nil {
			p.until = s.Until.UnixMicro()
		}
		return p
	}
	count, policies := map[period]int{}, map[int64]bool{}
	for _, s := range before.Spans() {
		count[periodOf(s)]++
	}
	for _, s := range after.Spans() {
		count[periodOf(s)]--
	}
	for p, n := range count {
		if n != 0 {
			policies[p.PolicyID] = true
		}
	}
	for _, s := range slices.Concat(before.Spans(), after.Spans()) {
		if policies[s.PolicyID] {
			changed = append(changed, s)
		}
	}
	return changed
}
