package queries

import (
	"context"
	"slices"
	"time"
)

// stampMember is a version of a stamp: of the version that took targets from
// other policies, or of one that such a policy got because of it.
type stampMember struct {
	policy  Policy
	version Version
	earlier *Version // what would be in force without it; nil if nothing would
}

// takeBack takes a version back, with all of its stamp: a plan is cancelled, a
// policy that began with it is deleted, any other gets what it had before as
// another version. What was taken back so can be taken back again. It is a
// Conflict unless each is still the newest of its policy.
func (s *saving) takeBack(ctx context.Context, key policyVersionKey, confirmed bool) error {
	stamp, err := s.stampOf(ctx, key)
	if err != nil {
		return err
	}
	leader := stamp[0]
	if leader.deletedFor(stamp, key) {
		return s.bringBackWhole(ctx, leader.policy, confirmed)
	}
	for _, m := range stamp {
		over := m.version.Until != nil && !m.version.Until.After(s.now)
		if m.policy.LastNo != m.version.No || m.policy.DeletedAt != nil || over {
			return Conflict("change.revert.changed")
		}
	}
	switch ahead := leader.version.EffectiveFrom.After(s.now); {
	case leader.earlier == nil:
		if _, err := s.delete(ctx, leader.policy, confirmed); err != nil || ahead {
			return err
		}
		return s.saveAgain(ctx, stamp[1:], &policyVersionKey{leader.policy.ID, leader.version.No}, confirmed)
	case ahead:
		return s.cancelPlan(ctx, leader.policy)
	}
	return s.saveAgain(ctx, stamp, nil, confirmed)
}

// deletedFor tells whether a version of the stamp got back what the policy had
// taken when that was deleted, and is still the newest of its policy.
func (m stampMember) deletedFor(stamp []stampMember, key policyVersionKey) bool {
	return m.policy.DeletedAt != nil && slices.ContainsFunc(stamp[1:], func(other stampMember) bool {
		return other.policy.ID == key.policyID && other.policy.LastNo == key.no && other.version.No == key.no && other.version.CreatedAt.Equal(*m.policy.DeletedAt)
	})
}

// bringBackWhole brings a deleted policy back with all its targets, else it is a
// Conflict.
func (s *saving) bringBackWhole(ctx context.Context, p Policy, confirmed bool) error {
	lost, err := s.bringBack(ctx, p.ID, confirmed)
	if err == nil && len(lost) > 0 {
		return Conflict("policy.targets.taken")
	}
	return err
}

// saveAgain gives each policy of a stamp what it had before, all at once, since
// some may give up what others get. They are one stamp again, whose first
// version is lead or, for nil, the first policy's.
func (s *saving) saveAgain(ctx context.Context, stamp []stampMember, lead *policyVersionKey, confirmed bool) error {
	again, spans := make([]Version, len(stamp)), make([]*span, len(stamp))
	for i, m := range stamp {
		if m.earlier == nil {
			return Conflict("change.revert.changed")
		}
		draft := m.earlier.Draft(m.policy)
		draft.EffectiveFrom = Start{}
		draft, from, err := s.accept(ctx, m.policy.ID, draft)
		if err != nil {
			return err
		}
		again[i] = draft.version(m.policy.LastNo+1, from, s)
		again[i].EffectiveFrom, again[i].movedFor = again[0].EffectiveFrom, lead
		if lead == nil {
			lead = &policyVersionKey{m.policy.ID, again[i].No}
		}
		spans[i] = s.spanOf(m.policy.ID, &again[i])
	}
	after := s.timeline.with(spans...)
	for _, added := range spans {
		if held := after.takenBy(added); len(held) > 0 {
			return s.targetConflict(ctx, held)
		}
	}
	for i, m := range stamp {
		if i == 0 {
			if err := s.weigh(ctx, &again[0], after, confirmed); err != nil {
				return err
			}
		}
		again[i].ConfirmBy, again[i].Until = again[0].ConfirmBy, again[0].Until
		if err := s.store(ctx, m.policy.ID, &again[i]); err != nil {
			return err
		}
		if err := s.note(ctx, "policy.version_restored", m.policy.ID, &m.version, &again[i]); err != nil {
			return err
		}
	}
	return nil
}

// planAgain plans a cancelled version again. It takes targets only from the
// policies that it would have taken them from.
func (s *saving) planAgain(ctx context.Context, key policyVersionKey, confirmed bool) error {
	stamp, err := s.stampOf(ctx, key)
	if err != nil {
		return err
	}
	for _, m := range stamp {
		if m.policy.LastNo != m.version.No || m.policy.DeletedAt != nil || m.version.CancelledAt == nil {
			return Conflict("change.revert.changed")
		}
	}
	leader := stamp[0]
	draft := leader.version.Draft(leader.policy)
	draft.EffectiveFrom, draft.Confirmed = Start{When: StartAt, At: leader.version.EffectiveFrom}, confirmed
	draft.Move, draft.Reason = true, leader.version.Reason
	added := s.spanOf(leader.policy.ID, &leader.version)
	added.Until = nil
	held := s.timeline.with(added).takenBy(added)
	for _, h := range held {
		if !slices.ContainsFunc(stamp[1:], func(m stampMember) bool { return m.policy.ID == h.by.PolicyID }) {
			return s.targetConflict(ctx, held)
		}
	}
	return s.append(ctx, leader.policy.ID, draft, "policy.plan_restored")
}

// stampOf reads the stamp of a version, the version that took the targets first.
func (s *saving) stampOf(ctx context.Context, key policyVersionKey) ([]stampMember, error) {
	first, err := s.memberOf(ctx, key)
	if err != nil {
		return nil, err
	}
	leader := key
	if first.version.movedFor != nil {
		leader = *first.version.movedFor
		if first, err = s.memberOf(ctx, leader); err != nil {
			return nil, err
		}
	}
	stamp := []stampMember{first}
	rows, err := s.releasingVersions(ctx, releasingVersionsParams{CompanyID: s.by.CompanyID, PolicyID: &leader.policyID, No: &leader.no})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		m, err := s.memberOf(ctx, policyVersionKey{row.PolicyID, row.No})
		if err != nil {
			return nil, err
		}
		stamp = append(stamp, m)
	}
	return stamp, nil
}

func (s *saving) memberOf(ctx context.Context, key policyVersionKey) (m stampMember, err error) {
	var versions []Version
	if m.policy, versions, err = s.history(ctx, s.by.CompanyID, key.policyID, s.now); err != nil {
		return m, err
	}
	at := slices.IndexFunc(versions, func(v Version) bool { return v.No == key.no })
	if at < 0 {
		return m, NotFound
	}
	m.version, m.earlier = versions[at], inForceWithout(versions, key.no, s.now)
	return m, nil
}

// inForceWithout is the version that would be in force at a time if it were not
// for one; nil if none would.
func inForceWithout(versions []Version, no int32, at time.Time) *Version {
	var found *Version
	for i := range versions {
		v := &versions[i]
		if v.No != no && v.covers(at) && (found == nil || newest(*v, *found) < 0) {
			found = v
		}
	}
	return found
}
