package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"officeconsole/queries"
)

// isRetroactive reports whether the version was saved for dates that had begun.
func (v *Version) isRetroactive() bool { return v.EffectiveFrom.Before(v.CreatedAt) }

// isOfPast reports whether the set is that of a version of the past. Its versions
// are withdrawn by a revert, because a newer version could not change what applied
// before it.
func (s *saveTx) isOfPast(set changeSet) bool {
	return s.kind == "workingattitude" && set[0].version.isRetroactive()
}

// isUnchanged reports whether no policy of the set has got a version after it.
func (set changeSet) isUnchanged(cancelled bool) bool {
	return !slices.ContainsFunc(set, func(m changeSetMember) bool {
		newest := m.history.lastNo()
		return m.version.CancelledAt != nil != cancelled ||
			!slices.ContainsFunc(set, func(other changeSetMember) bool { return other.history == m.history && other.version.No == newest })
	})
}

// beginsPolicy reports whether the policy of the first version has no other.
func (set changeSet) beginsPolicy() bool {
	leader := set[0]
	return !slices.ContainsFunc(leader.history.versions, func(v Version) bool { return v.CancelledAt == nil && v.No != leader.version.No })
}

// withdrawPast takes a version of the past and its change set back, as if they had
// not been saved, and requests another recomputation. A policy that began with it
// is deleted. It refuses what has changed since, and months that are locked by now.
func (s *saveTx) withdrawPast(ctx context.Context, set changeSet) error {
	leader := set[0]
	if !set.isUnchanged(false) || leader.history.DeletedAt != nil {
		return queries.Conflict("change.revert.changed")
	}
	from := leader.version.EffectiveFrom
	if err := lockedRevert(s.beginPast(ctx, acceptedDraft{Draft: Draft{Confirmed: true}, start: from})); err != nil {
		return err
	}
	if err := s.reachBefore(ctx, from); err != nil {
		return err
	}
	begins := set.beginsPolicy()
	for _, m := range set {
		id, no := m.history.id, m.version.No
		if err := s.withdrawVersion(ctx, withdrawVersionParams{CompanyID: s.by.CompanyID, PolicyID: id, No: no, Now: s.now}); err != nil {
			return err
		}
		v := m.history.version(no)
		v.CancelledAt, v.Until = &s.now, &v.EffectiveFrom
		s.timeline = s.timeline.without(func(span *Span) bool { return span.PolicyID == id && span.No == no })
		s.requestRecomputation(m.history, &m.version)
		s.messages = append(s.messages, policyChanged{s.kind, id, no, s.now})
		if err := s.recordChange(ctx, "policy.past_withdrawn", id, &m.version, nil); err != nil {
			return err
		}
	}
	for _, m := range set {
		if held := s.regained(m.history.id, from); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
	}
	if !begins {
		return nil
	}
	leader.history.DeletedAt = &s.now
	return s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: leader.history.id, DeletedAt: &s.now})
}

// reachBefore reads the timeline from just before a start on, with the versions that
// apply again without the one that starts then.
func (s *saveTx) reachBefore(ctx context.Context, start time.Time) error {
	return s.reachBack(ctx, start.Add(-time.Microsecond))
}

// previewWithdrawal returns whom withdrawPast affects.
func (s *saveTx) previewWithdrawal(ctx context.Context, set changeSet) (Preview, error) {
	leader := set[0]
	if !set.isUnchanged(false) || leader.history.DeletedAt != nil {
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	p := Preview{At: leader.version.EffectiveFrom}
	if err := lockedRevert(s.checkUnlocked(ctx, p.At)); err != nil {
		return Preview{}, err
	}
	if err := s.reachBefore(ctx, p.At); err != nil {
		return Preview{}, err
	}
	after := s.timeline.without(set.has)
	p.Past = &PastChange{First: s.dateOf(p.At), After: after}
	for _, m := range set {
		p.Past.PolicyIDs = append(p.Past.PolicyIDs, m.history.id)
	}
	return p, s.preview(ctx, &p, leader.history.id, after)
}

// restorePast saves a withdrawn version of the past again.
func (s *saveTx) restorePast(ctx context.Context, key VersionKey) error {
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return err
	}
	leader := set[0]
	h, v := leader.history, leader.version
	if !set.isUnchanged(true) || h.DeletedAt != nil && !h.DeletedAt.Equal(*v.CancelledAt) {
		return queries.Conflict("change.revert.changed")
	}
	if h.DeletedAt != nil {
		h.DeletedAt = nil
		if err := s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: h.id}); err != nil {
			return err
		}
	}
	draft := v.Draft(h.policy(s.now))
	draft.EffectiveFrom, draft.Reason = Start{When: StartAt, At: v.EffectiveFrom}, v.Reason
	draft.Move, draft.Confirmed = len(set) > 1, true
	return lockedRevert(s.append(ctx, h, draft, "policy.past_restored"))
}

// lockedRevert says of a revert what LockedMonth says of a form, in which the start could
// be another one.
func lockedRevert(err error) error {
	if errors.As(err, new(*LockedMonth)) {
		return queries.Conflict("change.revert.locked")
	}
	return err
}

// RestorePast saves a version of the past again that was withdrawn, and returns the checks
// that it has broken.
func (s *Store) RestorePast(ctx context.Context, by queries.Actor, key VersionKey) ([]BrokenCheck, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]BrokenCheck, error) {
		t, h, err := q.beginSaveOf(ctx, by, key.PolicyID, s.db.Now())
		if err != nil {
			return nil, err
		}
		if err := h.checkUnchanged(key.No); err != nil {
			return nil, err
		}
		if err := t.restorePast(ctx, key); err != nil {
			return nil, err
		}
		err = t.finish(ctx)
		return t.broken, err
	})
}
