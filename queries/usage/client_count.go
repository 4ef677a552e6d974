package usage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// ClientCounts are the numbers of a platform's page.
type ClientCounts struct {
	People    int64 // of the company
	Installed int64
	Outdated  int64
	Unable    int64 // outdated, with a system that does not take the newest release
	Idle      int64
	Releases  []ReleaseShare // the newest first
}

// Never is how many people do not have the client installed.
func (c ClientCounts) Never() int64 { return max(0, c.People-c.Installed) }

// ReleaseShare is how many people have versions of a release.
type ReleaseShare struct {
	Release  string // "" for an unknown version
	People   int64
	Outdated int64
}

// ClientCounts counts the people by their clients, hidden people excluded. Idle is
// whoever has not used the client for a number of days.
func (s *Store) ClientCounts(ctx context.Context, p directory.Person, platform string, rules Rules, idleDays int) (counts ClientCounts, err error) {
	permitted, err := s.permittedClients(ctx, p, rules)
	if err != nil {
		return counts, err
	}
	for _, g := range permitted.groups {
		if g.Platform != platform {
			continue
		}
		outdated, unable := rules.decide(g.clientGroupsRow)
		release := ReleaseShare{Release: releaseOf(g.VersionNumber), People: g.People}
		counts.Installed += g.People
		if outdated {
			counts.Outdated += g.Permitted
			release.Outdated = g.Permitted
		}
		if unable {
			counts.Unable += g.Permitted
		}
		counts.Releases = addRelease(counts.Releases, release)
	}
	tree, err := s.policies.Tree(ctx, p)
	if err != nil {
		return counts, err
	}
	for _, d := range tree.Departments {
		counts.People += d.People
	}
	counts.Idle, err = s.countIdleClients(ctx, countIdleClientsParams{p.CompanyID, platform, s.idleSince(idleDays)})
	return counts, err
}

func (s *Store) idleSince(days int) time.Time { return s.db.Now().AddDate(0, 0, -days) }

func releaseOf(number int64) string {
	if number == 0 {
		return ""
	}
	return Version(number).Release()
}

func addRelease(releases []ReleaseShare, r ReleaseShare) []ReleaseShare {
	at := slices.IndexFunc(releases, func(other ReleaseShare) bool { return other.Release == r.Release })
	if at < 0 {
		return append(releases, r)
	}
	releases[at].People += r.People
	releases[at].Outdated += r.Outdated
	return releases
}

// decide reports whether the clients of a group are outdated for those who may use them,
// and whether their systems are too old for the newest release.
func (r Rules) decide(g clientGroupsRow) (outdated, unable bool) {
	c := r.Of(g.System)
	outdated = g.VersionNumber > 0 && Version(g.VersionNumber) < c.minimum()
	return outdated, outdated && g.OsNumber > 0 && Version(g.OsNumber) < c.requires()
}

// Effect is whom rules would make update, and whom they would shut out.
type Effect struct {
	Systems     map[string]SystemEffect
	Releases    map[string][]ReleaseShare // by platform, the newest first
	Outdated    int64                     // people with any outdated client, each once
	ShutOut     int64                     // people with any client that they may not use, each once
	Departments []DepartmentClients       // of Outdated, the one with the most first
	Unable      int64                     // clients whose systems do not take the newest release
	UnableRows  []ClientPersonRow         // the first of them on each platform, by name
	Versions    []string                  // that people have, the newest first
}

// shownUnable is the number of Effect.UnableRows of a platform.
const shownUnable = 20

// SystemEffect are the people with the client of a system.
type SystemEffect struct{ People, Outdated, ShutOut int64 }

