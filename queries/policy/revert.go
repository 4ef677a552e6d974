package policy

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
)

// changeSet is the versions of one save: first the version that took targets
// from other policies, then those that these policies got because of it.
type changeSet []changeSetMember

type changeSetMember struct {
	history *history
	version Version
	earlier *Version // the version that would be in force without it, or nil
}

func (m changeSetMember) isNewest() bool { return m.history.lastNo() == m.version.No }

// revertVersion reverts a version with its change set: a planned version is
// cancelled, and what it has taken the place of planned again; a policy that began
// with it is deleted, or waits for its planned version again; and any other policy
// gets its earlier content in a new version. A revert can itself be reverted. It is
// a Conflict unless each version is still the newest one of its policy.
func (s *saveTx) revertVersion(ctx context.Context, key VersionKey, confirmed bool) error {
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return err
	}
	if s.isOfPast(set) {
		return s.withdrawPast(ctx, set)
	}
	leader := set[0]
	if set.deletedFor(key) {
		return s.restoreWithAllTargets(ctx, leader.history, confirmed)
	}
	for _, m := range set {
		over := m.version.Until != nil && !m.version.Until.After(s.now)
		if !m.isNewest() || m.history.DeletedAt != nil || over {
			return queries.Conflict("change.revert.changed")
		}
	}
	isPlanned := leader.version.EffectiveFrom.After(s.now)
	if replaced := leader.history.replacedBy(leader.version); isPlanned && replaced != nil {
		return s.planInstead(ctx, leader, VersionKey{leader.history.id, replaced.No}, confirmed)
	}
	switch {
	case leader.earlier == nil && !isPlanned && leader.history.policy(s.now).Planned != nil:
		if err := s.endUntilPlan(ctx, leader, confirmed); err != nil {
			return err
		}
		return s.saveEarlier(ctx, set[1:], &VersionKey{leader.history.id, leader.version.No}, confirmed)
	case leader.earlier == nil && isPlanned:
		_, err := s.delete(ctx, leader.history, confirmed)
		return err
	case leader.earlier == nil:
		if _, err := s.delete(ctx, leader.history, confirmed); err != nil {
			return err
		}
		return s.saveEarlier(ctx, set[1:], &VersionKey{leader.history.id, leader.version.No}, confirmed)
	case isPlanned:
		return s.cancelPlan(ctx, leader.history)
	}
	return s.saveEarlier(ctx, set, nil, confirmed)
}

// deletedFor reports whether the policy of the set's first version is deleted,
// and a later version of the set, still the newest of its policy, got back then
// what the first one had taken.
func (set changeSet) deletedFor(key VersionKey) bool {
	deletedAt := set[0].history.DeletedAt
	return deletedAt != nil && slices.ContainsFunc(set[1:], func(m changeSetMember) bool {
		return m.history.id == key.PolicyID && m.version.No == key.No && m.isNewest() && m.version.CreatedAt.Equal(*deletedAt)
	})
}

// restoreWithAllTargets restores a deleted policy; a Conflict if it cannot have
// all its targets.
func (s *saveTx) restoreWithAllTargets(ctx context.Context, h *history, confirmed bool) error {
	lost, err := s.restore(ctx, h, confirmed)
	if err == nil && len(lost) > 0 {
		return queries.Conflict("policy.targets.taken")
	}
	return err
}

// saveEarlier saves what each policy of a change set had before, all at once,
// because some may release what others get. The new versions are a change set
// that begins with the given leader or, if it is nil, with the first policy's
// version.
func (s *saveTx) saveEarlier(ctx context.Context, set changeSet, leader *VersionKey, confirmed bool) error {
	again, spans := make([]Version, len(set)), make([]*Span, len(set))
	for i, m := range set {
		if m.earlier == nil {
			return queries.Conflict("change.revert.changed")
		}
		draft := m.earlier.Draft(m.history.policy(s.now))
		draft.EffectiveFrom = Start{}
		accepted, err := s.accept(ctx, m.history.id, draft)
		if err != nil {
			return err
		}
		again[i] = s.newVersion(m.history.lastNo()+1, accepted)
		again[i].EffectiveFrom, again[i].movedFor = again[0].EffectiveFrom, leader
		if leader == nil {
			leader = &VersionKey{m.history.id, again[i].No}
		}
		spans[i] = s.spanOf(m.history.id, &again[i])
	}
	after := s.timeline.with(spans...)
	for _, added := range spans {
		if held := after.takenBy(added); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
	}
	for i, m := range set {
		if i == 0 {
			if err := s.checkLockout(ctx, &again[0], after, confirmed); err != nil {
				return err
			}
		}
		again[i].ConfirmBy, again[i].Until = again[0].ConfirmBy, again[0].Until
		if err := s.storeVersion(ctx, m.history, &again[i]); err != nil {
			return err
		}
		if err := s.recordChange(ctx, "policy.version_restored", m.history.id, &m.version, &again[i]); err != nil {
			return err
		}
	}
	return nil
}

