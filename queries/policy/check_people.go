package policy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// HoldPeople runs a change of people or departments in a transaction that has locked the
// directory, and holds it against the checks of the company. It returns the checks that
// the change breaks, which it notes in the change log, and with them a CheckRefusal if
// one of them stops it. Other programs are told who is in another department afterwards:
// other policies may apply to them.
func (s *Store) HoldPeople(ctx context.Context, tx queries.Tx, c *directory.PeopleChange, change func(context.Context) error) ([]BrokenCheck, error) {
	q := New(tx)
	rows, err := q.checksOfCompany(ctx, c.By.CompanyID)
	if err != nil {
		return nil, err
	}
	checks := newChecks(rows)
	if err := q.nameCheckTargets(ctx, c.By.CompanyID, checks); err != nil { // before the change hides some of them
		return nil, err
	}
	before, err := q.placesOf(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := change(ctx); err != nil {
		return nil, err
	}
	after, err := q.placesOf(ctx, c)
	if err != nil {
		return nil, err
	}
	moved := movedPeople(before, after)
	if err := publishMoved(ctx, tx, c.By.CompanyID, s.db.Now(), moved); err != nil {
		return nil, err
	}
	if len(checks) == 0 || len(moved) == 0 {
		return nil, nil
	}
	broken, err := s.brokenByPeople(ctx, tx, checks, c.By.CompanyID, moved)
	if err != nil {
		return nil, fmt.Errorf("policy checks: %w", err)
	}
	if !c.IsAutomatic {
		if err := stopped(broken); err != nil {
			return broken, err
		}
	}
	return broken, q.noteBroken(ctx, c.By, s.db.Now(), broken)
}

// HoldPeopleOnly is HoldPeople for changes without an answer that could name a check.
func (s *Store) HoldPeopleOnly(ctx context.Context, tx queries.Tx, c *directory.PeopleChange, change func(context.Context) error) error {
	_, err := s.HoldPeople(ctx, tx, c, change)
	return err
}

// mostMoved is the number of people that a message names.
const mostMoved = 1000

// publishMoved tells other programs who is in another department, or in one that is
// elsewhere. Whoever has come, gone or is shown again is told of by other messages.
func publishMoved(ctx context.Context, tx queries.Tx, companyID int64, now time.Time, moved []movedPerson) error {
	var ids []int64
	for _, m := range moved {
		if m.before != nil && m.after != nil {
			ids = append(ids, m.id)
		}
	}
	for some := range slices.Chunk(ids, mostMoved) {
		if err := queries.New(tx).Publish(ctx, companyID, now, "user.moved", map[string][]int64{"user_ids": some}); err != nil {
			return err
		}
	}
	return nil
}

// brokenByPeople returns which checks are broken because people are elsewhere.
func (s *Store) brokenByPeople(ctx context.Context, tx queries.Tx, all []Check, companyID int64, moved []movedPerson) ([]BrokenCheck, error) {
	q, now := New(tx), s.db.Now()
	version, err := q.policyVersion(ctx, companyID)
	if err != nil {
		return nil, err
	}
	var found []BrokenCheck
	for _, kind := range kinds {
		checks := slices.DeleteFunc(slices.Clone(all), func(c Check) bool { return c.Kind != kind })
		if len(checks) == 0 {
			continue
		}
		timeline, err := s.TimelineTx(ctx, tx, TimelineRequest{companyID, kind, version, now})
		if err != nil {
			return nil, err
		}
		singles := singlesOf(checks, timeline)
		t := checkTrial{checks: checks, before: timeline, after: timeline, from: now, units: unitsOfMoved(moved, singles)}
		t.everybody = func(ctx context.Context, c Check) ([]checkUnit, error) {
			return q.unitsOfCheck(ctx, companyID, c, singles)
		}
		broken, err := t.named(ctx, q, companyID, singles)
		if err != nil {
			return nil, err
		}
		found = append(found, broken...)
	}
	brokenChecks := make([]Check, len(found))
	for i, b := range found {
		brokenChecks[i] = b.Check
	}
	return found, q.nameCheckTargets(ctx, companyID, brokenChecks)
}

// place is where a person is in the company.
type place struct {
	departmentID int64
	ancestors    []int64 // not nil
}

// placesOf returns where the people are whom a change may concern, without hidden ones.
func (q *Queries) placesOf(ctx context.Context, c *directory.PeopleChange) (map[int64]place, error) {
	if c.IsOfAll {
		return q.placesOfAll(ctx, c.By.CompanyID)
	}
	places := map[int64]place{}
	add := func(userID int64, ancestors []int64) { places[userID] = place{ancestors[len(ancestors)-1], ancestors} }
	if len(c.UserIDs) > 0 {
		rows, err := q.peopleWithAncestors(ctx, peopleWithAncestorsParams{c.By.CompanyID, c.UserIDs})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if !row.Hidden {
				add(row.ID, row.Ancestors)
			}
		}
	}
	if len(c.DepartmentIDs) > 0 {
		rows, err := q.peopleBelow(ctx, peopleBelowParams{c.By.CompanyID, c.DepartmentIDs})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			add(row.ID, row.Ancestors)
		}
	}
	return places, nil
}

