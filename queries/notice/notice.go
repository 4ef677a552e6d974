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
		if err := q.recordCreation(ctx, shared, by, now, created, d); err != nil || created.AnnouncedAt == nil {
			return err
		}
		return q.publish(ctx, shared, now, "notice.published", created)
	})
	return created, err
}

// recordCreation records a new notice in the change log.
func (q *Queries) recordCreation(ctx context.Context, shared *queries.Queries, by queries.Actor, now time.Time, created Notice, d Draft) error {
	record, err := q.newRecord(ctx, created, d)
	if err != nil {
		return err
	}
	return shared.RecordChange(ctx, by, now, queries.Change{Action: "notice.created", ObjectType: "notice", ObjectID: created.ID, ObjectName: created.Title, New: record})
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
// be stored. It refuses as Create does, with NotFound (Gone for a deleted one),
// with Conflict("notice.published") once the notice is published, and with
// EditConflict where ifMatch is neither 0 nor its VersionNo.
func (s *Store) Update(ctx context.Context, by queries.Actor, id int64, ifMatch int32, edit func(Draft) Draft) (updated Notice, err error) {
	err = s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
		now := s.db.Now()
		n, err := q.lockNotice(ctx, lockNoticeParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if err := q.checkUnchanged(ctx, n, ifMatch, now); err != nil {
			return err
		}
		updated, err = q.update(ctx, shared, by, n, edit, now)
		return err
	})
	return updated, err
}

// update changes a reservation that is locked.
func (q *Queries) update(ctx context.Context, shared *queries.Queries, by queries.Actor, n Notice, edit func(Draft) Draft, now time.Time) (Notice, error) {
	old, err := q.recordOf(ctx, n)
	if err != nil {
		return n, err
	}
	d, files, err := q.checkDraft(ctx, n, edit(old.Draft), now)
	if err != nil || reflect.DeepEqual(d, old.Draft) {
		return n, err
	}
	at, announced := d.publication(now)
	text, _ := search.Key(d.Title, markdown.Text(d.Body))
	updated, err := q.updateNotice(ctx, updateNoticeParams{
		CompanyID: n.CompanyID, ID: n.ID, Title: d.Title, Body: d.Body, SearchText: text, Everyone: d.Targets.Everyone,
		PublishAt: at, AnnouncedAt: announced, Now: now,
	})
	if err != nil {
		return n, err
	}
	d.PublishAt = &updated.PublishAt
	if err := q.storeParts(ctx, by, updated, &d, files); err != nil {
		return n, err
	}
	record, err := q.newRecord(ctx, updated, d)
	if err != nil {
		return n, err
	}
	change := queries.Change{Action: "notice.updated", ObjectType: "notice", ObjectID: n.ID, ObjectName: updated.Title, Old: old, New: record}
	if err := shared.RecordChange(ctx, by, now, change); err != nil || announced == nil {
		return updated, err
	}
	return updated, q.publish(ctx, shared, now, "notice.published", updated)
}

// matchNotice returns a notice and locks it, unless somebody else has changed or
// deleted it.
func (q *Queries) matchNotice(ctx context.Context, companyID, id int64, ifMatch int32, now time.Time) (Notice, error) {
	n, err := q.lockNotice(ctx, lockNoticeParams{companyID, id})
	switch {
	case err != nil:
	case n.DeletedAt != nil:
		err = q.gone(ctx, n, now)
	case ifMatch != 0 && ifMatch != n.VersionNo:
		err = q.editConflict(ctx, n, ifMatch)
	}
	return n, err
}

// draftOf returns the notice as somebody would enter it.
func (q *Queries) draftOf(ctx context.Context, n Notice) (Draft, error) {
	record, err := q.recordOf(ctx, n)
	return record.Draft, err
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
	n, err := q.matchNotice(ctx, by.CompanyID, id, ifMatch, now)
	if err != nil {
		return n, err
	}
	old, err := q.recordOf(ctx, n)
	if err != nil {
		return n, err
	}
	if err := q.deleteNotice(ctx, deleteNoticeParams{Now: now, CompanyID: n.CompanyID, ID: id}); err != nil {
		return n, err
	}
	change := queries.Change{Action: "notice.deleted", ObjectType: "notice", ObjectID: id, ObjectName: n.Title, Old: old}
	if err := shared.RecordChange(ctx, by, now, change); err != nil || n.AnnouncedAt == nil {
		return n, err
	}
	return n, q.publish(ctx, shared, now, "notice.deleted", n)
}
