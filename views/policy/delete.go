package policy

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	settingviews "officeconsole/views/setting"
)

// Deletion asks before policies are deleted, and says what follows.
type Deletion struct {
	Policies    []policy.Policy
	Preview     policy.Preview
	Back        string              // where the question leads back to
	Unconfirmed bool                // somebody may be locked out, which was not confirmed
	People      settingviews.People // names of those whom warnings are about
}

func (d Deletion) title(ctx context.Context) string {
	if len(d.Policies) == 1 {
		return locales.T(ctx, "policy.delete.title", "Policy", d.Policies[0].Version.Name)
	}
	return locales.N(ctx, "policy.delete.title.several", len(d.Policies))
}

// action is where the yes is sent.
func (d Deletion) action(kind settings.Kind) string {
	if len(d.Policies) == 1 {
		return policyURL(kind, d.Policies[0].ID) + "/delete"
	}
	return policyURL(kind, 0) + "/bulk"
}

// people counts whom the deletion concerns.
func (d Deletion) people() int { return d.Preview.Gain + d.Preview.Lose + d.Preview.Change }

// shownFalls is how many targets the question names.
const shownFalls = 8

func deleteButton(ctx context.Context, d Deletion) string {
	if len(d.Policies) == 1 {
		return locales.T(ctx, "policy.delete.button")
	}
	return locales.N(ctx, "policy.delete.button.several", len(d.Policies))
}

// deleteURL is where the deletion of a policy is asked for; from the list, the
// question leads back to it.
func deleteURL(kind settings.Kind, id int64, back string) string {
	address := policyURL(kind, id) + "/delete"
	if back != "" {
		address += "?back=" + url.QueryEscape(back)
	}
	return address
}
