package provisioning

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The schemas of the resources.
const (
	UserSchema       = "urn:ietf:params:scim:schemas:core:2.0:User"
	EnterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
	GroupSchema      = "urn:ietf:params:scim:schemas:core:2.0:Group"
	DepartmentSchema = "urn:officeconsole:params:scim:schemas:extension:1.0:Group"
)

var allSchemas = []string{UserSchema, EnterpriseSchema, GroupSchema, DepartmentSchema}

// MaxCount is how many resources a page of a list has at most.
const MaxCount = 200

// Page chooses a page of a list. Start is the number of the first resource, from 1;
// SCIM knows no cursors.
type Page struct {
	Filter       Filter
	Start, Count int
}

const (
	usersWhere = ` from users u
		left join provisioned_users p on p.company_id = u.company_id and p.user_id = u.id
		left join departments d on d.company_id = u.company_id and d.id = u.department_id
		left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
		where u.company_id = $1 and not u.bot and (p.deleted_at is null or u.deactivated_at is null) and `
	departmentsWhere = ` from departments d
		left join provisioned_departments p on p.company_id = d.company_id and p.department_id = d.id
		where d.company_id = $1 and p.deleted_at is null and `
)

// ListUsers returns a page of people by id, and how many the filter chooses.
func (s *Store) ListUsers(ctx context.Context, companyID int64, page Page) (found []User, total int64, err error) {
	ids, total, err := s.list(ctx, companyID, page, userAttributes, "u.id", usersWhere)
	if err != nil || len(ids) == 0 {
		return nil, total, err
	}
	rows, err := s.users(ctx, usersParams{Ids: ids, CompanyID: companyID})
	for _, row := range rows {
		found = append(found, newUser(row))
	}
	return found, total, err
}

// ListDepartments returns a page of departments by id, with their members if wanted,
// and how many the filter chooses.
func (s *Store) ListDepartments(ctx context.Context, companyID int64, page Page, withMembers bool) (found []Department, total int64, err error) {
	ids, total, err := s.list(ctx, companyID, page, departmentAttributes, "d.id", departmentsWhere)
	if err != nil || len(ids) == 0 {
		return nil, total, err
	}
	found, err = s.departmentsOf(ctx, companyID, ids, withMembers)
	return found, total, err
}

func (s *Store) list(ctx context.Context, companyID int64, page Page, of attributes, id, where string) (ids []int64, total int64, err error) {
	condition, st := "true", statement{of, []any{companyID}}
	if page.Filter.expression != nil {
		if condition, err = st.condition(page.Filter.expression, false); err != nil {
			return nil, 0, err
		}
	}
	db := s.db.CustomPlan()
	if err := db.QueryRow(ctx, "select count(*)"+where+condition, st.args...).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count what a filter chooses: %w", err)
	}
	if page.Count <= 0 || int64(page.Start) > total {
		return nil, total, nil
	}
	rows, err := db.Query(ctx, fmt.Sprintf("select %s%s%s order by %[1]s limit %[4]d offset %[5]d", id, where, condition, min(page.Count, MaxCount), max(page.Start-1, 0)), st.args...)
	if err != nil {
		return nil, 0, err
	}
	ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	return ids, total, err
}
