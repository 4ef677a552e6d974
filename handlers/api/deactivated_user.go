package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
)

// registerDeactivatedUsers registers the operations of deactivated users for
// administrators.
func (c *calls) registerDeactivatedUsers(middlewares huma.Middlewares) {
	const all, one = u + "/deactivated-users", u + "/deactivated-users/{user_id}"
	describe := func(d call) huma.Operation {
		d.tag = deactivatedTag
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	huma.Register(c.api, listOf[deactivatedUser](c, describe(call{id: "deactivated-users", path: all, summary: "Deactivated users, the latest first",
		description: "With what deactivated them, when and why. No other list of the present contains them. q finds by name and department."})), c.deactivatedUsers)
	huma.Register(c.api, describe(call{id: "deactivate-users", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Deactivate people who have left", description: "At most 5,000, all of them or none: they disappear from the organization and can no longer sign in, and their sign-ins and access tokens end for good. Their data and past attendance remain. Refused for bots, the caller, the last administrator and people who are deactivated, and if a policy check stops it (code check.broken)."}), c.deactivateUsers)
	huma.Register(c.api, describe(call{id: "reactivate-user", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: []int{http.StatusUnprocessableEntity},
		summary: "Reactivate somebody", description: "They can sign in again, unless they are hidden; what ended when they were deactivated is not revived. 404 for somebody who is not deactivated, 422 if a policy check stops it (code check.broken)."}), c.reactivateUser)
}

const deactivatedTag = "Deactivated users"

type deactivatedUser struct {
	ID            int64           `json:"id"`
	Name          string          `json:"name"`
	EmployeeID    string          `json:"employee_id"`
	Department    *departmentName `json:"department"`
	Source        string          `json:"source" enum:"administrator,import,provisioning" doc:"What deactivated them."`
	Reason        string          `json:"reason" doc:"In words, possibly empty."`
	DeactivatedAt time.Time       `json:"deactivated_at"`
	DeactivatedBy string          `json:"deactivated_by" doc:"A name, that of a program for an import or provisioning."`
}

func newDeactivatedUser(h hiding.HiddenUser) deactivatedUser {
	out := deactivatedUser{h.UserID, h.Name, h.EmployeeID, nil, string(h.Source), h.Reason, h.HiddenAt.UTC(), h.HiddenByName}
	if h.DepartmentID != 0 {
		out.Department = &departmentName{h.DepartmentID, h.Department}
	}
	return out
}

// DeactivatedUsersInput is the input of the list of deactivated users.
type DeactivatedUsersInput struct {
	SearchInput
	Source string `query:"source" enum:"administrator,import,provisioning" doc:"Only those whom this deactivated."`
}

func (c *calls) deactivatedUsers(ctx context.Context, in *DeactivatedUsersInput) (*huma.StreamResponse, error) {
	filter, err := hiding.ReadFilter(url.Values{"state": {string(hiding.Deactivated)}, "q": {in.Q}, "source": {in.Source}})
	if err != nil {
		return nil, err
	}
	if err := c.nameHidings(ctx, in.CompanyID, &in.query); err != nil {
		return nil, err
	}
	return answer(c, in.PageInput, directory.Scope{Everybody: true}, fetchHidden(c, in.CompanyID, filter, newDeactivatedUser)), nil
}

type deactivateUsersInput struct {
	OwnPath
	Body struct {
		UserIDs []int64 `json:"user_ids" nullable:"false" doc:"At most 5,000."`
		Reason  string  `json:"reason,omitempty" doc:"At most 200 characters."`
	}
}

func (c *calls) deactivateUsers(ctx context.Context, in *deactivateUsersInput) (*hideUsersOutput, error) {
	done, err := c.db.Hidings.Deactivate(ctx, actor(ctx), hiding.Deactivation{UserIDs: in.Body.UserIDs, Reason: in.Body.Reason})
	if err != nil {
		return nil, err
	}
	return newHideUsersOutput(ctx, done), nil
}

func (c *calls) reactivateUser(ctx context.Context, in *HiddenUserPath) (*struct{}, error) {
	_, err := c.db.Hidings.Reactivate(ctx, actor(ctx), []int64{in.UserID})
	return nil, err
}