func (q *Queries) placesOfAll(ctx context.Context, companyID int64) (map[int64]place, error) {
	rows, err := q.companyWithAncestors(ctx, companyID)
	if err != nil {
		return nil, err
	}
	ancestors := map[int64][]int64{0: {}}
	for _, row := range rows {
		if row.Ancestors != nil {
			ancestors[row.ID] = row.Ancestors
		}
	}
	places := make(map[int64]place, len(rows))
	for _, row := range rows {
		if row.ID != 0 && row.Ancestors == nil {
			places[row.ID] = place{row.Number, ancestors[row.Number]}
		}
	}
	return places, nil
}

// movedPerson is a person who is elsewhere after a change; nil for not in the company.
type movedPerson struct {
	id            int64
	before, after *place
}

// movedPeople returns who is elsewhere in the order of their ids.
func movedPeople(before, after map[int64]place) (moved []movedPerson) {
	for id, old := range before {
		current, remains := after[id]
		switch {
		case !remains:
			moved = append(moved, movedPerson{id, &old, nil})
		case !slices.Equal(old.ancestors, current.ancestors):
			moved = append(moved, movedPerson{id, &old, &current})
		}
	}
	for id, current := range after {
		if _, existed := before[id]; !existed {
			moved = append(moved, movedPerson{id, nil, &current})
		}
	}
	slices.SortFunc(moved, func(a, b movedPerson) int { return int(a.id - b.id) })
	return moved
}

// unitsOfMoved makes units of people: singles, and the others by where they were and are.
func unitsOfMoved(moved []movedPerson, singles []int64) (units []checkUnit) {
	type key struct{ from, to, single int64 }
	index := map[key]int{}
	for _, m := range moved {
		k, u := key{from: -1, to: -1}, checkUnit{}
		if m.before != nil {
			k.from, u.before = m.before.departmentID, m.before.ancestors
		}
		if m.after != nil {
			k.to, u.after, u.departmentID = m.after.departmentID, m.after.ancestors, m.after.departmentID
		}
		if _, isSingle := slices.BinarySearch(singles, m.id); isSingle {
			k.single, u.userID = m.id, m.id
		}
		at, known := index[k]
		if !known {
			at = len(units)
			index[k], units = at, append(units, u)
		}
		units[at].people++
		units[at].members = append(units[at].members, m.id)
	}
	return units
}

// unitsOfCheck returns the people whom a check is about as units, as they are now.
func (q *Queries) unitsOfCheck(ctx context.Context, companyID int64, c Check, singles []int64) ([]checkUnit, error) {
	if len(c.Targets) == 0 {
		return q.checkUnits(ctx, companyID, singles)
	}
	departments, _ := c.ids()
	rows, err := q.peopleByDepartmentBelow(ctx, peopleByDepartmentBelowParams{companyID, departments})
	if err != nil {
		return nil, err
	}
	counts := make([]peopleByDepartmentRow, len(rows))
	for i, row := range rows {
		counts[i] = peopleByDepartmentRow(row)
	}
	return q.unitsOf(ctx, companyID, counts, singles)
}
