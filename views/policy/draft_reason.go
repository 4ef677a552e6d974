package policy

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// DraftReason is the part of the review that explains which policy would
// apply to one person after the save, and why.
type DraftReason struct {
	Query   string                  // the search for a person, as typed
	Refused string                  // message id of why the search was refused; "" for none
	People  []policy.AffectedPerson // found people; without a search, some of the affected people
	Of      *StatusReason           // the explanation for the chosen person with the draft; nil if nobody is chosen
	Now     policy.Effective        // what applies to the chosen person without the draft
}

// asked reports whether the reader has searched for a person or chosen one.
func (d DraftReason) asked() bool { return d.Query != "" || d.Of != nil }

// policies names the policy that applies without the draft and the one with
// it, each with its source.
func (d DraftReason) policies(ctx context.Context) (now, then string) {
	of := *d.Of
	of.Effective = d.Now
	return of.policyText(ctx), d.Of.policyText(ctx)
}

// policyText names a policy and says why it applies.
func (v StatusReason) policyText(ctx context.Context) string {
	source := locales.T(ctx, "status.source."+string(v.Effective.Source))
	if v.Effective.Source == policy.Inherited {
		source = locales.T(ctx, "status.source.inherited.from", "Department", v.sourceDepartment())
	}
	return locales.T(ctx, "status.draft.policy", "Policy", v.Effective.PolicyName, "Source", source)
}

// changes are the settings that would change for the person.
func (d DraftReason) changes() []settings.Change {
	return settings.Diff(d.Now.Settings, d.Of.Effective.Settings)
}

func personValue(id int64) string { return strconv.FormatInt(id, 10) }
