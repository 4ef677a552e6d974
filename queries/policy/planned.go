package policy

import (
	"context"
	"fmt"

	"officeconsole/queries"
)

// MovePlannedVersion changes the start of a policy's planned version, and that
// of the planned versions that release targets to it.
func (store *Store) MovePlannedVersion(ctx context.Context, by queries.Actor, id int64, ifMatch int32, start Start) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		if err := s.movePlanned(ctx, h, start); err != nil {
			return Policy{}, err
		}
		return s.finished(ctx, h)
	})
}

func (s *saveTx) movePlanned(ctx context.Context, h *history, start Start) error {
	p := h.policy(s.now)
	if p.Planned == nil {
		return queries.Conflict("policy.plan.none")
	}
	from, err := s.resolveStart(ctx, h.id, start)
	if err == nil && s.startsInPast(from) {
		err = queries.FieldErrors{"effective_from": "policy.effective_from.too_soon"}
	}
	if err != nil {
		return err
	}
	cancelled, err := s.cancelPlanned(ctx, h.id, p.Planned)
	if err != nil {
		return err
	}
	var leader VersionKey
	for i, planned := range cancelled {
		moved := planned.version
		moved.No, moved.EffectiveFrom, moved.CreatedAt, moved.CreatedBy = planned.history.lastNo()+1, from, s.now, s.by.UserID
		if moved.ConfirmBy != nil {
			confirmBy := from.Add(ConfirmTime)
			moved.ConfirmBy, moved.Until = &confirmBy, &confirmBy
		}
		if i == 0 {
			leader = VersionKey{planned.history.id, moved.No}
		} else {
			moved.movedFor = &leader
		}
		if err := s.storeVersion(ctx, planned.history, &moved); err != nil {
			return err
		}
		if err := s.recordChange(ctx, "policy.plan_moved", planned.history.id, &planned.version, &moved); err != nil {
			return err
		}
	}
	for _, planned := range cancelled {
		if held := s.regained(planned.history.id, s.now); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
	}
	return nil
}

// CancelPlannedVersion cancels the planned version of a policy and the rest of
// its change set. It refuses with TargetConflict if another planned version
// depends on it. It also refuses a policy that has not begun yet, which can
// only be deleted.
func (store *Store) CancelPlannedVersion(ctx context.Context, by queries.Actor, id int64, ifMatch int32) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		if err := s.cancelPlan(ctx, h); err != nil {
			return Policy{}, err
		}
		return s.finished(ctx, h)
	})
}

func (s *saveTx) cancelPlan(ctx context.Context, h *history) error {
	p := h.policy(s.now)
	switch {
	case p.Planned == nil:
		return queries.Conflict("policy.plan.none")
	case !p.InForce:
		return queries.Invalid("policy.plan.first")
	}
	if err := s.checkOthersBegun(ctx, h.id, p.Planned); err != nil {
		return err
	}
	cancelled, err := s.cancelPlanned(ctx, h.id, p.Planned)
	if err != nil {
		return err
	}
	for _, planned := range cancelled {
		if held := s.regained(planned.history.id, s.now); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
		if err := s.recordCancellation(ctx, planned); err != nil {
			return err
		}
	}
	return nil
}

// checkOthersBegun refuses to cancel a planned version that releases targets to the first
// version of another policy: that policy would be left without any version.
func (s *saveTx) checkOthersBegun(ctx context.Context, id int64, planned *Version) error {
	if planned.movedFor == nil {
		return nil
	}
	other, err := s.load(ctx, planned.movedFor.PolicyID)
	if err != nil || other.DeletedAt != nil || other.policy(s.now).InForce {
		return err
	}
	return s.targetConflict(ctx, s.timeline.takenFrom(s.timeline.inForce(id, s.now), planned.EffectiveFrom, nil))
}

// plannedVersion is a version that waits for its time.
type plannedVersion struct {
	history *history
	version Version // before it was cancelled
}

