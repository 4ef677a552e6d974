package policy

import (
	"context"
	"slices"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// idRange is a range of users by name or, backward, in the reverse order.
type idRange struct {
	ids  []int64
	last int64 // the last user, if there may be others after it; 0 at the end
}

// newIDRange returns the range of a result, which is at its end if it has fewer
// than size ids.
func newIDRange(ids []int64, size int) idRange {
	s := idRange{ids: ids}
	if len(ids) == size {
		s.last = ids[size-1]
	}
	return s
}

// members returns the next users in departments that may be chosen.
func (l *statusList) members(ctx context.Context, from lists.PersonKey, size int) (idRange, error) {
	var departments []int64 // nil for every department
	if l.narrowed {
		if departments = l.departments; len(departments) == 0 {
			return idRange{}, nil
		}
	}
	switch {
	case l.narrowed && (l.sparse || len(departments) <= directory.FewDepartments):
		return l.membersOfFewDepartments(ctx, departments, from, size)
	case !l.filter.Search.Empty():
		return l.membersBySearch(ctx, departments, from, size)
	}
	return l.membersByWalk(ctx, departments, from, size)
}

// membersByWalk reads members by name and skips those who cannot be chosen. It
// skips them here because reading what a page shows of a user takes longer than
// reading the user's department.
func (l *statusList) membersByWalk(ctx context.Context, departments []int64, from lists.PersonKey, size int) (s idRange, err error) {
	members, err := l.membersFrom(ctx, departments, from, size)
	if err != nil {
		return s, err
	}
	for _, m := range members {
		if !l.mayChoose(m) {
			continue
		}
		s.ids = append(s.ids, m.ID)
		if len(l.found)+len(s.ids) > l.filter.Limit {
			s.last = m.ID
			return s, nil
		}
	}
	if len(members) == size {
		s.last = members[size-1].ID
		if !slices.Contains(s.ids, s.last) {
			s.ids = append(s.ids, s.last)
		}
	}
	return s, nil
}

// mayChoose reports whether the filter may choose a member. It is also true for
// a department that the tree does not have yet.
func (l *statusList) mayChoose(m membersByNameRow) bool {
	d := l.tree.Department(m.DepartmentID)
	if d == nil {
		return true
	}
	_, chosen := l.choosesUser(m.ID, d.Ancestors)
	return chosen && l.inSubtree(d.Ancestors)
}

func (l *statusList) membersFrom(ctx context.Context, departments []int64, from lists.PersonKey, size int) ([]membersByNameRow, error) {
	statements := New(l.db.CustomPlan())
	if departments == nil {
		statements = New(l.db.GenericPlan()) // there is nothing to choose from but the order of the names
	}
	if !l.filter.Cursor.IsBackward() {
		return statements.membersByName(ctx, membersByNameParams{l.companyID, departments, from.Name, from.ID, int32(size)})
	}
	rows, err := statements.membersByNameBefore(ctx, membersByNameBeforeParams{l.companyID, departments, from.Name, from.ID, int32(size)})
	members := make([]membersByNameRow, len(rows))
	for i, row := range rows {
		members[i] = membersByNameRow(row)
	}
	return members, err
}

func (l *statusList) membersOfFewDepartments(ctx context.Context, departments []int64, from lists.PersonKey, size int) (idRange, error) {
	one, two, three := l.filter.Search.ThreePatterns()
	planned := New(l.db.CustomPlan())
	var ids []int64
	var err error
	if l.filter.Cursor.IsBackward() {
		ids, err = planned.userIDsOfFewDepartmentsBefore(ctx, userIDsOfFewDepartmentsBeforeParams{
			CompanyID: l.companyID, DepartmentIds: departments, Pattern1: one, Pattern2: two, Pattern3: three,
			BeforeName: from.Name, BeforeID: from.ID, Size: int32(size),
		})
	} else {
		ids, err = directory.New(l.db.CustomPlan()).UserIDsOfFewDepartments(ctx, directory.UserIDsOfFewDepartmentsParams{
			CompanyID: l.companyID, DepartmentIds: departments, Pattern1: one, Pattern2: two, Pattern3: three,
			AfterName: from.Name, AfterID: from.ID, Size: int32(size),
		})
	}
	return newIDRange(ids, size), err
}

func (l *statusList) membersBySearch(ctx context.Context, departments []int64, from lists.PersonKey, size int) (idRange, error) {
	ids, err := l.directory.SearchUserIDs(ctx, directory.UserSearch{
		CompanyID: l.companyID, Departments: departments, Search: l.filter.Search, From: from, Backward: l.filter.Cursor.IsBackward(), Size: size,
	})
	return newIDRange(ids, size), err
}

// listedPeople returns the next users who may be chosen because policies list
// them themselves.
func (l *statusList) listedPeople(ctx context.Context, from lists.PersonKey, size int) (idRange, error) {
	if !l.narrowed || len(l.listed) == 0 {
		return idRange{}, nil
	}
	one, two, three := l.filter.Search.ThreePatterns()
	arg := listedUserIDsParams{
		CompanyID: l.companyID, Ids: l.listed, Everywhere: l.filter.DepartmentID == 0, DepartmentIds: l.subtree,
		Pattern1: one, Pattern2: two, Pattern3: three, AfterName: from.Name, AfterID: from.ID, Size: int32(size),
	}
	if !l.filter.Cursor.IsBackward() {
		ids, err := l.listedUserIDs(ctx, arg)
		return newIDRange(ids, size), err
	}
	ids, err := l.listedUserIDsBefore(ctx, listedUserIDsBeforeParams{
		CompanyID: l.companyID, Ids: l.listed, Everywhere: arg.Everywhere, DepartmentIds: l.subtree,
		Pattern1: one, Pattern2: two, Pattern3: three, BeforeName: from.Name, BeforeID: from.ID, Size: int32(size),
	})
	return newIDRange(ids, size), err
}
