package directory

import (
	"context"
	"fmt"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// ListedUser is a user as the directory lists it.
type ListedUser = usersInOrderRow

// UserFilter chooses users of a company.
type UserFilter struct {
	CompanyID    int64
	Scope        Scope
	DepartmentID int64 // with its subtree; 0 for every department
	Search       search.Search
	Hidden       bool // includes hidden users
	Cursor       *lists.Cursor
	Limit        int
}

// UserList is the list name of the cursors of users.
const UserList = "people"

// Users lists users by name. The list is only read forward.
func (s *Store) Users(ctx context.Context, f UserFilter) (lists.Page[ListedUser], error) {
	page := lists.Page[ListedUser]{}
	if err := f.Cursor.CheckForward(UserList); err != nil {
		return page, err
	}
	ids, err := s.UserIDs(ctx, f, f.Cursor.Name(), int32(f.Limit)+1)
	if err != nil {
		return page, fmt.Errorf("people of the directory: %w", err)
	}
	var users []ListedUser
	if len(ids) > 0 {
		if users, err = s.usersInOrder(ctx, usersInOrderParams{CompanyID: f.CompanyID, Ids: ids}); err != nil {
			return page, fmt.Errorf("people of the directory: %w", err)
		}
	}
	page = lists.NewPage(users, f.Cursor, f.Limit, func(u ListedUser) lists.Cursor { return lists.Cursor{List: UserList, Value: u.Name, ID: u.ID} })
	page.ForwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// FewDepartments is the number of departments up to which the users of each
// department are read by its index and merged. For more departments it is
// faster to read the users of the company by name.
const FewDepartments = 64

func (s *Store) UserIDs(ctx context.Context, f UserFilter, after lists.PersonKey, size int32) ([]int64, error) {
	var departments []int64
	all := f.Scope.Everybody && f.DepartmentID == 0
	if !all {
		var err error
		if departments, err = s.subtreeInScope(ctx, f.CompanyID, f.DepartmentID, f.Scope); err != nil || len(departments) == 0 {
			return nil, err
		}
	}
	if !all && len(departments) <= FewDepartments {
		one, two, three := f.Search.ThreePatterns()
		return New(s.db.CustomPlan()).UserIDsOfFewDepartments(ctx, UserIDsOfFewDepartmentsParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, Pattern1: one, Pattern2: two, Pattern3: three,
			AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	}
	if !f.Search.Empty() {
		return s.SearchUserIDs(ctx, UserSearch{
			CompanyID: f.CompanyID, Hidden: f.Hidden, Departments: departments, Search: f.Search, From: after, Size: int(size),
		})
	}
	return New(s.db.CustomPlan()).userIDsByName(ctx, userIDsByNameParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, AfterName: after.Name, AfterID: after.ID, Size: size,
	})
}
