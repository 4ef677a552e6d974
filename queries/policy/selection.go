package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"officeconsole/queries"
)

// Selection is policies that somebody selected together, as they are now.
type Selection struct {
	Policies []Policy
	Gone     []DeletedPolicy // those that were deleted since
}

// Selected returns policies of a kind, each once. NotFound means that the company never
// had one of them.
func (s *Store) Selected(ctx context.Context, companyID int64, kind string, ids []int64) (selected Selection, err error) {
	existing, gone, err := s.selected(ctx, companyID, kind, ids)
	for _, h := range existing {
		selected.Policies = append(selected.Policies, h.policy(s.db.Now()))
	}
	selected.Gone = gone
	return selected, err
}

func (s *Store) selected(ctx context.Context, companyID int64, kind string, ids []int64) (existing []*history, gone []DeletedPolicy, err error) {
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		h, err := s.readHistory(ctx, companyID, id)
		if err == nil && h.kind != kind {
			err = queries.NotFound
		}
		if err != nil {
			return nil, nil, err
		}
		if h.DeletedAt == nil {
			existing = append(existing, h)
			continue
		}
		deleted, err := s.deletedPolicy(ctx, companyID, h)
		if err != nil {
			return nil, nil, err
		}
		gone = append(gone, deleted)
	}
	return existing, gone, nil
}

func (s *Store) deletedPolicy(ctx context.Context, companyID int64, h *history) (DeletedPolicy, error) {
	by, err := s.policyDeletedBy(ctx, policyDeletedByParams{CompanyID: companyID, ID: h.id})
	if errors.Is(err, queries.NotFound) {
		err = nil
	}
	return DeletedPolicy{Policy: h.policy(s.db.Now()), By: by, At: *h.DeletedAt, Until: h.DeletedAt.Add(RestoreTime)}, err
}

// IsAlready reports whether a policy is enabled, or disabled, without being changed: now,
// or by a version that begins when the change would.
func (p Policy) IsAlready(enabled bool, now time.Time, zone *time.Location) bool {
	if p.Version.Enabled == enabled {
		return true
	}
	return p.Planned != nil && p.Planned.Enabled == enabled && usualStart(p.Kind) == StartNextWorkDate && p.Planned.EffectiveFrom.Equal(nextDay(now, zone))
}

// EnablingPreview is the effect of enabling or disabling policies together.
type EnablingPreview struct {
	Preview
	Selection          // its Policies are those that would change
	Already   []Policy // those that are enabled, or disabled, already
	Waiting   []Policy // those whose planned change has to be moved or cancelled first
}
