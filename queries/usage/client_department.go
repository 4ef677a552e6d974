package usage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// DepartmentClients are the people of a department right below the root, with those of
// the departments below it.
type DepartmentClients struct {
	ID        int64 // 0 for whoever is in the root or in no department
	Name      string
	People    int64
	Installed int64
	Outdated  int64
	ShutOut   int64 // with a client that they may not use
}

// Never is how many people do not have the client installed.
func (d DepartmentClients) Never() int64 { return d.People - d.Installed }

// ClientDepartments counts the people of a company by department and by their clients
// on a platform, hidden people excluded. The department with the most outdated clients
// is the first, then the one with the most people without one. It reads everybody, so a page does it only when it is asked to.
func (s *Store) ClientDepartments(ctx context.Context, companyID int64, platform string, rules Rules) ([]DepartmentClients, error) {
	statement := clientStatement{companyID: companyID, rules: rules}
	company := statement.arg(companyID, "bigint")
	text := fmt.Sprintf(`select coalesce(top.id, 0), coalesce(top.name, ''), sum(p.people)::bigint, sum(p.installed)::bigint, sum(p.outdated)::bigint, sum(p.shut_out)::bigint
		from (select u.department_id, count(*) as people, count(*) filter (where c.installed) as installed, count(*) filter (where c.installed and %s) as outdated,
				count(*) filter (where c.installed and not (%s)) as shut_out
			from users u left join client_people c on c.company_id = %s and c.user_id = u.id and c.platform = %s
			where u.company_id = %s and not u.bot and u.hidden_at is null group by u.department_id) p
		left join departments d on d.company_id = %s and d.id = p.department_id
		left join departments top on top.company_id = %s and top.id = d.ancestors[2]
		group by 1, 2 order by 5 desc, sum(p.people - p.installed) desc, 2, 1`,
		statement.outdated(), statement.permitted(), company, statement.arg(platform, "text"), company, company, company)
	return s.readDepartments(ctx, text, statement.args)
}

// affectedByDepartment counts the people with an outdated client on any platform, each
// once, by department, and those with one that they may not use. Only departments with
// such people are returned, without the other numbers.
func (s *Store) affectedByDepartment(ctx context.Context, companyID int64, rules Rules) ([]DepartmentClients, error) {
	statement := clientStatement{companyID: companyID, rules: rules}
	company := statement.arg(companyID, "bigint")
	outdated, permitted := statement.outdated(), statement.permitted()
	text := fmt.Sprintf(`select coalesce(top.id, 0), coalesce(top.name, ''), 0::bigint, 0::bigint, count(*) filter (where p.outdated), count(*) filter (where p.shut_out)
		from (select u.department_id, bool_or(%s) as outdated, bool_or(not (%s)) as shut_out
			from client_people c join users u on u.company_id = %s and u.id = c.user_id and u.hidden_at is null
			where c.company_id = %s and c.installed and (%s or not (%s)) group by u.id, u.department_id) p
		left join departments d on d.company_id = %s and d.id = p.department_id
		left join departments top on top.company_id = %s and top.id = d.ancestors[2]
		group by 1, 2 order by 5 desc, 2, 1`,
		outdated, permitted, company, company, outdated, permitted, company, company)
	return s.readDepartments(ctx, text, statement.args)
}

func (s *Store) readDepartments(ctx context.Context, text string, args []any) ([]DepartmentClients, error) {
	rows, err := s.db.CustomPlan().Query(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("count clients by department: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[DepartmentClients])
}
