package policy

import (
	"context"
	"time"

	"officeconsole/queries"
)

// ConfirmTime is how long a version that may lock somebody out applies before
// it reverts by itself, unless it is confirmed (domain §9.11).
const ConfirmTime = 5 * time.Minute

// ConfirmVersion confirms a provisional version and the rest of its change set.
// It refuses before the version has begun, after its time is over, and if the actor
// could not sign in from the present address with what is confirmed.
func (store *Store) ConfirmVersion(ctx context.Context, by queries.Actor, id int64, no int32) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, h, err := q.beginUpdate(ctx, by, id, 0, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		if err := s.confirm(ctx, h, no); err != nil {
			return Policy{}, err
		}
		return s.finished(ctx, h)
	})
}

func (s *saveTx) confirm(ctx context.Context, h *history, no int32) error {
	provisional := h.version(no)
	switch {
	case provisional == nil:
		return queries.NotFound
	case !provisional.IsProvisional():
		return nil
	case s.now.Before(provisional.EffectiveFrom):
		return queries.Invalid("policy.confirm.early")
	case !provisional.covers(s.now):
		return queries.Conflict("policy.confirm.late")
	}
	v := *provisional
	leader := VersionKey{h.id, no}
	if v.movedFor != nil {
		leader = *v.movedFor
	}
	confirmed, err := s.confirmVersions(ctx, confirmVersionsParams{CompanyID: s.by.CompanyID, PolicyID: leader.PolicyID, No: leader.No, Now: s.now})
	if err != nil {
		return err
	}
	if err := s.checkConfirmer(ctx, confirmed); err != nil {
		return err
	}
	for _, c := range confirmed {
		s.messages = append(s.messages, policyChanged{s.kind, c.PolicyID, c.No, v.EffectiveFrom})
	}
	provisional.Until, provisional.ConfirmedAt = nil, &s.now
	return s.recordChange(ctx, "policy.confirmed", h.id, &v, &v)
}
