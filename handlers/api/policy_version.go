package api

import (
	"context"
	"time"

	"officeconsole/queries/policy"
)

type policyVersion struct {
	No            int32          `json:"no"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Enabled       bool           `json:"enabled"`
	EffectiveFrom time.Time      `json:"effective_from"`
	Targets       []policyTarget `json:"targets" nullable:"false"`
	Settings      policySettings `json:"settings" doc:"Only what differs from the defaults."`
	Reason        string         `json:"reason"`
	CreatedBy     *userName      `json:"created_by"`
	CreatedAt     time.Time      `json:"created_at"`
	CancelledAt   *time.Time     `json:"cancelled_at"`
	ConfirmBy     *time.Time     `json:"confirm_by,omitempty" doc:"A risky version ended then, or will, unless it is confirmed."`
	ConfirmedAt   *time.Time     `json:"confirmed_at,omitempty"`
	RevertsNo     int32          `json:"reverts_no,omitempty" doc:"The version that ended because nobody confirmed it; this one has what applied before it."`
}

type userName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type versionsOutput struct{ Body list[policyVersion] }

func (c *calls) policyVersions(ctx context.Context, in *OnePolicyPath) (*versionsOutput, error) {
	if _, err := c.ofKind(ctx, in); err != nil {
		return nil, err
	}
	versions, err := c.db.Policies.Versions(ctx, in.CompanyID, in.PolicyID)
	out := &versionsOutput{list[policyVersion]{Data: make([]policyVersion, len(versions))}}
	for i, v := range versions {
		out.Body.Data[i] = newVersion(v)
	}
	return out, err
}

func newVersion(v policy.Version) policyVersion {
	answer := policyVersion{
		No: v.No, Name: v.Name, Description: v.Description, Enabled: v.Enabled, EffectiveFrom: v.EffectiveFrom.UTC(),
		Targets: newTargets(v.Targets), Settings: policySettings(v.Settings), Reason: v.Reason, CreatedAt: v.CreatedAt.UTC(), CancelledAt: inUTC(v.CancelledAt),
		ConfirmBy: inUTC(v.ConfirmBy), ConfirmedAt: inUTC(v.ConfirmedAt), RevertsNo: v.RevertsNo,
	}
	if v.CreatedBy != 0 {
		answer.CreatedBy = &userName{v.CreatedBy, v.CreatedByName}
	}
	return answer
}

type restoreVersionInput struct {
	OnePolicyPath
	No      int32  `path:"no"`
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
}

func (c *calls) restoreVersion(ctx context.Context, in *restoreVersionInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.Policies.RestoreVersion(ctx, actor(ctx), in.PolicyID, seen, policy.VersionRestoration{No: in.No})
	return onePolicy(ctx, p, err)
}

type movePlanInput struct {
	OnePolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
	Body    struct {
		EffectiveFrom string `json:"effective_from" doc:"now, next_work_date or a time of RFC 3339."`
	}
}

func (c *calls) movePlan(ctx context.Context, in *movePlanInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	start, err := policy.ParseStart(in.Body.EffectiveFrom)
	if err != nil {
		return nil, inField("effective_from", err)
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.Policies.MovePlannedVersion(ctx, actor(ctx), in.PolicyID, seen, start)
	return onePolicy(ctx, p, err)
}

type cancelPlanInput struct {
	OnePolicyPath
	IfMatch string `header:"If-Match" doc:"The ETag of the policy as the client has seen it."`
}

func (c *calls) cancelPlan(ctx context.Context, in *cancelPlanInput) (*policyOutput, error) {
	seen, err := ifMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.ofKind(ctx, &in.OnePolicyPath); err != nil {
		return nil, err
	}
	p, err := c.db.Policies.CancelPlannedVersion(ctx, actor(ctx), in.PolicyID, seen)
	return onePolicy(ctx, p, err)
}
