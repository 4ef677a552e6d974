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
	Cursor       *Cursor
	Limit        int
}

// DirectoryList is the list of cursors of people.
const DirectoryList = "people"

// DirectoryUsers lists people by name. The list is only read forward.
func (db *DB) DirectoryUsers(ctx context.Context, f DirectoryFilter) (Page[DirectoryUser], error) {
	page := Page[DirectoryUser]{}
	if err := f.Cursor.CheckForward(DirectoryList); err != nil {
		return page, err
	}
	ids, err := db.directoryUserIDs(ctx, f, f.Cursor.name(), int32(f.Limit)+1)
	if err != nil {
		return page, fmt.Errorf("people of the directory: %w", err)
	}
	var users []DirectoryUser
	if len(ids) > 0 {
		if users, err = db.usersInOrder(ctx, usersInOrderParams{CompanyID: f.CompanyID, Ids: ids}); err != nil {
			return page, fmt.Errorf("people of the directory: %w", err)
		}
	}
	page = NewPage(users, f.Cursor, f.Limit, func(u DirectoryUser) Cursor { return Cursor{List: DirectoryList, Value: u.Name, ID: u.ID} })
	page.forwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// A department's people are read in the order of the index; for more
// departments than this it is quicker to walk along the names of the company.
const fewDepartments = 64

func (db *DB) directoryUserIDs(ctx context.Context, f DirectoryFilter, after personKey, size int32) ([]int64, error) {
	var departments []int64
	all := f.Scope.Everybody && f.DepartmentID == 0
	if !all {
		var err error
		if departments, err = db.departmentsOf(ctx, f.CompanyID, f.DepartmentID, f.Scope); err != nil || len(departments) == 0 {
			return nil, err
		}
	}
	if !all && len(departments) <= fewDepartments {
		one, two, three := f.Search.ThreePatterns()
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
