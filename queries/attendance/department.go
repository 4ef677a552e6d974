package attendance

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// Department is a department to choose, with the number of its ancestors that
// can be chosen too.
type Department struct {
	ID    int64
	Name  string
	Depth int
}

// Departments returns the departments for navigating from a department: its
// ancestors, itself and its children. For id 0 they are the topmost departments
// that the user may see. A department that the user may not see is NotFound.
func (s *Store) Departments(ctx context.Context, p directory.Person, scope RecordScope, departmentID int64) ([]Department, error) {
	all, err := s.policy.Tree(ctx, p)
	if err != nil {
		return nil, err
	}
	var above []int64 // the ids of the ancestors, the department itself last
	if chosen := all.Department(departmentID); chosen != nil && scope.Includes(departmentID) {
		above = slices.DeleteFunc(slices.Clone(chosen.Ancestors), func(id int64) bool { return !scope.Includes(id) })
	}
	if departmentID != 0 && above == nil {
		return nil, fmt.Errorf("department %d: %w", departmentID, queries.NotFound)
	}
	var rows []policy.TreeDepartment
	for _, d := range all.Departments {
		if slices.Contains(above, d.ID) || scope.Includes(d.ID) && isDirectChild(d.Ancestors, departmentID, scope) {
			rows = append(rows, d)
		}
	}
	slices.SortFunc(rows, func(a, b policy.TreeDepartment) int { return int(a.Position - b.Position) })
	departments := make([]Department, len(rows))
	for i, d := range rows {
		depth := slices.Index(above, d.ID)
		if depth < 0 {
			depth = len(above)
		}
		departments[i] = Department{d.ID, d.Name, depth}
	}
	return departments, nil
}

// DepartmentChoices are the departments that a filter of several offers.
type DepartmentChoices struct {
	Earlier []Department // that were chosen before the last one
	Near    []Department // for navigating from the one that was chosen last
	Further []Department // to choose as well; none without a choice or at the limit
}

// DepartmentChoices returns the departments that a filter offers. A chosen department
// that the user may not see is NotFound.
func (s *Store) DepartmentChoices(ctx context.Context, p directory.Person, scope RecordScope, chosen lists.DepartmentIDs) (c DepartmentChoices, err error) {
	if c.Near, err = s.Departments(ctx, p, scope, chosen.Last()); err != nil || len(chosen) == 0 {
		return c, err
	}
	all, err := s.policy.Tree(ctx, p)
	if err != nil {
		return c, err
	}
	for _, id := range chosen.Earlier() {
		d := all.Department(id)
		if d == nil || !scope.Includes(id) {
			return c, fmt.Errorf("department %d: %w", id, queries.NotFound)
		}
		c.Earlier = append(c.Earlier, Department{ID: id, Name: d.Name})
	}
	if len(chosen) < lists.MostDepartments {
		c.Further = furtherDepartments(all, scope, chosen)
	}
	return c, nil
}

// furtherDepartments returns, in the order of the tree, the topmost departments that a
// scope includes and those beside and above the chosen ones, which are left out.
func furtherDepartments(all policy.Tree, scope RecordScope, chosen []int64) []Department {
	above := map[int64]bool{0: true}
	for _, id := range chosen {
		for _, ancestor := range all.Department(id).Ancestors {
			above[ancestor] = ancestor != id
		}
	}
	var rows []policy.TreeDepartment
	depths := map[int64]int{} // of the offered ones
	for _, d := range all.Departments {
		if !scope.Includes(d.ID) || slices.Contains(chosen, d.ID) {
			continue
		}
		for parent := range above {
			if above[parent] && isDirectChild(d.Ancestors, parent, scope) {
				rows = append(rows, d)
				break
			}
		}
	}
	slices.SortFunc(rows, func(a, b policy.TreeDepartment) int { return int(a.Position - b.Position) })
	departments := make([]Department, len(rows))
	for i, d := range rows {
		depth := 0
		for _, ancestor := range d.Ancestors[:len(d.Ancestors)-1] {
			if at, offered := depths[ancestor]; offered {
				depth = at + 1
			}
		}
		depths[d.ID] = depth
		departments[i] = Department{d.ID, d.Name, depth}
	}
	return departments
}

// isDirectChild reports whether a department is a child of another one. For
// departmentID 0 it reports whether the department is a child of the root, or
// topmost in the scope.
func isDirectChild(ancestors []int64, departmentID int64, scope RecordScope) bool {
	last := len(ancestors) - 1
	switch {
	case last == 0:
		return false
	case departmentID != 0:
		return ancestors[last-1] == departmentID
	}
	return last == 1 || !scope.Includes(ancestors[last-1])
}
