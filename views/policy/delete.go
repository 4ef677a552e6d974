package policy

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	settingviews "officeconsole/views/setting"
)

// Deletion is the question before policies are deleted, with the consequences. Without
// any that is left it says why there is nothing to answer.
type Deletion struct {
	policy.Selection
	Preview     policy.Preview
	Back        string              // address of the page that cancelling leads to
	Unconfirmed bool                // the form was sent without the required confirmation of a lockout
	Changed     []ChangedPolicy     // those that somebody saved after the question was asked
	People      settingviews.People // names of the people in the warnings and the changes
}

// ChangedPolicy is a policy that somebody saved while the question was asked.
type ChangedPolicy struct {
	Name string
	Conflict
	People []int64 // those that the changes name
}

// VersionField is the field with the version of one of several policies that the
// question has shown.
func VersionField(id int64) string { return "version_no." + strconv.FormatInt(id, 10) }

// text says who saved the policy, and when.
func (c ChangedPolicy) text(ctx context.Context, now time.Time) string {
	at := locales.ShortDateTime(ctx, c.At.In(now.Location()), now)
	if c.By == "" {
		return locales.T(ctx, "policy.delete.changed.nobody", "Policy", c.Name, "Time", at)
	}
	return locales.T(ctx, "policy.delete.changed", "Name", c.By, "Policy", c.Name, "Time", at)
}

// title is the heading of the question.
func (d Deletion) title(ctx context.Context) string {
	people := d.Preview.People()
	switch {
	case len(d.Policies) == 0:
		return locales.T(ctx, "policy.delete.none")
	case len(d.Policies) == 1 && people > 0:
		return locales.N(ctx, "policy.delete.title.people", people, "Policy", d.Policies[0].Version.Name)
	case len(d.Policies) == 1:
		return locales.T(ctx, "policy.delete.title", "Policy", d.Policies[0].Version.Name)
	case people > 0:
		return locales.N(ctx, "policy.delete.title.several.people", people, "Policies", locales.Number(ctx, int64(len(d.Policies))))
	}
	return locales.N(ctx, "policy.delete.title.several", len(d.Policies))
}

// action is where the confirmation is sent.
func (d Deletion) action(kind settings.Kind) string {
	if len(d.Policies) == 1 {
		return policyURL(kind, d.Policies[0].ID) + "/delete"
	}
	return policyURL(kind, 0) + "/bulk"
}

// shownFalls is how many targets the question names.
const shownFalls = 8

// deleteButton is the text of the button that confirms.
func deleteButton(ctx context.Context, d Deletion) string {
	if len(d.Policies) == 1 {
		return locales.T(ctx, "policy.delete.button")
	}
	return locales.N(ctx, "policy.delete.button.several", len(d.Policies))
}

// deleteURL is the page that asks before a policy is deleted. Back is the
// page to which the question leads back; "" is the policy.
func deleteURL(kind settings.Kind, id int64, back string) string {
	address := policyURL(kind, id) + "/delete"
	if back != "" {
		address += "?back=" + url.QueryEscape(back)
	}
	return address
}
