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

	"github.com/jackc/pgx/v5/pgconn"
)

// RecordEdit is a change of a record by an editor. Nil fields stay as they are.
type RecordEdit struct {
	Key                RecordKey
	Arrival, Departure workday.Change
	Leave              *workday.DayType // "" removes it
	OvertimeMin        *int             // approved overtime, see workday.OvertimeApproved
	Deleted            *bool            // true deletes the record, false restores it
	Reason             string           // 1-200 characters

	// IfLastEdit is the id of the last edit that the editor has seen, 0 for
	// none. If there is a later one, the edit is refused with RecordConflict.
	// nil edits in any case.
	IfLastEdit *int64

	// IfUnlocked is whether the editor has seen the record in a month that was not
	// locked. If it is locked by now, the edit is refused with MonthLocked.
	IfUnlocked bool

	// Refused are fields whose values this record cannot have, found before the edit is
	// tried: a time of day that its date does not have.
	Refused queries.FieldErrors

	storesSame bool // a time that the record has already is stored as an edit too
}

// EditBatch is the maximum number of records that are edited at once.
const EditBatch = 500

// editDaysAhead is how far ahead leave can be entered.
const editDaysAhead = 366

// The refusals of an edit.
const (
	refusedEditOwn       = queries.Invalid("record.own")
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

// RecordErrors are the refusals of an edit of several records, by record.
type RecordErrors map[RecordKey]queries.FieldErrors

func (e RecordErrors) Error() string { return fmt.Sprintf("%d edits are refused", len(e)) }

// EditRecord edits one record, as EditRecords does. It refuses with FieldErrors
// of arrival, departure, leave, overtime_min, reason and record; the last one
// is about the record as a whole.
func (s *Store) EditRecord(ctx context.Context, by queries.Actor, scope RecordScope, edit RecordEdit) error {
	return ofOne(s.EditRecords(ctx, by, scope, []RecordEdit{edit}))
}

// DeleteRecord removes a record from lists and totals until RestoreRecord.
func (s *Store) DeleteRecord(ctx context.Context, by queries.Actor, scope RecordScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := true
	return s.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// RestoreRecord restores a deleted record.
func (s *Store) RestoreRecord(ctx context.Context, by queries.Actor, scope RecordScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := false
	return s.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// EditRecords stores edits and derives the records again, in one transaction.
// Clock events stay as they are; a date without a record gets one. Each edit is
// recorded in the change log and announced by the message attendance.edited.
// scope is the editor's: a record that it does not include is NotFound; that of
// an administrator includes locked months. It refuses with RecordConflict, with
// MonthLocked, and with RecordErrors, in which an unchanged record counts only if all of them
// are unchanged.
func (s *Store) EditRecords(ctx context.Context, by queries.Actor, scope RecordScope, edits []RecordEdit) error {
	if len(edits) > EditBatch {
		return queries.Invalid("record.too_many")
	}
	return s.inEditTx(ctx, edits, func(ctx context.Context, q *Queries) error { return s.editRecords(ctx, q, by, scope, edits, nil) })
}

// ofOne returns the refusals of the only edit, or err.
func ofOne(err error) error {
	var refused RecordErrors
	if errors.As(err, &refused) {
		for _, fields := range refused {
			return fields
		}
	}
	return err
}

// isUnchanged reports whether an edit of one record was refused only because it changes
// nothing.
func isUnchanged(err error) bool {
	var fields queries.FieldErrors
	return errors.As(err, &fields) && len(fields) == 1 && fields["record"] == refusedEditUnchanged
}

// inEditTx runs do in one transaction, and again once it has created the partitions
// of the edits' records if do lacks one: a refused edit creates none. It returns
// NotFound for a date that no record can have.
func (s *Store) inEditTx(ctx context.Context, edits []RecordEdit, do func(context.Context, *Queries) error) error {
	for _, e := range edits {
		if err := s.checkDate(e.Key); err != nil {
			return err
		}
	}
	err := s.inTx(ctx, do)
	if !lacksPartition(err) {
		return err
	}
	for _, e := range edits {
		if err := s.db.EnsurePartitionsAt(ctx, e.Key.Date.Time()); err != nil {
			return err
		}
	}
	return s.inTx(ctx, do)
}

// lacksPartition reports whether a statement failed because there is no partition for
// a row. Unlike a check, that has no constraint.
func lacksPartition(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23514" && pg.ConstraintName == "" // check_violation
}

// checkDate returns NotFound for a date that no record can have. Imported records
// are as old as the calendars of holidays.
func (s *Store) checkDate(key RecordKey) error {
	first, last := workday.NewDate(workday.FirstYear, time.January, 1), workday.DateOf(s.db.Now())+editDaysAhead
	if !isBetween(key.Date, first, last) {
		return fmt.Errorf("record %s: %w", key, queries.NotFound)
	}
	return nil
}

// editRecords is EditRecords in a transaction, also for approved corrections.
// correctionID is nil for none.
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

// planEdits computes what edits change, and returns those that are refused. A
// non-nil lastEdit refuses the records that were edited after it.
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
	if slices.Contains(ids, scope.UserID) {
		if w.editsOwn, err = q.editsOwn(ctx, by.CompanyID, scope); err != nil {
			return nil, nil, err
		}
	}
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

// editTx stores edits in a transaction.
type editTx struct {
	*derivation
	by           queries.Actor
	scope        RecordScope
	editsOwn     bool // whether the editor may edit their own records
	correctionID *int64
	lastEdit     *int64 // records with later edits are refused; nil for none
	done         []recordChanges
}

// recordChanges are the changes of a record by an edit.
type recordChanges struct {
	key    RecordKey
	name   string // of the person
	reason string
	grant  *Grant // nil if unchanged
	hide   *bool  // true deletes the record, false restores it; nil if unchanged
	fields []fieldChange
}

// fieldChange is the old and new value of a field of attendance_edits: times,
// or texts.
type fieldChange struct {
	Field            string
	OldAt, NewAt     *time.Time
	OldText, NewText string
}

// take computes what an edit changes, or returns its refusal.
func (w *editTx) take(ctx context.Context, loaded *loadedDays, e RecordEdit) (queries.FieldErrors, error) {
	s, err := loaded.recordState(e.Key)
	if err != nil {
		return nil, err
	}
	if !w.scope.Everybody && !w.scope.Edits(e.Key.UserID, s.row.DepartmentID) || e.Deleted != nil && !s.there {
		return nil, fmt.Errorf("record %s: %w", e.Key, queries.NotFound)
	}
	if e.IfLastEdit != nil && *e.IfLastEdit != s.lastEdit {
		return nil, w.conflict(ctx, e.Key, s.row.DeletedAt != nil)
	}
	if e.IfUnlocked && w.scope.Everybody && loaded.isLockedMonth(e.Key.Date) {
		return nil, w.monthLocked(ctx, e.Key.Date)
	}
	refused := queries.FieldErrors{}
	maps.Copy(refused, e.Refused)
	if refusal := checkReason(&e.Reason); refusal != "" {
		refused["reason"] = refusal
	}
	restoring := e.Deleted != nil && !*e.Deleted
	switch {
	case e.Key.UserID == w.scope.UserID && !w.editsOwn:
		refused["record"] = refusedEditOwn
	case w.lastEdit != nil && s.lastEdit > *w.lastEdit:
		refused["record"] = refusedEditChanged
	case loaded.isLockedMonth(e.Key.Date) && !w.scope.Everybody:
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
