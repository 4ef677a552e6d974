package attendance

import (
	"context"
	"fmt"
	"sync"

	"officeconsole/queries/directory"
	"officeconsole/queries/replica"
)

// RecordScope is whose records a person may see: everybody's, or those of the
// users who were in some departments on the date and always the person's own.
type RecordScope struct {
	directory.Scope
	UserID int64
}

// RecordScope returns the scope of a user, for pages, calls and exports alike
// (spec §6).
func (s *Store) RecordScope(ctx context.Context, p directory.Person) (RecordScope, error) {
	scope, err := s.Scope(ctx, p)
	return RecordScope{scope, p.ID}, err
}

// OwnOnly reports whether the user sees only their own records.
func (s RecordScope) OwnOnly() bool { return !s.Everybody && len(s.DepartmentIDs) == 0 }

// Sees reports whether the record of a user who was in a department on the date
// may be seen.
func (s RecordScope) Sees(userID, departmentID int64) bool {
	return userID == s.UserID || s.Includes(departmentID)
}

// Edits reports whether the record of somebody else may be edited, deleted and decided
// about; false for one's own, see editsOwn.
func (s RecordScope) Edits(userID, departmentID int64) bool {
	return s.MayEdit(departmentID) && userID != s.UserID
}

// editsOwn reports whether the user may edit their own records: nobody may but the only
// administrator (domain §6).
func (q *Queries) editsOwn(ctx context.Context, companyID int64, scope RecordScope) (bool, error) {
	if !scope.Everybody {
		return false, nil
	}
	return q.isOnlyAdministrator(ctx, isOnlyAdministratorParams{companyID, scope.UserID})
}

// EditsAnybody reports whether the user may edit any records.
func (s RecordScope) EditsAnybody() bool { return s.Everybody || len(s.EditIDs) > 0 }

// Scope returns whom a user may see: an administrator everybody; others the
// departments of their first commute permission with their subtrees (domain
// §9.6), and the management departments of their registrations as
// viewing-authority persons (spec §6). A hidden user sees nobody. It is read
// once for each context of RememberScope; callers must not change its slices.
func (store *Store) Scope(ctx context.Context, p directory.Person) (directory.Scope, error) {
	switch {
	case p.HiddenAt != nil:
		return directory.Scope{}, nil
	case p.IsAdmin:
		return directory.Scope{Everybody: true}, nil
	}
	memo, _ := ctx.Value(scopeMemoKey{}).(*scopeMemo)
	if memo == nil {
		return store.readScope(ctx, p)
	}
	memo.mutex.Lock()
	defer memo.mutex.Unlock()
	if memo.companyID == p.CompanyID && memo.userID == p.ID {
		return memo.scope, nil
	}
	scope, err := store.readScope(ctx, p)
	if err == nil {
		memo.companyID, memo.userID, memo.scope = p.CompanyID, p.ID, scope
	}
	return scope, err
}

// scopeMemo is the scope that was read last.
type scopeMemo struct {
	mutex             sync.Mutex
	companyID, userID int64 // whose it is; 0 for none yet
	scope             directory.Scope
}

type scopeMemoKey struct{}

// RememberScope returns a context in which the scope of a user is read once: the
// context of a request or of another piece of work for one user.
func RememberScope(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeMemoKey{}, &scopeMemo{})
}

func (s *Store) readScope(ctx context.Context, p directory.Person) (directory.Scope, error) {
	rows, err := s.visibleDepartments(replica.Without(ctx), visibleDepartmentsParams{CompanyID: p.CompanyID, UserID: p.ID, EditRole: directory.RoleCommute})
	if err != nil {
		return directory.Scope{}, fmt.Errorf("departments that %d may see: %w", p.ID, err)
	}
	var scope directory.Scope
	for _, row := range rows {
		scope.DepartmentIDs = append(scope.DepartmentIDs, row.ID)
		if row.MayEdit {
			scope.EditIDs = append(scope.EditIDs, row.ID)
		}
	}
	return scope, nil
}
