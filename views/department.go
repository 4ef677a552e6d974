package views

import "officeconsole/queries/lists"

// DepartmentFilter is a field of up to lists.MostDepartments departments.
type DepartmentFilter struct {
	Label   string
	Chosen  lists.DepartmentIDs
	Earlier []Option // those that were chosen before the last one
	Options []Option // in place of the last one; the first of them is every department
	Further []Option // to choose as well

	Without func(lists.DepartmentIDs) string // the address of the list with these departments only
}

// isFull reports whether no further department can be chosen.
func (f DepartmentFilter) isFull() bool { return len(f.Chosen) == lists.MostDepartments }
