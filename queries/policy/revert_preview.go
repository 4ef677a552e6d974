package policy

import (
	"context"
	"slices"

	"officeconsole/queries"
)

// PreviewReversal returns whom reverting a version with its change set affects (see
// RevertVersion), and writes nothing. For a policy that was deleted since, it is a
// Conflict.
func (store *Store) PreviewReversal(ctx context.Context, by queries.Actor, key VersionKey) (Preview, error) {
	h, err := store.readHistory(ctx, by.CompanyID, key.PolicyID)
	if err != nil {
		return Preview{}, err
	}
	reader, err := store.previewer(ctx, by, h.kind, store.db.Now())
	if err != nil {
		return Preview{}, err
	}
	s := &saveTx{previewer: reader, histories: map[int64]*history{h.id: h}}
	set, err := s.changeSetOf(ctx, key)
	if err != nil {
		return Preview{}, err
	}
	if slices.ContainsFunc(set, func(m changeSetMember) bool { return m.history.DeletedAt != nil || !m.isNewest() }) {
		return Preview{}, queries.Conflict("change.revert.changed")
	}
	p := Preview{At: s.now}
	if from := set[0].version.EffectiveFrom; from.After(s.now) {
		p.At = from
	}
	return p, s.preview(ctx, &p, h.id, s.timelineBefore(set))
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
