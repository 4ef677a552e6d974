package attendance

import (
	"context"
	"fmt"

	"officeconsole/queries/directory"
)

// RecordScope says whose attendance a person may see: everybody's, that of
// the people who were in some departments on the day, and always their own.
type RecordScope struct {
	directory.Scope
	UserID int64
}

// RecordScope is the scope of a person, for pages, calls and exports alike
// (spec §6).
func (s *Store) RecordScope(ctx context.Context, p directory.Person) (RecordScope, error) {
	scope, err := s.Scope(ctx, p)
	return RecordScope{scope, p.ID}, err
}

// OwnOnly reports whether the person sees nobody else.
func (s RecordScope) OwnOnly() bool { return !s.Everybody && len(s.DepartmentIDs) == 0 }

// Sees reports whether the record of somebody, of a department on that day, may
// be seen.
func (s RecordScope) Sees(userID, departmentID int64) bool {
	return userID == s.UserID || s.Includes(departmentID)
}

// Edits reports whether the record may be edited or deleted. Nobody but an
// administrator edits their own.
func (s RecordScope) Edits(userID, departmentID int64) bool {
	return s.MayEdit(departmentID) && (s.Everybody || userID != s.UserID)
}

// EditsAnybody reports whether there are records that the person may edit.
func (s RecordScope) EditsAnybody() bool { return s.Everybody || len(s.EditIDs) > 0 }

// Scope answers whom a person may see: an administrator everybody, others the
// departments of their first commute permission, each with all its descendants
// (domain §9.6), and the management departments of their registrations as
// viewing-authority persons (spec §6). A hidden person sees nobody.
func (store *Store) Scope(ctx context.Context, p directory.Person) (directory.Scope, error) {
	switch {
	case p.HiddenAt != nil:
		return directory.Scope{}, nil
	case p.IsAdmin:
		return directory.Scope{Everybody: true}, nil
	}
	rows, err := store.visibleDepartments(ctx, visibleDepartmentsParams{CompanyID: p.CompanyID, UserID: p.ID, EditRole: directory.RoleCommute})
	if err != nil {
		return directory.Scope{}, fmt.Errorf("departments that %d may see: %w", p.ID, err)
	}
	var s directory.Scope
	for _, row := range rows {
		s.DepartmentIDs = append(s.DepartmentIDs, row.ID)
		if row.MayEdit {
			s.EditIDs = append(s.EditIDs, row.ID)
		}
	}
	return s, nil
}
