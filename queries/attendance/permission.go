package attendance

import (
	"context"
	"fmt"

	"officeconsole/queries/directory"
)

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
