package attendance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RecordEdit is a change of a record by somebody who may edit it. What it does
// not name stays as it is.
type RecordEdit struct {
	Key                RecordKey
	Arrival, Departure workday.Change
	Leave              *workday.DayType // "" takes it back
	OvertimeMin        *int             // approved overtime, see workday.OvertimeApproved
	Deleted            *bool            // hides the record, or brings it back
	Reason             string           // 1-200 characters

	// IfLastEdit is the id of the last edit that the one who edits has seen, 0
	// for none; nil edits whatever there is.
	IfLastEdit *int64
}

// EditBatch is how many records are edited at once.
const EditBatch = 500

// Records are edited as long as the law has them stored (Labour Standards Act, Article
// 42), and leave is entered so far ahead.
const (
	editDaysBehind = 3 * 366
	editDaysAhead  = 366
)

// The refusals of an edit.
const (
	refusedEditLocked    = queries.Invalid("record.locked")
	refusedEditDeleted   = queries.Invalid("record.deleted")
	refusedEditUnchanged = queries.Invalid("record.unchanged")
	refusedEditExtra     = queries.Invalid("record.extra")
	refusedEditFuture    = queries.Invalid("record.time.future")
	refusedEditOutside   = queries.Invalid("record.time.outside")
	refusedEditOrder     = queries.Invalid("record.time.order")
	refusedEditArrival   = queries.Invalid("record.arrival.required")
	refusedEditLeave     = queries.Invalid("record.leave.unknown")
	refusedEditFree      = queries.Invalid("record.leave.free")
	refusedEditOvertime  = queries.Invalid("record.overtime.invalid")
	refusedEditAhead     = queries.Invalid("record.delete.future")
	refusedEditChanged   = queries.Invalid("record.changed")
)

// RecordErrors are the refusals of an edit of many, by the record.
type RecordErrors map[RecordKey]queries.FieldErrors

func (e RecordErrors) Error() string { return fmt.Sprintf("%d edits are refused", len(e)) }

// RecordConflict refuses an edit over somebody else's. It is a Conflict.
type RecordConflict struct {
	Key    RecordKey
	ByName string
	At     time.Time
}

func (e *RecordConflict) Error() string { return fmt.Sprintf("record %s was edited", e.Key) }

// Unwrap is the Conflict that the refusal is.
func (e *RecordConflict) Unwrap() error { return queries.Conflict("record.changed") }

// EditRecord edits one record, as EditRecords does; it refuses with FieldErrors
// of arrival, departure, leave, overtime_min, reason and record, the last of
// which is about the record as a whole.
func (s *Store) EditRecord(ctx context.Context, by queries.Actor, scope RecordScope, edit RecordEdit) error {
	return ofOne(s.EditRecords(ctx, by, scope, []RecordEdit{edit}))
}

