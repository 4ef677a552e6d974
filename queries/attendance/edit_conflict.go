package attendance

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RecordConflict refuses an edit of a record that somebody else has edited in
// the meantime. It is a Conflict.
type RecordConflict struct {
	Key     RecordKey
	ByName  string
	At      time.Time
	Deleted bool // whether they deleted it
}

func (e *RecordConflict) Error() string { return fmt.Sprintf("record %s was edited", e.Key) }

// Unwrap returns the Conflict.
func (e *RecordConflict) Unwrap() error { return queries.Conflict("record.changed") }

// MonthLocked refuses an edit of a record whose month was locked after the editor
// saw it. It is a Conflict.
type MonthLocked struct{ LockedMonth }

func (e *MonthLocked) Error() string { return fmt.Sprintf("%s was locked", e.Month) }

// Unwrap returns the Conflict.
func (e *MonthLocked) Unwrap() error { return queries.Conflict("record.lock.meanwhile") }

// conflict returns the refusal that names who edited the record in the
// meantime, or who deleted it.
func (w *derivation) conflict(ctx context.Context, key RecordKey, isDeleted bool) error {
	edits, err := w.editsOf(ctx, editsOfParams{w.CompanyID, key.UserID, key.Date.Time(), key.Extra})
	if err != nil {
		return err
	}
	conflict := &RecordConflict{Key: key, Deleted: isDeleted}
	for _, e := range edits {
		if !isDeleted || e.Field == "deleted" {
			conflict.ByName, conflict.At = e.EditorName, e.At
			break
		}
	}
	return conflict
}

// monthLocked returns the refusal that names who locked the month of a date.
func (w *editTx) monthLocked(ctx context.Context, date workday.Date) error {
	locks, err := w.allLocks(ctx, allLocksParams{CompanyID: w.CompanyID})
	if err != nil {
		return err
	}
	locked := &MonthLocked{LockedMonth{Month: monthOf(date)}}
	for _, l := range locks {
		if workday.DateOf(l.Month) == locked.Month {
			locked.LockedAt, locked.ByName = l.LockedAt, l.LockedByName
		}
	}
	return locked
}
