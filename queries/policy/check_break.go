package policy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/settings"
)

// BrokenCheck is a check that a change breaks: for people for whom it was true before,
// or for the last one of those of whom one is enough.
type BrokenCheck struct {
	Check
	At     time.Time        // when it is broken first
	People int              // for whom it is no longer true; 0 if nobody is left for whom it is
	Names  []AffectedPerson // some of them by name
}

// mostBrokenNames is how many people a refusal names.
const mostBrokenNames = 5

// checkUnit is a user, or all users of a department that are no units of their own, with
// the way to the root before and after a change; nil where they are not in the company.
type checkUnit struct {
	departmentID  int64 // after the change
	userID        int64 // 0 for the users of a department
	people        int
	members       []int64 // who they are, if they are not all of the department
	before, after []int64
}

// checkTrial holds a change of policies or of the directory against checks.
type checkTrial struct {
	checks        []Check
	before, after *Timeline
	from          time.Time
	units         []checkUnit                                       // whom the change may concern
	everybody     func(context.Context, Check) ([]checkUnit, error) // all units of a check as they are after the change
	verdicts      map[verdictKey]bool
}

type verdictKey struct {
	check  int
	span   *Span
	userID int64 // only where it makes a difference
}

// broken returns the checks that the change breaks, in the order of the checks, without
// names of people, and for each whom it concerns.
func (t *checkTrial) broken(ctx context.Context) ([]BrokenCheck, [][]checkUnit, error) {
	t.verdicts = map[verdictKey]bool{}
	found, concerned := make([]*BrokenCheck, len(t.checks)), make([][]checkUnit, len(t.checks))
	for _, at := range turns(t.from, t.before, t.after) {
		moved := t.moved(at)
		if len(moved) == 0 {
			continue
		}
		for i := range t.checks {
			if found[i] != nil {
				continue
			}
			b, units, err := t.holdAt(ctx, i, moved, at)
			if err != nil {
				return nil, nil, err
			}
			found[i], concerned[i] = b, units
		}
	}
	var all []BrokenCheck
	var units [][]checkUnit
	for i, b := range found {
		if b != nil {
			all, units = append(all, *b), append(units, concerned[i])
		}
	}
	return all, units, nil
}

// movedUnit is a unit with what applies to it before and after; nil where it is not in
// the company.
type movedUnit struct {
	checkUnit
	old, new *Span
}

// moved returns the units to which something else applies at a time, or that are
// elsewhere.
func (t *checkTrial) moved(at time.Time) []movedUnit {
	var moved []movedUnit
	for _, u := range t.units {
		m := movedUnit{u, t.before.spanOfUnit(u.userID, u.before, at), t.after.spanOfUnit(u.userID, u.after, at)}
		if !sameVersion(m.old, m.new) || !slices.Equal(u.before, u.after) {
			moved = append(moved, m)
		}
	}
	return moved
}

// spanOfUnit returns what applies to a unit; nil for one that is not in the company.
func (t *Timeline) spanOfUnit(userID int64, ancestors []int64, at time.Time) *Span {
	switch {
	case ancestors == nil:
		return nil
	case userID == 0:
		return t.inherit(ancestors, at).Span
	}
	return t.resolve(userID, ancestors, at).Span
}

func sameVersion(a, b *Span) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.PolicyID == b.PolicyID && a.No == b.No
}

