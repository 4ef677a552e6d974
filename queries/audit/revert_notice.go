package audit

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/notice"
)

func (r *reversal) noticeCreation(ctx context.Context) error {
	_, err := r.notices.Delete(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
	return err
}

// noticeUpdate sets the fields of a reservation back, files included that were
// detached less than a day ago.
func (r *reversal) noticeUpdate(ctx context.Context) error {
	return revertFields(r, func(edit func(notice.Draft) notice.Draft) error {
		_, err := r.notices.Update(ctx, r.by, r.change.ObjectID, 0, edit)
		return err
	})
}

func (r *reversal) noticeDeletion(ctx context.Context) error {
	return r.notices.RevertDeletion(ctx, r.by, r.change.ObjectID, r.old.VersionNo)
}

// checkMissed refuses to restore a reservation whose time has passed while it was deleted.
func (s *Store) checkMissed(c Change) error {
	var deleted, created notice.Record
	if err := decode(c, &deleted, &created); err != nil {
		return err
	}
	if at := deleted.PublishAt; at != nil && at.After(c.At) && !at.After(s.db.Now()) {
		return queries.Invalid("notice.restore.missed")
	}
	return nil
}
