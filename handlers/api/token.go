package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// registerTokens registers the operations of the service tokens of a company, which
// are created on the command line.
func (c *calls) registerTokens(administrators huma.Middlewares) {
	const tokens = u + "/security/tokens"
	huma.Register(c.api, call{id: "service-tokens", path: tokens, tag: accessTag, summary: "The service tokens of the company",
		description: "For administrators. Those that have not ended, the latest first.",
	}.operation(administrators), c.serviceTokens)
	huma.Register(c.api, call{id: "end-service-token", method: http.MethodDelete, path: tokens + "/{token_id}", tag: accessTag, summary: "End a service token",
		description: "For administrators. Programs that use it are answered 419 from then on. One that has ended meanwhile is no error: ended is 0.",
	}.operation(administrators), c.endServiceToken)
}

// ServiceToken is a token with which the messenger or another program uses the API.
type ServiceToken struct {
	ID        int64      `json:"id"`
	Scopes    []string   `json:"scopes" nullable:"false" example:"events"`
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"used_at" doc:"When it was last used, to the minute; null if it never was."`
}

type serviceTokensOutput struct {
	Body struct {
		Data []ServiceToken `json:"data" nullable:"false"`
	}
}

func (c *calls) serviceTokens(ctx context.Context, in *OwnPath) (*serviceTokensOutput, error) {
	tokens, err := c.db.Identity.ServiceTokens(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &serviceTokensOutput{}
	out.Body.Data = make([]ServiceToken, len(tokens))
	for i, t := range tokens {
		out.Body.Data[i] = ServiceToken{t.ID, t.Scopes, t.CreatedAt.UTC(), inUTC(t.UsedAt)}
	}
	return out, nil
}

// ServiceTokenPath is the path of a service token.
type ServiceTokenPath struct {
	OwnPath
	TokenID int64 `path:"token_id" minimum:"1"`
}

func (c *calls) endServiceToken(ctx context.Context, in *ServiceTokenPath) (*endedOutput, error) {
	out := &endedOutput{}
	ended, err := c.db.Identity.EndServiceToken(ctx, actor(ctx), in.TokenID)
	if ended {
		out.Body.Ended = 1
	}
	return out, err
}
