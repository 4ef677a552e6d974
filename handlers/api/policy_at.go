package api

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// policyComparison compares a policy at a date with now.
type policyComparison struct {
	Differs        bool         `json:"differs" doc:"Whether the policy, or to whom it applies, differs from now."`
	VersionThen    *int32       `json:"version_then" doc:"The version in force at the date; null for none."`
	VersionNow     *int32       `json:"version_now" doc:"The version in force now; null for none."`
	PeopleThen     int          `json:"people_then" doc:"How many people the policy applies to at the date, in the directory of now."`
	PeopleNow      int          `json:"people_now"`
	ChangedFields  []string     `json:"changed_fields" nullable:"false" doc:"What differs between the versions: fields, and settings as settings.KEY."`
	Moves          []policyMove `json:"moves" nullable:"false" doc:"The policies that at the date apply to people to whom this one applies now."`
	EffectiveUntil *time.Time   `json:"effective_until,omitempty" doc:"The end of the version that the row shows, if it has one."`
}

type policyMove struct {
	Policy policyName `json:"policy"`
	People int        `json:"people"`
}

// mostOwners is how many policies are read for their owners.
const mostOwners = 1000

// policiesAt lists the policies at the midnight of a date: those that differ from now
// first, all of them at once.
func (c *calls) policiesAt(ctx context.Context, in *policiesInput, filter policy.Filter) (*policiesOutput, error) {
	date, err := dateIn("at", in.At, 0)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	zone, err := time.LoadLocation(caller.TimeZone)
	if err != nil {
		return nil, err
	}
	found, err := c.db.Policies.PoliciesAt(ctx, caller.Person, in.Kind, date.At(0, zone), filter.Search)
	if err != nil {
		return nil, err
	}
	current, err := c.db.Policies.List(ctx, caller.Person, in.Kind, policy.Filter{Order: policy.ByName, Limit: mostOwners})
	if err != nil {
		return nil, err
	}
	known := map[int64]policySummary{}
	for _, p := range current.Rows {
		known[p.ID] = newPolicySummary(in.Kind, p)
	}
	page := lists.Page[policy.PolicyAt]{}
	for _, p := range found.Rows {
		switch {
		case filter.Deleted && p.DeletedAt == nil,
			filter.Enabled != nil && (p.Then == nil || p.Then.Enabled != *filter.Enabled):
			continue
		}
		page.Rows = append(page.Rows, p)
	}
	return &policiesOutput{listed(page, func(p policy.PolicyAt) policySummary { return newPolicyAt(in.Kind, p, known[p.ID]) }).searched(ctx, in.Q)}, nil
}

// newPolicyAt returns what a policy is now with the version of the date, or of now if
// there is none.
func newPolicyAt(kind string, p policy.PolicyAt, now policySummary) policySummary {
	v, s := p.Version(), now
	s.ID, s.Kind, s.Name, s.Description, s.Default, s.Enabled = p.ID, kind, v.Name, v.Description, p.IsDefault, v.Enabled
	s.VersionNo, s.EffectiveFrom, s.LastModified = v.No, inUTC(&v.EffectiveFrom), v.CreatedAt.UTC()
	s.Targets, s.TargetCount, s.DeletedAt = newTargets(visibleTargets(v.Targets)), len(v.Targets), inUTC(p.DeletedAt)
	s.At = &policyComparison{
		Differs: p.Differs(), PeopleThen: p.PeopleThen, PeopleNow: p.PeopleNow, ChangedFields: changedFields(p.Differences), Moves: []policyMove{}, EffectiveUntil: inUTC(v.Until),
	}
	if p.Then != nil {
		s.At.VersionThen = &p.Then.No
	}
	if p.Now != nil {
		s.At.VersionNow = &p.Now.No
	}
	for _, m := range p.Moves {
		s.At.Moves = append(s.At.Moves, policyMove{policyName{m.PolicyID, m.Name}, m.People})
	}
	return s
}

// visibleTargets returns the targets without hidden people.
func visibleTargets(targets []policy.Target) []policy.Target {
	return slices.DeleteFunc(slices.Clone(targets), func(t policy.Target) bool { return t.Name == policy.HiddenName })
}
