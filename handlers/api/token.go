package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// registerTokens registers the operations of the service tokens of a company.
func (c *calls) registerTokens(administrators huma.Middlewares) {
	const tokens = u + "/security/tokens"
	proved := append(administrators, c.proved)
	huma.Register(c.api, call{id: "service-tokens", path: tokens, tag: accessTag, summary: "The service tokens of the company",
		description: "For administrators. Those that have not ended, the latest first.",
	}.operation(administrators), c.serviceTokens)
	huma.Register(c.api, call{id: "create-service-token", method: http.MethodPost, path: tokens, tag: accessTag, status: http.StatusCreated, summary: "Create a service token",
		description: "For administrators. token is answered this once only. " + provedText, errors: []int{http.StatusUnprocessableEntity},
	}.operation(proved), c.createServiceToken)
	huma.Register(c.api, call{id: "rotate-service-token", method: http.MethodPost, path: tokens + "/{token_id}/rotation", tag: accessTag, status: http.StatusCreated, summary: "Replace a service token",
		description: "For administrators. The new token has the same name, scopes, addresses and end, and is answered this once only. The token before works for overlap_seconds more. 409 for one that has ended or was replaced. " + provedText,
		errors:      []int{http.StatusConflict, http.StatusUnprocessableEntity},
	}.operation(proved), c.rotateServiceToken)
	huma.Register(c.api, call{id: "end-service-token", method: http.MethodDelete, path: tokens + "/{token_id}", tag: accessTag, summary: "End a service token",
		description: "For administrators. Programs that use it are answered 419 from then on. One that has ended meanwhile is no error: ended is 0.",
	}.operation(administrators), c.endServiceToken)
}

// provedText is part of the description of calls that need a proof.
const provedText = "403 proof.required where the caller has proved who they are more than ten minutes ago: signing in again, or a proof in the console, is one."

// ServiceToken is a token with which the messenger or another program uses the API.
type ServiceToken struct {
	ID               int64      `json:"id"`
	Name             string     `json:"name"`
	Ending           string     `json:"ending" doc:"The last characters of the token."`
	Scopes           []string   `json:"scopes" nullable:"false" example:"events"`
	AllowedAddresses []string   `json:"allowed_addresses" nullable:"false" doc:"Every address, where there are none."`
	Status           string     `json:"status" enum:"active,rotated" doc:"rotated: another token has replaced it, and it works until expires_at."`
	CreatedAt        time.Time  `json:"created_at"`
	ExpiresAt        *time.Time `json:"expires_at" doc:"null for a token that lasts until it is revoked."`
	UsedAt           *time.Time `json:"used_at" doc:"When it was last used, to the minute; null if it never was."`
	UsedFrom         *string    `json:"used_from"`
}

type serviceTokensOutput struct{ Body list[ServiceToken] }

func (c *calls) serviceTokens(ctx context.Context, in *OwnPath) (*serviceTokensOutput, error) {
	tokens, err := c.db.Identity.ServiceTokens(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out, now := &serviceTokensOutput{}, c.db.Now()
	out.Body.Data = []ServiceToken{}
	for _, t := range tokens {
		if !t.Works(now) {
			continue
		}
		row := ServiceToken{
			ID: t.ID, Name: t.Name, Ending: t.Ending, Scopes: t.Scopes, AllowedAddresses: t.AllowedAddresses, Status: string(t.Status(now)),
			CreatedAt: t.CreatedAt.UTC(), ExpiresAt: inUTC(t.ExpiresAt), UsedAt: inUTC(t.UsedAt),
		}
		if t.UsedFrom != nil {
			text := t.UsedFrom.String()
			row.UsedFrom = &text
		}
		out.Body.Data = append(out.Body.Data, row)
	}
	return out, nil
}

type createServiceTokenInput struct {
	OwnPath
	Body struct {
		Name             string     `json:"name" doc:"At most 50 characters."`
		Scopes           []string   `json:"scopes" nullable:"false" doc:"What the token may do: events, read, scim."`
		AllowedAddresses []string   `json:"allowed_addresses,omitempty" nullable:"false" doc:"IP ranges such as 203.0.113.0/24, at most 50. Without any, every address is allowed."`
		ExpiresAt        *time.Time `json:"expires_at,omitempty" doc:"At most ten years ahead. Without it the token lasts until it is revoked."`
	}
}

type issuedServiceToken struct {
	ID    int64  `json:"id"`
	Token string `json:"token"`
}

type issuedServiceTokenOutput struct{ Body issuedServiceToken }

func (c *calls) createServiceToken(ctx context.Context, in *createServiceTokenInput) (*issuedServiceTokenOutput, error) {
	issued, err := c.db.Identity.IssueServiceToken(ctx, actor(ctx), identity.ServiceTokenDraft{
		Name: in.Body.Name, Scopes: in.Body.Scopes, Addresses: in.Body.AllowedAddresses, ExpiresAt: in.Body.ExpiresAt,
	})
	return &issuedServiceTokenOutput{issuedServiceToken(issued)}, err
}

// ServiceTokenPath is the path of a service token.
type ServiceTokenPath struct {
	OwnPath
	TokenID int64 `path:"token_id" minimum:"1"`
}

type rotateServiceTokenInput struct {
	ServiceTokenPath
	Body struct {
		OverlapSeconds int64 `json:"overlap_seconds" minimum:"0" maximum:"604800" doc:"How long the token before works on."`
	}
}

func (c *calls) rotateServiceToken(ctx context.Context, in *rotateServiceTokenInput) (*issuedServiceTokenOutput, error) {
	issued, err := c.db.Identity.RotateServiceToken(ctx, actor(ctx), in.TokenID, time.Duration(in.Body.OverlapSeconds)*time.Second)
	return &issuedServiceTokenOutput{issuedServiceToken(issued)}, err
}

func (c *calls) endServiceToken(ctx context.Context, in *ServiceTokenPath) (*endedOutput, error) {
	out := &endedOutput{}
	ended, err := c.db.Identity.EndServiceToken(ctx, actor(ctx), in.TokenID)
	if ended {
		out.Body.Ended = 1
	}
	return out, err
}
