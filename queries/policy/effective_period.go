package policy

import (
	"context"
	"slices"
	"time"
)

// EffectivePeriod is a time in which the same version applies to a person from the same
// source. It ends where the next one begins.
type EffectivePeriod struct {
	Effective           // without the chain
	From      time.Time // the time that was asked for, if it applied before already
}

// EffectivePeriods returns what applies to a user from a time on, planned changes too, in
// the order of time and by the departments as they are now. The times before a company's
// first policy are left out.
func (s *Store) EffectivePeriods(ctx context.Context, companyID, userID int64, kind string, from time.Time) ([]EffectivePeriod, error) {
	person, err := s.personWithAncestors(ctx, personWithAncestorsParams{companyID, userID})
	if err != nil {
		return nil, err
	}
	t, err := s.Timeline(ctx, TimelineRequest{companyID, kind, person.PolicyVersion, from})
	if err != nil {
		return nil, err
	}
	var all []EffectivePeriod
	var last decision
	for _, at := range append([]time.Time{from}, t.turns(from)...) {
		d := t.resolve(userID, person.Ancestors, at)
		if d == last {
			continue
		}
		if d.Span != nil {
			all = append(all, EffectivePeriod{d.effective(), at})
		}
		last = d
	}
	return all, nil
}

// turns returns when versions begin or end after a time, in order.
func (t *Timeline) turns(after time.Time) []time.Time {
	var all []time.Time
	for _, s := range t.Spans() {
		for _, turn := range []*time.Time{&s.EffectiveFrom, s.Until} {
			if turn != nil && turn.After(after) {
				all = append(all, *turn)
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}
