package audit

import (
	"slices"
	"time"

	"officeconsole/queries/policy"
)

// Object is a type of object in the change log, with the actions on it.
type Object struct {
	Type    string
	Actions []string
}

// Objects are all types with all actions that the console records.
var Objects = []Object{
	{"policy", []string{
		"policy.created", "policy.updated", "policy.duplicated", "policy.enabled", "policy.disabled", "policy.deleted", "policy.restored", "policy.version_restored",
		"policy.targets_moved", "policy.plan_moved", "policy.plan_cancelled", "policy.plan_restored", "policy.past_withdrawn", "policy.past_restored", "policy.confirmed", "policy.reverted", "policy.addresses_reset",
	}},
	{"check", []string{"check.created", "check.updated", "check.deleted", "check.restored", "check.broken"}},
	{"viewer", []string{"viewer.registered", "viewer.updated", "viewer.deleted", "viewer.restored"}},
	{"attendance", []string{"attendance.edited", "attendance.deleted", "attendance.restored"}},
	{"attendance_import", []string{"attendance.imported", "attendance.import_reverted"}},
	{"attendance_review", []string{"attendance_review.decided", "attendance_review.undone"}},
	{"attendance_month", []string{"attendance.locked", "attendance.unlocked"}},
	{"attendance_week", []string{"attendance.forecast_told"}},
	{"recomputation", []string{"attendance.recomputed"}},
	{"position", []string{"position.withdrawn", "position.expired"}},
	{"notice", []string{"notice.created", "notice.updated", "notice.deleted", "notice.restored", "notice.reminded"}},
	{"link", []string{"link.created", "link.updated", "link.moved", "link.deleted", "link.restored"}},
	{"link_order", []string{"link.ordered"}},
	{"service", []string{"service.updated", "service.moved", "service.ordered"}},
	{"bot", []string{"bot.updated", "bot.image_changed", "bot.token_created", "bot.token_rotated", "bot.token_ended", "bot.message_resent"}},
	{"webhook", []string{"webhook.created", "webhook.updated", "webhook.deleted", "webhook.gone", "webhook.secret_rotated", "webhook.secret_ended"}},
	{"installation", []string{"installation.updated"}},
	{"retention", []string{"retention.updated"}},
	{"disclosure", []string{"disclosure.updated"}},
	{"map", []string{"map.updated"}},
	{"holiday", []string{"holiday.created", "holiday.updated", "holiday.deleted", "holiday.restored"}},
	{"company", []string{"company.created", "company.updated"}},
	{"directory", []string{"directory.imported"}},
	{"user", []string{"user.hidden", "user.shown", "user.deactivated", "user.reactivated", "user.signed_out", "user.unlocked", "user.password_link_created", "user.password_link_withdrawn", "user.created", "user.updated", "user.admin_granted", "user.admin_revoked", "user.factors_reset", "user.unlinked"}},
	{"department", []string{"department.created", "department.updated", "department.deleted"}},
	{"address", []string{"address.unlocked"}},
	{"token", []string{"token.created", "token.rotated", "token.ended"}},
	{"provider", []string{"provider.created", "provider.updated", "provider.deleted", "provider.restored"}},
	{"factor_rule", []string{"factor_rule.updated"}},
	{"file", []string{"file.viewed"}},
	{"export", []string{"export.requested", "export.downloaded", "export.cancelled"}},
}

// ActionsOf returns the actions on objects of a type; nil for an unknown type.
func ActionsOf(objectType string) []string {
	at := slices.IndexFunc(Objects, func(o Object) bool { return o.Type == objectType })
	if at < 0 {
		return nil
	}
	return Objects[at].Actions
}

// deletions are the actions that reverting restores an object after.
var deletions = []string{"policy.deleted", "viewer.deleted", "notice.deleted", "link.deleted", "provider.deleted", "holiday.deleted", "check.deleted"}

// IsDeletion reports whether the change deleted an object that can be restored
// within RestoreTime.
func (c Change) IsDeletion() bool { return slices.Contains(deletions, c.Action) }

// NeedsProof reports whether reverting the change asks people to prove again who they
// are, as making it does.
func (c Change) NeedsProof() bool {
	return slices.Contains([]string{"factor_rule", "provider", "retention", "webhook"}, c.ObjectType)
}

// RevertsFields reports whether reverting the change sets back the fields that it changed,
// so that it can be reverted after changes of other fields. A version of the past is
// withdrawn instead, and one that waits for its time is cancelled.
func (c Change) RevertsFields(now time.Time) bool {
	switch {
	case c.Old == nil || c.New == nil:
		return false
	case slices.Contains([]string{"link.updated", "notice.updated", "bot.updated"}, c.Action):
		return true
	case !slices.Contains(versionActions, c.Action):
		return false
	}
	kind, after, err := policy.ReadRecord(c.New)
	if err != nil || kind == "workingattitude" { // of which every save waits for the next day
		return err == nil && !after.EffectiveFrom.Before(c.At)
	}
	return !after.EffectiveFrom.After(now)
}

// AllowsLaterChanges reports whether the change can be reverted after others of the same
// object that do not overlap with it. Any other change is reverted by the version of the
// object, which each edit of the object's content replaces.
func (c Change) AllowsLaterChanges(now time.Time) bool {
	return c.RevertsFields(now) || c.Action == "link.moved" || slices.Contains([]string{"link_order", "service", "user", "attendance_review", "attendance_import"}, c.ObjectType)
}

// RestoreTime is how long a deleted object can be restored.
const RestoreTime = policy.RestoreTime

// IsRestorable reports whether a deletion can still be reverted at a time.
func (c Change) IsRestorable(now time.Time) bool {
	return c.IsDeletion() && now.Sub(c.At) <= RestoreTime
}
