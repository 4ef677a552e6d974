package attendance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/search"
	"officeconsole/workday"
)

// Decision is what somebody decides about an item of the desk.
type Decision string

// The decisions.
const (
	Approve  Decision = "approved" // sets the time that is missing, or accepts the request
	KeepAsIs Decision = "as_is"    // leaves the record unchanged
	Reject   Decision = "rejected" // leaves the record unchanged, and says why to the person
)

// Decisions lists the decisions.
var Decisions = []Decision{Approve, KeepAsIs, Reject}

// The refusals of a decision.
const (
	refusedReviewGone     = queries.Invalid("desk.gone")
	refusedReviewChanged  = queries.Invalid("desk.changed")
	refusedReviewLocked   = queries.Invalid("desk.locked")
	refusedReviewOwn      = queries.Invalid("desk.own")
	refusedReviewTime     = queries.Invalid("desk.time.required")
	refusedReviewComment  = queries.Invalid("desk.comment.required")
	refusedReviewDecision = queries.Invalid("desk.decision.unknown")
	refusedReviewMany     = queries.Invalid("desk.too_many")
	refusedReviewUndone   = queries.Conflict("desk.undo.nothing")
)

// ReviewItem is an item to decide.
type ReviewItem struct {
	DeskKey
	At   *time.Time   // to set; nil for the suggested one
	Seen *SeenRequest // what the reviewer has seen of a request; nil decides it in any case

	// IfUnlocked is whether the reviewer has seen the item in a month that was not locked:
	// then it is not approved if the month is locked now.
	IfUnlocked bool
}

// SeenRequest says which request about a record somebody has seen, beside which values of
// the record.
type SeenRequest struct {
	CorrectionID int64
	LastEditID   int64 // of the record; 0 for none
}

// Seen is what somebody sees who sees the item now; nil unless it is a request.
func (i DeskItem) Seen() *SeenRequest {
	if i.Kind != DeskCorrection {
		return nil
	}
	return &SeenRequest{i.CorrectionID, i.LastEditID}
}

// Outdated returns why a decision about what was seen may be wrong for the item as it is
// now: there is another request, the record to which it would be applied was edited, or
// its month was locked. It returns "" if it is not. Like that of a single request, a
// rejection does not depend on the record.
func (seen ReviewItem) Outdated(now DeskItem, decision Decision) queries.Invalid {
	request := seen.Seen
	switch {
	case request != nil && now.Kind == DeskCorrection && request.CorrectionID != now.CorrectionID:
		return refusedReviewChanged
	case decision != Approve:
		return ""
	case request != nil && now.Kind == DeskCorrection && request.LastEditID != now.LastEditID:
		return refusedReviewChanged
	case seen.IfUnlocked && now.Locked:
		return refusedReviewLocked
	}
	return ""
}

// ReviewDraft decides items of the desk in the same way.
type ReviewDraft struct {
	Items    []ReviewItem
	Decision Decision
	Comment  string // at most 200 characters; required to reject

	// Reason words why a record is edited if there is no comment. The suggestion of the
	// item has the time that is set.
	Reason func(DeskItem) string
}

// ReviewResult is what became of a draft.
type ReviewResult struct {
	Set     int64 // names the decisions for UndoReviews; 0 for none
	Done    []DeskItem
	Changed []DeskItem                      // those that were refused because they are ReviewItem.Outdated
	Refused map[DeskKey]queries.FieldErrors // of item, time, and those of EditRecord
}

// Review decides items of the desk: each by itself, so that one that is refused does not
// hold up the others, but all in one transaction. An approved item edits the record by
// the rule of EditRecords, or decides the request by that of DecideCorrection, also where
// the time to set is just what a request asks for; a rejected one is announced by the
// message attendance.review_rejected. An item that is not as it was seen is refused. It
// refuses a draft as a whole with FieldErrors of comment and decision.
func (s *Store) Review(ctx context.Context, by queries.Actor, scope RecordScope, draft ReviewDraft) (ReviewResult, error) {
	draft.Comment = strings.TrimSpace(draft.Comment)
	var edits []RecordEdit // only the dates count, for their partitions
	for _, item := range draft.Items {
		edits = append(edits, RecordEdit{Key: item.RecordKey})
	}
	switch {
	case len(draft.Items) == 0 || len(draft.Items) > MostDesk:
		return ReviewResult{}, refusedReviewMany
	case !slices.Contains(Decisions, draft.Decision):
		return ReviewResult{}, queries.FieldErrors{"decision": refusedReviewDecision}
	case utf8.RuneCountInString(draft.Comment) > maxReason:
		return ReviewResult{}, queries.FieldErrors{"comment": "record.reason.too_long"}
	case search.IsBlank(draft.Comment) && draft.Decision == Reject:
		return ReviewResult{}, queries.FieldErrors{"comment": refusedReviewComment}
	}
	var result ReviewResult
	err := s.inEditTx(ctx, edits, func(ctx context.Context, q *Queries) error {
		r := reviewTx{Store: s, q: q, by: by, scope: scope, ReviewDraft: draft}
		r.Refused = map[DeskKey]queries.FieldErrors{}
		err := r.decide(ctx)
		result = r.ReviewResult
		return err
	})
	if err != nil {
		return ReviewResult{}, fmt.Errorf("review %d items: %w", len(draft.Items), err)
	}
	return result, nil
}