// planInstead cancels a planned version with its change set, and plans the version again
// that it has taken the place of.
func (s *saveTx) planInstead(ctx context.Context, m changeSetMember, replaced VersionKey, confirmed bool) error {
	cancelled, err := s.cancelPlanned(ctx, m.history.id, &m.version)
	if err != nil {
		return err
	}
	set, err := s.changeSetOf(ctx, replaced)
	if err != nil {
		return err
	}
	if err := s.planAgain(ctx, set, confirmed); err != nil {
		return err
	}
	return s.finishReplacement(ctx, cancelled)
}

// endUntilPlan ends a version before which nothing of its policy was in force, so that the
// policy waits for its planned version again.
func (s *saveTx) endUntilPlan(ctx context.Context, m changeSetMember, confirmed bool) error {
	planned := m.history.policy(s.now).Planned
	if err := s.endVersion(ctx, endVersionParams{CompanyID: s.by.CompanyID, PolicyID: m.history.id, No: m.version.No, Now: s.now}); err != nil {
		return err
	}
	m.history.version(m.version.No).Until = &s.now
	s.timeline = s.timeline.without(func(v *Span) bool { return v.PolicyID == m.history.id && v.No == m.version.No })
	if err := s.warnOfLockout(ctx, s.timeline, confirmed); err != nil {
		return err
	}
	s.messages = append(s.messages, policyChanged{s.kind, m.history.id, m.version.No, s.now})
	return s.recordChange(ctx, "policy.version_restored", m.history.id, &m.version, planned)
}

// revertCancellation plans a cancelled version again. It is a Conflict if a policy of the
// change set has changed since the cancellation.
func (s *saveTx) revertCancellation(ctx context.Context, key VersionKey, confirmed bool) error {
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return err
	}
	planned := set[0].history.policy(s.now).Planned
	if set.hasChangedSinceCancelled() || planned != nil && planned.EffectiveFrom.Equal(set[0].version.EffectiveFrom) {
		return queries.Conflict("change.revert.changed")
	}
	return s.planAgain(ctx, set, confirmed)
}

// hasChangedSinceCancelled reports whether a version of the set was not cancelled, or its
// policy was deleted or saved after that.
func (set changeSet) hasChangedSinceCancelled() bool {
	return slices.ContainsFunc(set, func(m changeSetMember) bool {
		at := m.version.CancelledAt
		return m.history.DeletedAt != nil || at == nil || m.history.versions[0].CreatedAt.After(*at)
	})
}

// planAgain plans the cancelled versions of a change set. It takes targets only from the
// policies that it would have taken them from.
func (s *saveTx) planAgain(ctx context.Context, set changeSet, confirmed bool) error {
	leader := set[0]
	if !leader.version.EffectiveFrom.After(s.now) {
		return queries.Conflict("policy.effective_from.too_soon")
	}
	draft := leader.version.Draft(leader.history.policy(s.now))
	draft.EffectiveFrom, draft.Confirmed = Start{When: StartAt, At: leader.version.EffectiveFrom}, confirmed
	if at, err := s.resolveStart(ctx, leader.history.id, Start{When: StartNow}); err == nil && at.Equal(leader.version.EffectiveFrom) {
		draft.EffectiveFrom = Start{When: StartNow} // also before another planned version
	}
	draft.Move, draft.Reason = true, leader.version.Reason
	added := s.spanOf(leader.history.id, &leader.version)
	added.Until = nil
	held := s.timeline.with(added).takenBy(added)
	for _, h := range held {
		if !slices.ContainsFunc(set[1:], func(m changeSetMember) bool { return m.history.id == h.by.PolicyID }) {
			return s.targetConflict(ctx, held)
		}
	}
	return s.append(ctx, leader.history, draft, "policy.plan_restored")
}

// changeSetOf returns the change set that a version belongs to.
func (s *saveTx) changeSetOf(ctx context.Context, key VersionKey) (changeSet, error) {
	leader, err := s.changeSetMember(ctx, key)
	if err != nil {
		return nil, err
	}
	if leader.version.movedFor != nil {
		key = *leader.version.movedFor
		if leader, err = s.changeSetMember(ctx, key); err != nil {
			return nil, err
		}
	}
	set := changeSet{leader}
	rows, err := s.releasingVersions(ctx, releasingVersionsParams{CompanyID: s.by.CompanyID, PolicyID: &key.PolicyID, No: &key.No})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		m, err := s.changeSetMember(ctx, VersionKey(row))
		if err != nil {
			return nil, err
		}
		set = append(set, m)
	}
	return set, nil
}

