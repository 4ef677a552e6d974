package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
)

// registerHiddenUsers registers the operations of hidden users for
// administrators.
func (c *calls) registerHiddenUsers(middlewares huma.Middlewares) {
	const all, one = u + "/hidden-users", u + "/hidden-users/{user_id}"
	describe := func(d call) huma.Operation {
		d.tag = hiddenTag
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	huma.Register(c.api, listOf[hiddenUser](c, describe(call{id: "hidden-users", path: all, summary: "Hidden users, the latest first",
		description: "With who hid them, when and why. No other list contains them. q finds by name and department."})), c.hiddenUsers)
	huma.Register(c.api, describe(call{id: "hide-users", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Hide people", description: "At most 5,000, all of them or none: they disappear from the organization and can no longer sign in, and their sign-ins and access tokens end for good. Refused for bots, the caller, the last administrator and people who are hidden, and if a policy check stops it (code check.broken)."}), c.hideUsers)
	huma.Register(c.api, describe(call{id: "show-user", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: []int{http.StatusUnprocessableEntity},
		summary: "Show somebody again", description: "They can sign in again; what ended when they were hidden is not revived. 404 for somebody who is not hidden, 422 if a policy check stops it (code check.broken)."}), c.showUser)
}

const hiddenTag = "Hidden users"

type hiddenUser struct {
	ID         int64           `json:"id"`
	Name       string          `json:"name"`
	EmployeeID string          `json:"employee_id"`
	Department *departmentName `json:"department"`
	Kind       string          `json:"kind" enum:"leaver,leave,contract_end,test,other"`
	Reason     string          `json:"reason" doc:"In the administrator's words, possibly empty."`
	Until      *string         `json:"show_again_on" format:"date" doc:"The company's day on which they are shown again by themselves; null for somebody who stays hidden."`
	HiddenAt   time.Time       `json:"hidden_at"`
	HiddenBy   string          `json:"hidden_by" doc:"A name; empty for a hiding of an earlier release."`
}

func newHiddenUser(h hiding.HiddenUser) hiddenUser {
	out := hiddenUser{h.UserID, h.Name, h.EmployeeID, nil, string(h.Kind), h.Reason, nil, h.HiddenAt.UTC(), h.HiddenByName}
	if h.ShowAgainOn != nil {
		day := h.ShowAgainOn.Format(time.DateOnly)
		out.Until = &day
	}
	if h.DepartmentID != 0 {
		out.Department = &departmentName{h.DepartmentID, h.Department}
	}
	return out
}

// HiddenUsersInput is the input of the list of hidden users.
type HiddenUsersInput struct {
	SearchInput
	Kind string `query:"kind" enum:"leaver,leave,contract_end,test,other" doc:"Only those of this kind."`
}

func (c *calls) hiddenUsers(ctx context.Context, in *HiddenUsersInput) (*huma.StreamResponse, error) {
	filter, err := hiding.ReadFilter(url.Values{"q": {in.Q}, "kind": {in.Kind}})
	if err != nil {
		return nil, err
	}
	if err := c.nameHidings(ctx, in.CompanyID, &in.query); err != nil {
		return nil, err
	}
	return answer(c, in.PageInput, directory.Scope{Everybody: true}, fetchHidden(c, in.CompanyID, filter, newHiddenUser)), nil
}

// nameHidings adds the state of the hidings to the ETag of a list.
func (c *calls) nameHidings(ctx context.Context, companyID int64, query *string) error {
	state, err := c.db.Hidings.ListState(ctx, companyID)
	*query += fmt.Sprintf(" %d %d %d", state.Count, state.LastID, state.ShownAt.UnixMicro())
	return err
}

func fetchHidden[Row any](c *calls, companyID int64, filter hiding.Filter, row func(hiding.HiddenUser) Row) func(context.Context, *lists.Cursor, int) (lists.Page[Row], error) {
	return func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[Row], error) {
		filter.Cursor, filter.Limit = at, limit
		page, err := c.db.Hidings.List(ctx, companyID, filter)
		return pageOf(page, row), err
	}
}

type hideUsersInput struct {
	OwnPath
	Body struct {
		UserIDs []int64 `json:"user_ids" nullable:"false" doc:"At most 5,000."`
		Kind    string  `json:"kind,omitempty" enum:"leaver,leave,contract_end,test,other" doc:"other where it is left out."`
		Reason  string  `json:"reason,omitempty" doc:"At most 200 characters."`
		Until   string  `json:"show_again_on,omitempty" format:"date" doc:"The company's day on which they are shown again by themselves, after today. Left out, they stay hidden until somebody shows them."`
	}
}

type hideUsersOutput struct {
	Body struct {
		Data   []hiddenName  `json:"data" nullable:"false" doc:"Who was hidden or deactivated."`
		Checks []brokenCheck `json:"checks,omitempty" nullable:"false" doc:"The policy checks that this breaks, which only warn. Those that stop it refuse the request."`
	}
}

type hiddenName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func (c *calls) hideUsers(ctx context.Context, in *hideUsersInput) (*hideUsersOutput, error) {
	until, err := dateIn("show_again_on", in.Body.Until, 0)
	if err != nil {
		return nil, err
	}
	hidden, err := c.db.Hidings.Hide(ctx, actor(ctx), hiding.Draft{UserIDs: in.Body.UserIDs, Kind: hiding.Kind(in.Body.Kind), Reason: in.Body.Reason, ShowAgainOn: until})
	if err != nil {
		return nil, err
	}
	return newHideUsersOutput(ctx, hidden), nil
}

func newHideUsersOutput(ctx context.Context, hidden hiding.Result) *hideUsersOutput {
	out := &hideUsersOutput{}
	out.Body.Data, out.Body.Checks = []hiddenName{}, newBroken(ctx, hidden.Broken)
	for _, p := range hidden.People {
		out.Body.Data = append(out.Body.Data, hiddenName(p))
	}
	return out
}

// HiddenUserPath is the path of a hidden or deactivated user.
type HiddenUserPath struct {
	OwnPath
	UserID int64 `path:"user_id"`
}

func (c *calls) showUser(ctx context.Context, in *HiddenUserPath) (*struct{}, error) {
	_, err := c.db.Hidings.Show(ctx, actor(ctx), []int64{in.UserID})
	return nil, err
}

// hiddenIDs is what the messenger reads of the hidden and deactivated users.
type hiddenIDs struct {
	UserIDs []int64 `json:"user_ids" nullable:"false" doc:"In ascending order."`
}

type hiddenIDsOutput struct{ Body hiddenIDs }

// messengerHidden returns whom the messenger must not let in: hidden and deactivated
// users.
func (c *calls) messengerHidden(ctx context.Context, in *CompanyPath) (*hiddenIDsOutput, error) {
	ids, err := c.db.Hidings.HiddenIDs(ctx, in.CompanyID)
	return &hiddenIDsOutput{hiddenIDs{orEmpty(ids)}}, err
}
