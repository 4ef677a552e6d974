package queries

import "context"

// membersBefore are the people of a filter before a place, the nearest first.
func (l *statusList) membersBefore(ctx context.Context, f DirectoryFilter, before DirectoryPlace, size int32) ([]int64, error) {
	var departments []int64
	if all := f.Scope.Everybody && f.DepartmentID == 0; !all {
		var err error
		if departments, err = l.departmentsOf(ctx, f.CompanyID, f.DepartmentID, f.Scope); err != nil || len(departments) == 0 {
			return nil, err
		}
	}
	one, two, three := f.Search.Patterns()
	planned := New(freshlyPlanned{l.pool})
	switch {
	case departments != nil && (len(departments) <= fewDepartments || l.narrowed && l.sparse):
		return planned.userIDsOfFewDepartmentsBefore(ctx, userIDsOfFewDepartmentsBeforeParams{
			CompanyID: f.CompanyID, DepartmentIds: departments, Pattern1: one, Pattern2: two, Pattern3: three,
			BeforeName: before.Name, BeforeID: before.ID, Size: size,
		})
	case !f.Search.Empty():
		return planned.searchedIDsBefore(ctx, searchedIDsBeforeParams{
			CompanyID: f.CompanyID, DepartmentIds: departments, Grams: f.Search.Grams, Pattern1: one, Pattern2: two, Pattern3: three,
			BeforeName: before.Name, BeforeID: before.ID, Size: size,
		})
	}
	return planned.userIDsByNameBefore(ctx, userIDsByNameBeforeParams{
		CompanyID: f.CompanyID, DepartmentIds: departments, BeforeName: before.Name, BeforeID: before.ID, Size: size,
	})
}
