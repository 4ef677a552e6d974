package notice

import (
	"context"

	"officeconsole/queries"
)

// Duplicate returns a draft with the content, the targets and the files of a
// notice, with which a new one can be begun: so a published notice is corrected,
// and a reservation made again that was missed while it was deleted. lost is how
// many files can no longer be downloaded and are left out. It returns NotFound
// for a notice that was deleted longer than RestoreTime ago. Hidden users are left out.
func (s *Store) Duplicate(ctx context.Context, companyID, id int64) (d Draft, lost int, err error) {
	n, err := s.anyNotice(ctx, anyNoticeParams{companyID, id})
	if err != nil {
		return d, 0, err
	}
	now := s.db.Now()
	if !n.isRestorable(now) {
		return d, 0, queries.NotFound
	}
	if d, err = s.draftOf(ctx, n); err != nil {
		return d, 0, err
	}
	d.PublishAt = nil
	if len(d.Targets.UserIDs) > 0 {
		if d.Targets.UserIDs, err = s.visibleUsers(ctx, visibleUsersParams{companyID, d.Targets.UserIDs}); err != nil {
			return d, 0, err
		}
	}
	if n.StatusAt(now) == Expired {
		lost, d.AttachmentIDs = len(d.AttachmentIDs), nil
	}
	return d, lost, nil
}
