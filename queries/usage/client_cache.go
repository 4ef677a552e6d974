package usage

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
)

const (
	maxCountedClients = 256             // companies
	countedClientsTTL = 5 * time.Second // by which a page may be late where this process learns nothing of what another one stores
)

// countedClients are the numbers of the clients of a company, which would take a page
// longer to count than everything else that it shows. They are valid until clients
// change, and for a directory_version, which changes when people are hidden.
type countedClients struct {
	groups           []clientGroupsRow
	directoryVersion int64
	version          int64 // of the clients, before they were counted
}

func newClientCache(now func() time.Time) *cache.Cache[int64, *countedClients] {
	return cache.New[int64](cache.Options[*countedClients]{Name: "clients", Size: maxCountedClients, Now: now, TTL: countedClientsTTL})
}

// countedClients returns the clients of a person's company, cached.
func (s *Store) countedClients(ctx context.Context, p directory.Person) (*countedClients, error) {
	version := s.db.Version(p.CompanyID, cache.Clients)
	valid := func(c *countedClients) bool {
		return c.directoryVersion == p.DirectoryVersion && c.version == version
	}
	counted, err := s.counted.GetValid(ctx, p.CompanyID, valid, func(ctx context.Context) (*countedClients, error) {
		groups, err := s.clientGroups(ctx, clientGroupsParams{p.CompanyID, ClientPlatforms})
		return &countedClients{groups, p.DirectoryVersion, version}, err
	})
	if err != nil {
		return nil, fmt.Errorf("count clients: %w", err)
	}
	return counted, nil
}

// countedEffect is the effect of rules. It is valid as long as the clients that were
// counted before it.
type countedEffect struct {
	Effect
	clients *countedClients
}

// effectKey is what an effect depends on: the versions that rules require.
type effectKey struct {
	companyID int64
	versions  string
}

func newEffectCache(now func() time.Time) *cache.Cache[effectKey, countedEffect] {
	return cache.New[effectKey](cache.Options[countedEffect]{Name: "effects", Size: maxCountedClients, Now: now, TTL: countedClientsTTL})
}

// Effect returns whom rules would make update, cached until the clients of the person's
// company are counted again. Callers must not change it.
func (s *Store) Effect(ctx context.Context, p directory.Person, rules Rules) (Effect, error) {
	clients, err := s.countedClients(ctx, p)
	if err != nil {
		return Effect{}, err
	}
	key := effectKey{companyID: p.CompanyID}
	for _, c := range rules.Clients {
		key.versions += fmt.Sprintf("%s %d %d ", c.System, c.minimum(), c.requires())
	}
	valid := func(c countedEffect) bool { return c.clients == clients }
	counted, err := s.effects.GetValid(ctx, key, valid, func(ctx context.Context) (countedEffect, error) {
		effect, err := s.countEffect(ctx, p.CompanyID, rules, clients.groups)
		return countedEffect{effect, clients}, err
	})
	return counted.Effect, err
}

// clientGroup is what the groups distinguish of a person on a platform.
type clientGroup struct {
	installed               bool
	system, version         string
	versionNumber, osNumber int64
}

// groups returns the groups of the people of a set.
func (s *clientSet) groups() map[clientKey]clientGroup {
	groups := map[clientKey]clientGroup{}
	for key := range s.devices {
		p := s.person(key)
		groups[key] = clientGroup{p.Installed, p.System, p.Version, p.VersionNumber, p.OsNumber}
	}
	return groups
}
