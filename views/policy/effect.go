package policy

import (
	"officeconsole/queries/policy"
	settingviews "officeconsole/views/setting"
)

// Effect is what a question says about what the answer would do.
type Effect struct {
	Preview     policy.Preview
	People      settingviews.People // names of the people in the warnings
	Back        string              // address of the page that cancelling leads to
	Unconfirmed bool                // the form was sent without the required confirmation of a lockout
}

// isStopped reports whether a check stops a change.
func isStopped(p policy.Preview) bool { return len(brokenOf(p.Broken, policy.Stop)) > 0 }

// confirmsLockout reports whether the answer to a question has to confirm a lockout. What a
// check stops has no answer.
func confirmsLockout(p policy.Preview) bool { return len(p.Warnings) > 0 && !isStopped(p) }
