package policy

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	settingviews "officeconsole/views/setting"
)

// Enabling asks before policies are switched on or off together, which may
// lock somebody out.
type Enabling struct {
	Policies    []policy.Policy
	Enabled     bool // on
	Warnings    []policy.Warning
	People      settingviews.People // names of those whom they are about
	Back        string              // where the question leads back to
	Unconfirmed bool                // it was answered, but the risk was not confirmed
}

func (e Enabling) title(ctx context.Context) string {
	return locales.N(ctx, "policy."+e.action()+".title", len(e.Policies))
}

// action is the name of what is done, as the form sends it.
func (e Enabling) action() string {
	if e.Enabled {
		return "enable"
	}
	return "disable"
}
