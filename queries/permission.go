package queries

import (
	"context"
	"fmt"
	"slices"
)

// RoleCommute marks a commute permission whose holder may also edit (spec §6).
const RoleCommute = "ROLE_W_COMMUTE"

// Scope says whose data a person may see: everybody's, or that of the people
// in some departments. An ordinary employee has neither.
type Scope struct {
	Everybody     bool    // sees and edits
	DepartmentIDs []int64 // ascending
	EditIDs       []int64 // those of them whose people's attendance may be edited too, ascending
}

// Includes tells whether a department is in the scope.
func (s Scope) Includes(departmentID int64) bool {
	_, found := slices.BinarySearch(s.DepartmentIDs, departmentID)
	return s.Everybody || found
}

// MayEdit tells whether the attendance of a department's people may be edited
// or deleted (spec §6).
func (s Scope) MayEdit(departmentID int64) bool {
	_, found := slices.BinarySearch(s.EditIDs, departmentID)
	return s.Everybody || found
}

// Scope answers whom a person may see: an administrator everybody, others the
// departments of their first commute permission, each with all its descendants
// (domain §9.6), and the management departments of their registrations as
// viewing-authority persons (spec §6). A hidden person sees nobody.
func (db *DB) Scope(ctx context.Context, p Person) (Scope, error) {
	switch {
	case p.HiddenAt != nil:
		return Scope{}, nil
	case p.IsAdmin:
		return Scope{Everybody: true}, nil
	}
	rows, err := db.visibleDepartments(ctx, visibleDepartmentsParams{CompanyID: p.CompanyID, UserID: p.ID, EditRole: RoleCommute})
	if err != nil {
		return Scope{}, fmt.Errorf("departments that %d may see: %w", p.ID, err)
	}
	var s Scope
	for _, row := range rows {
		s.DepartmentIDs = append(s.DepartmentIDs, row.ID)
		if row.MayEdit {
			s.EditIDs = append(s.EditIDs, row.ID)
		}
	}
	return s, nil
}
