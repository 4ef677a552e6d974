package directory

import (
	"slices"
)

// Scope is whose data a person may see: everybody's, or that of the people in
// some departments. An ordinary employee has neither.
type Scope struct {
	Everybody     bool    // sees and edits
	DepartmentIDs []int64 // ascending
	EditIDs       []int64 // those of them whose people's attendance may be edited too, ascending
}

// Includes reports whether a department is in the scope.
func (s Scope) Includes(departmentID int64) bool {
	_, found := slices.BinarySearch(s.DepartmentIDs, departmentID)
	return s.Everybody || found
}

// MayEdit reports whether the attendance of a department's people may be edited
// or deleted (spec §6).
func (s Scope) MayEdit(departmentID int64) bool {
	_, found := slices.BinarySearch(s.EditIDs, departmentID)
	return s.Everybody || found
}

// RoleCommute marks a commute permission whose holder may also edit (spec §6).
const RoleCommute = "ROLE_W_COMMUTE"
