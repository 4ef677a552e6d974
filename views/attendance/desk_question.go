package attendance

import (
	"context"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
)

// Question asks whether to decide some items of the desk at once.
type Question struct {
	Desk     Desk // its frame and filter, for the texts of the items
	Items    []attendance.DeskItem
	LeftOut  []attendance.DeskItem // which nobody can approve without a time
	Decision attendance.Decision
	Comment  string
	Back     string // the address of the desk
	Next     string // the key of the item that is open after the decision; "" for none
	Errors   queries.FieldErrors
	Refused  map[attendance.DeskKey]queries.FieldErrors
}

// shownInQuestion is the maximum number of items that a question lists.
const shownInQuestion = 10

// title asks about the items by their kind, if they have the same.
func (q Question) title(ctx context.Context) string {
	if len(q.Items) == 0 {
		return locales.T(ctx, "desk.question.nothing")
	}
	kind := q.Items[0].Kind
	for _, item := range q.Items {
		if item.Kind != kind {
			return locales.N(ctx, "desk.question."+string(q.Decision)+".mixed", len(q.Items))
		}
	}
	return locales.N(ctx, "desk.question."+string(q.Decision), len(q.Items), "Kind", deskKindWord(ctx, kind))
}

// line says what becomes of an item.
func (q Question) line(ctx context.Context, i attendance.DeskItem) string {
	text, isTime := q.Desk.suggested(ctx, i)
	if q.Decision != attendance.Approve || !isTime {
		return q.Desk.what(ctx, i)
	}
	if i.Kind == attendance.DeskCorrection {
		return q.Desk.asked(ctx, i)
	}
	return locales.T(ctx, "desk.question.sets."+string(i.Kind.Field()), "Time", text)
}

// changesLocked reports whether the decision changes records of a locked month.
func (q Question) changesLocked() bool {
	return q.Decision == attendance.Approve && slices.ContainsFunc(q.Items, func(i attendance.DeskItem) bool { return i.Locked })
}

// commentHelp says what a comment is for: that of an approved request is no reason of
// the edit, because the request has its own.
func (q Question) commentHelp(ctx context.Context) string {
	isOther := func(i attendance.DeskItem) bool { return i.Kind != attendance.DeskCorrection }
	if q.Decision == attendance.Approve && !slices.ContainsFunc(q.Items, isOther) {
		return locales.T(ctx, "desk.comment.approved.correction.help")
	}
	return locales.T(ctx, "desk.comment."+string(q.Decision)+".help")
}

// refusal is why an item was refused; "" if it was not.
func (q Question) refusal(ctx context.Context, i attendance.DeskItem) string {
	for _, field := range []string{"item", "time", "reason", "comment"} {
		if text := views.Refusal(ctx, q.Refused[i.DeskKey], field); text != "" {
			return text
		}
	}
	return ""
}

// namedAfterReview is the maximum number of people whom a message names.
const namedAfterReview = 5

// ChangedText names those whose items were left out of a decision because they had
// changed.
func ChangedText(ctx context.Context, changed []attendance.DeskItem) string {
	var names []string
	for _, item := range changed[:min(len(changed), namedAfterReview)] {
		names = append(names, item.Name)
	}
	text := views.Enumeration(ctx, names)
	if more := len(changed) - len(names); more > 0 {
		text = locales.T(ctx, "check.who.more", "Names", text, "Count", locales.Number(ctx, int64(more)))
	}
	return locales.N(ctx, "desk.done.changed", len(changed), "Names", text)
}
