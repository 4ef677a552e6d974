package notice

import (
	"context"
	"errors"
	"reflect"
	"time"

	"officeconsole/markdown"
	"officeconsole/queries"
	"officeconsole/search"
)

// RestoreTime is how long a deleted notice can be restored (domain §9.12).
const RestoreTime = 30 * 24 * time.Hour

// Record is a notice in the change log.
type Record struct {
	Draft
	VersionNo int32 `json:"version_no"`
}

// Message is what the messenger is told of a notice: notice.published when it can
// be read, notice.changed when it can be read again, notice.deleted.
type Message struct {
	NoticeID    int64     `json:"notice_id"`
	Title       string    `json:"title"`
	PublishedAt time.Time `json:"published_at"`
	Targets     Targets   `json:"targets"`
}

// publish tells the messenger of a notice.
func (q *Queries) publish(ctx context.Context, shared *queries.Queries, now time.Time, message string, n Notice) error {
	targets, err := q.targetsOf(ctx, n)
	if err != nil {
		return err
	}
	return shared.Publish(ctx, n.CompanyID, now, message, Message{n.ID, n.Title, n.PublishAt, targets})
}

// Create adds a notice, which is published at once or at the time of the draft.
// It refuses with FieldErrors of title, body, targets, publish_at and
// attachment_ids.
func (s *Store) Create(ctx context.Context, by queries.Actor, d Draft) (created Notice, err error) {
	now := s.db.Now()
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		if created, d, err = q.create(ctx, by, d, now); err != nil {
			return err
		}
		change := queries.Change{Action: "notice.created", ObjectType: "notice", ObjectID: created.ID, ObjectName: created.Title, New: Record{d, created.VersionNo}}
		if err := shared.RecordChange(ctx, by, now, change); err != nil || created.AnnouncedAt == nil {
			return err
		}
		return q.publish(ctx, shared, now, "notice.published", created)
	})
	return created, err
}

// create stores a draft as a new notice, and returns it and the draft as stored.
func (q *Queries) create(ctx context.Context, by queries.Actor, d Draft, now time.Time) (Notice, Draft, error) {
	d, files, err := q.checkDraft(ctx, Notice{CompanyID: by.CompanyID}, d, now)
	if err != nil {
		return Notice{}, d, err
	}
	at, announced := d.publication(now)
	text, _ := search.Key(d.Title, markdown.Text(d.Body))
	n, err := q.insertNotice(ctx, insertNoticeParams{
		CompanyID: by.CompanyID, Title: d.Title, Body: d.Body, SearchText: text, Everyone: d.Targets.Everyone,
		PublishAt: at, AuthorID: by.UserID, Now: now, AnnouncedAt: announced,
	})
	if err != nil {
		return n, d, err
	}
	d.PublishAt = &n.PublishAt
	return n, d, q.storeParts(ctx, by, n, &d, files)
}

// publication returns when a draft is published, and when the messenger is told
// of it: nil for later.
func (d Draft) publication(now time.Time) (at time.Time, announced *time.Time) {
	if d.PublishAt == nil {
		return now, &now
	}
	return *d.PublishAt, nil
}

// storeParts stores the targets and files of a draft, which gets the ids of
// files that were copied.
func (q *Queries) storeParts(ctx context.Context, by queries.Actor, n Notice, d *Draft, files []attachable) error {
	if err := q.storeTargets(ctx, n, d.Targets); err != nil {
		return err
	}
	var err error
	d.AttachmentIDs, err = q.storeFiles(ctx, by, n, files)
	return err
}

// Update changes a reservation: edit gets what is stored and returns what is to
// be stored. It refuses as Create does, with NotFound, with
// Conflict("notice.published") once the notice is published, and with
// Conflict("notice.edited") where ifMatch is neither 0 nor its VersionNo.
func (s *Store) Update(ctx context.Context, by queries.Actor, id int64, ifMatch int32, edit func(Draft) Draft) (updated Notice, err error) {
	now := s.db.Now()
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		n, err := q.matchNotice(ctx, by.CompanyID, id, ifMatch)
		if n.DeletedAt == nil && n.ID != 0 && !n.PublishAt.After(now) { // whatever its version is
			return queries.Conflict("notice.published")
		}
		if err != nil {
			return err
		}
		old, err := q.draftOf(ctx, n)
		if err != nil {
			return err
		}
		d, files, err := q.checkDraft(ctx, n, edit(old), now)
		if err != nil || reflect.DeepEqual(d, old) {
			updated = n
			return err
		}
		at, announced := d.publication(now)
		text, _ := search.Key(d.Title, markdown.Text(d.Body))
		updated, err = q.updateNotice(ctx, updateNoticeParams{
			CompanyID: n.CompanyID, ID: n.ID, Title: d.Title, Body: d.Body, SearchText: text, Everyone: d.Targets.Everyone,
			PublishAt: at, AnnouncedAt: announced, Now: now,
		})
		if err != nil {
			return err
		}
		d.PublishAt = &updated.PublishAt
		if err := q.storeParts(ctx, by, updated, &d, files); err != nil {
			return err
		}
		change := queries.Change{
			Action: "notice.updated", ObjectType: "notice", ObjectID: id, ObjectName: updated.Title,
			Old: Record{old, n.VersionNo}, New: Record{d, updated.VersionNo},
		}
		if err := shared.RecordChange(ctx, by, now, change); err != nil || announced == nil {
			return err
		}
		return q.publish(ctx, shared, now, "notice.published", updated)
	})
	return updated, err
}

