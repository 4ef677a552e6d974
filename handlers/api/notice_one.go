package api

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/notice"
)

// fullNotice is one notice.
type fullNotice struct {
	NoticeRow
	Body              string        `json:"body" doc:"Markdown."`
	Targets           noticeTargets `json:"targets"`
	AttachmentIDs     []int64       `json:"attachment_ids" nullable:"false"`
	Attachments       []attachment  `json:"attachments" nullable:"false"`
	DownloadableUntil time.Time     `json:"downloadable_until" doc:"Two weeks after its publication its files can no longer be downloaded."`
}

// noticeTargets are whom a notice is for.
type noticeTargets struct {
	Everyone    bool               `json:"everyone,omitempty" doc:"Everybody of the company; the others are left out."`
	Departments []ChosenDepartment `json:"departments,omitempty" doc:"The people of departments."`
	Users       []int64            `json:"users,omitempty" doc:"People by id."`
}

func newNoticeTargets(t notice.Targets) noticeTargets {
	out := noticeTargets{Everyone: t.Everyone, Users: t.UserIDs}
	for _, d := range t.Departments {
		out.Departments = append(out.Departments, ChosenDepartment{d.ID, &d.IncludeChildren})
	}
	return out
}

func (t noticeTargets) targets() notice.Targets {
	out := notice.Targets{Everyone: t.Everyone, UserIDs: t.Users}
	for _, d := range t.Departments {
		include := d.IncludeChildren == nil || *d.IncludeChildren
		out.Departments = append(out.Departments, notice.DepartmentTarget{ID: d.ID, IncludeChildren: include})
	}
	return out
}

type noticeOutput struct {
	ETag string `header:"ETag"`
	Body fullNotice
}

// NoticePath is the path of a notice.
type NoticePath struct {
	OwnPath
	NoticeID int64 `path:"notice_id"`
}

func (c *calls) notice(ctx context.Context, in *NoticePath) (*noticeOutput, error) {
	return c.noticeByID(ctx, in.NoticeID)
}

func (c *calls) noticeByID(ctx context.Context, id int64) (*noticeOutput, error) {
	f, err := c.db.Notices.Full(ctx, callerOf(ctx).CompanyID, id)
	if err != nil {
		return nil, err
	}
	body := fullNotice{
		NoticeRow: NoticeRow{
			ID: f.ID, Title: f.Title, Status: string(f.StatusAt(c.db.Now())), PublishedAt: f.PublishAt.UTC(), Author: f.Author,
			Everyone: f.Everyone, Files: len(f.Attachments), Readers: f.Readers, Recipients: f.Recipients,
		},
		Body: f.Body, Targets: newNoticeTargets(f.Targets), AttachmentIDs: []int64{}, Attachments: []attachment{}, DownloadableUntil: f.DownloadableUntil().UTC(),
	}
	for _, a := range f.Attachments {
		body.AttachmentIDs, body.Attachments = append(body.AttachmentIDs, a.ID), append(body.Attachments, newAttachment(a))
	}
	return &noticeOutput{versionTag(f.VersionNo), body}, nil
}

// NoticeBody is a notice to save; what is missing stays as it is.
type NoticeBody struct {
	Title         *string        `json:"title,omitempty" doc:"At most 100 characters."`
	Body          *string        `json:"body,omitempty" doc:"Markdown, at most 20,000 characters."`
	Targets       *noticeTargets `json:"targets,omitempty" doc:"At most 500 departments and people."`
	PublishAt     nullableTime   `json:"publish_at,omitempty" required:"false" doc:"Null publishes at once, as does leaving it out of a new notice."`
	AttachmentIDs *[]int64       `json:"attachment_ids,omitempty" doc:"At most 20, in their order."`
}

// into applies the fields that were sent to a draft.
func (b NoticeBody) into(d notice.Draft) notice.Draft {
	replace(&d.Title, b.Title)
	replace(&d.Body, b.Body)
	replace(&d.AttachmentIDs, b.AttachmentIDs)
	if b.Targets != nil {
		d.Targets = b.Targets.targets()
	}
	if b.PublishAt.sent {
		d.PublishAt = b.PublishAt.at
	}
	return d
}

// nullableTime is a time of a request that may be null or missing.
type nullableTime struct {
	sent bool
	at   *time.Time
}

// UnmarshalJSON reads a time or null.
func (n *nullableTime) UnmarshalJSON(text []byte) error {
	n.sent = true
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	return json.Unmarshal(text, &n.at)
}

// Schema describes a time that may be null.
func (n nullableTime) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true}
}

// NewNotice is a new notice to save.
type NewNotice struct {
	NoticeBody `needs:"title,body,targets"`
}

type createNoticeInput struct {
	OwnPath
	Body NewNotice
}

func (c *calls) createNotice(ctx context.Context, in *createNoticeInput) (*noticeOutput, error) {
	created, err := c.db.Notices.Create(ctx, actor(ctx), in.Body.into(notice.Draft{}))
	if err != nil {
		return nil, err
	}
	return c.noticeByID(ctx, created.ID)
}

type updateNoticeInput struct {
	NoticePath
	IfMatch string `header:"If-Match" doc:"The ETag of the notice as the client has seen it; without it whatever there is is changed."`
	Body    NoticeBody
}

func (c *calls) updateNotice(ctx context.Context, in *updateNoticeInput) (*noticeOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if _, err := c.db.Notices.Update(ctx, actor(ctx), in.NoticeID, seen, in.Body.into); err != nil {
		return nil, noticeProblem(ctx, err)
	}
	return c.noticeByID(ctx, in.NoticeID)
}

type deleteNoticeInput struct {
	NoticePath
	IfMatch string `header:"If-Match" doc:"The ETag of the notice as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deleteNotice(ctx context.Context, in *deleteNoticeInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	_, err = c.db.Notices.Delete(ctx, actor(ctx), in.NoticeID, seen)
	return nil, noticeProblem(ctx, err)
}

func (c *calls) restoreNotice(ctx context.Context, in *NoticePath) (*noticeOutput, error) {
	if err := c.db.Notices.Restore(ctx, actor(ctx), in.NoticeID); err != nil {
		return nil, err
	}
	return c.noticeByID(ctx, in.NoticeID)
}
