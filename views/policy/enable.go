package policy

import (
	"context"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

// Enabling is the question before policies are switched on or off. Its Policies are those
// that change; without any it says why there is nothing to answer.
type Enabling struct {
	policy.Selection
	Already []policy.Policy // those that are on, or off, already
	Waiting []policy.Policy // those whose planned change has to be moved or cancelled first
	Enabled bool            // whether they are to be switched on
	Again   bool            // somebody was faster than the answer, so that it was not applied
	Effect
}

func (e Enabling) title(ctx context.Context) string {
	people := e.Preview.People()
	switch {
	case len(e.Policies) == 0:
		return locales.T(ctx, e.either("policy.enable.none", "policy.disable.none"))
	case len(e.Policies) == 1 && people > 0:
		return locales.N(ctx, e.either("policy.enable.title.one.people", "policy.disable.title.one.people"), people, "Policy", e.Policies[0].Version.Name)
	case len(e.Policies) == 1:
		return locales.T(ctx, e.either("policy.enable.title.one", "policy.disable.title.one"), "Policy", e.Policies[0].Version.Name)
	case people > 0:
		return locales.N(ctx, e.either("policy.enable.title.people", "policy.disable.title.people"), people, "Policies", locales.Number(ctx, int64(len(e.Policies))))
	}
	return locales.N(ctx, e.either("policy.enable.title", "policy.disable.title"), len(e.Policies))
}

// either returns the message id for switching on, or the one for switching off.
func (e Enabling) either(enable, disable string) string {
	return eitherText(e.Enabled, enable, disable)
}

func eitherText(enabled bool, enable, disable string) string {
	if enabled {
		return enable
	}
	return disable
}

// action is the name of the action in the form.
func (e Enabling) action() string {
	if e.Enabled {
		return "enable"
	}
	return "disable"
}

// isUnapplied reports whether the question has to say that nothing is done to the rest yet.
func (e Enabling) isUnapplied() bool {
	return len(e.Policies) > 0 && (e.Again || len(e.Gone) > 0)
}

// plannedOtherwise returns the policies of the question that a planned change switches the
// other way.
func (e Enabling) plannedOtherwise() []policy.Policy {
	return slices.DeleteFunc(slices.Concat(e.Policies, e.Already), func(p policy.Policy) bool {
		return p.Planned == nil || p.Planned.Enabled == e.Enabled
	})
}

// AlreadyTexts says which policies are enabled, or disabled, without being changed: now,
// or from tomorrow on. It names one policy, and counts several.
func AlreadyTexts(ctx context.Context, enabled bool, already []policy.Policy) []string {
	var now, later []policy.Policy
	for _, p := range already {
		if p.Version.Enabled == enabled {
			now = append(now, p)
		} else {
			later = append(later, p)
		}
	}
	var texts []string
	say := func(policies []policy.Policy, one, several string) {
		switch len(policies) {
		case 0:
		case 1:
			texts = append(texts, locales.T(ctx, one, "Policy", policies[0].Version.Name))
		default:
			texts = append(texts, locales.N(ctx, several, len(policies)))
		}
	}
	say(now, eitherText(enabled, "policy.enable.already", "policy.disable.already"), eitherText(enabled, "policy.enable.already.several", "policy.disable.already.several"))
	say(later, eitherText(enabled, "policy.enable.already.later", "policy.disable.already.later"), eitherText(enabled, "policy.enable.already.later.several", "policy.disable.already.later.several"))
	return texts
}
