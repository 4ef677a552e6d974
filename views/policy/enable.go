package policy

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

// Enabling is the question before policies are switched on or off.
type Enabling struct {
	Policies []policy.Policy
	Enabled  bool // whether they are to be switched on
	Effect
}

func (e Enabling) title(ctx context.Context) string {
	people := e.Preview.People()
	switch {
	case len(e.Policies) == 1 && people > 0:
		return locales.N(ctx, "policy."+e.action()+".title.one.people", people, "Policy", e.Policies[0].Version.Name)
	case len(e.Policies) == 1:
		return locales.T(ctx, "policy."+e.action()+".title.one", "Policy", e.Policies[0].Version.Name)
	case people > 0:
		return locales.N(ctx, "policy."+e.action()+".title.people", people, "Policies", locales.Number(ctx, int64(len(e.Policies))))
	}
	return locales.N(ctx, "policy."+e.action()+".title", len(e.Policies))
}

// action is the name of the action in the form.
func (e Enabling) action() string {
	if e.Enabled {
		return "enable"
	}
	return "disable"
}
