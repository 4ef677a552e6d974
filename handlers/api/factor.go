package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// registerFactorRule registers of whom the company requires a second factor.
func (c *calls) registerFactorRule(administrators huma.Middlewares) {
	const path = u + "/security/factor-rule"
	huma.Register(c.api, call{id: "factor-rule", path: path, tag: accessTag, summary: "Of whom the company requires a second factor",
		description: "For administrators. ETag is the version, for If-Match.",
	}.operation(administrators), c.factorRule)
	huma.Register(c.api, call{id: "set-factor-rule", method: http.MethodPut, path: path, tag: accessTag, summary: "Change of whom the company requires a second factor",
		description: "For administrators. With If-Match, 409 when somebody else has saved in between. " + provedText,
		errors:      []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity},
	}.operation(append(administrators, c.proved)), c.setFactorRule)
}

// FactorRule says of whom a company requires a second factor.
type FactorRule struct {
	RequiredOf   string `json:"required_of" enum:"nobody,administrators,everybody" doc:"Administrators are among everybody."`
	GraceDays    int    `json:"grace_days" minimum:"0" maximum:"365" doc:"How many days people have to get one, from the day on which the rule begins to apply to them."`
	TrustsSignOn bool   `json:"trusts_sign_on" doc:"Whether single sign-on and the messenger vouch for people, who then are not asked for a second factor."`
}

// FactorState is the rule with what follows from it.
type FactorState struct {
	FactorRule
	AdministratorsDueAt   *time.Time `json:"administrators_due_at" doc:"From when on administrators need one; null for never."`
	EverybodyDueAt        *time.Time `json:"everybody_due_at"`
	People                int        `json:"people" doc:"Who can sign in."`
	Lacking               int        `json:"lacking" doc:"Those of them without a second factor."`
	Administrators        int        `json:"administrators"`
	AdministratorsLacking int        `json:"administrators_lacking"`
}

type factorRuleOutput struct {
	ETag string `header:"ETag"`
	Body FactorState
}

func (c *calls) factorRule(ctx context.Context, in *OwnPath) (*factorRuleOutput, error) {
	stored, err := c.db.Identity.FactorRule(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	counts, err := c.db.Identity.CountFactors(ctx, in.CompanyID)
	return &factorRuleOutput{versionTag(stored.VersionNo), FactorState{
		FactorRule:          FactorRule{string(stored.RequiredOf), stored.GraceDays, stored.TrustsSignOn},
		AdministratorsDueAt: timeOrNil(stored.AdministratorsDueAt), EverybodyDueAt: timeOrNil(stored.EverybodyDueAt),
		People: counts.People, Lacking: counts.Lacking, Administrators: counts.Administrators, AdministratorsLacking: counts.AdministratorsLacking,
	}}, err
}

func timeOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return inUTC(&at)
}

type setFactorRuleInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the rule as the client has seen it; without it whatever there is is changed."`
	Body    FactorRule
}

func (c *calls) setFactorRule(ctx context.Context, in *setFactorRuleInput) (*factorRuleOutput, error) {
	seen, err := seenVersion(in.IfMatch, func() (int32, error) {
		stored, err := c.db.Identity.FactorRule(ctx, in.CompanyID)
		return stored.VersionNo, err
	})
	if err != nil {
		return nil, err
	}
	draft := identity.FactorRuleDraft{RequiredOf: identity.RequiredOf(in.Body.RequiredOf), GraceDays: in.Body.GraceDays, TrustsSignOn: in.Body.TrustsSignOn}
	if err := c.db.Identity.SaveFactorRule(ctx, actor(ctx), seen, draft); err != nil {
		return nil, err
	}
	return c.factorRule(ctx, &in.OwnPath)
}

type resetFactorsInput struct {
	OwnPath
	UserID int64 `path:"user_id" minimum:"1"`
}

type resetFactorsOutput struct {
	Body struct {
		Reset bool `json:"reset"`
	}
}

func (c *calls) resetFactors(ctx context.Context, in *resetFactorsInput) (*resetFactorsOutput, error) {
	out := &resetFactorsOutput{}
	var err error
	out.Body.Reset, err = c.db.Identity.ResetFactors(ctx, actor(ctx), in.UserID)
	return out, err
}