// reviewTx decides items in a transaction.
type reviewTx struct {
	*Store
	q     *Queries
	by    queries.Actor
	scope RecordScope
	ReviewDraft
	ReviewResult

	lastEdit int64                 // of the company, before the decisions
	found    map[DeskKey]*DeskItem // the items of the draft, and the requests about their records
}

func (r *reviewTx) decide(ctx context.Context) error {
	if err := r.q.lockAttendance(ctx, r.by.CompanyID); err != nil {
		return err
	}
	items, err := r.read(ctx)
	if err != nil {
		return err
	}
	if r.lastEdit, err = r.q.lastEditID(ctx, r.by.CompanyID); err != nil {
		return err
	}
	if r.Decision == Approve {
		if err := r.edit(ctx, items); err != nil {
			return err
		}
	}
	for _, item := range items {
		if r.Refused[item.DeskKey] != nil {
			continue
		}
		if item.CorrectionID != 0 {
			if err := r.answer(ctx, item); err != nil {
				return err
			}
		} else {
			r.Done = append(r.Done, *item)
		}
	}
	return r.store(ctx)
}

// read returns the items that can be decided in this way, in the order of the draft, and
// adds the others to Refused.
func (r *reviewTx) read(ctx context.Context) ([]*DeskItem, error) {
	var keys, requests []DeskKey
	drafts := map[DeskKey]ReviewItem{}
	for _, draft := range r.Items {
		if _, twice := drafts[draft.DeskKey]; !twice {
			keys, drafts[draft.DeskKey] = append(keys, draft.DeskKey), draft
			requests = append(requests, DeskKey{DeskCorrection, draft.RecordKey})
		}
	}
	var err error
	if r.found, err = r.q.deskItems(ctx, r.by.CompanyID, r.scope, slices.Concat(keys, requests)); err != nil {
		return nil, err
	}
	var items, suggested []*DeskItem
	for _, key := range keys {
		item, draft := r.found[key], drafts[key]
		isEdit := r.Decision == Approve && key.Kind.Field() != ""
		switch {
		case item != nil && item.UserID == r.scope.UserID:
			r.Refused[key] = queries.FieldErrors{"item": refusedReviewOwn}
			continue
		case item == nil || !item.MayDecide:
			r.Refused[key] = queries.FieldErrors{"item": refusedReviewGone}
			continue
		case r.Decision == KeepAsIs && !key.Kind.MayBeAsIs():
			r.Refused[key] = queries.FieldErrors{"item": refusedReviewDecision}
			continue
		case draft.Outdated(*item, r.Decision) != "":
			r.Changed = append(r.Changed, *item)
			r.Refused[key] = queries.FieldErrors{"item": draft.Outdated(*item, r.Decision)}
			continue
		case isEdit:
			suggested = append(suggested, item)
		}
		items = append(items, item)
	}
	if err := r.suggest(ctx, r.q, r.by.CompanyID, suggested); err != nil {
		return nil, err
	}
	for _, item := range suggested {
		if at := drafts[item.DeskKey].At; at != nil && !at.Equal(item.Suggestion.At) {
			item.Suggestion = Suggestion{At: *at}
		}
	}
	return items, nil
}

// edit edits the records whose items have a time to set.
func (r *reviewTx) edit(ctx context.Context, items []*DeskItem) error {
	byRecord := map[RecordKey]*DeskItem{}
	var edits []RecordEdit
	for _, item := range items {
		field := item.Kind.Field()
		if field == "" {
			continue
		}
		if item.Suggestion.At.IsZero() {
			r.Refused[item.DeskKey] = queries.FieldErrors{"time": refusedReviewTime}
			continue
		}
		if request := r.requestFor(item); request != nil {
			item.CorrectionID = request.CorrectionID
			continue
		}
		edit := RecordEdit{Key: item.RecordKey, Reason: r.Comment, storesSame: item.Kind == DeskUncounted}
		if edit.Reason == "" {
			edit.Reason = r.Reason(*item)
		}
		change := workday.Change{Edited: true, To: &item.Suggestion.At}
		if field == workday.FieldArrival {
			edit.Arrival = change
		} else {
			edit.Departure = change
		}
		edits, byRecord[item.RecordKey] = append(edits, edit), item
	}
	if len(edits) == 0 {
		return nil
	}
	w, refused, err := r.planEdits(ctx, r.q, r.by, r.scope, edits, nil)
	if err != nil {
		return err
	}
	for key, fields := range refused {
		r.Refused[byRecord[key].DeskKey] = itemErrors(fields)
	}
	if len(w.done) == 0 {
		return nil
	}
	return w.write(ctx)
}

