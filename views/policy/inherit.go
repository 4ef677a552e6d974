package policy

import (
	"net/url"

	"officeconsole/queries/policy"
	"officeconsole/views"
)

// Inheritance is the question before a target of a policy inherits again.
type Inheritance struct {
	Target policy.Target // with its name
	Policy string        // name of the policy that lists it
	Next   string        // name of the policy that applies then
	Effect
}

// inheritURL asks before a target inherits again.
func inheritURL(kind string, target policy.Target, back string) string {
	return views.WithQuery(StatusPath(kind)+"/inherit", url.Values{"type": {string(target.Type)}, "id": {views.IDText(target.ID)}, "back": {back}})
}
