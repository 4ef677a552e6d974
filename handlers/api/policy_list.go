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
	ID            int64      `json:"id"`
	Kind          string     `json:"kind"`
	Name          string     `json:"name"`
	Description   string     `json:"description"`
	Default       bool       `json:"default"`
	Enabled       bool       `json:"enabled"`
	Owner         *string    `json:"owner" doc:"Name of the person or department; null: every administrator."`
	EffectiveFrom *time.Time `json:"effective_from" doc:"Of the version in force; null while none is."`
	LastModified  time.Time  `json:"last_modified"`
	PlannedFrom   *time.Time `json:"planned_from" doc:"When the change that lies ahead takes effect."`
	TargetCount   int        `json:"target_count"`
	DeletedAt     *time.Time `json:"deleted_at,omitempty" doc:"Missing where it is not deleted."`
}

type policiesInput struct {
	PolicyPath
	Q      string `query:"q" doc:"At most three keywords of at least two characters, found in names of policies and of their targets."`
	Status string `query:"status" enum:"enabled,disabled,deleted" doc:"deleted: those that can be restored, the latest deletion first, with only their id, name and description."`
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
	filter.Limit = in.Limit
	if filter.Deleted {
		page, err := c.db.Policies.Deleted(ctx, in.CompanyID, in.Kind, filter)
		if err != nil {
			return nil, err
		}
		deleted := func(p lists.Deleted) policySummary {
			return policySummary{ID: p.ID, Kind: in.Kind, Name: p.Name, Description: p.Description, LastModified: p.DeletedAt.UTC(), DeletedAt: inUTC(&p.DeletedAt)}
		}
		return &policiesOutput{listed(page, deleted)}, nil
	}
	page, err := c.db.Policies.List(ctx, callerOf(ctx).Person, in.Kind, filter)
	if err != nil {
		return nil, err
	}
	known := func(p policy.Summary) policySummary { return newPolicySummary(in.Kind, p) }
	return &policiesOutput{listed(page.Page, known)}, nil
}

func newPolicySummary(kind string, p policy.Summary) policySummary {
	s := policySummary{
		ID: p.ID, Kind: kind, Name: p.Name, Description: p.Description, Default: p.IsDefault, Enabled: p.Enabled,
		LastModified: p.LastModified.UTC(), TargetCount: p.TargetCount,
	}
	if p.OwnerName != "" {
		s.Owner = &p.OwnerName
	}
	if p.InForce {
		s.EffectiveFrom = &p.ConfiguredAt
	}
	if !p.PlannedAt.IsZero() {
		s.PlannedFrom = &p.PlannedAt
	}
	return s
}
