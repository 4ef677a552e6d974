package usage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

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

// permittedClients are the clients of a company by who may use them. They are valid as
// long as the clients that were counted before them.
type permittedClients struct {
	groups  []permittedGroup
	clients *countedClients
}

// permittedGroup is a group with how many of its people may use their client.
type permittedGroup struct {
	clientGroupsRow
	Permitted int64
}

// rulesKey is a company with what a number depends on in its rules.
type rulesKey struct {
	companyID int64
	rules     string
}

func newPermittedCache(now func() time.Time) *cache.Cache[rulesKey, permittedClients] {
	return cache.New[rulesKey](cache.Options[permittedClients]{Name: "permitted_clients", Size: maxCountedClients, Now: now, TTL: countedClientsTTL})
}

// permittedClients returns the clients of a person's company by who may use them, cached
// until they are counted again.
func (s *Store) permittedClients(ctx context.Context, p directory.Person, rules Rules) (permittedClients, error) {
	clients, err := s.countedClients(ctx, p)
	if err != nil {
		return permittedClients{}, err
	}
	key := rulesKey{companyID: p.CompanyID}
	for _, c := range rules.Clients {
		key.rules += fmt.Sprintf("%s %t %v ", c.System, c.Allowed, c.Targets)
	}
	valid := func(c permittedClients) bool { return c.clients == clients }
	return s.permitted.GetValid(ctx, key, valid, func(ctx context.Context) (permittedClients, error) {
		groups, err := s.permittedGroups(ctx, p.CompanyID, rules, clients.groups)
		return permittedClients{groups, clients}, err
	})
}

// permittedGroups returns groups with how many of their people may use their client.
// Without targets it asks the database nothing.
func (s *Store) permittedGroups(ctx context.Context, companyID int64, rules Rules, groups []clientGroupsRow) (permitted []permittedGroup, err error) {
	if slices.ContainsFunc(rules.Clients, ClientRule.hasTargets) {
		statement := clientStatement{companyID: companyID, rules: rules}
		company := statement.arg(companyID, "bigint")
		text := fmt.Sprintf(`select c.platform, c.system, c.version, c.version_number, c.os_number, count(*), count(*) filter (where %s)
			from client_people c join users u on u.company_id = %s and u.id = c.user_id and u.hidden_at is null
			where c.company_id = %s and c.installed and c.platform = any (%s)
			group by c.platform, c.system, c.version, c.version_number, c.os_number
			order by c.platform, c.version_number desc, c.system, c.version, c.os_number`,
			statement.permitted(), company, company, statement.arg(ClientPlatforms, "text[]"))
		rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
		if err != nil {
			return nil, fmt.Errorf("count clients by who may use them: %w", err)
		}
		return pgx.CollectRows(rows, pgx.RowToStructByPos[permittedGroup])
	}
	for _, g := range groups {
		group := permittedGroup{g, g.People}
		if slices.ContainsFunc(rules.Clients, func(c ClientRule) bool { return c.System == g.System && !c.Allowed }) {
			group.Permitted = 0
		}
		permitted = append(permitted, group)
	}
	return permitted, nil
}

// countedEffect is the effect of rules. It is valid as long as the clients that were
// counted before it.
type countedEffect struct {
	Effect
	clients *countedClients
}

func newEffectCache(now func() time.Time) *cache.Cache[rulesKey, countedEffect] {
	return cache.New[rulesKey](cache.Options[countedEffect]{Name: "effects", Size: maxCountedClients, Now: now, TTL: countedClientsTTL})
}

// Effect returns whom rules would make update and whom they would shut out, cached until
// the clients of the person's company are counted again. Callers must not change it.
func (s *Store) Effect(ctx context.Context, p directory.Person, rules Rules) (Effect, error) {
	permitted, err := s.permittedClients(ctx, p, rules)
	if err != nil {
		return Effect{}, err
	}
	key := rulesKey{companyID: p.CompanyID}
	for _, c := range rules.Clients {
		key.rules += fmt.Sprintf("%s %d %d %t %v ", c.System, c.minimum(), c.requires(), c.Allowed, c.Targets)
	}
	valid := func(c countedEffect) bool { return c.clients == permitted.clients }
	counted, err := s.effects.GetValid(ctx, key, valid, func(ctx context.Context) (countedEffect, error) {
		effect, err := s.countEffect(ctx, p.CompanyID, rules, permitted.groups)
		return countedEffect{effect, permitted.clients}, err
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
