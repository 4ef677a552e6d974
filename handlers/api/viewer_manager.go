package api

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// manager is a row of the specification's saved managers: one user of a
// registration, or a position criterion.
type manager struct {
	ID            int64            `json:"id" doc:"Of the registration; two people may share one."`
	UserID        *int64           `json:"user_id" doc:"Null for a position criterion."`
	Name          string           `json:"name" doc:"The person's; of a position criterion the position or above, in the language of the answer."`
	Position      string           `json:"position" doc:"Name of the rank, empty where there is none."`
	Role          string           `json:"role" doc:"ROLE_W_COMMUTE may edit attendance, not only see it."`
	DepartmentIDs []int64          `json:"department_ids" nullable:"false" doc:"The management departments."`
	Departments   []managedSubtree `json:"departments" nullable:"false" doc:"The same, with whether those below count too."`
}

type managedSubtree struct {
	ID              int64 `json:"id"`
	IncludeChildren bool  `json:"include_children"`
}

func (c *calls) managers(ctx context.Context, in *PageInput) (*huma.StreamResponse, error) {
	if err := c.nameViewers(ctx, in); err != nil {
		return nil, err
	}
	in.query += " " + string(locales.FromContext(ctx))
	const list = "managers"
	fetch := func(ctx context.Context, at *lists.Cursor, limit int) (page lists.Page[manager], err error) {
		arg := attendance.SavedManagersParams{CompanyID: in.CompanyID, Size: int32(limit) + 1}
		if !at.IsStart() {
			if arg.AfterID, err = strconv.ParseInt(at.Value, 10, 64); err != nil || at.CheckForward(list) != nil {
				return page, lists.ErrCursor
			}
			arg.AfterUserID = at.ID
		}
		rows, err := c.db.Attendance.SavedManagers(ctx, arg)
		found := lists.NewPage(rows, at, limit, func(row attendance.SavedManagersRow) lists.Cursor {
			return lists.Cursor{List: list, Value: strconv.FormatInt(row.ID, 10), ID: row.UserID}
		})
		return pageOf(found, func(row attendance.SavedManagersRow) manager { return newManager(ctx, row) }), err
	}
	return answer(c, *in, directory.Scope{Everybody: true}, fetch), nil
}

func newManager(ctx context.Context, row attendance.SavedManagersRow) manager {
	m := manager{ID: row.ID, Name: row.Name, Position: row.Position, DepartmentIDs: orEmpty(row.DepartmentIds), Departments: []managedSubtree{}}
	if row.RankID != nil {
		m.Name = locales.T(ctx, "viewer.or_above", "Rank", row.Position)
	} else {
		m.UserID = &row.UserID
	}
	if row.MayEdit {
		m.Role = directory.RoleCommute
	}
	for i, id := range row.DepartmentIds {
		m.Departments = append(m.Departments, managedSubtree{id, row.IncludeChildren[i]})
	}
	return m
}
