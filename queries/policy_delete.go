package queries

import (
	"context"
	"time"
)

// RestoreTime is how long a deleted policy can be brought back (domain §9.12).
const RestoreTime = 30 * 24 * time.Hour

// DeletePolicy ends a policy: its targets are released, so departments follow
// the one above them and people their department (spec §4), which falls tells.
// The default policy stays. What would lock somebody out is refused with
// LockOut unless it is confirmed.
func (db *DB) DeletePolicy(ctx context.Context, by Actor, id int64, ifMatch int32, confirmed bool) (falls []Fall, err error) {
	_, err = db.changePolicy(ctx, by, id, ifMatch, func(s *saving, p Policy) (err error) {
		falls, err = s.delete(ctx, p, confirmed)
		return err
	})
	return falls, err
}

// DeletePolicies deletes policies of a kind, as somebody has seen them: all of
// them, or none. It refuses as DeletePolicy does, with the warnings of all of them.
func (db *DB) DeletePolicies(ctx context.Context, by Actor, kind string, seen []Policy, confirmed bool) error {
	ids, lastNo := make([]int64, len(seen)), map[int64]int32{}
	for i, p := range seen {
		ids[i], lastNo[p.ID] = p.ID, p.LastNo
	}
	return db.changePolicies(ctx, by, kind, ids, confirmed, func(s *saving, p Policy, confirmed bool) error {
		if err := s.unchanged(ctx, p, lastNo[p.ID]); err != nil {
			return err
		}
		_, err := s.delete(ctx, p, confirmed)
		return err
	})
}

func (s *saving) delete(ctx context.Context, p Policy, confirmed bool) ([]Fall, error) {
	if p.IsDefault {
		return nil, Invalid("policy.default.deleted")
	}
	after := s.timeline.without(func(v *span) bool { return v.PolicyID == p.ID })
	if warnings, err := s.lockOuts(ctx, after, s.now); err != nil {
		return nil, err
	} else if len(warnings) > 0 && !confirmed {
		return nil, &LockOut{warnings}
	}
	falls, err := s.falls(ctx, p.Version.Targets, after)
	if err != nil {
		return nil, err
	}
	if p.Plan != nil {
		if _, err := s.cancel(ctx, p.ID, p.Plan); err != nil {
			return nil, err
		}
	}
	if err := s.endPolicy(ctx, endPolicyParams{CompanyID: s.by.CompanyID, PolicyID: p.ID, Now: s.now}); err != nil {
		return nil, err
	}
	if err := s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: p.ID, DeletedAt: &s.now}); err != nil {
		return nil, err
	}
	s.timeline = s.timeline.without(func(v *span) bool { return v.PolicyID == p.ID })
	s.messages = append(s.messages, policyChanged{s.kind, p.ID, p.Version.No, s.now})
	return falls, s.note(ctx, "policy.deleted", p.ID, &p.Version, nil)
}

// RestorePolicy brings a deleted policy back as its last version was, from the
// usual start of the kind on, or when that was going to begin, and under another
// name if its own is taken. It lists again only targets that are still free, or
// that were given back when it was deleted; lost are the others. After thirty
// days it is NotFound. One that may lock somebody out must be confirmed, as any
// save.
func (db *DB) RestorePolicy(ctx context.Context, by Actor, id int64, confirmed bool) (restored Policy, lost []Target, err error) {
	row, err := db.policyRow(ctx, policyRowParams{by.CompanyID, id})
	if err != nil {
		return Policy{}, nil, err
	}
	all, lost, err := db.RestorePolicies(ctx, by, row.Kind, []int64{id}, confirmed)
	if err != nil {
		return Policy{}, nil, err
	}
	return all[0], lost, nil
}

// RestorePolicies brings policies of a kind back as RestorePolicy does: all of
// them, or none.
func (db *DB) RestorePolicies(ctx context.Context, by Actor, kind string, ids []int64, confirmed bool) (restored []Policy, lost []Target, err error) {
	err = db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, err := q.saving(ctx, by, kind, db.now())
		if err != nil {
			return err
		}
		for _, id := range ids {
			gone, err := s.bringBack(ctx, id, confirmed)
			if err != nil {
				return err
			}
			p, _, err := q.history(ctx, by.CompanyID, id, s.now)
			if err != nil {
				return err
			}
			restored, lost = append(restored, p), append(lost, gone...)
		}
		return s.publishAll(ctx)
	})
	return restored, lost, err
}

func (s *saving) bringBack(ctx context.Context, id int64, confirmed bool) (lost []Target, err error) {
	p, versions, err := s.history(ctx, s.by.CompanyID, id, s.now)
	if err != nil {
		return nil, err
	}
	if p.Kind != s.kind || p.DeletedAt == nil || s.now.Sub(*p.DeletedAt) > RestoreTime {
		return nil, NotFound
	}
	if err := s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: id}); err != nil {
		return nil, err
	}
	v := p.Version
	v.No, v.CreatedAt, v.CreatedBy, v.movedFor = versions[0].No+1, s.now, s.by.UserID, nil
	v.ConfirmBy, v.ConfirmedAt, v.Until, v.CancelledAt = nil, nil, nil, nil
	usual, err := s.stamp(ctx, id, Start{})
	if err != nil {
		return nil, err
	}
	if v.EffectiveFrom.Before(usual) {
		v.EffectiveFrom = usual
	}
	if s.nameTaken(id, v.Name) {
		v.Name = s.freeName(v.Name)
	}
	var given []taken
	if v.Targets, given, lost, err = s.free(ctx, policyVersionKey{id, versions[0].No}, &v); err != nil {
		return nil, err
	}
	if err := s.weigh(ctx, &v, s.timeline.saved(s.spanOf(id, &v), given), confirmed); err != nil {
		return nil, err
	}
	if err := s.store(ctx, id, &v); err != nil {
		return nil, err
	}
	if err := s.release(ctx, policyVersionKey{id, v.No}, &v, given); err != nil {
		return nil, err
	}
	return lost, s.note(ctx, "policy.restored", id, nil, &v)
}
