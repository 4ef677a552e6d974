package usage

import (
	"cmp"
	"slices"
	"time"
)

// installationRow and personRow are rows as JSON with the columns for keys.
type installationRow struct {
	CompanyID      int64      `json:"company_id"`
	UserID         int64      `json:"user_id"`
	Platform       string     `json:"platform"`
	DeviceID       string     `json:"device_id"`
	Installed      bool       `json:"installed"`
	StateAt        time.Time  `json:"state_at"`
	StateEvent     string     `json:"state_event"`
	Version        string     `json:"version"`
	Os             string     `json:"os"`
	DeviceName     string     `json:"device_name"`
	DescribedAt    *time.Time `json:"described_at"`
	DescribedEvent string     `json:"described_event"`
	PushAlive      *bool      `json:"push_alive"`
	PushAt         *time.Time `json:"push_at"`
	PushEvent      string     `json:"push_event"`
	FirstLoginAt   *time.Time `json:"first_login_at"`
	LastLoginAt    *time.Time `json:"last_login_at"`
}

type personRow struct {
	CompanyID     int64      `json:"company_id"`
	UserID        int64      `json:"user_id"`
	Platform      string     `json:"platform"`
	Installed     bool       `json:"installed"`
	Devices       int32      `json:"devices"`
	System        string     `json:"system"`
	Version       string     `json:"version"`
	VersionNumber int64      `json:"version_number"`
	Os            string     `json:"os"`
	OsNumber      int64      `json:"os_number"`
	DeviceName    string     `json:"device_name"`
	PushAlive     *bool      `json:"push_alive"`
	FirstLoginAt  *time.Time `json:"first_login_at"`
	LastLoginAt   *time.Time `json:"last_login_at"`
}

// clientKey is a person on a platform.
type clientKey struct {
	userID   int64
	platform string
}

// clientSet holds all installations of some people, to which events are applied.
type clientSet struct {
	companyID int64
	devices   map[clientKey][]*installationRow
	dirty     map[*installationRow]bool
}

func newClientSet(companyID int64) *clientSet {
	return &clientSet{companyID, map[clientKey][]*installationRow{}, map[*installationRow]bool{}}
}

// people returns the keys of the people of events, in one order, each once.
func (s *clientSet) people(events []ClientEvent) (users []int64, platforms []string) {
	keys := make([]clientKey, len(events))
	for i, e := range events {
		keys[i] = clientKey{e.UserID, e.Platform}
	}
	slices.SortFunc(keys, compareKeys)
	for _, k := range slices.Compact(keys) {
		users, platforms = append(users, k.userID), append(platforms, k.platform)
	}
	return users, platforms
}

func compareKeys(a, b clientKey) int {
	return cmp.Or(cmp.Compare(a.userID, b.userID), cmp.Compare(a.platform, b.platform))
}

func (s *clientSet) add(i Installation) {
	row := installationRow(i)
	key := clientKey{i.UserID, i.Platform}
	s.devices[key] = append(s.devices[key], &row)
}

// apply changes the installation that an event is about, or begins it.
func (s *clientSet) apply(e ClientEvent) {
	key := clientKey{e.UserID, e.Platform}
	at := slices.IndexFunc(s.devices[key], func(i *installationRow) bool { return i.DeviceID == e.DeviceID })
	if at < 0 {
		at = len(s.devices[key])
		s.devices[key] = append(s.devices[key], &installationRow{CompanyID: s.companyID, UserID: e.UserID, Platform: e.Platform, DeviceID: e.DeviceID})
	}
	s.devices[key][at].apply(e)
	s.dirty[s.devices[key][at]] = true
}

// apply does not depend on the order of the events: each column has the value of the
// latest event that says something about it.
func (i *installationRow) apply(e ClientEvent) {
	if i.StateEvent == "" || isLater(e, i.StateAt, i.StateEvent) {
		i.Installed, i.StateAt, i.StateEvent = e.Kind != ClientUninstall, e.OccurredAt, e.EventID
	}
	if e.Version != "" && (i.DescribedAt == nil || isLater(e, *i.DescribedAt, i.DescribedEvent)) {
		i.Version, i.Os, i.DeviceName = e.Version, e.OS, e.DeviceName
		i.DescribedAt, i.DescribedEvent = &e.OccurredAt, e.EventID
	}
	if e.PushAlive != nil && (i.PushAt == nil || isLater(e, *i.PushAt, i.PushEvent)) {
		i.PushAlive, i.PushAt, i.PushEvent = e.PushAlive, &e.OccurredAt, e.EventID
	}
	if e.Kind != ClientLogin {
		return
	}
	if i.FirstLoginAt == nil || e.OccurredAt.Before(*i.FirstLoginAt) {
		i.FirstLoginAt = &e.OccurredAt
	}
	if i.LastLoginAt == nil || e.OccurredAt.After(*i.LastLoginAt) {
		i.LastLoginAt = &e.OccurredAt
	}
}

func isLater(e ClientEvent, at time.Time, event string) bool {
	return cmp.Or(e.OccurredAt.Compare(at), cmp.Compare(e.EventID, event)) > 0
}

// changed returns the installations that events changed, and the people of all.
func (s *clientSet) changed() (installations []installationRow, people []personRow) {
	keys := make([]clientKey, 0, len(s.devices))
	for key := range s.devices {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareKeys)
	for _, key := range keys {
		for _, i := range s.devices[key] {
			if s.dirty[i] {
				installations = append(installations, *i)
			}
		}
		people = append(people, s.person(key))
	}
	return installations, people
}

// person sums up the devices of a person, of which there is at least one.
func (s *clientSet) person(key clientKey) personRow {
	row := personRow{CompanyID: s.companyID, UserID: key.userID, Platform: key.platform}
	current := slices.MaxFunc(s.devices[key], compareUse)
	for _, i := range s.devices[key] {
		if i.Installed {
			row.Devices++
		}
		if i.FirstLoginAt != nil && (row.FirstLoginAt == nil || i.FirstLoginAt.Before(*row.FirstLoginAt)) {
			row.FirstLoginAt = i.FirstLoginAt
		}
		if i.LastLoginAt != nil && (row.LastLoginAt == nil || i.LastLoginAt.After(*row.LastLoginAt)) {
			row.LastLoginAt = i.LastLoginAt
		}
	}
	row.Installed, row.Version, row.Os = current.Installed, current.Version, current.Os
	row.DeviceName, row.PushAlive = current.DeviceName, current.PushAlive
	version, _ := ParseVersion(row.Version)
	system, os := systemOf(row.Platform, row.Os)
	row.VersionNumber, row.System, row.OsNumber = int64(version), system, int64(os)
	return row
}

// compareUse compares the devices of a person: an installed client is above one that
// was removed, and one that was used later above others.
func compareUse(a, b *installationRow) int {
	if a.Installed != b.Installed {
		if a.Installed {
			return 1
		}
		return -1
	}
	return cmp.Or(a.lastUse().Compare(b.lastUse()), cmp.Compare(a.DeviceID, b.DeviceID))
}

func (i *installationRow) lastUse() time.Time {
	if i.LastLoginAt != nil {
		return *i.LastLoginAt
	}
	return i.StateAt
}
