package directory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"officeconsole/queries/lists"
)

// FoundUser is a person as a search of the whole console shows them.
type FoundUser = foundUsersRow

// lastOfCollation is behind every other character in the collation of names.
const lastOfCollation = "\uffff"

// FindUsers returns the users of the scope whom a search finds, at most Limit of
// them, the best match first. Bots and hidden users are left out.
func (s *Store) FindUsers(ctx context.Context, f UserFilter) ([]FoundUser, error) {
	if f.Search.Empty() || !f.Scope.Everybody && len(f.Scope.DepartmentIDs) == 0 {
		return nil, nil
	}
	found, complete, err := s.fewUsers(ctx, f)
	if err == nil && !complete {
		found, err = s.manyUsers(ctx, f)
	}
	if err != nil {
		return nil, fmt.Errorf("find people: %w", err)
	}
	slices.SortStableFunc(found, func(a, b FoundUser) int {
		return cmp.Compare(f.Search.Rank(a.Name), f.Search.Rank(b.Name))
	})
	return found[:min(len(found), f.Limit)], nil
}

// fewHolders is the number of users from which on fewUsers leaves a search to
// manyUsers, which for frequent texts reads less.
const fewHolders = 100

// fewUsers returns all users whom the search finds, by the index of grams. If they
// are many, complete is false and it returns nobody. A scope of departments has
// statements of its own.
func (s *Store) fewUsers(ctx context.Context, f UserFilter) (found []FoundUser, complete bool, err error) {
	if len(f.Search.Grams) == 0 || !f.Scope.Everybody || f.DepartmentID != 0 {
		return nil, false, nil
	}
	frequent, err := s.areFrequent(ctx, f.Search.Grams)
	if err != nil || frequent {
		return nil, false, err
	}
	one, two, three := f.Search.ThreePatterns()
	holders, err := s.usersWithGrams(ctx, usersWithGramsParams{
		CompanyID: f.CompanyID, Grams: f.Search.Grams, Most: fewHolders, Pattern1: one, Pattern2: two, Pattern3: three,
	})
	if err != nil || len(holders) >= fewHolders {
		return nil, false, err
	}
	for _, u := range holders {
		if u.Found {
			found = append(found, FoundUser{ID: u.ID, Name: u.Name, ImageHash: u.ImageHash, Email: u.Email, Position: u.Position, Department: u.Department})
		}
	}
	return found, true, nil
}

// manyUsers returns users whom the search finds: those whose names begin with it,
// and if these are not enough, the first others by name.
func (s *Store) manyUsers(ctx context.Context, f UserFilter) ([]FoundUser, error) {
	found, err := s.usersBeginning(ctx, f)
	if err != nil || len(found) >= f.Limit {
		return found, err
	}
	more, err := s.usersContaining(ctx, f)
	for _, u := range more {
		if !slices.ContainsFunc(found, func(other FoundUser) bool { return other.ID == u.ID }) {
			found = append(found, u)
		}
	}
	return found, err
}

// usersBeginning returns the users whose names begin with what was typed. In a
// large company these are usually enough, and the index of names has them side by
// side. A scope of departments has no such index.
func (s *Store) usersBeginning(ctx context.Context, f UserFilter) ([]FoundUser, error) {
	beginning := f.Search.Beginning()
	if beginning == "" || !f.Scope.Everybody {
		return nil, nil
	}
	one, two, three := f.Search.ThreePatterns()
	rows, err := s.usersByBeginning(ctx, usersByBeginningParams{
		CompanyID: f.CompanyID, Beginning: beginning, Before: beginning + lastOfCollation,
		Pattern1: one, Pattern2: two, Pattern3: three, Size: int32(f.Limit),
	})
	found := make([]FoundUser, len(rows))
	for i, row := range rows {
		found[i] = FoundUser(row)
	}
	return found, err
}

// usersContaining returns users whom the search finds anywhere, the first by name.
func (s *Store) usersContaining(ctx context.Context, f UserFilter) ([]FoundUser, error) {
	ids, err := s.UserIDs(ctx, f, lists.PersonKey{}, int32(f.Limit)+1)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return s.foundUsers(ctx, foundUsersParams{CompanyID: f.CompanyID, Ids: ids})
}
