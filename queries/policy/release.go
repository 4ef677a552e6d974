package policy

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"officeconsole/queries"
)

// NameTargets sets the names of targets. A target that does not exist gets
// none.
func (s *Store) NameTargets(ctx context.Context, companyID int64, targets []Target) ([]Target, error) {
	nodes := make([]node, len(targets))
	for i, t := range targets {
		nodes[i] = t.node()
	}
	names, err := s.nodeNames(ctx, companyID, nodes)
	if err != nil {
		return nil, err
	}
	named := slices.Clone(targets)
	for i, t := range named {
		named[i].Name = names[t.node()].name
	}
	return named, nil
}

// TakenTargets returns the targets that other policies of the kind hold, now or
// by planned versions, without their names: those that a version of the excepted
// policy that starts now could not list as well. Targets that this policy holds
// itself are not among them.
func (s *Store) TakenTargets(ctx context.Context, companyID int64, kind string, except int64) ([]TakenTarget, error) {
	now := s.db.Now()
	t, err := s.ReadTimeline(ctx, companyID, kind, now)
	if err != nil {
		return nil, err
	}
	return t.takenFor(except, now), nil
}

func (t *Timeline) takenFor(policyID int64, now time.Time) []TakenTarget {
	saved := &Span{policySpansRow: policySpansRow{PolicyID: policyID, No: math.MaxInt32, EffectiveFrom: now}}
	from, until := t.possible(saved)
	var all []TakenTarget
	for n, listings := range t.listings {
		if own, isListed := t.listedBy(n, now); isListed && own.PolicyID == policyID {
			continue
		}
		var holders []*Span
		target := Target{Type: n.kind, ID: n.id}
		for _, l := range listings {
			begin, end := t.possible(l.Span)
			if l.PolicyID == policyID || !overlap(from, until, begin, end) {
				continue
			}
			if holders == nil {
				target.IncludeChildren = l.includeChildren
			}
			holders = append(holders, l.Span)
		}
		if holders != nil {
			all = append(all, t.newTakenTarget(target, holders, now))
		}
	}
	slices.SortFunc(all, func(a, b TakenTarget) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID)) })
	return all
}

// Holder returns the id of the policy of a kind that lists a target now. A target
// that no policy lists now is NotFound.
func (s *Store) Holder(ctx context.Context, companyID int64, kind string, target Target) (policyID int64, err error) {
	now := s.db.Now()
	t, err := s.ReadTimeline(ctx, companyID, kind, now)
	if err != nil {
		return 0, err
	}
	l, isListed := t.listedBy(target.node(), now)
	if !isListed {
		return 0, queries.NotFound
	}
	return l.PolicyID, nil
}