// countEffect counts the people whose clients rules would make outdated, and those who
// may not use theirs.
func (s *Store) countEffect(ctx context.Context, companyID int64, rules Rules, groups []permittedGroup) (e Effect, err error) {
	e = Effect{Systems: map[string]SystemEffect{}, Releases: map[string][]ReleaseShare{}}
	for _, g := range groups {
		outdated, unable := rules.decide(g.clientGroupsRow)
		system, release := e.Systems[g.System], ReleaseShare{Release: releaseOf(g.VersionNumber), People: g.People}
		system.People += g.People
		system.ShutOut += g.People - g.Permitted
		if outdated {
			system.Outdated += g.Permitted
			release.Outdated = g.Permitted
		}
		if unable {
			e.Unable += g.Permitted
		}
		e.Systems[g.System] = system
		e.Releases[g.Platform] = addRelease(e.Releases[g.Platform], release)
		if g.Version != "" && !slices.Contains(e.Versions, g.Version) {
			e.Versions = append(e.Versions, g.Version)
		}
	}
	if e.Departments, err = s.affectedByDepartment(ctx, companyID, rules); err != nil {
		return e, err
	}
	for _, d := range e.Departments {
		e.Outdated += d.Outdated
		e.ShutOut += d.ShutOut
	}
	e.Departments = slices.DeleteFunc(e.Departments, func(d DepartmentClients) bool { return d.Outdated == 0 })
	if e.Unable == 0 {
		return e, nil
	}
	for _, platform := range ClientPlatforms {
		page, err := s.Clients(ctx, companyID, rules, ClientFilter{Platform: platform, State: UnableClient, Limit: shownUnable})
		if err != nil {
			return e, err
		}
		e.UnableRows = append(e.UnableRows, page.Rows...)
	}
	return e, nil
}

// ReleaseDay is how many people had each release on a day.
type ReleaseDay struct {
	Day      workday.Date
	Releases []ReleaseShare // the newest first
	People   int64
}

// ReleaseDays returns the days from one to another for which versions were counted.
func (s *Store) ReleaseDays(ctx context.Context, companyID int64, platform string, first, last workday.Date) ([]ReleaseDay, error) {
	rows, err := s.clientDays(ctx, clientDaysParams{companyID, platform, first.Time(), last.Time()})
	if err != nil {
		return nil, fmt.Errorf("days of clients: %w", err)
	}
	var days []ReleaseDay
	for _, row := range rows {
		date := workday.DateOf(row.Day)
		if len(days) == 0 || days[len(days)-1].Day != date {
			days = append(days, ReleaseDay{Day: date})
		}
		day := &days[len(days)-1]
		version, _ := ParseVersion(row.Version)
		day.Releases = addRelease(day.Releases, ReleaseShare{Release: releaseOf(int64(version)), People: row.People})
		day.People += row.People
	}
	return days, nil
}

// CountClients counts the versions of today for every company that has clients. It
// can run at any time and in several processes: the last run of a day stays.
func (s *Store) CountClients(ctx context.Context) error {
	companies, err := s.companyZones(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		zone, err := time.LoadLocation(c.TimeZone)
		if err != nil {
			return err
		}
		if err := s.countDay(ctx, c.ID, workday.DateOf(s.db.Now().In(zone))); err != nil {
			return fmt.Errorf("count clients of company %d: %w", c.ID, err)
		}
	}
	return nil
}

func (s *Store) countDay(ctx context.Context, companyID int64, day workday.Date) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		if err := q.lockClientDay(ctx, companyID); err != nil {
			return err
		}
		groups, err := q.clientGroups(ctx, clientGroupsParams{companyID, ClientPlatforms})
		if err != nil {
			return err
		}
		var rows []copyClientDaysParams
		for _, g := range groups {
			at := slices.IndexFunc(rows, func(r copyClientDaysParams) bool { return r.Platform == g.Platform && r.Version == g.Version })
			if at < 0 {
				at, rows = len(rows), append(rows, copyClientDaysParams{companyID, day.Time(), g.Platform, g.Version, 0})
			}
			rows[at].People += g.People
		}
		if err := q.deleteClientDay(ctx, deleteClientDayParams{companyID, day.Time()}); err != nil {
			return err
		}
		_, err = q.copyClientDays(ctx, rows)
		return err
	})
}
