package audit

import (
	"context"

	"officeconsole/queries/notice"
)

func (r *reversal) noticeCreation(ctx context.Context) error {
	_, err := r.notices.Delete(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
	return err
}

// noticeUpdate makes a reservation what it was before, files included that were
// detached less than a day ago.
func (r *reversal) noticeUpdate(ctx context.Context) error {
	var old notice.Record
	if err := r.readOld(&old); err != nil {
		return err
	}
	_, err := r.notices.Update(ctx, r.by, r.change.ObjectID, r.new.VersionNo, func(notice.Draft) notice.Draft { return old.Draft })
	return err
}

func (r *reversal) noticeDeletion(ctx context.Context) error {
	return r.notices.RevertDeletion(ctx, r.by, r.change.ObjectID, r.old.VersionNo)
}
