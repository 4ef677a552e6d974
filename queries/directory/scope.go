package directory

import (
	"slices"
)

// Scope is whose data a user may see: everybody's, or that of the users in some
// departments. An ordinary employee has the zero scope.
type Scope struct {
	Everybody     bool    // the data of everybody, also to edit
	DepartmentIDs []int64 // ascending
	EditIDs       []int64 // those of DepartmentIDs whose attendance may be edited too, ascending
}

// Includes reports whether a department is in the scope.
func (s Scope) Includes(departmentID int64) bool {
	_, found := slices.BinarySearch(s.DepartmentIDs, departmentID)
	return s.Everybody || found
}

// MayEdit reports whether the attendance of a department's users may be edited
// or deleted (spec §6).
func (s Scope) MayEdit(departmentID int64) bool {
	_, found := slices.BinarySearch(s.EditIDs, departmentID)
	return s.Everybody || found
}

// RoleCommute is the role of a commute permission that also permits editing
// (spec §6).
const RoleCommute = "ROLE_W_COMMUTE"
