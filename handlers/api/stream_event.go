package api

import (
	"fmt"
	"strings"
)

// streamEvent describes the messages of a type. Their data is an object with the fields,
// of which those with a question mark may be missing.
type streamEvent struct{ kind, fields, says string }

// streamEvents are all messages that the stream and webhooks send. A test holds them equal
// to what the program publishes.
var streamEvents = []streamEvent{
	{"policy.changed", "kind, policy_id, version_no, effective_from", "A policy has changed or will: read the policies of people again, and once more at effective_from if that lies ahead."},
	{"attendance.edited", "user_id, record_id, work_date, editor_name, editor_id?, reason, correction_id?, changes", "Somebody has edited, deleted or restored the record of user_id; changes has field, old and new of each value. correction_id is the request that was approved."},
	{"attendance.correction_refused", "user_id, correction_id, record_id, work_date, decided_by, answer", "What user_id asked for was refused by decided_by, a name."},
	{"attendance.review_rejected", "user_id, record_id, work_date, kind, decided_by, comment", "Somebody who reviewed the record of user_id did not accept it; kind as on the desk."},
	{"attendance.weekly_limit", "user_id, week, level, worked_min, limit_min", "Working time of the week, named by its first day, has reached level: warn or cap, once each."},
	{"attendance.weekly_forecast", "week, people", "Managers are told whose working time will pass the limit of the week: of each user_id, manager_ids, level, worked_min, projected_min, limit_min, and passes_at and last_departure, which can be null."},
	{"attendance.reminded", "kind, work_date, at, user_ids", "Remind people to clock: kind is in or out, at the time when their work begins or has ended."},
	{"notice.published", "notice_id, title, published_at, targets", "A notice can be read. targets is everyone: true, or departments (id, include_children) and users."},
	{"notice.changed", "notice_id, title, published_at, targets", "A deleted notice can be read again."},
	{"notice.deleted", "notice_id, title, published_at, targets", "A notice can no longer be read."},
	{"notice.reminded", "notice_id, user_ids", "Remind people who have not read a notice."},
	{"link.changed", "", "Links or services have changed: read the shortcuts of people again."},
	{"bot.changed", "", "The service bot has changed: read its profile again."},
	{"bot.message", "id, bot_id, at, text, to", "Show a message of the service bot. text is Markdown; to is everyone: true, or users and departments, with all below them."},
	{"bot.notification", "id, bot_id, at, text, to", "The same for a notification."},
	{"installation.changed", "version_no", "The rules of installations have changed: read them again."},
	{"user.moved", "user_ids", "These people are in another department, or their department is elsewhere: read their policies again."},
	{"user.hidden", "user_ids", "Let these people in no more, and show them to nobody."},
	{"user.shown", "user_ids", "These people are no longer hidden."},
	{"user.deactivated", "user_ids", "Let these people in no more: they have left."},
	{"user.reactivated", "user_ids", "These people may come in again."},
	{"session.revoke", "user_ids", "End everything that these people have open."},
}

// streamEventList returns the events as a list in Markdown.
func streamEventList() string {
	var lines strings.Builder
	for _, e := range streamEvents {
		fmt.Fprintf(&lines, "\n- %s {%s}: %s", e.kind, e.fields, e.says)
	}
	return lines.String()
}
