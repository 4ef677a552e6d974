package webhook

import (
	"slices"

	"officeconsole/queries"
)

// TestType is the type of test messages. It is sent whatever types are chosen.
const TestType = "webhook.test"

// Types are the types of the messages that a webhook can send: all that the
// console publishes.
var Types = []string{
	"policy.changed",
	"attendance.edited",
	"attendance.correction_refused",
	"attendance.review_rejected",
	"attendance.weekly_limit",
	"attendance.weekly_forecast",
	"attendance.reminded",
	"notice.published",
	"notice.changed",
	"notice.deleted",
	"notice.reminded",
	"link.changed",
	"bot.changed",
	"bot.message",
	"bot.notification",
	"installation.changed",
	"user.moved",
	"user.hidden",
	"user.shown",
	"user.deactivated",
	"user.reactivated",
	"session.revoke",
}

// checkTypes returns chosen types in the order of Types: nil for all of them.
func checkTypes(chosen []string) ([]string, queries.Invalid) {
	if chosen == nil {
		return nil, ""
	}
	if len(chosen) == 0 {
		return nil, "webhook.types.required"
	}
	var types []string
	for _, known := range Types {
		if slices.Contains(chosen, known) {
			types = append(types, known)
		}
	}
	for _, t := range chosen {
		if !slices.Contains(Types, t) {
			return nil, "webhook.types.unknown"
		}
	}
	return types, ""
}
