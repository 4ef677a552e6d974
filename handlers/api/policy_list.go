package api

import (
	"context"
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// policySummary is a policy in a list.
type policySummary struct {
	ID            int64          `json:"id"`
	Kind          string         `json:"kind"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Default       bool           `json:"default"`
	Enabled       bool           `json:"enabled"`
	Owner         *ownerName     `json:"owner" doc:"Who may edit it; null: every administrator."`
	VersionNo     int32          `json:"version_no,omitempty" doc:"Missing where it is deleted."`
	EffectiveFrom *time.Time     `json:"effective_from" doc:"Of the version in force; null while none is."`
	LastModified  time.Time      `json:"last_modified"`
	Plan          *policyPlan    `json:"plan" doc:"The change that lies ahead."`
	PlannedFrom   *time.Time     `json:"planned_from" doc:"The effective_from of plan."`
	Targets       []policyTarget `json:"targets" nullable:"false" doc:"Without hidden people."`
	TargetCount   int            `json:"target_count"`
	DeletedAt     *time.Time     `json:"deleted_at,omitempty" doc:"Missing where it is not deleted."`

	At *policyComparison `json:"at,omitempty" doc:"The comparison with now, in an answer about a date."`
}

type policiesInput struct {
	PolicyPath
	Q      string `query:"q" doc:"At most three keywords of at least two characters, found in names of policies and of their targets."`
	Status string `query:"status" enum:"enabled,disabled,deleted" doc:"deleted: those that can be restored, the latest deletion first, with only their id, name and description."`
	At     string `query:"at" format:"date" doc:"A date of the company's time zone: the policies at its midnight, compared with now, those that differ first, all of them in one page. status is that of the date."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type policiesOutput struct{ Body list[policySummary] }

// policies lists policies by name, the default policy first, or those that were
// deleted.
func (c *calls) policies(ctx context.Context, in *policiesInput) (*policiesOutput, error) {
	filter, err := policy.ReadFilter(url.Values{
		"q": {in.Q}, "status": {in.Status}, "sort": {string(policy.ByName)}, "cursor": {in.Cursor.String()},
	})
	if err != nil {
		return nil, err
	}
	if in.At != "" {
		return c.policiesAt(ctx, in, filter)
	}
	filter.Limit = in.Limit
	if filter.Deleted {
		page, err := c.db.Policies.Deleted(ctx, in.CompanyID, in.Kind, filter)
		if err != nil {
			return nil, err
		}
		deleted := func(p lists.Deleted) policySummary {
			return policySummary{ID: p.ID, Kind: in.Kind, Name: p.Name, Description: p.Description, LastModified: p.DeletedAt.UTC(), DeletedAt: inUTC(&p.DeletedAt), Targets: []policyTarget{}}
		}
		return &policiesOutput{listed(page, deleted).searched(ctx, in.Q)}, nil
	}
	page, err := c.db.Policies.List(ctx, callerOf(ctx).Person, in.Kind, filter)
	if err != nil {
		return nil, err
	}
	known := func(p policy.Summary) policySummary { return newPolicySummary(in.Kind, p) }
	return &policiesOutput{listed(page.Page, known).searched(ctx, in.Q)}, nil
}

func newPolicySummary(kind string, p policy.Summary) policySummary {
	s := policySummary{
		ID: p.ID, Kind: kind, Name: p.Name, Description: p.Description, Default: p.IsDefault, Enabled: p.Enabled,
		Owner: newOwner(p.Owner), VersionNo: p.No, LastModified: p.LastModified.UTC(), Targets: newTargets(p.AllTargets), TargetCount: p.TargetCount,
	}
	if p.InForce {
		s.EffectiveFrom = inUTC(&p.ConfiguredAt)
	}
	if !p.PlannedAt.IsZero() {
		s.PlannedFrom = inUTC(&p.PlannedAt)
		s.Plan = &policyPlan{p.PlannedNo, p.PlannedAt.UTC()}
	}
	return s
}
