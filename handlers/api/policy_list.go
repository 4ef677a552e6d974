package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
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
}

type policiesInput struct {
	PolicyPath
	Q      string       `query:"q" doc:"At most three keywords of at least two characters, found in names of policies and of their targets."`
	Status string       `query:"status" enum:"enabled,disabled"`
	Limit  int          `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor policyCursor `query:"cursor" doc:"next_cursor of the page before."`
}

type policiesOutput struct{ Body list[policySummary] }

// policies lists them by name, the default first.
func (c *calls) policies(ctx context.Context, in *policiesInput) (*policiesOutput, error) {
	search, err := queries.ParseSearch(in.Q)
	if err != nil {
		return nil, inField("q", err)
	}
	filter := queries.PolicyFilter{Search: search, Order: queries.PolicyByName, After: queries.PolicyKey(in.Cursor), Limit: in.Limit}
	if in.Status != "" {
		enabled := in.Status == "enabled"
		filter.Enabled = &enabled
	}
	page, err := c.db.Policies(ctx, callerOf(ctx).Person, in.Kind, filter)
	if err != nil {
		return nil, err
	}
	out := &policiesOutput{list[policySummary]{Data: make([]policySummary, len(page.Policies))}}
	for i, p := range page.Policies {
		out.Body.Data[i] = newPolicySummary(in.Kind, p)
	}
	if page.Later {
		next := policyCursor(page.Stop).word()
		out.Body.Meta.NextCursor = &next
	}
	return out, nil
}

func newPolicySummary(kind string, p queries.PolicySummary) policySummary {
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

// policyCursor is a place in the list as one word.
type policyCursor queries.PolicyKey

func (c policyCursor) word() string {
	return strconv.FormatInt(c.Value, 10) + "_" + strconv.FormatInt(c.ID, 10)
}

// UnmarshalText reads the word of a client.
func (c *policyCursor) UnmarshalText(word []byte) (err error) {
	value, id, _ := strings.Cut(string(word), "_")
	if c.Value, err = strconv.ParseInt(value, 10, 64); err != nil {
		return err
	}
	c.ID, err = strconv.ParseInt(id, 10, 64)
	return err
}

// Schema describes a cursor as the word it is.
func (policyCursor) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeString} }
