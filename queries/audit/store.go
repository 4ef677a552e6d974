// Package audit lists the change log and reverts changes.
package audit

import (
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	directory  *directory.Store
	policy     *policy.Store
	attendance *attendance.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, directoryStore *directory.Store, policyStore *policy.Store, attendanceStore *attendance.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, directory: directoryStore, policy: policyStore, attendance: attendanceStore}
}
