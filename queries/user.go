package queries

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// DirectoryUser is a person or a bot as the directory lists them.
type DirectoryUser = usersInOrderRow

// DirectoryFilter says which people of a company are meant.
type DirectoryFilter struct {
	CompanyID    int64
	Scope        Scope
	DepartmentID int64 // with all its descendants; 0 for every department
	Search       Search
	Hidden       bool // hidden people too
}

// DirectoryPlace is a place in the list of people: behind the one with this
// name and id. The zero place is the beginning.
type DirectoryPlace struct {
	Name string
	ID   int64
}

// DirectoryUsers are the next people behind a place, by name; fewer than size
// only at the end of the list.
func (db *DB) DirectoryUsers(ctx context.Context, f DirectoryFilter, after DirectoryPlace, size int) ([]DirectoryUser, error) {
	ids, err := db.directoryUserIDs(ctx, f, after, int32(size))
	if err != nil {
		return nil, fmt.Errorf("people of the directory: %w", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return db.usersInOrder(ctx, usersInOrderParams{CompanyID: f.CompanyID, Ids: ids})
}

// A department's people are read in the order of the index; for more
// departments than this it is quicker to walk along the names of the company.
const fewDepartments = 64

func (db *DB) directoryUserIDs(ctx context.Context, f DirectoryFilter, after DirectoryPlace, size int32) ([]int64, error) {
	var departments []int64
	all := f.Scope.Everybody && f.DepartmentID == 0
	if !all {
		var err error
		if departments, err = db.departmentsOf(ctx, f.CompanyID, f.DepartmentID, f.Scope); err != nil || len(departments) == 0 {
			return nil, err
		}
	}
	if !all && len(departments) <= fewDepartments {
		one, two, three := f.Search.Patterns()
		return New(freshlyPlanned{db.pool}).userIDsOfFewDepartments(ctx, userIDsOfFewDepartmentsParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, Pattern1: one, Pattern2: two, Pattern3: three,
			AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	}
	if !f.Search.Empty() {
		return db.searchUserIDs(ctx, userSearch{
			companyID: f.CompanyID, hidden: f.Hidden, departments: departments, search: f.Search, from: after, size: int(size),
		})
	}
	return New(freshlyPlanned{db.pool}).userIDsByName(ctx, userIDsByNameParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, AfterName: after.Name, AfterID: after.ID, Size: size,
	})
}

// freshlyPlanned plans every statement for its arguments. A plan for any
// arguments, which PostgreSQL turns to after five executions, knows neither how
// frequent a search is nor how large a department.
type freshlyPlanned struct{ DBTX }

func (f freshlyPlanned) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	return f.DBTX.Query(ctx, statement, slices.Insert(args, 0, any(pgx.QueryExecModeCacheDescribe))...)
}
