package policy

import (
	"context"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// AffectedPerson is a user for whom a draft changes something.
type AffectedPerson struct {
	ID         int64
	Name       string
	Department string // its name
}

// AffectedPeople returns by name some of the users who gain, lose or change by
// a draft (see PreviewDraft).
func (store *Store) AffectedPeople(ctx context.Context, by queries.Actor, draft Draft, policyID int64, most int) ([]AffectedPerson, error) {
	s, added, err := store.trial(ctx, by, draft, policyID)
	if err != nil {
		return nil, err
	}
	after := s.timeline.saved(added, s.timeline.with(added).takenBy(added))
	return store.peopleWith(ctx, s, added, after, most, func(e effect) bool { return e.people > 0 })
}

// peopleWith returns by name some of the users on whom a version has an effect.
func (store *Store) peopleWith(ctx context.Context, s *previewer, added *Span, after *Timeline, most int, has func(effect) bool) ([]AffectedPerson, error) {
	c := comparison{preview: &Preview{}, policyID: added.PolicyID, settings: map[string]int{}, keys: map[[2]*Span][]string{}}
	departments, err := s.peopleByDepartment(ctx, s.by.CompanyID)
	if err != nil {
		return nil, err
	}
	scope := directory.Scope{}
	for _, d := range departments {
		if has(c.count(s.timeline.inherit(d.Ancestors, added.EffectiveFrom), after.inherit(d.Ancestors, added.EffectiveFrom), 1)) {
			scope.DepartmentIDs = append(scope.DepartmentIDs, d.ID)
		}
	}
	slices.Sort(scope.DepartmentIDs)
	// Members who are listed themselves may not be affected, so more are read
	// than are needed.
	looked := int32(10 * most)
	members, err := store.directory.UserIDs(ctx, directory.UserFilter{CompanyID: s.by.CompanyID, Scope: scope}, lists.PersonKey{}, looked)
	if err != nil {
		return nil, err
	}
	listed, err := s.listedUserIDs(ctx, listedUserIDsParams{
		CompanyID: s.by.CompanyID, Ids: listedPeople(s.timeline, after), Everywhere: true, Pattern1: "%", Pattern2: "%", Pattern3: "%", Size: looked,
	})
	if err != nil {
		return nil, err
	}
	rows, err := s.statusInOrder(ctx, statusInOrderParams{s.by.CompanyID, slices.Concat(members, listed)})
	var affected []AffectedPerson
	for _, row := range rows {
		before := s.timeline.resolve(row.ID, row.Ancestors, added.EffectiveFrom)
		if len(affected) < most && !row.Bot && has(c.count(before, after.resolve(row.ID, row.Ancestors, added.EffectiveFrom), 1)) {
			affected = append(affected, AffectedPerson{row.ID, row.Name, row.DepartmentName})
		}
	}
	return affected, err
}
