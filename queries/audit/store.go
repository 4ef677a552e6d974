// Package audit lists the change log and reverts changes.
package audit

import (
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/link"
	"officeconsole/queries/policy"
	"officeconsole/queries/webhook"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	policy     *policy.Store
	attendance *attendance.Store
	links      *link.Store
	webhooks   *webhook.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, policyStore *policy.Store, attendanceStore *attendance.Store, linkStore *link.Store, webhookStore *webhook.Store) *Store {
	return &Store{Queries: New(db.Statements()), db: db, policy: policyStore, attendance: attendanceStore, links: linkStore, webhooks: webhookStore}
}
