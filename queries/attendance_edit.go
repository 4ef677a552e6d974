package queries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

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

// Records are edited as long as they are kept (Labour Standards Act, Article
// 42), and leave is entered so far ahead.
const (
	editDaysBehind = 3 * 366
	editDaysAhead  = 366
)

// The refusals of an edit.
const (
	refusedEditLocked    = Invalid("record.locked")
	refusedEditDeleted   = Invalid("record.deleted")
	refusedEditUnchanged = Invalid("record.unchanged")
	refusedEditExtra     = Invalid("record.extra")
	refusedEditFuture    = Invalid("record.time.future")
	refusedEditOutside   = Invalid("record.time.outside")
	refusedEditOrder     = Invalid("record.time.order")
	refusedEditArrival   = Invalid("record.arrival.required")
	refusedEditLeave     = Invalid("record.leave.unknown")
	refusedEditFree      = Invalid("record.leave.free")
	refusedEditOvertime  = Invalid("record.overtime.invalid")
	refusedEditAhead     = Invalid("record.delete.future")
	refusedEditChanged   = Invalid("record.changed")
)

// RecordErrors are the refusals of an edit of many, by the record.
type RecordErrors map[RecordKey]FieldErrors

func (e RecordErrors) Error() string { return fmt.Sprintf("%d edits are refused", len(e)) }

// RecordConflict refuses an edit over somebody else's. It is a Conflict.
type RecordConflict struct {
	Key    RecordKey
	ByName string
	At     time.Time
}

func (e *RecordConflict) Error() string { return fmt.Sprintf("record %s was edited", e.Key) }

// Unwrap is the Conflict that the refusal is.
func (e *RecordConflict) Unwrap() error { return Conflict("record.changed") }

// EditRecord edits one record, as EditRecords does; it refuses with FieldErrors
// of arrival, departure, leave, overtime_min, reason and record, the last of
// which is about the record as a whole.
func (db *DB) EditRecord(ctx context.Context, by Actor, scope AttendanceScope, edit RecordEdit) error {
	return ofOne(db.EditRecords(ctx, by, scope, []RecordEdit{edit}))
}

// DeleteRecord hides a record from lists and sums; RestoreRecord brings it back.
func (db *DB) DeleteRecord(ctx context.Context, by Actor, scope AttendanceScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := true
	return db.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// RestoreRecord brings a deleted record back.
func (db *DB) RestoreRecord(ctx context.Context, by Actor, scope AttendanceScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := false
	return db.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// EditRecords lays edits over the facts, which stay, and derives the records
// again: all of them or none. A date without a record gets one. Each is noted
// in the change log and told to the person by the message attendance.edited.
// scope is that of the one who edits: a record that it does not let edit is
// NotFound; with it an administrator may also edit locked months. It refuses
// with RecordErrors, in which a record that stays as it is counts only if all
// of them do, and with a RecordConflict.
func (db *DB) EditRecords(ctx context.Context, by Actor, scope AttendanceScope, edits []RecordEdit) error {
	if len(edits) > EditBatch {
		return Invalid("record.too_many")
	}
	if err := db.makeRoom(ctx, edits); err != nil {
		return err
	}
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error { return db.editRecords(ctx, q, by, scope, edits, nil) })
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

// makeRoom makes the partitions of months that EnsurePartitions does not make.
func (db *DB) makeRoom(ctx context.Context, edits []RecordEdit) error {
	for _, e := range edits {
		if err := db.checkDate(e.Key); err != nil {
			return err
		}
		month := e.Key.Date.Time()
		if !month.Before(addMonths(db.now(), -partitionsBehind)) && month.Before(addMonths(db.now(), partitionsAhead)) {
			continue
		}
		if err := db.inTx(ctx, func(ctx context.Context, q *Queries) error {
			return q.ensurePartitions(ctx, month, addMonths(month, -partitionsAhead))
		}); err != nil {
			return err
		}
	}
	return nil
}

// checkDate is NotFound where nobody keeps a record.
func (db *DB) checkDate(key RecordKey) error {
	today := workday.DateOf(db.now())
	if !between(key.Date, today-editDaysBehind, today+editDaysAhead) {
		return fmt.Errorf("record %s: %w", key, NotFound)
	}
	return nil
}

// editRecords is EditRecords in a transaction, also of what a request for a
// correction asked.
func (db *DB) editRecords(ctx context.Context, q *Queries, by Actor, scope AttendanceScope, edits []RecordEdit, correctionID *int64) error {
	w, refused, err := db.planEdits(ctx, q, by, scope, edits, nil)
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
		maps.DeleteFunc(refused, func(_ RecordKey, fields FieldErrors) bool { return fields["record"] == refusedEditUnchanged })
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
func (db *DB) planEdits(ctx context.Context, q *Queries, by Actor, scope AttendanceScope, edits []RecordEdit, lastEdit *int64) (*editing, RecordErrors, error) {
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
	d, err := db.derivation(ctx, q, by.CompanyID, ids)
	if err != nil {
		return nil, nil, err
	}
	w, refused := &editing{derivation: d, by: by, scope: scope, lastEdit: lastEdit}, RecordErrors{}
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

// editing is edits on their way in.
type editing struct {
	*derivation
	by           Actor
	scope        AttendanceScope
	correctionID *int64
	lastEdit     *int64 // what was edited behind it is refused; nil for nothing
	done         []recordChanges
}

// recordChanges are what an edit changes.
type recordChanges struct {
	key    RecordKey
	name   string // of the person
	reason string
	grant  *AttendanceGrant
	hide   *bool
	fields []fieldChange
}

// fieldChange is a field of attendance_edits with its old and new value: a
// time, or else a text.
type fieldChange struct {
	field            string
	oldAt, newAt     *time.Time
	oldText, newText string
}

// take finds what an edit changes, or what is wrong with it.
func (w *editing) take(ctx context.Context, loaded *loadedDays, e RecordEdit) (FieldErrors, error) {
	s, err := loaded.recordState(e.Key)
	if err != nil {
		return nil, err
	}
	if !w.scope.Edits(e.Key.UserID, s.row.DepartmentID) || e.Deleted != nil && !s.there {
		return nil, fmt.Errorf("record %s: %w", e.Key, NotFound)
	}
	if e.IfLastEdit != nil && *e.IfLastEdit != s.lastEdit {
		return nil, w.conflict(ctx, e.Key)
	}
	refused := FieldErrors{}
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
	case e.Deleted != nil && w.now.Before(s.row.OpensAt):
		refused["record"] = refusedEditAhead
	case e.Key.Extra && (e.Leave != nil || e.OvertimeMin != nil):
		refused["record"] = refusedEditExtra
	}
	c := recordChanges{key: e.Key, name: s.row.Name, reason: e.Reason}
	s.changes(e, &c)
	s.check(e, w.now, refused)
	if len(refused) == 0 && len(c.fields) == 0 {
		refused["record"] = refusedEditUnchanged
	}
	if len(refused) == 0 {
		w.done = append(w.done, c)
	}
	return refused, nil
}

// conflict says who was quicker.
func (w *editing) conflict(ctx context.Context, key RecordKey) error {
	edits, err := w.editsOf(ctx, editsOfParams{w.companyID, key.UserID, key.Date.Time(), key.Extra})
	if err != nil {
		return err
	}
	conflict := &RecordConflict{Key: key}
	if len(edits) > 0 {
		conflict.ByName, conflict.At = edits[0].EditorName, edits[0].At
	}
	return conflict
}