// requestFor returns the pending request that asks for just what the record becomes with
// the time to set, so that approving it sets the time; nil for none, or if the draft
// decides it anyway.
func (r *reviewTx) requestFor(item *DeskItem) *DeskItem {
	request := r.found[DeskKey{DeskCorrection, item.RecordKey}]
	if request == nil || !request.MayDecide || slices.ContainsFunc(r.Items, func(i ReviewItem) bool { return i.DeskKey == request.DeskKey }) {
		return nil
	}
	asked, askedBeside, beside := request.AskedDepartureAt, request.AskedArrivalAt, item.ArrivalAt
	if item.Kind.Field() == workday.FieldArrival {
		asked, askedBeside, beside = request.AskedArrivalAt, request.AskedDepartureAt, item.DepartureAt
	}
	if !sameMinute(asked, &item.Suggestion.At) || askedBeside != nil && !sameMinute(askedBeside, beside) {
		return nil
	}
	return request
}

// itemErrors returns the refusals of an edit by the names of the desk: the field that is
// set is the time, and what is about the record is about the item.
func itemErrors(fields queries.FieldErrors) queries.FieldErrors {
	all := queries.FieldErrors{}
	for field, refusal := range fields {
		switch field {
		case "arrival", "departure":
			field = "time"
		case "record":
			field = "item"
		}
		all[field] = refusal
	}
	return all
}

// answer approves or refuses a request.
func (r *reviewTx) answer(ctx context.Context, item *DeskItem) error {
	err := r.decideCorrection(ctx, r.q, r.by, r.scope, item.CorrectionID, CorrectionDecision{Approve: r.Decision == Approve, Answer: r.Comment})
	var fields queries.FieldErrors
	if errors.As(err, &fields) {
		r.Refused[item.DeskKey] = itemErrors(fields)
		return nil
	}
	if err == nil {
		r.Done = append(r.Done, *item)
	}
	return err
}

// store stores what was decided, in the change log too.
func (r *reviewTx) store(ctx context.Context) error {
	if len(r.Done) == 0 {
		return nil
	}
	now := r.db.Now()
	set, err := r.q.nextReviewSet(ctx)
	if err != nil {
		return err
	}
	r.Set = set
	insert := insertReviewsParams{
		CompanyID: r.by.CompanyID, SetID: set, Comment: r.Comment, AfterEditID: r.lastEdit, At: now, Mask: int32(deskFlags),
		ReviewerID: queries.OrNil(r.by.UserID), ReviewerName: r.by.Name,
	}
	names := map[DeskKey]string{}
	for _, item := range r.Done {
		decision := r.Decision
		if decision == Approve && item.Kind.Field() == "" && item.Kind != DeskCorrection {
			decision = KeepAsIs
		}
		names[item.DeskKey] = item.Name
		insert.UserIds, insert.WorkDates, insert.Extras = append(insert.UserIds, item.UserID), append(insert.WorkDates, item.Date.Time()), append(insert.Extras, item.Extra)
		insert.Kinds, insert.Decisions = append(insert.Kinds, string(item.Kind)), append(insert.Decisions, string(decision))
		insert.DepartmentIds, insert.CorrectionIds = append(insert.DepartmentIds, item.DepartmentID), append(insert.CorrectionIds, item.CorrectionID)
	}
	insert.First, insert.Last = boundsOf(insert.WorkDates)
	reviews, err := r.q.insertReviews(ctx, insert)
	if err != nil {
		return err
	}
	var changes []queries.Change
	for _, review := range reviews {
		changes = append(changes, queries.Change{
			Action: "attendance_review.decided", ObjectType: "attendance_review", ObjectID: review.ID, ObjectName: names[review.Key()] + " " + review.Key().Date.String(), New: review.fields(),
		})
		if r.Decision == Reject && review.Kind != string(DeskCorrection) {
			if err := queries.New(r.q.db).Publish(ctx, r.by.CompanyID, now, "attendance.review_rejected", r.message(review)); err != nil {
				return err
			}
		}
	}
	return queries.New(r.q.db).RecordChanges(ctx, r.by, now, changes)
}

// Key returns the item that was decided.
func (r Review) Key() DeskKey {
	return DeskKey{DeskKind(r.Kind), RecordKey{r.UserID, workday.DateOf(r.WorkDate), r.Extra}}
}

// fields are what the change log says of a decision.
func (r Review) fields() map[string]any {
	return map[string]any{"record_id": r.Key().RecordKey.String(), "desk_kind": r.Kind, "decision": r.Decision, "comment": r.Comment}
}

// reviewMessage is the message that an item was rejected.
type reviewMessage struct {
	UserID    int64        `json:"user_id"`
	RecordID  string       `json:"record_id"`
	WorkDate  workday.Date `json:"work_date"`
	Kind      string       `json:"kind"`
	DecidedBy string       `json:"decided_by"`
	Comment   string       `json:"comment"`
}

func (r *reviewTx) message(review Review) reviewMessage {
	key := review.Key()
	return reviewMessage{key.UserID, key.RecordKey.String(), key.Date, review.Kind, r.by.Name, r.Comment}
}
