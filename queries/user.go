package queries

import (
	"context"
	"fmt"
	"math"
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
	all := f.Scope.Everybody && f.DepartmentID == 0
	var departments []int64
	if !all {
		var err error
		if departments, err = db.departmentsOf(ctx, f.CompanyID, f.DepartmentID, f.Scope); err != nil || len(departments) == 0 {
			return nil, err
		}
	}
	q := New(freshlyPlanned{db.pool})
	few := !all && len(departments) <= fewDepartments
	switch {
	case !f.Search.Empty() && few:
		one, two, three := f.Search.Patterns()
		return q.searchUserIDsOfFewDepartments(ctx, searchUserIDsOfFewDepartmentsParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments,
			Pattern1: one, Pattern2: two, Pattern3: three, AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	case !f.Search.Empty():
		return db.searchDirectory(ctx, f, after, size, all, departments)
	case all:
		return q.userIDsByName(ctx, userIDsByNameParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	case few:
		return q.userIDsOfFewDepartments(ctx, userIDsOfFewDepartmentsParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	}
	return q.userIDsOfManyDepartments(ctx, userIDsOfManyDepartmentsParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, AfterName: after.Name, AfterID: after.ID, Size: size,
	})
}

// searchDirectory finds what is frequent among the next people by name, and
// what is rarer by the index of bigrams, which reads every match of a part of
// the names. Neither alone would do.
func (db *DB) searchDirectory(ctx context.Context, f DirectoryFilter, after DirectoryPlace, size int32, all bool, departments []int64) ([]int64, error) {
	q := New(freshlyPlanned{db.pool})
	const near, farther = 10, 40 // times what a page holds
	one, two, three := f.Search.Patterns()
	for _, reach := range []int32{near, farther} {
		ids, err := q.userIDsNear(ctx, userIDsNearParams{
			CompanyID: f.CompanyID, Hidden: f.Hidden, Everybody: all, DepartmentIds: departments,
			Pattern1: one, Pattern2: two, Pattern3: three,
			AfterName: after.Name, AfterID: after.ID, Reach: reach * size, Size: size,
		})
		if err != nil || len(ids) >= int(size) {
			return ids, err
		}
		if len(ids)*farther/near < int(size) {
			break // as rare as it is here, it would not be frequent enough farther on
		}
	}
	if all {
		return db.searchParts(ctx, f, after, size)
	}
	return q.searchUserIDsOfManyDepartments(ctx, searchUserIDsOfManyDepartmentsParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, DepartmentIds: departments, Grams: f.Search.Grams,
		Pattern1: one, Pattern2: two, Pattern3: three, AfterName: after.Name, AfterID: after.ID, Size: size,
	})
}

// searchParts asks the index for one part of the names after the other. A part
// that begins with people who all match is likely to go on like that: of those
// the next by name will do.
func (db *DB) searchParts(ctx context.Context, f DirectoryFilter, after DirectoryPlace, size int32) ([]int64, error) {
	const everyPart, near = math.MaxInt32, 4
	one, two, three := f.Search.Patterns()
	dense, err := db.densePart(ctx, densePartParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, Pattern1: one, Pattern2: two, Pattern3: three, AfterName: after.Name,
	})
	if err != nil {
		return nil, err
	}
	q := New(freshlyPlanned{db.pool})
	search := searchUserIDsParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, Grams: f.Search.Grams, Pattern1: one, Pattern2: two, Pattern3: three,
		AfterName: after.Name, AfterID: after.ID, LastPart: everyPart, Size: size,
	}
	if len(dense) == 0 {
		return q.searchUserIDs(ctx, search)
	}
	search.LastPart = dense[0].No - 1
	before, err := q.searchUserIDs(ctx, search)
	if err != nil || len(before) >= int(size) {
		return before, err
	}
	rest := size - int32(len(before))
	within, err := q.userIDsNear(ctx, userIDsNearParams{
		CompanyID: f.CompanyID, Hidden: f.Hidden, Everybody: true, Pattern1: one, Pattern2: two, Pattern3: three,
		AfterName: dense[0].Name, Reach: near * size, Size: rest,
	})
	if err == nil && len(within) < int(rest) {
		search.AfterName, search.AfterID, search.LastPart, search.Size = dense[0].Name, 0, everyPart, rest
		within, err = q.searchUserIDs(ctx, search)
	}
	return append(before, within...), err
}

// freshlyPlanned plans every statement for its arguments. A plan for any
// arguments, which PostgreSQL turns to after five executions, knows neither how
// frequent a search is nor how large a department.
type freshlyPlanned struct{ DBTX }

func (f freshlyPlanned) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	return f.DBTX.Query(ctx, statement, slices.Insert(args, 0, any(pgx.QueryExecModeCacheDescribe))...)
}
