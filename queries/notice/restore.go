package notice

import (
	"context"
	"time"

	"officeconsole/queries"
)

// RestoreTime is how long a deleted notice can be restored (domain §9.12).
const RestoreTime = 30 * 24 * time.Hour

// Restore brings deleted notices back within RestoreTime, or none of them if one
// is refused: with NotFound (Gone later than that), or with Invalid("notice.restore.missed") a
// reservation whose time has passed meanwhile. One that is not deleted is
// skipped.
func (s *Store) Restore(ctx context.Context, by queries.Actor, ids ...int64) error {
	now := s.db.Now()
	return s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		for _, id := range sortedIDs(ids) {
			if err := q.restore(ctx, shared, by, id, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// RevertDeletion restores a notice as Restore does. Only the deletion of this version
// of it is reverted: it is a Conflict where the notice has been restored since, also
// where it has been deleted again.
func (s *Store) RevertDeletion(ctx context.Context, by queries.Actor, id int64, versionNo int32) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		n, err := q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id})
		switch {
		case err != nil:
			return err
		case n.DeletedAt == nil || n.VersionNo != versionNo+1:
			return queries.Conflict("change.revert.changed")
		}
		return q.restore(ctx, shared, by, id, s.db.Now())
	})
}

// RestoreAndUpdate restores a deleted reservation and changes it, or does neither.
// It refuses as Update does: with Gone one that cannot be restored, and with
// EditConflict one that somebody else has restored.
func (s *Store) RestoreAndUpdate(ctx context.Context, by queries.Actor, id int64, ifMatch int32, d Draft) (updated Notice, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		now := s.db.Now()
		n, err := q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if n.DeletedAt != nil && n.canRestoreAndUpdate(now) {
			if err := q.restore(ctx, shared, by, id, now); err != nil {
				return err
			}
			if n, err = q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id}); err != nil {
				return err
			}
			ifMatch = 0
		}
		if err := q.checkUnchanged(ctx, n, ifMatch, now); err != nil {
			return err
		}
		updated, err = q.update(ctx, shared, by, n, func(Draft) Draft { return d }, now)
		return err
	})
	return updated, err
}

func (q *Queries) restore(ctx context.Context, shared *queries.Queries, by queries.Actor, id int64, now time.Time) error {
	n, err := q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id})
	switch {
	case err != nil:
		return err
	case n.DeletedAt == nil:
		return nil
	case !n.isRestorable(now):
		return q.gone(ctx, n, now)
	case n.isMissed(now):
		return queries.Invalid("notice.restore.missed")
	}
	if n, err = q.restoreNotice(ctx, restoreNoticeParams{Now: now, CompanyID: n.CompanyID, ID: id}); err != nil {
		return err
	}
	record, err := q.recordOf(ctx, n)
	if err != nil {
		return err
	}
	change := queries.Change{Action: "notice.restored", ObjectType: "notice", ObjectID: id, ObjectName: n.Title, New: record}
	if err := shared.RecordChange(ctx, by, now, change); err != nil || n.AnnouncedAt == nil {
		return err
	}
	return q.publish(ctx, shared, now, "notice.changed", n)
}

func (n Notice) isRestorable(now time.Time) bool {
	return n.DeletedAt == nil || n.DeletedAt.Add(RestoreTime).After(now)
}

// canRestoreAndUpdate reports whether a deleted notice is still a reservation.
func (n Notice) canRestoreAndUpdate(now time.Time) bool {
	return n.isRestorable(now) && n.StatusAt(now) == Reserved
}

// isMissed reports whether the time of a reservation passed while it was deleted.
func (n Notice) isMissed(now time.Time) bool {
	return n.DeletedAt != nil && n.AnnouncedAt == nil && !n.PublishAt.After(now)
}
