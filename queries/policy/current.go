package policy

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/settings"
)

// Current returns the settings of a kind that apply to a person now, and NotFound for
// somebody to whom no policy applies. It is Effective for whoever is read with every
// request: it reads the database only if the company's policies or its directory have
// changed since the last call, and a version that begins meanwhile counts at once.
func (s *Store) Current(ctx context.Context, p directory.Person, kind string) (settings.Values, error) {
	now := s.db.Now()
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, now})
	if err != nil {
		return settings.Values{}, err
	}
	var ancestors []int64
	if p.DepartmentID != nil {
		all, err := s.Tree(ctx, p)
		if err != nil {
			return settings.Values{}, err
		}
		ancestors = all.Ancestors(*p.DepartmentID)
	}
	span := t.Resolve(p.ID, ancestors, now)
	if span == nil {
		return settings.Values{}, queries.NotFound
	}
	return span.Settings(), nil
}
