package usage

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/cache"
)

// ClientEvent is a change of a client as the messenger reports it (domain §7).
type ClientEvent struct {
	EventID    string
	UserID     int64
	Platform   string
	Kind       ClientEventKind
	Version    string // "" if the event does not say
	OS         string // such as "Windows 11 24H2"
	DeviceID   string
	DeviceName string
	PushAlive  *bool // whether push messages reach the device; nil if the event does not say
	OccurredAt time.Time
}

// ClientEventKind is what happened to a client.
type ClientEventKind string

// The kinds of client events.
const (
	ClientInstall   ClientEventKind = "install"
	ClientUninstall ClientEventKind = "uninstall"
	ClientLogin     ClientEventKind = "login"
	ClientLogout    ClientEventKind = "logout"
)

// The platforms that have clients to install.
const (
	PC     = "pc"
	Mobile = "mobile"
)

// ClientPlatforms are the platforms that have clients to install.
var ClientPlatforms = []string{PC, Mobile}

// The limits of a client event.
const (
	maxDeviceIDLength = 200         // characters
	maxDeviceLength   = 300         // characters of names of devices and systems
	maxClientLead     = time.Minute // by which the messenger's clock may be ahead
)

// Refusals of client events.
const (
	refusedClientPlatform = "usage.client_platform"
	refusedKind           = "usage.kind"
	refusedVersion        = "usage.version"
	refusedDeviceID       = "usage.device_id"
	refusedDevice         = "usage.device"
)

// TakeClientEvents stores what happened to clients in one transaction, as takeEvents
// describes, with the state that follows from it. The order of the events does not
// matter: an earlier one never replaces what a later one said.
func (s *Store) TakeClientEvents(ctx context.Context, companyID int64, events []ClientEvent) ([]Result, error) {
	now := s.db.Now()
	people := map[int64]bool{}
	recount := false
	results, err := takeEvents(ctx, s, events, eventKind[ClientEvent]{
		key:  func(e ClientEvent) eventKey { return eventKey{e.EventID, e.OccurredAt.Truncate(time.Microsecond)} },
		user: func(e ClientEvent) eventUser { return eventUser{id: e.UserID} },
		known: func(ctx context.Context, q *Queries, events []ClientEvent, since, until time.Time) ([]int32, error) {
			arg := knownClientEventsParams{CompanyID: companyID, Since: since, Until: until}
			for _, e := range events {
				arg.UserIds, arg.Ids = append(arg.UserIds, e.UserID), append(arg.Ids, e.EventID)
			}
			return q.knownClientEvents(ctx, arg)
		},
		open: func(ctx context.Context, q *Queries, events []ClientEvent) (func(ClientEvent) string, error) {
			ids := make([]int64, len(events))
			for i, e := range events {
				ids[i] = e.UserID
			}
			users, err := q.fileSenders(ctx, fileSendersParams{companyID, compact(ids)})
			clear(people)
			for _, u := range users {
				people[u.ID] = true
			}
			return func(e ClientEvent) string {
				if !people[e.UserID] {
					return refusedUser
				}
				return e.refusal(now)
			}, err
		},
		store: func(ctx context.Context, q *Queries, events []ClientEvent) (err error) {
			if recount, err = q.storeClientEvents(ctx, companyID, now, events); err != nil || !recount {
				return err
			}
			return q.noteChange(ctx, noteChangeParams{companyID, string(cache.Clients)})
		},
	})
	if recount {
		s.counted.Delete(companyID) // the next page counts again
	}
	return results, err
}

// refusal returns why an event of a person is refused, or "".
func (e ClientEvent) refusal(now time.Time) string {
	_, isVersion := ParseVersion(e.Version)
	switch {
	case e.OccurredAt.After(now.Add(maxClientLead)):
		return refusedFuture
	case !slices.Contains(ClientPlatforms, e.Platform):
		return refusedClientPlatform
	case !slices.Contains([]ClientEventKind{ClientInstall, ClientUninstall, ClientLogin, ClientLogout}, e.Kind):
		return refusedKind
	case e.DeviceID == "" || utf8.RuneCountInString(e.DeviceID) > maxDeviceIDLength:
		return refusedDeviceID
	case e.Version != "" && !isVersion, e.Version == "" && (e.Kind == ClientInstall || e.Kind == ClientLogin):
		return refusedVersion
	case utf8.RuneCountInString(e.OS) > maxDeviceLength || utf8.RuneCountInString(e.DeviceName) > maxDeviceLength:
		return refusedDevice
	case !isStorable(e.DeviceID) || !isStorable(e.OS) || !isStorable(e.DeviceName):
		return refusedCharacter
	}
	return ""
}

