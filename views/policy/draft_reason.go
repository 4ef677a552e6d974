package policy

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// DraftReason is the part of the question before a save that explains, for one
// person, which policy would apply then, and why.
type DraftReason struct {
	Query   string                  // who is searched for, as typed
	Refused string                  // id of the message why it cannot be; "" for none
	People  []policy.AffectedPerson // found, or without a search some of those affected
	Of      *StatusReason           // of whom it is explained, with the draft; nil for nobody
	Now     policy.Effective        // and what applies without the draft
}

// asked reports whether somebody has looked for a person, where they then go on.
func (d DraftReason) asked() bool { return d.Query != "" || d.Of != nil }

// policies says which policy applies without the draft and with it, and from where.
func (d DraftReason) policies(ctx context.Context) (now, then string) {
	of := *d.Of
	of.Effective = d.Now
	return of.policyText(ctx), d.Of.policyText(ctx)
}

// policyText is a policy with why it applies.
func (v StatusReason) policyText(ctx context.Context) string {
	source := locales.T(ctx, "status.source."+string(v.Effective.Source))
	if v.Effective.Source == policy.Inherited {
		source = locales.T(ctx, "status.source.inherited.from", "Department", v.sourceDepartment())
	}
	return locales.T(ctx, "status.draft.policy", "Policy", v.Effective.PolicyName, "Source", source)
}

// changes are the settings that become different for the person.
func (d DraftReason) changes() []settings.Change {
	return settings.Diff(d.Now.Settings, d.Of.Effective.Settings)
}

func personValue(id int64) string { return strconv.FormatInt(id, 10) }
