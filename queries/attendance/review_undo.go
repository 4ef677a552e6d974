package attendance

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/queries"
	"officeconsole/workday"
)

// UndoReviews undoes what was decided at once, all of it or nothing: edited records get
// their earlier times by another edit, requests wait again, and everything is on the desk
// again. It returns what it has undone. A record that was edited since is a
// RecordConflict, a set without decisions in force a Conflict; one that the scope does
// not include is NotFound.
func (s *Store) UndoReviews(ctx context.Context, by queries.Actor, scope RecordScope, set int64, reason string) ([]Review, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]Review, error) {
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return nil, err
		}
		reviews, err := q.reviewsOfSet(ctx, reviewsOfSetParams{by.CompanyID, set})
		if err != nil {
			return nil, err
		}
		return s.undoReviews(ctx, q, reviewUndo{by, scope, reason}, reviews)
	})
}

// UndoReview undoes one decision, as UndoReviews does.
func (s *Store) UndoReview(ctx context.Context, by queries.Actor, scope RecordScope, id int64, reason string) ([]Review, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]Review, error) {
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return nil, err
		}
		reviews, err := q.reviewsByID(ctx, reviewsByIDParams{by.CompanyID, []int64{id}})
		if err != nil {
			return nil, err
		}
		return s.undoReviews(ctx, q, reviewUndo{by, scope, reason}, reviews)
	})
}

// reviewUndo is who undoes decisions, and the reason of the edits that this makes.
type reviewUndo struct {
	by     queries.Actor
	scope  RecordScope
	reason string
}

func (s *Store) undoReviews(ctx context.Context, q *Queries, u reviewUndo, all []Review) ([]Review, error) {
	var undone []Review
	var ids []int64
	for _, review := range all {
		if !u.scope.Edits(review.UserID, review.DepartmentID) {
			return nil, fmt.Errorf("review %d: %w", review.ID, queries.NotFound)
		}
		if review.UndoneAt == nil {
			undone, ids = append(undone, review), append(ids, review.ID)
		}
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("reviews: %w", queries.NotFound)
	case len(undone) == 0:
		return nil, refusedReviewUndone
	}
	if err := s.restoreRecords(ctx, q, u, undone); err != nil {
		return nil, err
	}
	now := s.db.Now()
	var changes []queries.Change
	for _, review := range undone {
		if review.CorrectionID != nil {
			if err := q.reopen(ctx, u.by.CompanyID, *review.CorrectionID); err != nil {
				return nil, err
			}
		}
		changes = append(changes, queries.Change{
			Action: "attendance_review.undone", ObjectType: "attendance_review", ObjectID: review.ID, ObjectName: review.Key().RecordKey.String(), Old: review.fields(),
		})
	}
	if _, err := q.undoReviews(ctx, undoReviewsParams{Now: &now, CompanyID: u.by.CompanyID, Ids: ids}); err != nil {
		return nil, err
	}
	return undone, queries.New(q.db).RecordChanges(ctx, u.by, now, changes)
}

// restoreRecords puts the edits that the decisions made out of force, and derives the
// records again.
func (s *Store) restoreRecords(ctx context.Context, q *Queries, u reviewUndo, reviews []Review) error {
	var ids, userIDs []int64
	for _, review := range reviews {
		ids, userIDs = append(ids, review.EditIds...), append(userIDs, review.UserID)
	}
	if len(ids) == 0 {
		return nil
	}
	edits, err := q.editsByID(ctx, editsByIDParams{u.by.CompanyID, ids})
	if err != nil {
		return err
	}
	d, err := s.derivation(ctx, q, u.by.CompanyID, userIDs)
	if err != nil {
		return err
	}
	w := &editTx{derivation: d, by: u.by, scope: u.scope}
	keys := map[RecordKey]bool{}
	for _, edit := range edits {
		key := edit.key()
		if err := w.checkUndo(ctx, key, ids); err != nil {
			return err
		}
		keys[key] = true
	}
	if err := q.undoEdits(ctx, undoEditsParams{&d.Now, u.by.CompanyID, ids}); err != nil {
		return err
	}
	if err := d.deriveEdited(ctx, keys); err != nil {
		return err
	}
	for key := range keys {
		c := recordChanges{key: key, name: d.people[key.UserID].Name, reason: u.reason, fields: undone(edits, key)}
		rules := queries.New(q.db)
		if err := rules.RecordChange(ctx, u.by, d.Now, c.change()); err != nil {
			return err
		}
		if err := rules.Publish(ctx, u.by.CompanyID, d.Now, "attendance.edited", w.message(c)); err != nil {
			return err
		}
	}
	return nil
}

// undone returns what undoing edits, which are in the order in which they were made, changes
// of a record: each field once, although several decisions may have set it.
func undone(edits []Edit, key RecordKey) (fields []fieldChange) {
	for _, edit := range edits {
		if edit.key() != key {
			continue
		}
		i := slices.IndexFunc(fields, func(f fieldChange) bool { return f.Field == edit.Field })
		if i < 0 {
			fields = append(fields, fieldChange{Field: edit.Field, OldAt: edit.NewAt, NewAt: edit.OldAt})
			continue
		}
		fields[i].OldAt = edit.NewAt
	}
	return fields
}

// checkUndo refuses to undo edits of a record that was edited since, or whose month is
// locked for the actor.
func (w *editTx) checkUndo(ctx context.Context, key RecordKey, ids []int64) error {
	edits, err := w.editsOf(ctx, editsOfParams{w.CompanyID, key.UserID, key.Date.Time(), key.Extra})
	if err != nil {
		return err
	}
	latest := slices.IndexFunc(edits, func(e Edit) bool { return e.UndoneAt == nil })
	if latest >= 0 && !slices.Contains(ids, edits[latest].ID) {
		return &RecordConflict{Key: key, ByName: edits[latest].EditorName, At: edits[latest].At}
	}
	locks, err := w.locksBetween(ctx, locksBetweenParams{w.CompanyID, monthOf(key.Date).Time(), monthOf(key.Date).Time()})
	if err == nil && len(locks) > 0 && !w.scope.Everybody {
		err = queries.Conflict(string(refusedEditLocked))
	}
	return err
}

// key returns the key of the edited record.
func (e Edit) key() RecordKey { return RecordKey{e.UserID, workday.DateOf(e.WorkDate), e.Extra} }

// reopen makes a decided request wait again, unless the person has asked once more.
func (q *Queries) reopen(ctx context.Context, companyID, id int64) error {
	n, err := q.reopenCorrection(ctx, reopenCorrectionParams{companyID, id})
	if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "attendance_corrections_pending" {
		return queries.Conflict("record.correction.pending")
	}
	if err == nil && n == 0 {
		err = refusedReviewUndone
	}
	return err
}
