package usage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// ClientPersonRow is a person in the list, with the client on the list's platform.
type ClientPersonRow struct {
	UserID         int64
	Name           string
	EmployeeID     string
	ImageHash      *string
	DepartmentName string
	DepartmentPath string
	Known          bool // whether the person ever had a client; otherwise the following are zero
	Installed      bool
	Devices        int32
	System         string
	Version        string
	VersionNumber  int64
	OS             string
	OSNumber       int64
	DeviceName     string
	PushAlive      *bool
	FirstLoginAt   *time.Time
	LastLoginAt    *time.Time
	UsedAt         *time.Time // the last login, or what an installed client said later: that it was installed or signed out
	Permitted      bool       // whether the rules let the person use the client
}

// State returns what the rules say about a row at a time; idle is how long a client
// may be unused. Of several states, the most urgent one.
func (r ClientPersonRow) State(rules Rules, now time.Time, idleDays int) ClientState {
	if !r.Installed {
		return NeverInstalled
	}
	outdated, unable := rules.decide(clientGroupsRow{System: r.System, VersionNumber: r.VersionNumber, OsNumber: r.OSNumber})
	switch {
	case r.Permitted && unable:
		return UnableClient
	case r.Permitted && outdated:
		return OutdatedClient
	case r.UsedAt == nil || r.UsedAt.Before(now.AddDate(0, 0, -idleDays)):
		return IdleClient
	}
	return InstalledClient
}

// HasNoLogin reports whether the client is installed and was never signed in to.
func (r ClientPersonRow) HasNoLogin() bool { return r.Installed && r.LastLoginAt == nil }

// Clients lists the people of a company by name with their clients on a platform.
// Hidden people and bots do not appear.
func (s *Store) Clients(ctx context.Context, companyID int64, rules Rules, f ClientFilter) (page lists.Page[ClientPersonRow], err error) {
	if err := f.Cursor.Check(f.list()); err != nil {
		return page, err
	}
	var departments []int64
	if f.DepartmentID != 0 {
		if departments, err = s.departmentsOf(ctx, companyID, f.DepartmentID); err != nil {
			return page, err
		}
	}
	statement := clientStatement{companyID: companyID, filter: f, rules: rules, departments: departments, idleSince: s.idleSince(f.IdleFor())}
	var rows []ClientPersonRow
	if f.Search.Empty() {
		rows, err = s.readClients(ctx, statement, nil, f.Cursor.Name(), f.Limit+1)
	} else {
		rows, err = s.searchClients(ctx, statement)
	}
	if err != nil {
		return page, fmt.Errorf("clients of people: %w", err)
	}
	return lists.NewPage(rows, f.Cursor, f.Limit, func(r ClientPersonRow) lists.Cursor {
		return lists.Cursor{List: f.list(), Value: r.Name, ID: r.UserID}
	}), nil
}

// searchedClients is the number of people whom a search reads at once.
const searchedClients = 500