// DeleteRecord hides a record from lists and sums; RestoreRecord brings it back.
func (s *Store) DeleteRecord(ctx context.Context, by queries.Actor, scope RecordScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := true
	return s.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// RestoreRecord brings a deleted record back.
func (s *Store) RestoreRecord(ctx context.Context, by queries.Actor, scope RecordScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := false
	return s.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// EditRecords lays edits over the facts, which stay, and derives the records
// again: all of them or none. A date without a record gets one. Each is noted
// in the change log and told to the person by the message attendance.edited.
// scope is that of the one who edits: a record that it does not let edit is
// NotFound; with it an administrator may also edit locked months. It refuses
// with RecordErrors, in which a record that stays as it is counts only if all
// of them do, and with a RecordConflict.
func (s *Store) EditRecords(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit) error {
	if len(edits) > EditBatch {
		return queries.Invalid("record.too_many")
	}
	if err := s.ensurePartitions(ctx, edits); err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error { return s.editRecords(ctx, q, by, scope, edits, nil) })
}

// ofOne are the refusals of the only edit.
func ofOne(err error) error {
	var refused RecordErrors
	if errors.As(err, &refused) {
		for _, fields := range refused {
			return fields
		}
	}
	return err
}

// ensurePartitions creates the partitions that the records of edits need. It
// returns NotFound for a date that no record can have.
func (s *Store) ensurePartitions(ctx context.Context, edits []RecordEdit) error {
	for _, e := range edits {
		if err := s.checkDate(e.Key); err != nil {
			return err
		}
		if err := s.db.EnsurePartitionsAt(ctx, e.Key.Date.Time()); err != nil {
			return err
		}
	}
	return nil
}

// checkDate returns NotFound for a date that no record can have.
func (s *Store) checkDate(key RecordKey) error {
	today := workday.DateOf(s.db.Now())
	if !isBetween(key.Date, today-editDaysBehind, today+editDaysAhead) {
		return fmt.Errorf("record %s: %w", key, queries.NotFound)
	}
	return nil
}

// editRecords is EditRecords in a transaction, also of what a request for a
// correction asked.
func (s *Store) editRecords(ctx context.Context, q *Queries, by queries.Actor, scope RecordScope, edits []RecordEdit, correctionID *int64) error {
	w, refused, err := s.planEdits(ctx, q, by, scope, edits, nil)
	if err != nil {
		return err
	}
	unchanged := 0
	for _, fields := range refused {
		if fields["record"] == refusedEditUnchanged {
			unchanged++
		}
	}
	if unchanged < len(refused) {
		maps.DeleteFunc(refused, func(_ RecordKey, fields queries.FieldErrors) bool { return fields["record"] == refusedEditUnchanged })
		return refused
	}
	if len(w.done) == 0 {
		return refused
	}
	w.correctionID = correctionID
	return w.write(ctx)
}

// planEdits finds what edits change, and those that are refused. lastEdit, if it
// is given, refuses the records that somebody edited behind it.
func (s *Store) planEdits(ctx context.Context, q *Queries, by queries.Actor, scope RecordScope, edits []RecordEdit, lastEdit *int64) (*editTx, RecordErrors, error) {
	edits = slices.SortedStableFunc(slices.Values(edits), func(a, b RecordEdit) int { return cmp.Compare(a.Key.Date, b.Key.Date) })
	keys := make([]RecordKey, len(edits))
	for i, e := range edits {
		keys[i] = e.Key
	}
	spans := spansOf(keys)
	var ids []int64
	for _, span := range spans {
		ids = append(ids, span.userIDs()...)
	}
	d, err := s.derivation(ctx, q, by.CompanyID, ids)
	if err != nil {
		return nil, nil, err
	}
	w, refused := &editTx{derivation: d, by: by, scope: scope, lastEdit: lastEdit}, RecordErrors{}
	for _, span := range spans {
		loaded, err := d.loadFacts(ctx, span)
		if err != nil {
			return nil, nil, err
		}
		for ; len(edits) > 0 && edits[0].Key.Date <= span.last; edits = edits[1:] {
			fields, err := w.take(ctx, loaded, edits[0])
			if err != nil {
				return nil, nil, err
			}
			if len(fields) > 0 {
				refused[edits[0].Key] = fields
			}
		}
	}
	return w, refused, nil
}

// editTx is edits on their way in.
type editTx struct {
	*derivation
	by           queries.Actor
	scope        RecordScope
	correctionID *int64
	lastEdit     *int64 // what was edited behind it is refused; nil for nothing
	done         []recordChanges
}

// recordChanges are what an edit changes.
type recordChanges struct {
	key    RecordKey
	name   string // of the person
	reason string
	grant  *Grant // nil: unchanged
	hide   *bool  // deletes the record or restores it; nil: neither
	fields []fieldChange
}

// fieldChange is a field of attendance_edits with its old and new value: a
// time, or else a text.
type fieldChange struct {
	Field            string
	OldAt, NewAt     *time.Time
	OldText, NewText string
}

// take finds what an edit changes, or what is wrong with it.
func (w *editTx) take(ctx context.Context, loaded *loadedDays, e RecordEdit) (queries.FieldErrors, error) {
	s, err := loaded.recordState(e.Key)
	if err != nil {
		return nil, err
	}
	if !w.scope.Edits(e.Key.UserID, s.row.DepartmentID) || e.Deleted != nil && !s.there {
		return nil, fmt.Errorf("record %s: %w", e.Key, queries.NotFound)
	}
	if e.IfLastEdit != nil && *e.IfLastEdit != s.lastEdit {
		return nil, w.conflict(ctx, e.Key)
	}
	refused := queries.FieldErrors{}
	if refusal := checkReason(&e.Reason); refusal != "" {
		refused["reason"] = refusal
	}
	restoring := e.Deleted != nil && !*e.Deleted
	switch {
	case w.lastEdit != nil && s.lastEdit > *w.lastEdit:
		refused["record"] = refusedEditChanged
	case loaded.locked[monthOf(e.Key.Date)] && !w.scope.Everybody:
		refused["record"] = refusedEditLocked
	case s.row.DeletedAt != nil && !restoring:
		refused["record"] = refusedEditDeleted
	case e.Deleted != nil && w.Now.Before(s.row.OpensAt):
		refused["record"] = refusedEditAhead
	case e.Key.Extra && (e.Leave != nil || e.OvertimeMin != nil):
		refused["record"] = refusedEditExtra
	}
	c := recordChanges{key: e.Key, name: s.row.Name, reason: e.Reason}
	s.changes(e, &c)
	s.check(e, w.Now, refused)
	if len(refused) == 0 && len(c.fields) == 0 {
		refused["record"] = refusedEditUnchanged
	}
	if len(refused) == 0 {
		w.done = append(w.done, c)
	}
	return refused, nil
}

// conflict says who was quicker.
func (w *editTx) conflict(ctx context.Context, key RecordKey) error {
	edits, err := w.editsOf(ctx, editsOfParams{w.CompanyID, key.UserID, key.Date.Time(), key.Extra})
	if err != nil {
		return err
	}
	conflict := &RecordConflict{Key: key}
	if len(edits) > 0 {
		conflict.ByName, conflict.At = edits[0].EditorName, edits[0].At
	}
	return conflict
}
