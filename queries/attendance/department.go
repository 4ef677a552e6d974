package attendance

import (
	"cmp"
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
	rows := visibleChildren(all, scope, departmentID)
	for _, id := range above {
		rows = append(rows, all.Department(id))
	}
	slices.SortFunc(rows, byPosition)
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
	var rows []*policy.TreeDepartment
	for parent, offers := range above {
		if offers {
			rows = append(rows, visibleChildren(all, scope, parent)...)
		}
	}
	rows = slices.DeleteFunc(rows, func(d *policy.TreeDepartment) bool { return slices.Contains(chosen, d.ID) })
	slices.SortFunc(rows, byPosition)
	rows = slices.Compact(rows) // those below the root are the topmost ones, too
	depths := map[int64]int{}   // of the offered ones
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

// visibleChildren returns the children of a department that a scope includes. For 0
// these are the children of the root and the topmost departments of the scope.
func visibleChildren(all policy.Tree, scope RecordScope, departmentID int64) []*policy.TreeDepartment {
	var visible []*policy.TreeDepartment
	switch {
	case departmentID != 0:
		visible = all.Children(departmentID)
	case scope.Everybody:
		for _, root := range all.Children(0) {
			visible = append(visible, all.Children(root.ID)...)
		}
	default:
		for _, id := range scope.DepartmentIDs {
			if d := all.Department(id); d != nil && isTopmost(d.Ancestors, scope) {
				visible = append(visible, d)
			}
		}
	}
	return slices.DeleteFunc(visible, func(d *policy.TreeDepartment) bool { return !scope.Includes(d.ID) })
}

// isTopmost reports whether a department is below the root or a department that a
// scope does not include.
func isTopmost(ancestors []int64, scope RecordScope) bool {
	last := len(ancestors) - 1
	return last == 1 || last > 1 && !scope.Includes(ancestors[last-1])
}

func byPosition(a, b *policy.TreeDepartment) int { return cmp.Compare(a.Position, b.Position) }
