package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
	"officeconsole/traffic"
)

// registerServiceToken registers what a program asks that has a service token and nothing
// else.
func (c *calls) registerServiceToken() {
	huma.Register(c.api, call{id: "service-token", path: "/oauth/token", tag: "Messenger", summary: "What the service token of the call is",
		description: "By a service token of any scope: its company, which the paths of other calls need, and what it may do. 403 for the token of a person, for whom there is the profile.",
	}.operation(huma.Middlewares{c.anyService}), c.serviceToken)
}

type serviceTokenKey struct{}

// anyService is the middleware that requires a service token, whatever its scopes.
func (c *calls) anyService(ctx huma.Context, next func(huma.Context)) {
	b, err := c.serviceBearer(ctx, "")
	if err != nil {
		c.refuse(ctx, err)
		return
	}
	traffic.NoteCaller(ctx.Context(), traffic.Caller{CompanyID: b.CompanyID, Token: "service"})
	c.admitService(huma.WithContext(ctx, context.WithValue(ctx.Context(), serviceTokenKey{}, b)), next)
}

type serviceTokenOutput struct {
	Body struct {
		CompanyID int64    `json:"company_id"`
		Name      string   `json:"name" doc:"What the token is called."`
		Scopes    []string `json:"scopes" nullable:"false"`
	}
}

func (c *calls) serviceToken(ctx context.Context, _ *struct{}) (*serviceTokenOutput, error) {
	b, _ := ctx.Value(serviceTokenKey{}).(identity.Bearer)
	out := &serviceTokenOutput{}
	out.Body.CompanyID, out.Body.Name, out.Body.Scopes = b.CompanyID, b.TokenName, b.Scopes
	return out, nil
}
