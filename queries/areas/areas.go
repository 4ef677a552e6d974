// Package areas opens every area of the data over one database.
package areas

import (
	"cmp"
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/bot"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/imports"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/provisioning"
	"officeconsole/queries/usage"
	"officeconsole/queries/webhook"
)

// Areas gives access to all of the console's data: the database and each of its
// areas.
type Areas struct {
	*queries.DB
	Directory    *directory.Store
	Identity     *identity.Store
	Policies     *policy.Store
	Attendance   *attendance.Store
	Exports      *export.Store
	Links        *link.Store
	Notices      *notice.Store
	Bots         *bot.Store
	Usage        *usage.Store
	Hidings      *hiding.Store
	Provisioning *provisioning.Store
	Webhooks     *webhook.Store
	Audit        *audit.Store
	Imports      *imports.Store
}

// Over returns the areas over an open database.
func Over(db *queries.DB) *Areas {
	a := &Areas{DB: db, Directory: directory.NewStore(db), Exports: export.NewStore(db), Links: link.NewStore(db), Webhooks: webhook.NewStore(db)}
	a.Policies = policy.NewStore(db, a.Directory)
	a.Directory.HoldPeople(a.Policies.HoldPeopleOnly)
	a.Identity = identity.NewStore(db, a.Directory, a.Exports, a.Policies)
	a.Attendance = attendance.NewStore(db, a.Directory, a.Policies)
	a.Notices = notice.NewStore(db, a.Policies)
	a.Bots = bot.NewStore(db)
	a.Usage = usage.NewStore(db, a.Directory, a.Policies)
	a.Hidings = hiding.NewStore(db, a.Policies)
	a.Imports = imports.NewStore(db, a.Directory, a.Policies)
	a.Provisioning = provisioning.NewStore(db, a.Policies)
	a.Audit = audit.NewStore(db, audit.Areas{Directory: a.Directory, Policies: a.Policies, Attendance: a.Attendance, Links: a.Links, Notices: a.Notices, Bots: a.Bots, Hidings: a.Hidings, Identity: a.Identity, Webhooks: a.Webhooks, Usage: a.Usage})
	return a
}

// Addresses are the URLs of a database: URL may lead through a pooler if Direct is the
// database itself. Replicas lead to its read replicas, one server each, of which none
// answers that is more than MaxLag behind.
type Addresses struct {
	URL, Direct string
	Replicas    []string
	MaxLag      time.Duration
}

// ForSessions returns the URL of the database itself.
func (a Addresses) ForSessions() string { return cmp.Or(a.Direct, a.URL) }

// Open connects to a migrated database. now is the clock of every rule.
func Open(ctx context.Context, url string, now func() time.Time) (*Areas, error) {
	return OpenAt(ctx, Addresses{URL: url}, now)
}

// OpenAt is Open for a database that may be behind a connection pooler.
func OpenAt(ctx context.Context, at Addresses, now func() time.Time) (*Areas, error) {
	db, err := queries.Open(ctx, at.URL, at.Direct, now)
	if err != nil {
		return nil, err
	}
	if len(at.Replicas) > 0 {
		if err := db.UseReplicas(ctx, at.Replicas, at.MaxLag); err != nil {
			db.Close()
			return nil, err
		}
	}
	return Over(db), nil
}
