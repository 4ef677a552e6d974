package provisioning

import (
	"context"

	"officeconsole/queries"
)

// Department is a department as another directory sees it. ParentID is 0 for the root.
type Department struct {
	ID         int64
	Name       string
	ParentID   int64
	ExternalID string
	Members    []Member // nil unless they were asked for

	path string
	sums [2]int64 // change with the members
}

// Member is a person of a department.
type Member struct {
	ID   int64
	Name string
}

// Version changes whenever something of the department does that SCIM shows.
func (d Department) Version() string {
	return version([]any{d.ID, d.Name, d.ParentID, d.ExternalID, d.sums})
}

// Department returns a department, with its members if wanted. NotFound means that
// there is none that SCIM shows.
func (s *Store) Department(ctx context.Context, companyID, id int64, withMembers bool) (Department, error) {
	return s.department(ctx, companyID, id, withMembers)
}

func (q *Queries) department(ctx context.Context, companyID, id int64, withMembers bool) (Department, error) {
	all, err := q.departmentsOf(ctx, companyID, []int64{id}, withMembers)
	if err == nil && len(all) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return Department{}, err
	}
	return all[0], nil
}

func (q *Queries) departmentsOf(ctx context.Context, companyID int64, ids []int64, withMembers bool) ([]Department, error) {
	rows, err := q.departments(ctx, departmentsParams{Ids: ids, CompanyID: companyID})
	if err != nil {
		return nil, err
	}
	all, at := make([]Department, len(rows)), map[int64]int{}
	for i, row := range rows {
		all[i] = Department{ID: row.ID, Name: row.Name, ParentID: row.ParentID, ExternalID: row.ExternalID, path: row.Path, sums: [2]int64{row.DefaultSum, row.FurtherSum}}
		at[row.ID] = i
	}
	if !withMembers || len(all) == 0 {
		return all, nil
	}
	members, err := q.members(ctx, membersParams{companyID, ids})
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Members = []Member{}
	}
	for _, m := range members {
		if i, ok := at[m.DepartmentID]; ok {
			all[i].Members = append(all[i].Members, Member{m.UserID, m.Name})
		}
	}
	return all, nil
}

// DepartmentRecord is a department in the change log. Added and Removed are the names
// of at most maxNamed people.
type DepartmentRecord struct {
	Name       string   `json:"name,omitempty"`
	Path       string   `json:"department_path,omitempty"`
	ExternalID string   `json:"external_id,omitempty"`
	Added      []string `json:"members_added,omitempty"`
	Removed    []string `json:"members_removed,omitempty"`
}

const maxNamed = 100

func (d Department) record() DepartmentRecord {
	return DepartmentRecord{Name: d.Name, Path: d.path, ExternalID: d.ExternalID}
}

func namesOf(members []Member) (names []string) {
	for _, m := range members[:min(maxNamed, len(members))] {
		names = append(names, m.Name)
	}
	return names
}