// holdAt holds the change against a check at a time. It returns nil unless the change
// breaks it.
func (t *checkTrial) holdAt(ctx context.Context, check int, moved []movedUnit, at time.Time) (*BrokenCheck, []checkUnit, error) {
	c := t.checks[check]
	b := &BrokenCheck{Check: c, At: at}
	var concerned []checkUnit
	var arrived []movedUnit
	lost := false
	for _, m := range moved {
		isAbout, wasAbout := m.after != nil && c.covers(m.userID, m.after), m.before != nil && c.covers(m.userID, m.before)
		holds, held := isAbout && t.holds(check, m.new, m.userID), wasAbout && t.holds(check, m.old, m.userID)
		switch {
		case c.Quantifier == Some && holds:
			return nil, nil, nil
		case c.Quantifier == Some:
			lost = lost || held
		case isAbout && !holds && held:
			b.People += m.people
			concerned = append(concerned, m.checkUnit)
		case isAbout && !holds && !wasAbout:
			arrived = append(arrived, m)
		}
	}
	if len(arrived) > 0 {
		earlier, err := t.brokenEarlier(ctx, check, moved, at)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range arrived {
			if !earlier[keyOf(m.new)] {
				b.People += m.people
				concerned = append(concerned, m.checkUnit)
			}
		}
	}
	if c.Quantifier == Every && b.People > 0 {
		return b, concerned, nil
	}
	if !lost {
		return nil, nil, nil
	}
	all, err := t.everybody(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	isHeld := slices.ContainsFunc(all, func(u checkUnit) bool {
		return u.after != nil && c.covers(u.userID, u.after) && t.holds(check, t.after.spanOfUnit(u.userID, u.after, at), u.userID)
	})
	if isHeld {
		return nil, nil, nil
	}
	return b, nil, nil
}

// brokenEarlier returns the versions by which somebody has broken a check at a time before
// the change. More people to whom they apply break nothing that was whole.
func (t *checkTrial) brokenEarlier(ctx context.Context, check int, moved []movedUnit, at time.Time) (map[VersionKey]bool, error) {
	c, versions := t.checks[check], map[VersionKey]bool{}
	isMoved, arrived := map[int64]bool{}, map[int64]int{}
	for _, m := range moved {
		if m.before != nil && c.covers(m.userID, m.before) && !t.holds(check, m.old, m.userID) {
			versions[keyOf(m.old)] = true
		}
		if m.userID != 0 {
			isMoved[m.userID] = true
		} else {
			arrived[m.departmentID] += m.people
		}
	}
	all, err := t.everybody(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		if isMoved[u.userID] || u.userID == 0 && u.people <= arrived[u.departmentID] || !c.covers(u.userID, u.after) {
			continue
		}
		if span := t.after.spanOfUnit(u.userID, u.after, at); !t.holds(check, span, u.userID) {
			versions[keyOf(span)] = true
		}
	}
	return versions, nil
}

// keyOf identifies a version.
func keyOf(s *Span) VersionKey {
	if s == nil {
		return VersionKey{}
	}
	return VersionKey{s.PolicyID, s.No}
}

// holds reports whether a version is as a check expects for a user. Nothing is expected
// where no policy applies.
func (t *checkTrial) holds(check int, span *Span, userID int64) bool {
	if span == nil {
		return t.checks[check].Quantifier == Every
	}
	key := verdictKey{check, span, 0}
	if t.checks[check].Relation == settings.SignIn {
		key.userID = userID // who may be exempt from the ranges
	}
	verdict, known := t.verdicts[key]
	if !known {
		verdict = span.Settings().Meets(t.checks[check].Expectation, userID)
		t.verdicts[key] = verdict
	}
	return verdict
}

// turns returns a time and those after it at which something else may apply by one of
// two timelines.
func turns(from time.Time, timelines ...*Timeline) []time.Time {
	all := []time.Time{from}
	for _, t := range timelines {
		for _, versions := range t.byPolicy {
			for _, s := range versions {
				if s.EffectiveFrom.After(from) {
					all = append(all, s.EffectiveFrom)
				}
				if s.Until != nil && s.Until.After(from) {
					all = append(all, *s.Until)
				}
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

// breakers is the users and departments that break a check, and who of the departments
// does not count because they are units of their own.
type breakers struct {
	units   []checkUnit
	singles []int64
}

// breakingPeople returns by name some of the users who break a check.
func (q *Queries) breakingPeople(ctx context.Context, companyID int64, b breakers, most int32) (people []AffectedPerson, err error) {
	if len(b.units) == 0 {
		return nil, nil
	}
	arg := namesAmongParams{CompanyID: companyID, UserIds: []int64{}, DepartmentIds: []int64{}, ExceptIds: append([]int64{}, b.singles...), Size: most}
	for _, u := range b.units {
		switch {
		case u.userID != 0:
			arg.UserIds = append(arg.UserIds, u.userID)
		case u.members != nil:
			arg.UserIds = append(arg.UserIds, u.members...)
		default:
			arg.DepartmentIds = append(arg.DepartmentIds, u.departmentID)
		}
	}
	rows, err := q.namesAmong(ctx, arg)
	if err != nil {
		return nil, fmt.Errorf("people of checks: %w", err)
	}
	for _, row := range rows {
		people = append(people, AffectedPerson(row))
	}
	return people, nil
}