// storeClientEvents stores accepted events and the state that follows from them.
// recount reports whether it changes how many people have which client.
func (q *Queries) storeClientEvents(ctx context.Context, companyID int64, now time.Time, events []ClientEvent) (recount bool, err error) {
	rows := make([]copyClientEventsParams, len(events))
	for i, e := range events {
		events[i].OccurredAt = e.OccurredAt.Truncate(time.Microsecond)
		rows[i] = copyClientEventsParams{
			CompanyID: companyID, EventID: e.EventID, OccurredAt: events[i].OccurredAt, UserID: e.UserID, Platform: e.Platform, DeviceID: e.DeviceID,
			Kind: string(e.Kind), Version: e.Version, Os: e.OS, DeviceName: e.DeviceName, PushAlive: e.PushAlive, ReceivedAt: now,
		}
	}
	if _, err := q.copyClientEvents(ctx, rows); err != nil {
		return false, fmt.Errorf("write client events: %w", err)
	}
	clients, err := q.openClients(ctx, companyID, events)
	if err != nil {
		return false, fmt.Errorf("read installations: %w", err)
	}
	before := clients.groups()
	for _, e := range events {
		clients.apply(e)
	}
	return !maps.Equal(before, clients.groups()), q.saveClients(ctx, clients)
}

// openClients returns the installations of the people of some events, which no other
// transaction changes until this one ends.
func (q *Queries) openClients(ctx context.Context, companyID int64, events []ClientEvent) (*clientSet, error) {
	set := newClientSet(companyID)
	users, platforms := set.people(events)
	locked, err := q.lockClientPeople(ctx, lockClientPeopleParams{users, platforms, companyID})
	if err == nil && locked < int64(len(users)) {
		if err = q.addClientPeople(ctx, addClientPeopleParams{companyID, users, platforms}); err == nil {
			_, err = q.lockClientPeople(ctx, lockClientPeopleParams{users, platforms, companyID})
		}
	}
	if err != nil {
		return set, err
	}
	installations, err := q.installationsOf(ctx, installationsOfParams{users, platforms, companyID})
	for _, i := range installations {
		set.add(i)
	}
	return set, err
}

func (q *Queries) saveClients(ctx context.Context, clients *clientSet) error {
	installations, people := clients.changed()
	rows, err := json.Marshal(installations)
	if err != nil {
		return err
	}
	if err := q.saveInstallations(ctx, rows); err != nil {
		return fmt.Errorf("write installations: %w", err)
	}
	if rows, err = json.Marshal(people); err != nil {
		return err
	}
	if err := q.saveClientPeople(ctx, rows); err != nil {
		return fmt.Errorf("write clients of people: %w", err)
	}
	return nil
}

// ClientRow is what is known of a client, for LoadClients.
type ClientRow struct {
	UserID                  int64
	Platform, DeviceID      string
	Version, OS, DeviceName string
	FirstLogin, LastLogin   time.Time
}

// LoadClients stores installed clients of a company, and its days, in a transaction
// without events: for data that is made up.
func LoadClients(ctx context.Context, tx queries.Tx, companyID int64, clients []ClientRow, days []ClientDay) error {
	q, set := New(tx), newClientSet(companyID)
	for _, c := range clients {
		push := true
		set.apply(ClientEvent{
			EventID: "demo-first", UserID: c.UserID, Platform: c.Platform, Kind: ClientLogin, Version: c.Version, OS: c.OS,
			DeviceID: c.DeviceID, DeviceName: c.DeviceName, PushAlive: &push, OccurredAt: c.FirstLogin,
		})
		set.apply(ClientEvent{
			EventID: "demo-last", UserID: c.UserID, Platform: c.Platform, Kind: ClientLogin, Version: c.Version, OS: c.OS,
			DeviceID: c.DeviceID, DeviceName: c.DeviceName, PushAlive: &push, OccurredAt: c.LastLogin,
		})
	}
	if len(clients) > 0 {
		if err := q.saveClients(ctx, set); err != nil {
			return err
		}
	}
	rows := make([]copyClientDaysParams, len(days))
	for i, d := range days {
		rows[i] = copyClientDaysParams{companyID, d.Day, d.Platform, d.Version, d.People}
	}
	_, err := q.copyClientDays(ctx, rows)
	return err
}
