package policy

import (
	"net/url"

	"officeconsole/queries/policy"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// Inheritance is the question before a target of a policy inherits again.
type Inheritance struct {
	Target      policy.Target // with its name
	Policy      string        // name of the policy that lists it
	Next        string        // name of the policy that applies then
	Preview     policy.Preview
	People      settingviews.People // names of the people in the warnings
	Back        string              // address of the page that cancelling leads to
	Unconfirmed bool                // the form was sent without the required confirmation of a lockout
}

// inheritURL asks before a target inherits again.
func inheritURL(kind string, target policy.Target, back string) string {
	return views.WithQuery(statusPath(kind)+"/inherit", url.Values{"type": {string(target.Type)}, "id": {views.IDText(target.ID)}, "back": {back}})
}
