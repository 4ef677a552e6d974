package policy

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries"
)

// ResetAllowedAddresses allows every address again: each communication policy
// of a company that restricts addresses gets a version without the restriction,
// from now on. It returns the names of these policies. Planned versions do not
// change.
func (store *Store) ResetAllowedAddresses(ctx context.Context, companyID int64) (names []string, err error) {
	const kind = "communication"
	return inTx(ctx, store, func(ctx context.Context, q *Queries) ([]string, error) {
		s, err := q.beginSave(ctx, queries.Actor{CompanyID: companyID, Name: "officeconsole allow-ip reset"}, kind, store.db.Now())
		if err != nil {
			return nil, err
		}
		s.isAutomatic = true
		rows, err := q.listedPolicies(ctx, listedPoliciesParams{CompanyID: companyID, Kind: kind, At: s.now})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			h, err := s.loadExisting(ctx, row.ID)
			if err != nil {
				return nil, err
			}
			p := h.policy(s.now)
			open, listed, err := withoutAddresses(p.Version.Settings)
			if err != nil {
				return nil, err
			}
			if !listed {
				continue
			}
			draft := p.Version.Draft(p)
			draft.Settings, draft.Confirmed = open, true
			if err := s.append(ctx, h, draft, "policy.addresses_reset"); err != nil {
				return nil, err
			}
			names = append(names, p.Version.Name)
		}
		return names, s.finish(ctx)
	})
}

// withoutAddresses removes the restriction to addresses from settings, but not the
// list of addresses, and reports whether there was a restriction.
func withoutAddresses(differences json.RawMessage) (json.RawMessage, bool, error) {
	rest := map[string]json.RawMessage{}
	if err := json.Unmarshal(differences, &rest); err != nil {
		return nil, false, fmt.Errorf("stored settings: %w", err)
	}
	_, listed := rest["allowed_ip_mode"]
	delete(rest, "allowed_ip_mode")
	open, err := json.Marshal(rest)
	return open, listed, err
}
