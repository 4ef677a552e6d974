// Package audit lists the change log and reverts changes, and has the log of who read
// what about other people.
package audit

import (
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/bot"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
	"officeconsole/queries/webhook"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db *queries.DB

	directory  *directory.Store
	policy     *policy.Store
	attendance *attendance.Store
	links      *link.Store
	notices    *notice.Store
	bots       *bot.Store
	hidings    *hiding.Store
	identity   *identity.Store
	webhooks   *webhook.Store
	usage      *usage.Store

	reads readLog
}

// Areas are the stores of the objects whose changes can be reverted.
type Areas struct {
	Directory  *directory.Store
	Policies   *policy.Store
	Attendance *attendance.Store
	Links      *link.Store
	Notices    *notice.Store
	Bots       *bot.Store
	Hidings    *hiding.Store
	Identity   *identity.Store
	Webhooks   *webhook.Store
	Usage      *usage.Store
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB, areas Areas) *Store {
	return &Store{
		Queries: New(db.Statements()), db: db,
		directory: areas.Directory, policy: areas.Policies, attendance: areas.Attendance, links: areas.Links, notices: areas.Notices, bots: areas.Bots, hidings: areas.Hidings, identity: areas.Identity, webhooks: areas.Webhooks, usage: areas.Usage,
		reads: readLog{writing: make(chan struct{}, 1)},
	}
}