func (s *saveTx) changeSetMember(ctx context.Context, key VersionKey) (changeSetMember, error) {
	h, err := s.load(ctx, key.PolicyID)
	if err != nil {
		return changeSetMember{}, err
	}
	v := h.version(key.No)
	if v == nil {
		return changeSetMember{}, queries.NotFound
	}
	m := changeSetMember{history: h, version: *v}
	if earlier := h.inForceWithout(key.No, s.now); earlier != nil {
		before := *earlier
		m.earlier = &before
	}
	return m, nil
}

// VersionReversal identifies a version of a policy to revert or to restore.
type VersionReversal struct {
	PolicyID  int64
	No        int32
	Confirmed bool     // save although it may lock somebody out
	Before    *Version // what the policy was before the version, with its owner if that changed; nil for nothing
	Owner     *Owner   // of the policy since the version; nil if it has left the owner
}

func (v VersionReversal) key() VersionKey { return VersionKey{v.PolicyID, v.No} }

// RevertVersion reverts the version of a policy with its change set. After later
// versions it sets back what the version changed, see revertFields: it refuses with
// FieldConflict where that has changed since, and with EditConflict where only the
// newest version can be reverted. It returns the checks that it has broken.
func (s *Store) RevertVersion(ctx context.Context, by queries.Actor, v VersionReversal) ([]BrokenCheck, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]BrokenCheck, error) {
		t, h, err := q.beginUpdate(ctx, by, v.PolicyID, 0, s.db.Now())
		if err != nil {
			return nil, err
		}
		if err := t.revert(ctx, h, v); err != nil {
			return nil, err
		}
		err = t.finish(ctx)
		return t.broken, err
	})
}

func (s *saveTx) revert(ctx context.Context, h *history, v VersionReversal) error {
	set, err := s.changeSetOf(ctx, v.key())
	if err != nil {
		return err
	}
	if s.revertsFields(set, v) {
		return s.revertFields(ctx, set, v)
	}
	if err := h.checkUnchanged(v.No); err != nil {
		return err
	}
	if v.Before != nil {
		if err := s.restoreOwner(ctx, h, v.Before.Owner); err != nil {
			return err
		}
	}
	return s.revertVersion(ctx, v.key(), v.Confirmed)
}

// restoreOwner gives a policy an owner that it had before, unless that one no longer
// exists.
func (s *saveTx) restoreOwner(ctx context.Context, h *history, owner *Owner) error {
	if owner == nil {
		return nil
	}
	d := acceptedDraft{Draft: Draft{Owner: *owner}}
	var err error
	if d.names, err = s.names(ctx, d.Draft); err != nil {
		return err
	}
	if n, owned := owner.node(); owned && d.names[n].name == "" {
		return nil
	}
	return s.setOwner(ctx, h, d)
}

// RevertVersions reverts the newest versions of several policies of a kind, with
// their change sets: all of them, or none. What may lock somebody out is
// provisional. It returns the checks that it has broken.
func (s *Store) RevertVersions(ctx context.Context, by queries.Actor, kind string, keys []VersionKey) ([]BrokenCheck, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]BrokenCheck, error) {
		t, err := q.beginSave(ctx, by, kind, s.db.Now())
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if _, err := t.loadExisting(ctx, key.PolicyID); err != nil {
				return nil, err
			}
			if err := t.revertVersion(ctx, key, true); err != nil {
				return nil, err
			}
		}
		err = t.finish(ctx)
		return t.broken, err
	})
}

// RevertCancellation restores a cancelled planned version, and returns the checks that it
// has broken.
func (s *Store) RevertCancellation(ctx context.Context, by queries.Actor, v VersionReversal) ([]BrokenCheck, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]BrokenCheck, error) {
		t, h, err := q.beginUpdate(ctx, by, v.PolicyID, 0, s.db.Now())
		if err != nil {
			return nil, err
		}
		if err := t.revertCancellation(ctx, VersionKey{h.id, v.No}, v.Confirmed); err != nil {
			return nil, err
		}
		err = t.finish(ctx)
		return t.broken, err
	})
}

// DeletionReversal identifies the deletion of a policy to revert.
type DeletionReversal struct {
	PolicyID  int64
	DeletedAt time.Time
	Confirmed bool // save although it may lock somebody out
}

// RevertDeletion restores a policy that was deleted at a time, and returns the
// targets that other policies hold by now, and the checks that it has broken.
func (s *Store) RevertDeletion(ctx context.Context, by queries.Actor, d DeletionReversal) (lost []Target, broken []BrokenCheck, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		t, h, err := q.beginSaveOf(ctx, by, d.PolicyID, s.db.Now())
		if err != nil {
			return err
		}
		switch {
		case h.DeletedAt == nil || !h.DeletedAt.Equal(d.DeletedAt):
			return queries.Conflict("change.revert.changed")
		case t.now.Sub(*h.DeletedAt) > RestoreTime:
			return queries.Invalid("change.revert.late")
		}
		if lost, err = t.restore(ctx, h, d.Confirmed); err != nil {
			return err
		}
		err = t.finish(ctx)
		broken = t.broken
		return err
	})
	return lost, broken, err
}
