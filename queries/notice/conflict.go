package notice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"officeconsole/queries"
)

// EditConflict refuses to overwrite what somebody else saved: it contains who saved
// the newest version, when, and what has changed since the version of ifMatch. It
// is Conflict("notice.edited").
type EditConflict struct {
	ByUserID  int64 // 0 for an operator
	ByName    string
	At        time.Time
	VersionNo int32
	Changes   Differences
}

func (e *EditConflict) Error() string { return fmt.Sprintf("version %d is newer", e.VersionNo) }

// Unwrap returns the Conflict.
func (e *EditConflict) Unwrap() error { return queries.Conflict("notice.edited") }

// Gone is the error for a notice that somebody has deleted. It is NotFound.
type Gone struct {
	ByUserID int64  // 0 for an operator
	ByName   string // empty for an operator, and where a reader asks
	At       time.Time
	// CanRestore is whether it can be restored and then changed, because it is
	// still a reservation.
	CanRestore bool
}

func (e *Gone) Error() string { return "deleted at " + e.At.String() }

// Unwrap returns NotFound.
func (e *Gone) Unwrap() error { return queries.NotFound }

// checkUnchanged refuses to change a notice that is not a reservation any longer, or
// another version than the one that was seen; 0 accepts every version.
func (q *Queries) checkUnchanged(ctx context.Context, n Notice, seen int32, now time.Time) error {
	switch {
	case n.DeletedAt != nil:
		return q.gone(ctx, n, now)
	case !n.PublishAt.After(now): // whatever its version is
		return queries.Conflict("notice.published")
	case seen != 0 && seen != n.VersionNo:
		return q.editConflict(ctx, n, seen)
	}
	return nil
}

// editConflict returns the conflict of somebody who has seen another version of a
// notice than the stored one.
func (q *Queries) editConflict(ctx context.Context, n Notice, seen int32) error {
	last, err := q.lastChange(ctx, lastChangeParams{CompanyID: n.CompanyID, NoticeID: n.ID, Since: n.CreatedAt, Actions: []string{"notice.created", "notice.updated", "notice.restored"}})
	if err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	conflict := &EditConflict{last.ByUserID, last.ActorName, last.At, n.VersionNo, Differences{}}
	if last.At.IsZero() {
		conflict.At = n.UpdatedAt
	}
	text, err := q.earlierRecord(ctx, earlierRecordParams{CompanyID: n.CompanyID, NoticeID: n.ID, Since: n.CreatedAt, VersionNo: seen})
	if errors.Is(err, queries.NotFound) { // a version that never was
		return conflict
	}
	if err != nil {
		return err
	}
	var before Record
	if err := json.Unmarshal(text, &before); err != nil {
		return fmt.Errorf("version %d of notice %d: %w", seen, n.ID, err)
	}
	after, err := q.recordOf(ctx, n)
	if err != nil {
		return err
	}
	conflict.Changes = Compare(before, after)
	return conflict
}

// gone returns who has deleted a notice.
func (q *Queries) gone(ctx context.Context, n Notice, now time.Time) error {
	last, err := q.lastChange(ctx, lastChangeParams{CompanyID: n.CompanyID, NoticeID: n.ID, Since: n.CreatedAt, Actions: []string{"notice.deleted"}})
	if err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	return &Gone{last.ByUserID, last.ActorName, *n.DeletedAt, n.canRestoreAndUpdate(now)}
}
