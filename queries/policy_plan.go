package queries

import "context"

// MovePlan gives the planned version of a policy another start. The plans that
// release targets for it move along.
func (db *DB) MovePlan(ctx context.Context, by Actor, id int64, ifMatch int32, start Start) (Policy, error) {
	return db.changePolicy(ctx, by, id, ifMatch, func(s *saving, p Policy) error {
		if p.Plan == nil {
			return Conflict("policy.plan.none")
		}
		from, err := s.stamp(ctx, id, start)
		if err != nil {
			return err
		}
		plans, err := s.cancel(ctx, id, p.Plan)
		if err != nil {
			return err
		}
		var leader policyVersionKey
		for i, plan := range plans {
			moved := plan.version
			moved.No, moved.EffectiveFrom, moved.CreatedAt, moved.CreatedBy = plan.lastNo+1, from, s.now, by.UserID
			if moved.ConfirmBy != nil {
				confirmBy := from.Add(ConfirmTime)
				moved.ConfirmBy, moved.Until = &confirmBy, &confirmBy
			}
			if i == 0 {
				leader = policyVersionKey{plan.policyID, moved.No}
			} else {
				moved.movedFor = &leader
			}
			if err := s.store(ctx, plan.policyID, &moved); err != nil {
				return err
			}
			if err := s.note(ctx, "policy.plan_moved", plan.policyID, &plan.version, &moved); err != nil {
				return err
			}
		}
		for _, plan := range plans {
			if held := s.regained(plan.policyID, s.now); len(held) > 0 {
				return s.targetConflict(ctx, held)
			}
		}
		return nil
	})
}

// CancelPlan cancels the planned version of a policy and the plans that go
// with it. It refuses with TargetConflict when another plan counts on it, and a
// policy that has not begun yet, which can only be deleted.
func (db *DB) CancelPlan(ctx context.Context, by Actor, id int64, ifMatch int32) (Policy, error) {
	return db.changePolicy(ctx, by, id, ifMatch, func(s *saving, p Policy) error { return s.cancelPlan(ctx, p) })
}

func (s *saving) cancelPlan(ctx context.Context, p Policy) error {
	switch {
	case p.Plan == nil:
		return Conflict("policy.plan.none")
	case !p.InForce:
		return Invalid("policy.plan.first")
	}
	plans, err := s.cancel(ctx, p.ID, p.Plan)
	if err != nil {
		return err
	}
	for _, plan := range plans {
		if held := s.regained(plan.policyID, s.now); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
		if err := s.note(ctx, "policy.plan_cancelled", plan.policyID, &plan.version, nil); err != nil {
			return err
		}
		s.messages = append(s.messages, policyChanged{s.kind, plan.policyID, plan.version.No, s.now})
	}
	return nil
}

// plan is a version that lies ahead.
type plan struct {
	policyID int64
	lastNo   int32
	version  Version
}

// cancel takes a plan and those of the same stamp out of the future, the one
// that the others release targets for first.
func (s *saving) cancel(ctx context.Context, id int64, planned *Version) ([]plan, error) {
	keys, err := s.together(ctx, id, planned)
	if err != nil {
		return nil, err
	}
	var plans []plan
	for _, key := range keys {
		p, _, err := s.history(ctx, s.by.CompanyID, key.policyID, s.now)
		if err != nil {
			return nil, err
		}
		if p.Plan == nil || p.Plan.No != key.no {
			continue
		}
		plans = append(plans, plan{key.policyID, p.LastNo, *p.Plan})
		arg := cancelVersionParams{CompanyID: s.by.CompanyID, PolicyID: key.policyID, No: key.no, Now: s.now}
		if err := s.cancelVersion(ctx, arg); err != nil {
			return nil, err
		}
		s.timeline = s.timeline.without(func(v *span) bool { return v.PolicyID == key.policyID && v.No == key.no })
	}
	return plans, nil
}
