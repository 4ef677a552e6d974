package policy

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
)

// targetConflict returns the refusal that names the targets that other policies
// hold.
func (s *previewer) targetConflict(ctx context.Context, held []taken) error {
	all, err := s.takenTargets(ctx, held)
	if err != nil {
		return err
	}
	return &TargetConflict{all}
}

func (s *previewer) takenTargets(ctx context.Context, held []taken) ([]TakenTarget, error) {
	var d Draft
	for _, t := range held {
		d.Targets = append(d.Targets, t.target)
	}
	names, err := s.names(ctx, d)
	if err != nil {
		return nil, err
	}
	holders := map[node][]*Span{}
	for _, t := range held {
		holders[t.target.node()] = append(holders[t.target.node()], t.by)
	}
	var all []TakenTarget
	for _, target := range d.Targets {
		n := target.node()
		if holders[n] == nil {
			continue // another policy holds it too
		}
		target.Name = names[n].name
		all = append(all, s.timeline.newTakenTarget(target, holders[n], s.now))
		delete(holders, n)
	}
	return all, nil
}

// checkMovable refuses to take targets from a policy with a planned version,
// because that would list them again.
func (s *previewer) checkMovable(held []taken) error {
	for _, t := range held {
		if s.timeline.planned(t.by.PolicyID, s.now) != nil {
			return queries.FieldErrors{"targets": "policy.targets.planned"}
		}
	}
	return nil
}

// release saves a version of each policy that holds targets of a new version,
// without these targets. The versions are a change set: they begin, are
// confirmed and are cancelled together with the new one.
func (s *saveTx) release(ctx context.Context, by VersionKey, v *Version, held []taken) error {
	lost := map[int64][]node{}
	for _, t := range held {
		lost[t.by.PolicyID] = append(lost[t.by.PolicyID], t.target.node())
	}
	for _, id := range sortedKeys(lost) {
		if err := s.releaseFrom(ctx, id, by, v, lost[id]); err != nil {
			return err
		}
	}
	return nil
}

func (s *saveTx) releaseFrom(ctx context.Context, id int64, by VersionKey, v *Version, lost []node) error {
	h, err := s.load(ctx, id)
	if err != nil {
		return err
	}
	old := h.policy(s.now).Version
	less := old
	less.No, less.EffectiveFrom, less.CreatedAt, less.CreatedBy = h.lastNo()+1, v.EffectiveFrom, s.now, s.by.UserID
	less.ConfirmBy, less.ConfirmedAt, less.Until, less.Reason, less.movedFor = v.ConfirmBy, nil, v.ConfirmBy, v.Reason, &by
	less.Targets = slices.DeleteFunc(slices.Clone(old.Targets), func(t Target) bool { return slices.Contains(lost, t.node()) })
	if err := s.storeVersion(ctx, h, &less); err != nil {
		return err
	}
	return s.recordChange(ctx, "policy.targets_moved", id, &old, &less)
}

// plannedTogether returns the planned versions of a change set: first the one
// that takes targets, then those that release targets to it.
func (s *previewer) plannedTogether(ctx context.Context, id int64, v *Version) ([]VersionKey, error) {
	leader := VersionKey{id, v.No}
	if v.movedFor != nil {
		leader = *v.movedFor
	}
	all := []VersionKey{leader}
	rows, err := s.movedVersions(ctx, movedVersionsParams{CompanyID: s.by.CompanyID, PolicyID: &leader.PolicyID, No: &leader.No, At: s.now})
	for _, row := range rows {
		all = append(all, VersionKey(row))
	}
	return all, err
}

// restorableTargets divides the targets that a restored policy would list. free
// are those that exist and that no other policy holds, and those that a policy
// got by the deletion, which gives them back. lost are the others. before is
// the policy's last version.
func (s *saveTx) restorableTargets(ctx context.Context, before VersionKey, v *Version) (free []Target, given []taken, lost []Target, err error) {
	names, err := s.names(ctx, Draft{Targets: v.Targets})
	if err != nil {
		return nil, nil, nil, err
	}
	added := s.spanOf(before.PolicyID, v)
	held := map[node]taken{}
	for _, h := range s.timeline.with(added).takenBy(added) {
		held[h.target.node()] = h
	}
	for _, t := range v.Targets {
		h, isHeld := held[t.node()]
		switch {
		case names[t.node()].name == "":
			lost = append(lost, t)
		case !isHeld:
			free = append(free, t)
		default:
			givenBack, err := s.gotFrom(ctx, h.by.PolicyID, before)
			if err != nil {
				return nil, nil, nil, err
			}
			if !givenBack {
				lost = append(lost, t)
				continue
			}
			free, given = append(free, t), append(given, h)
		}
	}
	return free, given, lost, nil
}

// gotFrom reports whether a policy is unchanged since it got targets from
// another policy's version, or was to lose some to it.
func (s *saveTx) gotFrom(ctx context.Context, id int64, from VersionKey) (bool, error) {
	h, err := s.load(ctx, id)
	if err != nil {
		return false, err
	}
	newest := h.versions[0]
	return h.policy(s.now).Planned == nil && newest.movedFor != nil && *newest.movedFor == from, nil
}

// regained returns the targets that a policy would list again without its
// planned version, and that other policies hold then.
func (s *saveTx) regained(id int64, from time.Time) []taken {
	var all []taken
	for _, line := range s.timeline.byPolicy[id] {
		if begin, until := s.timeline.possible(line); until == nil || until.After(from) {
			if begin.Before(from) {
				begin = from
			}
			all = append(all, s.timeline.takenFrom(line, begin, until)...)
		}
	}
	return all
}

func sortedKeys[V any](m map[int64]V) []int64 {
	keys := make([]int64, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
