package notice

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
)

// MaxAttachments is how many files a notice may have (spec §5).
const MaxAttachments = 20

// attachable is a file that a draft lists.
type attachable struct {
	id   int64
	copy bool // because it is attached to another notice
}

// attachables returns the files that a draft of a notice lists, in its order. It
// refuses with Invalid a file that is unknown, or cannot be copied because it
// can no longer be downloaded.
func (q *Queries) attachables(ctx context.Context, n Notice, ids []int64, now time.Time) ([]attachable, error) {
	switch {
	case len(ids) > MaxAttachments:
		return nil, queries.Invalid("notice.attachments.too_many")
	case len(ids) == 0:
		return nil, nil
	}
	rows, err := q.lockAttachments(ctx, lockAttachmentsParams{CompanyID: n.CompanyID, Ids: ids})
	if err != nil {
		return nil, err
	}
	files := make([]attachable, len(ids))
	for i, id := range ids {
		at := slices.IndexFunc(rows, func(row lockAttachmentsRow) bool { return row.ID == id })
		if at < 0 || slices.Contains(ids[:i], id) {
			return nil, queries.Invalid("notice.attachments.unknown")
		}
		row := rows[at]
		files[i] = attachable{id: id, copy: row.NoticeID != 0 && row.NoticeID != n.ID}
		if !files[i].copy {
			continue
		}
		of := Notice{PublishAt: *row.PublishAt, DeletedAt: row.DeletedAt}
		if of.StatusAt(now) == Expired || !of.isRestorable(now) {
			return nil, queries.Invalid("notice.attachments.expired")
		}
	}
	return files, nil
}

// storeFiles attaches files to a notice in their order, and detaches all others.
// It returns the ids of its files.
func (q *Queries) storeFiles(ctx context.Context, by queries.Actor, n Notice, files []attachable) ([]int64, error) {
	var ids []int64
	for _, f := range files {
		if f.copy {
			id, err := q.copyAttachment(ctx, copyAttachmentParams{CompanyID: n.CompanyID, ID: f.id, UploadedBy: by.UserID, Now: n.UpdatedAt})
			if err != nil {
				return nil, err
			}
			f.id = id
		}
		ids = append(ids, f.id)
	}
	if err := q.detach(ctx, detachParams{Now: n.UpdatedAt, CompanyID: n.CompanyID, NoticeID: n.ID, Ids: append([]int64{}, ids...)}); err != nil || len(ids) == 0 {
		return nil, err
	}
	return ids, q.attach(ctx, attachParams{NoticeID: n.ID, CompanyID: n.CompanyID, Ids: ids})
}

// uploadTime is how long an upload that belongs to no notice is stored.
const uploadTime = 24 * time.Hour

// DeleteUploads deletes the uploads of every company that have stayed without a
// notice for a day. It is a job.
func (s *Store) DeleteUploads(ctx context.Context) error {
	return s.deleteUploads(ctx, s.db.Now().Add(-uploadTime))
}