// cancelPlanned cancels a planned version and the rest of its change set,
// beginning with the version that targets are released to.
func (s *saveTx) cancelPlanned(ctx context.Context, id int64, planned *Version) ([]plannedVersion, error) {
	keys, err := s.plannedTogether(ctx, id, planned)
	if err != nil {
		return nil, err
	}
	return s.cancelAll(ctx, keys)
}

// cancelAll cancels those of some versions that are pending.
func (s *saveTx) cancelAll(ctx context.Context, keys []VersionKey) ([]plannedVersion, error) {
	var cancelled []plannedVersion
	for _, key := range keys {
		h, err := s.load(ctx, key.PolicyID)
		if err != nil {
			return nil, err
		}
		v := h.version(key.No)
		if v == nil || !v.isPending(s.now) {
			continue
		}
		cancelled = append(cancelled, plannedVersion{h, *v})
		arg := cancelVersionParams{CompanyID: s.by.CompanyID, PolicyID: key.PolicyID, No: key.No, Now: s.now}
		if err := s.cancelVersion(ctx, arg); err != nil {
			return nil, fmt.Errorf("cancel version %d of policy %d: %w", key.No, key.PolicyID, err)
		}
		v.CancelledAt, v.Until = &s.now, &s.now
		s.timeline = s.timeline.without(func(v *Span) bool { return v.PolicyID == key.PolicyID && v.No == key.No })
	}
	return cancelled, nil
}

// planReplacedBy returns the change set of the planned version that a save with a start
// takes the place of: one that begins at the same time. There is one planned version at
// most (domain §3), and of working attitude every save of a day begins with the next one.
func (s *previewer) planReplacedBy(ctx context.Context, h *history, start Start) ([]VersionKey, error) {
	if len(h.versions) == 0 { // a new policy
		return nil, nil
	}
	planned := h.policy(s.now).Planned
	if planned == nil || planned.movedFor != nil {
		return nil, nil
	}
	if at, err := s.resolveStart(ctx, h.id, start); err != nil || !at.Equal(planned.EffectiveFrom) {
		return nil, nil // what is wrong with the start is said where the draft is checked
	}
	return s.plannedTogether(ctx, h.id, planned)
}

// finishReplacement records what other policies were to release to a planned version that
// was replaced, and refuses if what it was to release itself is needed.
func (s *saveTx) finishReplacement(ctx context.Context, replaced []plannedVersion) error {
	for i, planned := range replaced {
		if held := s.regained(planned.history.id, s.now); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
		if i > 0 {
			if err := s.recordCancellation(ctx, planned); err != nil {
				return err
			}
		}
	}
	return nil
}

// replacedBy returns the planned version that a version has taken the place of, or nil.
func (h *history) replacedBy(v Version) *Version {
	for i := range h.versions {
		before := &h.versions[i]
		if before.No < v.No && before.CancelledAt != nil && before.CancelledAt.Equal(v.CreatedAt) && before.EffectiveFrom.Equal(v.EffectiveFrom) {
			return before
		}
	}
	return nil
}

// cancelReleases cancels what other policies were to release to the planned versions of a
// policy that is being deleted. What it was to release itself, the other policy gets as
// planned.
func (s *saveTx) cancelReleases(ctx context.Context, h *history) error {
	for i := range h.versions {
		v := &h.versions[i]
		if !v.isPending(s.now) || v.movedFor != nil {
			continue
		}
		together, err := s.plannedTogether(ctx, h.id, v)
		if err != nil {
			return err
		}
		cancelled, err := s.cancelAll(ctx, together[1:])
		if err != nil {
			return err
		}
		for _, released := range cancelled {
			if err := s.recordCancellation(ctx, released); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *saveTx) recordCancellation(ctx context.Context, planned plannedVersion) error {
	id := planned.history.id
	s.messages = append(s.messages, policyChanged{s.kind, id, planned.version.No, s.now})
	return s.recordChange(ctx, "policy.plan_cancelled", id, &planned.version, nil)
}
