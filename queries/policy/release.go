package policy

import (
	"cmp"
	"context"
	"slices"
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
// by planned versions, without their names.
func (s *Store) TakenTargets(ctx context.Context, companyID int64, kind string, except int64) ([]TakenTarget, error) {
	now := s.db.Now()
	t, err := s.ReadTimeline(ctx, companyID, kind, now)
	if err != nil {
		return nil, err
	}
	var all []TakenTarget
	for key, listings := range t.listings {
		for _, l := range listings {
			begin, until := t.possible(l.Span)
			if l.PolicyID != except && overlap(now, nil, begin, until) {
				all = append(all, TakenTarget{Target{Type: key.kind, ID: key.id, IncludeChildren: l.includeChildren}, l.PolicyID, l.Name})
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b TakenTarget) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}