// matchNotice returns a notice that is not deleted and locks it, unless somebody
// else has changed it.
func (q *Queries) matchNotice(ctx context.Context, companyID, id int64, ifMatch int32) (Notice, error) {
	n, err := q.lockNotice(ctx, lockNoticeParams{companyID, id})
	switch {
	case err != nil:
	case n.DeletedAt != nil:
		err = queries.NotFound
	case ifMatch != 0 && ifMatch != n.VersionNo:
		err = queries.Conflict("notice.edited")
	}
	return n, err
}

// draftOf returns the notice as somebody would enter it.
func (q *Queries) draftOf(ctx context.Context, n Notice) (Draft, error) {
	targets, err := q.targetsOf(ctx, n)
	if err != nil {
		return Draft{}, err
	}
	files, err := q.Attachments(ctx, AttachmentsParams{n.CompanyID, &n.ID})
	at := n.PublishAt.UTC()
	d := Draft{Title: n.Title, Body: n.Body, Targets: targets, PublishAt: &at}
	for _, f := range files {
		d.AttachmentIDs = append(d.AttachmentIDs, f.ID)
	}
	return d.normalized(), err
}

// Draft returns a notice as somebody would enter it.
func (s *Store) Draft(ctx context.Context, n Notice) (Draft, error) { return s.draftOf(ctx, n) }

// Delete marks a notice as deleted, and returns it. ifMatch is that of Update.
func (s *Store) Delete(ctx context.Context, by queries.Actor, id int64, ifMatch int32) (deleted Notice, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		deleted, err = q.delete(ctx, shared, by, id, ifMatch, s.db.Now())
		return err
	})
	return deleted, err
}

// DeleteAll deletes several notices, or none of them if there is an error. It
// skips those that are deleted already, and returns the others.
func (s *Store) DeleteAll(ctx context.Context, by queries.Actor, ids []int64) (deleted []Notice, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		for _, id := range sortedIDs(ids) {
			n, err := q.delete(ctx, shared, by, id, 0, s.db.Now())
			if errors.Is(err, queries.NotFound) {
				continue
			}
			if err != nil {
				return err
			}
			deleted = append(deleted, n)
		}
		return nil
	})
	return deleted, err
}

func (q *Queries) delete(ctx context.Context, shared *queries.Queries, by queries.Actor, id int64, ifMatch int32, now time.Time) (Notice, error) {
	n, err := q.matchNotice(ctx, by.CompanyID, id, ifMatch)
	if err != nil {
		return n, err
	}
	old, err := q.draftOf(ctx, n)
	if err != nil {
		return n, err
	}
	if err := q.deleteNotice(ctx, deleteNoticeParams{Now: now, CompanyID: n.CompanyID, ID: id}); err != nil {
		return n, err
	}
	change := queries.Change{Action: "notice.deleted", ObjectType: "notice", ObjectID: id, ObjectName: n.Title, Old: Record{old, n.VersionNo}}
	if err := shared.RecordChange(ctx, by, now, change); err != nil || n.AnnouncedAt == nil {
		return n, err
	}
	return n, q.publish(ctx, shared, now, "notice.deleted", n)
}

// Restore brings deleted notices back within RestoreTime, or none of them if one
// is refused: with NotFound, or with Invalid("notice.restore.missed") a
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

func (q *Queries) restore(ctx context.Context, shared *queries.Queries, by queries.Actor, id int64, now time.Time) error {
	n, err := q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id})
	switch {
	case err != nil:
		return err
	case n.DeletedAt == nil:
		return nil
	case !n.isRestorable(now):
		return queries.NotFound
	case n.isMissed(now):
		return queries.Invalid("notice.restore.missed")
	}
	if n, err = q.restoreNotice(ctx, restoreNoticeParams{Now: now, CompanyID: n.CompanyID, ID: id}); err != nil {
		return err
	}
	d, err := q.draftOf(ctx, n)
	if err != nil {
		return err
	}
	change := queries.Change{Action: "notice.restored", ObjectType: "notice", ObjectID: id, ObjectName: n.Title, New: Record{d, n.VersionNo}}
	if err := shared.RecordChange(ctx, by, now, change); err != nil || n.AnnouncedAt == nil {
		return err
	}
	return q.publish(ctx, shared, now, "notice.changed", n)
}

func (n Notice) isRestorable(now time.Time) bool {
	return n.DeletedAt == nil || n.DeletedAt.Add(RestoreTime).After(now)
}

// isMissed reports whether the time of a reservation passed while it was deleted.
func (n Notice) isMissed(now time.Time) bool {
	return n.DeletedAt != nil && n.AnnouncedAt == nil && !n.PublishAt.After(now)
}
