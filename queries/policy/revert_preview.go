package policy

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
)

// PreviewReversal returns whom reverting a version with its change set affects (see
// RevertVersion), and writes nothing. For a policy that was deleted since, it is a
// Conflict.
func (store *Store) PreviewReversal(ctx context.Context, by queries.Actor, v VersionReversal) (Preview, error) {
	key := v.key()
	s, err := store.reversalTrial(ctx, by, key.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return Preview{}, err
	}
	switch {
	case s.isOfPast(set):
		return s.previewWithdrawal(ctx, set)
	case s.revertsFields(set, v):
		return s.previewFields(ctx, set, v)
	case set.hasChanged():
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	p := Preview{At: s.now}
	if from := set[0].version.EffectiveFrom; from.After(s.now) {
		p.At = from
	}
	leader := set[0]
	if replaced := leader.history.replacedBy(leader.version); replaced != nil && p.At.After(s.now) {
		return p, s.preview(ctx, &p, key.PolicyID, s.planned(s.timeline.without(set.has), leader.history.id, *replaced))
	}
	return p, s.preview(ctx, &p, key.PolicyID, s.timelineBefore(set))
}

// PreviewCancellation returns whom cancelling a planned version with its change set affects
// (see CancelPlannedVersion), and writes nothing.
func (store *Store) PreviewCancellation(ctx context.Context, by queries.Actor, key VersionKey) (Preview, error) {
	s, err := store.reversalTrial(ctx, by, key.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{At: set[0].version.EffectiveFrom}
	return p, s.preview(ctx, &p, key.PolicyID, s.timeline.without(set.has))
}

// PreviewDeletionReversal returns whom restoring a deleted policy affects (see
// RevertDeletion), and writes nothing. It is a Conflict if it was deleted at another
// time, and NotFound if it can no longer be restored.
func (store *Store) PreviewDeletionReversal(ctx context.Context, by queries.Actor, d DeletionReversal) (Preview, error) {
	s, err := store.reversalTrial(ctx, by, d.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	h := s.histories[d.PolicyID]
	if h.DeletedAt == nil || !h.DeletedAt.Equal(d.DeletedAt) {
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	r, err := s.restorable(ctx, h)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{At: r.version.EffectiveFrom, Lost: r.lost}
	if r.version.Name != h.policy(s.now).Version.Name {
		p.Name = r.version.Name
	}
	return p, s.preview(ctx, &p, h.id, s.timeline.saved(s.spanOf(h.id, &r.version), r.given))
}

// PreviewPlannedStart returns whom moving a planned version with its change set to
// another start affects between the two starts (see MovePlannedVersion), and writes
// nothing. It is a Conflict if the policy has changed since, or either start has passed.
func (store *Store) PreviewPlannedStart(ctx context.Context, by queries.Actor, key VersionKey, start time.Time) (Preview, error) {
	s, err := store.reversalTrial(ctx, by, key.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{At: set[0].version.EffectiveFrom}
	if start.Before(p.At) {
		p.At = start
	}
	if set.hasChanged() || !p.At.After(s.now) {
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	var moved []*Span
	for _, m := range set {
		m.version.EffectiveFrom = start
		moved = append(moved, s.spanOf(m.history.id, &m.version))
	}
	return p, s.preview(ctx, &p, key.PolicyID, s.timeline.without(set.has).with(moved...))
}

// PreviewCancellationReversal returns whom planning a cancelled version again affects
// (see RevertCancellation), and writes nothing. It is a Conflict if the policy has
// changed since, or the start has passed.
func (store *Store) PreviewCancellationReversal(ctx context.Context, by queries.Actor, key VersionKey) (Preview, error) {
	s, err := store.reversalTrial(ctx, by, key.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return Preview{}, err
	}
	leader := set[0]
	if set.hasChangedSinceCancelled() || !leader.version.EffectiveFrom.After(s.now) {
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	p := Preview{At: leader.version.EffectiveFrom}
	return p, s.preview(ctx, &p, key.PolicyID, s.planned(s.timeline, leader.history.id, leader.version))
}

// planned returns a timeline with a cancelled version of a policy planned again.
func (s *saveTx) planned(t *Timeline, id int64, v Version) *Timeline {
	v.Until = nil
	added := s.spanOf(id, &v)
	return t.saved(added, t.with(added).takenBy(added))
}

// reversalTrial reads a policy and what else reverting one of its changes needs.
// Nothing can be written with it, because it has no transaction.
func (store *Store) reversalTrial(ctx context.Context, by queries.Actor, policyID int64) (*saveTx, error) {
	h, err := store.readHistory(ctx, by.CompanyID, policyID)
	if err != nil {
		return nil, err
	}
	reader, err := store.previewer(ctx, by, h.kind, store.db.Now())
	return &saveTx{previewer: reader, histories: map[int64]*history{h.id: h}}, err
}

// hasChanged reports whether a policy of the set was deleted or has a newer version.
func (set changeSet) hasChanged() bool {
	return slices.ContainsFunc(set, func(m changeSetMember) bool { return m.history.DeletedAt != nil || !m.isNewest() })
}

// has reports whether a span is that of a version of the set.
func (set changeSet) has(span *Span) bool {
	return slices.ContainsFunc(set, func(m changeSetMember) bool { return m.history.id == span.PolicyID && m.version.No == span.No })
}

// timelineBefore returns the timeline as if the versions of a change set had not been
// saved: what was in force before each of them, or no policy.
func (s *saveTx) timelineBefore(set changeSet) *Timeline {
	var earlier []*Span
	for _, m := range set {
		if m.earlier != nil {
			before := *m.earlier
			before.Until = nil
			earlier = append(earlier, s.spanOf(m.history.id, &before))
		}
	}
	known := s.timeline.without(func(span *Span) bool {
		return slices.ContainsFunc(set, func(m changeSetMember) bool {
			return m.history.id == span.PolicyID && (m.version.No == span.No || m.earlier != nil && m.earlier.No == span.No)
		})
	})
	return known.with(earlier...)
}
