package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/blobs"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/lists"
)

type usersInput struct {
	SearchInput
	DepartmentID int64 `query:"department_id" minimum:"1" doc:"Only the people of this department and of those below it."`
}

type user struct {
	ID            int64            `json:"id"`
	Name          string           `json:"name"`
	Bot           bool             `json:"bot"`
	Image         *image           `json:"image,omitempty" doc:"Absent where there is none."`
	Email         string           `json:"email"`
	EmployeeID    string           `json:"employee_id"`
	Position      string           `json:"position" doc:"Name of the rank, empty where there is none."`
	RankID        *int64           `json:"rank_id"`
	RoleID        *int64           `json:"role_id"`
	CompanyPhone  string           `json:"company_phone"`
	PersonalPhone string           `json:"personal_phone" doc:"Empty for callers to whom the company does not disclose it."`
	Department    *departmentName  `json:"department" doc:"The default one; null for a bot without one."`
	Departments   []userDepartment `json:"departments" nullable:"false"`
	Installed     bool             `json:"installed" doc:"Whether a client is installed on any platform."`
	Version       string           `json:"version" doc:"Of the client that was used last, an installed one before one that was removed; empty where there never was one."`
	FirstLoginAt  *time.Time       `json:"first_login_at" doc:"With any client; null where there is none."`
	LastLoginAt   *time.Time       `json:"last_login_at" doc:"With any client; null where there is none."`
}

type departmentName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type userDepartment struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Default bool   `json:"default"`
}

type userImagePath struct {
	OwnPath
	UserID int64 `path:"user_id" minimum:"1"`
}

// userImage answers the picture that a page shows of a person of the company.
func (c *calls) userImage(ctx context.Context, in *userImagePath) (*pictureOutput, error) {
	hash, err := c.db.Identity.UserImage(ctx, identity.UserImageParams{CompanyID: in.CompanyID, UserID: in.UserID, OfHidden: callerOf(ctx).IsAdmin})
	if err != nil {
		return nil, err
	}
	out, err := c.picture(ctx, blobs.Key(in.CompanyID, hash))
	if err == nil {
		out.CacheControl = "private, no-cache" // the person may choose another picture
	}
	return out, err
}

func (c *calls) users(ctx context.Context, in *usersInput) (*huma.StreamResponse, error) {
	who := callerOf(ctx)
	scope, search, err := c.scope(ctx, in.Q)
	if err != nil {
		return nil, err
	}
	disclosure, err := c.db.Directory.DisclosureTo(ctx, who.Person)
	if err != nil {
		return nil, err
	}
	filter := directory.UserFilter{
		CompanyID: who.CompanyID, Scope: scope, DepartmentID: in.DepartmentID, Search: search,
	}
	fetch := func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[user], error) {
		filter.Cursor, filter.Limit = at, limit
		page, err := c.db.Directory.Users(ctx, filter)
		return pageOf(page, func(row directory.ListedUser) user {
			if !disclosure.PersonalPhones && row.ID != who.ID {
				row.PersonalPhone = ""
			}
			return newUser(row, scope)
		}), err
	}
	return answer(c, in.PageInput, scope, fetch), nil
}

// newUser returns a row of the list. Further departments that the caller may not see
// are left out.
func newUser(row directory.ListedUser, scope directory.Scope) user {
	u := user{
		ID: row.ID, Name: row.Name, Bot: row.Bot, Image: imageOf(row.ID, row.ImageHash),
		Email: row.Email, EmployeeID: row.EmployeeID, Position: row.Position, RankID: row.RankID, RoleID: row.RoleID,
		CompanyPhone: row.CompanyPhone, PersonalPhone: row.PersonalPhone, Departments: []userDepartment{},
		Installed: row.Installed, Version: row.Version, FirstLoginAt: inUTC(row.FirstLoginAt), LastLoginAt: inUTC(row.LastLoginAt),
	}
	if row.DepartmentID != nil {
		u.Department = &departmentName{*row.DepartmentID, row.DepartmentName}
		u.Departments = append(u.Departments, userDepartment{*row.DepartmentID, row.DepartmentName, true})
	}
	for i, id := range row.FurtherDepartmentIds {
		if scope.Includes(id) {
			u.Departments = append(u.Departments, userDepartment{id, row.FurtherDepartmentNames[i], false})
		}
	}
	return u
}
