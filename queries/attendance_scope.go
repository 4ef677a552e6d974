package queries

import (
	"context"
)

// AttendanceScope says whose attendance a person may see: everybody's, that of
// the people who were in some departments on the day, and always their own.
type AttendanceScope struct {
	Scope
	UserID int64
}

// AttendanceScope is the scope of a person, for pages, calls and exports alike
// (spec §6).
func (db *DB) AttendanceScope(ctx context.Context, p Person) (AttendanceScope, error) {
	scope, err := db.Scope(ctx, p)
	return AttendanceScope{scope, p.ID}, err
}

// OwnOnly tells whether the person sees nobody else.
func (s AttendanceScope) OwnOnly() bool { return !s.Everybody && len(s.DepartmentIDs) == 0 }

// Sees tells whether the record of somebody, of a department on that day, may
// be seen.
func (s AttendanceScope) Sees(userID, departmentID int64) bool {
	return userID == s.UserID || s.Includes(departmentID)
}

// Edits tells whether the record may be edited or deleted. Nobody but an
// administrator edits their own.
func (s AttendanceScope) Edits(userID, departmentID int64) bool {
	return s.MayEdit(departmentID) && (s.Everybody || userID != s.UserID)
}

// EditsAnybody tells whether there are records that the person may edit.
func (s AttendanceScope) EditsAnybody() bool { return s.Everybody || len(s.EditIDs) > 0 }