// searchClients reads the people whom a search finds, in steps, until enough of them
// have the state of the filter.
func (s *Store) searchClients(ctx context.Context, statement clientStatement) (found []ClientPersonRow, err error) {
	f := statement.filter
	for from := f.Cursor.Name(); len(found) <= f.Limit; {
		ids, err := s.directory.SearchUserIDs(ctx, directory.UserSearch{
			CompanyID: statement.companyID, Departments: statement.departments, Search: f.Search, From: from, Backward: f.Cursor.IsBackward(), Size: searchedClients,
		})
		if err != nil || len(ids) == 0 {
			return found, err
		}
		rows, err := s.readClients(ctx, statement, ids, from, f.Limit+1-len(found))
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
		if len(ids) < searchedClients {
			return found, nil
		}
		if from, err = s.nameKey(ctx, statement.companyID, ids[len(ids)-1]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *Store) nameKey(ctx context.Context, companyID, userID int64) (lists.PersonKey, error) {
	name, err := s.userName(ctx, userNameParams{companyID, userID})
	return lists.PersonKey{Name: name, ID: userID}, err
}

// readClients returns the next rows of a list, of some people unless ids is nil.
func (s *Store) readClients(ctx context.Context, statement clientStatement, ids []int64, from lists.PersonKey, size int) ([]ClientPersonRow, error) {
	text := statement.write(ids, from, size)
	rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[ClientPersonRow])
}

// clientStatement writes the statement of a list: people in the order of their names,
// or whoever an index of client_people finds, as the planner decides.
type clientStatement struct {
	companyID   int64
	filter      ClientFilter
	rules       Rules
	departments []int64 // nil for all
	idleSince   time.Time
	args        []any
}

func (s *clientStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

func (s *clientStatement) write(ids []int64, from lists.PersonKey, size int) string {
	s.args = nil
	company := s.arg(s.companyID, "bigint")
	platform := s.arg(s.filter.Platform, "text")
	join := "left join"
	if s.filter.State != AnyClient && s.filter.State != NeverInstalled || s.filter.Release != "" {
		join = "join"
	}
	where := s.state() + s.release()
	if s.filter.State == IdleClient {
		// A client that was installed since then is not idle. The "offset 0" is for the
		// order of names, as below.
		where += fmt.Sprintf(" and not exists (select from installations i where i.company_id = %s and i.user_id = u.id and i.platform = %s and i.installed and i.state_at >= %s offset 0)",
			company, platform, s.arg(s.idleSince, "timestamptz"))
	}
	if s.filter.State == NeverInstalled {
		// PostgreSQL expects an outer or anti join to leave hardly anybody, and would sort
		// all people. With "offset 0" it looks people up in the order of their names.
		where += fmt.Sprintf(" and not exists (select from client_people i where i.company_id = %s and i.user_id = u.id and i.platform = %s and i.installed offset 0)", company, platform)
	}
	if s.departments != nil {
		where += " and u.department_id = any (" + s.arg(s.departments, "bigint[]") + ")"
	}
	if ids != nil {
		where += " and u.id = any (" + s.arg(ids, "bigint[]") + ")"
	}
	direction, side := "asc", ">"
	if s.filter.Cursor.IsBackward() {
		direction, side = "desc", "<"
	}
	if from != (lists.PersonKey{}) {
		where += fmt.Sprintf(" and (u.name, u.id) %s (%s, %s)", side, s.arg(from.Name, "text"), s.arg(from.ID, "bigint"))
	}
	return fmt.Sprintf(`select u.id, u.name, u.employee_id, u.image_hash, coalesce(d.name, ''), coalesce(d.path, ''), c.user_id is not null, coalesce(c.installed, false), coalesce(c.devices, 0),
			coalesce(c.system, ''), coalesce(c.version, ''), coalesce(c.version_number, 0), coalesce(c.os, ''), coalesce(c.os_number, 0), coalesce(c.device_name, ''),
			c.push_alive, c.first_login_at, c.last_login_at,
			greatest(c.last_login_at, (select max(i.state_at) from installations i where i.company_id = %s and i.user_id = u.id and i.platform = %s and i.installed)),
			coalesce(%s, false)
		from users u %s client_people c on c.company_id = %s and c.user_id = u.id and c.platform = %s
		left join departments d on d.company_id = u.company_id and d.id = u.department_id
		where u.company_id = %s and not u.bot and u.hidden_at is null%s
		order by u.name %s, u.id %s limit %d`, company, platform, s.permitted(), join, company, platform, company, where, direction, direction, size)
}

// state is the condition for the state of the filter.
func (s *clientStatement) state() string {
	switch s.filter.State {
	case InstalledClient:
		return " and c.installed"
	case IdleClient:
		return " and c.installed and (c.last_login_at < " + s.arg(s.idleSince, "timestamptz") + " or c.last_login_at is null)"
	case OutdatedClient, UnableClient:
		return " and c.installed and " + s.outdated()
	}
	return ""
}

// outdated is the condition for the versions of each system that are outdated, of people
// who may use them.
func (s *clientStatement) outdated() string {
	conditions := []string{"false"}
	for _, rule := range s.rules.Clients {
		if rule.minimum() == 0 {
			continue
		}
		condition := fmt.Sprintf("c.system = %s and c.version_number > 0 and c.version_number < %s", s.arg(rule.System, "text"), s.arg(int64(rule.minimum()), "bigint"))
		if s.filter.State == UnableClient {
			condition += " and c.os_number > 0 and c.os_number < " + s.arg(int64(rule.requires()), "bigint")
		}
		conditions = append(conditions, condition)
	}
	return "((" + strings.Join(conditions, " or ") + ") and " + s.permitted() + ")"
}

// permitted is the condition for the clients that their people may use.
func (s *clientStatement) permitted() string {
	condition := "true"
	for _, rule := range s.rules.Clients {
		switch {
		case !rule.Allowed:
			condition += " and c.system <> " + s.arg(rule.System, "text")
		case rule.hasTargets():
			users := append([]int64{}, rule.Targets.Users...) // nil would be null, of which nobody is or is not
			condition += fmt.Sprintf(" and (c.system <> %s or u.id = any (%s) or u.department_id = any (array(select t.id from departments t where t.company_id = %s and t.ancestors && %s)))",
				s.arg(rule.System, "text"), s.arg(users, "bigint[]"), s.arg(s.companyID, "bigint"), s.arg(rule.Targets.Departments, "bigint[]"))
		}
	}
	return condition
}

// release is the condition for the versions of a release.
func (s *clientStatement) release() string {
	if s.filter.Release == "" {
		return ""
	}
	version, _ := ParseVersion(s.filter.Release)
	return fmt.Sprintf(" and c.installed and c.version_number >= %s and c.version_number < %s",
		s.arg(int64(version.releaseStart()), "bigint"), s.arg(int64(version.releaseEnd()), "bigint"))
}
