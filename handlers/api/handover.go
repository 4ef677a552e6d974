package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// registerHandover registers how the messenger hands somebody over to a browser.
func (c *calls) registerHandover() {
	huma.Register(c.api, call{id: "handover", method: http.MethodPost, path: "/oauth/handover", tag: "Messenger", status: http.StatusCreated,
		summary: "Open the console for somebody who is signed in to the messenger",
		description: "By a service token with the scope events. Open /oauth?code=… in the person's browser, which is then signed in: " +
			"once, within a minute, and only if the person's policy allows it. 404 for somebody whom the company does not have, and for hidden users.",
		errors: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
	}.operation(huma.Middlewares{c.companyOf(identity.ScopeEvents)}), c.handover)
}

type tokenCompanyKey struct{}

// companyOf is the middleware that requires a service token with the given scope, for
// paths without a company. It stores the company of the token.
func (c *calls) companyOf(scope string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		b, err := c.serviceBearer(ctx, scope)
		if err != nil {
			c.refuse(ctx, err)
			return
		}
		next(huma.WithContext(ctx, context.WithValue(ctx.Context(), tokenCompanyKey{}, b.CompanyID)))
	}
}

type handoverInput struct {
	Body struct {
		UserID int64 `json:"user_id" minimum:"1"`
	}
}

type handoverOutput struct {
	Body struct {
		Code      string    `json:"code" doc:"For /oauth?code=… in the person's browser. No other call gives it."`
		ExpiresAt time.Time `json:"expires_at"`
	}
}

func (c *calls) handover(ctx context.Context, in *handoverInput) (*handoverOutput, error) {
	companyID, _ := ctx.Value(tokenCompanyKey{}).(int64)
	h, err := c.db.Identity.IssueHandover(ctx, companyID, in.Body.UserID)
	if err != nil {
		return nil, err
	}
	out := &handoverOutput{}
	out.Body.Code, out.Body.ExpiresAt = h.Code, h.ExpiresAt.UTC()
	return out, nil
}
