package api

import (
	"cmp"
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// SearchInput is the input of lists that can be searched.
type SearchInput struct {
	PageInput
	Q string `query:"q" doc:"At most three keywords of at least two characters, all of which must occur."`
}

// DepartmentInput is the input of the list of departments.
type DepartmentInput struct {
	SearchInput
	AcceptEncoding string `header:"Accept-Encoding" hidden:"true"`
}

type department struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	ParentID    parentID `json:"parent_id"`
	Path        string   `json:"path" doc:"The names from the company down to the department."`
	Default     bool     `json:"default" doc:"The caller's own default department."`
	ChildrenIDs []int64  `json:"children_ids" nullable:"false"`
	UserCount   int64    `json:"user_count" doc:"People of the department and of those below it, as far as the caller may see them; no bots."`
}

// departments lists the departments that the caller may see. Administrators
// load all of them with the tree on every page.
func (c *calls) departments(ctx context.Context, in *DepartmentInput) (*huma.StreamResponse, error) {
	who := callerOf(ctx)
	scope, search, err := c.scope(ctx, in.Q)
	if err != nil {
		return nil, err
	}
	read := func(ctx context.Context) ([]department, error) {
		return c.directoryDepartments(ctx, who, scope, search)
	}
	if scope.Everybody && search.Empty() && in.Limit == 0 && in.Cursor.IsStart() && takesGzip(in.AcceptEncoding) {
		return c.packedDepartments(in.PageInput, who, read), nil
	}
	var found []department // read once, for all pages of a whole list
	fetch := func(ctx context.Context, at *lists.Cursor, limit int) (page lists.Page[department], err error) {
		if found == nil {
			if found, err = read(ctx); err != nil {
				return page, err
			}
		}
		const list = "departments"
		position := func(d department) lists.Cursor { return lists.Cursor{List: list, Value: d.Path} }
		return lists.CutPage(found, at, limit, func(d department) int { return cmp.Compare(d.Path, at.Value) }, position), at.CheckForward(list)
	}
	return answer(c, in.PageInput, scope, fetch), nil
}

func (c *calls) directoryDepartments(ctx context.Context, who caller, scope directory.Scope, search search.Search) ([]department, error) {
	found, err := c.db.Directory.Departments(ctx, who.CompanyID, scope, search)
	if err != nil {
		return nil, err
	}
	people, err := c.db.Policies.DepartmentPeople(ctx, who.Person, scope)
	if err != nil {
		return nil, err
	}
	all := make([]department, len(found))
	for i, d := range found {
		all[i] = department{
			ID: d.ID, Name: d.Name, ParentID: parentID{d.ParentID}, Path: d.Path,
			Default: who.DepartmentID != nil && *who.DepartmentID == d.ID, ChildrenIDs: orEmpty(d.ChildrenIDs),
			UserCount: people[d.ID],
		}
	}
	return all, nil
}

type rank struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Position int32  `json:"position" doc:"The smaller, the higher."`
}

func (c *calls) ranks(ctx context.Context, in *PageInput) (*huma.StreamResponse, error) {
	return answer(c, *in, directory.Scope{}, func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[rank], error) {
		rows, err := c.db.Directory.Ranks(ctx, in.CompanyID)
		if err != nil {
			return lists.Page[rank]{}, err
		}
		ranks := make([]rank, len(rows))
		for i, row := range rows {
			ranks[i] = rank(row)
		}
		return byPosition("ranks", ranks, at, limit)
	}), nil
}

func (c *calls) roles(ctx context.Context, in *PageInput) (*huma.StreamResponse, error) {
	return answer(c, *in, directory.Scope{}, func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[rank], error) {
		rows, err := c.db.Directory.Roles(ctx, in.CompanyID)
		if err != nil {
			return lists.Page[rank]{}, err
		}
		roles := make([]rank, len(rows))
		for i, row := range rows {
			roles[i] = rank(row)
		}
		return byPosition("roles", roles, at, limit)
	}), nil
}

// byPosition returns a page of ranks or roles, which are sorted by position.
func byPosition(list string, all []rank, at *lists.Cursor, limit int) (lists.Page[rank], error) {
	var behind int64
	if !at.IsStart() {
		var err error
		if behind, err = strconv.ParseInt(at.Value, 10, 64); err != nil || at.CheckForward(list) != nil {
			return lists.Page[rank]{}, lists.ErrCursor
		}
	}
	compare := func(r rank) int { return cmp.Compare(int64(r.Position), behind) }
	return lists.CutPage(all, at, limit, compare, func(r rank) lists.Cursor {
		return lists.Cursor{List: list, Value: strconv.Itoa(int(r.Position))}
	}), nil
}

// scope answers what the caller may see and looks for.
func (c *calls) scope(ctx context.Context, q string) (directory.Scope, search.Search, error) {
	search, err := lists.ParseSearch(q)
	if err != nil {
		return directory.Scope{}, search, inField("q", err)
	}
	scope, err := c.db.Attendance.Scope(ctx, callerOf(ctx).Person)
	return scope, search, err
}

func orEmpty(ids []int64) []int64 {
	if ids == nil {
		return []int64{}
	}
	return ids
}
