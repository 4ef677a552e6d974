package directory

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/search"
)

// ListedDepartment is a department as the directory lists it.
type ListedDepartment struct {
	ID          int64
	ParentID    *int64 // nil for the root department
	Name        string
	Path        string  // the names from the root down to it, joined by "/"
	ChildrenIDs []int64 // the children in the scope, in the order of the list
}

// Departments returns the departments of a scope by path. A search finds a
// department if every keyword is in the path and at least one in the
// department's own name.
func (s *Store) Departments(ctx context.Context, companyID int64, scope Scope, search search.Search) ([]ListedDepartment, error) {
	rows, err := s.scopedDepartments(ctx, companyID, scope)
	if err != nil {
		return nil, fmt.Errorf("departments: %w", err)
	}
	children := map[int64][]int64{}
	for _, row := range rows {
		if row.ParentID != nil {
			children[*row.ParentID] = append(children[*row.ParentID], row.ID)
		}
	}
	found := make([]ListedDepartment, 0, len(rows))
	finds := departmentMatcher(search, rows)
	for _, row := range rows {
		if finds(row) {
			found = append(found, ListedDepartment{row.ID, row.ParentID, row.Name, row.Path, children[row.ID]})
		}
	}
	return found, nil
}

func (s *Store) scopedDepartments(ctx context.Context, companyID int64, scope Scope) ([]departmentsRow, error) {
	if scope.Everybody {
		return s.departments(ctx, companyID)
	}
	rows, err := s.DepartmentsByID(ctx, DepartmentsByIDParams{CompanyID: companyID, Ids: scope.DepartmentIDs})
	departments := make([]departmentsRow, len(rows))
	for i, row := range rows {
		departments[i] = departmentsRow(row)
	}
	return departments, err
}

// departmentMatcher returns a function that reports whether a search finds a
// department of rows.
func departmentMatcher(s search.Search, rows []departmentsRow) func(departmentsRow) bool {
	if s.Empty() {
		return func(departmentsRow) bool { return true }
	}
	byID := make(map[int64]departmentsRow, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	all := uint8(1)<<len(s.Keywords) - 1
	above := map[int64]uint8{} // the keywords in a department's path, by department
	var found func(id int64) uint8
	found = func(id int64) uint8 {
		row, ok := byID[id]
		if !ok {
			return 0
		}
		bits, known := above[id]
		if !known {
			bits = keywordsIn(s, row.SearchText)
			if row.ParentID != nil {
				bits |= found(*row.ParentID)
			}
			above[id] = bits
		}
		return bits
	}
	return func(row departmentsRow) bool {
		return keywordsIn(s, row.SearchText) != 0 && found(row.ID) == all
	}
}

// keywordsIn returns a bit for each keyword that is in a stored search text.
func keywordsIn(s search.Search, text string) (bits uint8) {
	for i, keyword := range s.Keywords {
		if keyword.In(text) {
			bits |= 1 << i
		}
	}
	return bits
}

// subtreeInScope returns the departments of a subtree that are in the scope.
func (s *Store) subtreeInScope(ctx context.Context, companyID, departmentID int64, scope Scope) ([]int64, error) {
	if departmentID == 0 {
		return scope.DepartmentIDs, nil
	}
	ids, err := s.SubtreeIDs(ctx, SubtreeIDsParams{CompanyID: companyID, ID: departmentID})
	if err != nil {
		return nil, fmt.Errorf("subtree of departments: %w", err)
	}
	return slices.DeleteFunc(ids, func(id int64) bool { return !scope.Includes(id) }), nil
}
