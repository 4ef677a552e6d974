package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// registerViewers registers the operations of viewers (spec §6).
func (c *calls) registerViewers(middlewares huma.Middlewares) {
	const all, one = u + "/policies/workingattitude/managers", u + "/policies/workingattitude/managers/{manager_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Viewing authority"
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	conflicts := []int{http.StatusConflict}
	huma.Register(c.api, listOf[viewer](c, describe(call{id: "viewers", path: all, summary: "Who may see others' attendance, the latest registration first",
		description: "Administrators see everybody without a registration. q finds by people, position and management departments."})), c.viewers)
	huma.Register(c.api, describe(call{id: "register-viewer", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Register viewing-authority persons", description: "By a position or above, or one or two individuals, with at least one management department."}), c.registerViewer)
	huma.Register(c.api, describe(call{id: "viewer", path: one, summary: "One registration",
		description: "Who is registered, which departments they may see and whether they may edit. ETag is its version, for If-Match. 404 once it is deleted."}), c.viewer)
	huma.Register(c.api, describe(call{id: "update-viewer", method: http.MethodPatch, path: one, errors: append(conflicts, unreadable...),
		summary: "Change a registration", description: "What is left out stays as it is. With If-Match, 409 when somebody else changed it in between."}), c.updateViewer)
	huma.Register(c.api, describe(call{id: "delete-viewer", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts,
		summary: "Delete a registration", description: "It can be restored for thirty days."}), c.deleteViewer)
	huma.Register(c.api, describe(call{id: "restore-viewer", method: http.MethodPost, path: one + "/restoration", errors: conflicts,
		summary: "Restore a deleted registration", description: "409 when the same has been registered again."}), c.restoreViewer)
}

type viewer struct {
	ID           int64              `json:"id"`
	By           string             `json:"by" enum:"position,person"`
	Rank         *viewerRank        `json:"rank" doc:"People of this position or above; null for individuals."`
	WholeCompany bool               `json:"whole_company" doc:"Whether the position counts everywhere."`
	Within       []viewerDepartment `json:"within" nullable:"false" doc:"Else where it counts."`
	Users        []viewerUser       `json:"users" nullable:"false" doc:"The individuals."`
	Departments  []viewerDepartment `json:"departments" nullable:"false" doc:"The management departments."`
	MayEdit      bool               `json:"may_edit"`
	RegisteredBy string             `json:"registered_by" doc:"A name; empty where nobody of the company did."`
	RegisteredAt time.Time          `json:"registered_at"`
}

type viewerRank struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type viewerDepartment struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	IncludeChildren bool   `json:"include_children"`
}

type viewerUser struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Position   string `json:"position" doc:"Name of the rank, empty where there is none."`
	Department string `json:"department"`
}

func newViewer(v attendance.Viewer) viewer {
	out := viewer{
		ID: v.ID, By: v.Draft().By, WholeCompany: v.WholeCompany, Within: viewerDepartments(v.Within), Users: []viewerUser{},
		Departments: viewerDepartments(v.Departments), MayEdit: v.MayEdit, RegisteredBy: v.RegisteredBy, RegisteredAt: v.RegisteredAt.UTC(),
	}
	if v.RankID != 0 {
		out.Rank = &viewerRank{v.RankID, v.RankName}
	}
	for _, p := range v.People {
		out.Users = append(out.Users, viewerUser{p.ID, p.Name, p.Position, p.Department})
	}
	return out
}

func viewerDepartments(departments []attendance.ViewerDepartment) []viewerDepartment {
	out := make([]viewerDepartment, len(departments))
	for i, d := range departments {
		out[i] = viewerDepartment{d.ID, d.Name, d.IncludeChildren}
	}
	return out
}

// ViewersInput is the input of the list of registrations.
type ViewersInput struct {
	SearchInput
	MayEdit string `query:"may_edit" enum:"true,false" doc:"Only those with editing permission, or only those without."`
}

func (c *calls) viewers(ctx context.Context, in *ViewersInput) (*huma.StreamResponse, error) {
	editing := map[string]string{"true": "yes", "false": "no"}[in.MayEdit]
	filter, err := attendance.ReadViewerFilter(url.Values{"q": {in.Q}, "editing": {editing}})
	if err != nil {
		return nil, err
	}
	if err := c.nameViewers(ctx, &in.PageInput); err != nil {
		return nil, err
	}
	fetch := func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[viewer], error) {
		filter.Cursor, filter.Limit = at, limit
		page, err := c.db.Attendance.Viewers(ctx, in.CompanyID, filter)
		return pageOf(page, newViewer), err
	}
	return answer(c, in.PageInput, directory.Scope{Everybody: true}, fetch), nil
}

