package identity

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Profile is what the profile page shows besides the Person.
type Profile struct {
	EmployeeID, CompanyPhone, PersonalPhone, Rank, Role string

	DepartmentPaths []string           // the default department first
	Viewed          []ViewedDepartment // by path
}

// ViewedDepartment is a department whose users' attendance a user may see.
type ViewedDepartment struct {
	Path    string
	Below   bool // whether its descendants are included
	MayEdit bool
}

// Profile returns the profile of a user. scope is that of
// attendance.Store.Scope.
func (s *Store) Profile(ctx context.Context, p directory.Person, scope directory.Scope) (Profile, error) {
	ids, viewed, err := s.viewedDepartments(ctx, p, scope)
	if err != nil {
		return Profile{}, err
	}
	row, err := s.profile(ctx, profileParams{CompanyID: p.CompanyID, UserID: p.ID, ViewedIds: ids})
	if err != nil {
		return Profile{}, fmt.Errorf("profile of %d: %w", p.ID, err)
	}
	for i, path := range row.ViewedPaths {
		viewed[i].Path = path
	}
	slices.SortFunc(viewed, func(a, b ViewedDepartment) int { return cmp.Compare(a.Path, b.Path) })
	return Profile{row.EmployeeID, row.CompanyPhone, row.PersonalPhone, row.Rank, row.Role, row.DepartmentPaths, viewed}, nil
}

// viewedDepartments returns the departments of a scope as a short list: a
// department stands for its subtree if the scope treats all of it alike. For an
// administrator it is empty. The paths are not set.
func (s *Store) viewedDepartments(ctx context.Context, p directory.Person, scope directory.Scope) (ids []int64, viewed []ViewedDepartment, err error) {
	if len(scope.DepartmentIDs) == 0 {
		return nil, nil, nil
	}
	all, err := s.policy.Tree(ctx, p)
	if err != nil {
		return nil, nil, fmt.Errorf("departments that %d may see: %w", p.ID, err)
	}
	below := shortest(all, scope)
	for _, id := range scope.DepartmentIDs {
		if withBelow, named := below[id]; named {
			ids, viewed = append(ids, id), append(viewed, ViewedDepartment{Below: withBelow, MayEdit: scope.MayEdit(id)})
		}
	}
	return ids, viewed, nil
}

// shortest returns the departments that describe a scope, and whether each
// stands for its subtree.
func shortest(all policy.Tree, scope directory.Scope) map[int64]bool {
	access := func(id int64) [2]bool { return [2]bool{scope.Includes(id), scope.MayEdit(id)} }
	deepestFirst := slices.SortedFunc(slices.Values(all.Departments), func(a, b policy.TreeDepartment) int {
		return cmp.Compare(len(b.Ancestors), len(a.Ancestors))
	})
	parent, mixed, hasBelow := map[int64]int64{}, map[int64]bool{}, map[int64]bool{}
	for _, d := range deepestFirst {
		if len(d.Ancestors) < 2 {
			continue
		}
		above := d.Ancestors[len(d.Ancestors)-2]
		parent[d.ID], hasBelow[above] = above, true
		mixed[above] = mixed[above] || mixed[d.ID] || access(above) != access(d.ID)
	}
	named := map[int64]bool{}
	for _, id := range scope.DepartmentIDs {
		above := parent[id]
		if covered := above != 0 && !mixed[above] && access(above) == access(id); !covered {
			named[id] = hasBelow[id] && !mixed[id]
		}
	}
	return named
}