// nameViewers adds the state of the registrations to the list's ETag.
func (c *calls) nameViewers(ctx context.Context, in *PageInput) error {
	state, err := c.db.Attendance.ViewersState(ctx, in.CompanyID)
	in.query += fmt.Sprintf(" %d %d", state.Count, state.UpdatedAt.UnixMicro())
	return err
}

// ViewerBody is a registration to save; nil leaves a field unchanged.
type ViewerBody struct {
	By           *string             `json:"by,omitempty" doc:"position or person; what belongs to the other is left out."`
	RankID       *int64              `json:"rank_id,omitempty"`
	WholeCompany *bool               `json:"whole_company,omitempty"`
	Within       *[]ChosenDepartment `json:"within,omitempty" doc:"Unless whole_company."`
	UserIDs      *[]int64            `json:"user_ids,omitempty" doc:"At most two."`
	Departments  *[]ChosenDepartment `json:"departments,omitempty"`
	MayEdit      *bool               `json:"may_edit,omitempty"`
}

// ChosenDepartment is a department of a registration to save.
type ChosenDepartment struct {
	ID              int64 `json:"id"`
	IncludeChildren *bool `json:"include_children,omitempty" doc:"True where it is left out."`
}

// into applies the fields that were sent to a draft.
func (b ViewerBody) into(d attendance.ViewerDraft) attendance.ViewerDraft {
	replace(&d.By, b.By)
	replace(&d.RankID, b.RankID)
	replace(&d.WholeCompany, b.WholeCompany)
	replace(&d.UserIDs, b.UserIDs)
	replace(&d.MayEdit, b.MayEdit)
	replaceDepartments(&d.Within, b.Within)
	replaceDepartments(&d.Departments, b.Departments)
	return d
}

func replace[T any](value, sent *T) {
	if sent != nil {
		*value = *sent
	}
}

func replaceDepartments(departments *[]attendance.ViewerDepartment, sent *[]ChosenDepartment) {
	if sent == nil {
		return
	}
	*departments = nil
	for _, d := range *sent {
		include := d.IncludeChildren == nil || *d.IncludeChildren
		*departments = append(*departments, attendance.ViewerDepartment{ID: d.ID, IncludeChildren: include})
	}
}

// ViewerPath is the path of a registration.
type ViewerPath struct {
	OwnPath
	ManagerID int64 `path:"manager_id"`
}

type viewerOutput struct {
	ETag string `header:"ETag"`
	Body viewer
}

func oneViewer(v attendance.Viewer, err error) (*viewerOutput, error) {
	if err != nil {
		return nil, err
	}
	return &viewerOutput{versionTag(v.VersionNo), newViewer(v)}, nil
}

// NewViewer is a new registration to save.
type NewViewer struct {
	ViewerBody `needs:"by,departments"`
}

type registerViewerInput struct {
	OwnPath
	Body NewViewer
}

func (c *calls) registerViewer(ctx context.Context, in *registerViewerInput) (*viewerOutput, error) {
	return oneViewer(c.db.Attendance.RegisterViewer(ctx, actor(ctx), in.Body.into(attendance.ViewerDraft{})))
}

func (c *calls) viewer(ctx context.Context, in *ViewerPath) (*viewerOutput, error) {
	return oneViewer(c.db.Attendance.Viewer(ctx, in.CompanyID, in.ManagerID))
}

type updateViewerInput struct {
	ViewerPath
	IfMatch string `header:"If-Match" doc:"The ETag of the registration as the client has seen it; without it whatever there is is changed."`
	Body    ViewerBody
}

func (c *calls) updateViewer(ctx context.Context, in *updateViewerInput) (*viewerOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	stored, err := c.db.Attendance.Viewer(ctx, in.CompanyID, in.ManagerID)
	if err != nil {
		return nil, err
	}
	return oneViewer(c.db.Attendance.UpdateViewer(ctx, actor(ctx), in.ManagerID, cmp.Or(seen, stored.VersionNo), in.Body.into(stored.Draft())))
}

type deleteViewerInput struct {
	ViewerPath
	IfMatch string `header:"If-Match" doc:"The ETag of the registration as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deleteViewer(ctx context.Context, in *deleteViewerInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	return nil, c.db.Attendance.DeleteViewer(ctx, actor(ctx), in.ManagerID, seen)
}

func (c *calls) restoreViewer(ctx context.Context, in *ViewerPath) (*viewerOutput, error) {
	return oneViewer(c.db.Attendance.RestoreViewer(ctx, actor(ctx), in.ManagerID, 0))
}
