package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
)

// registerReadableNotices registers what the messenger shows of notices and what
// it reports.
func (c *calls) registerReadableNotices(reads, events huma.Middlewares) {
	huma.Register(c.api, call{id: "notices-of", path: "/companies/{company_id}/notices/{user_id}", tag: "Messenger",
		summary:     "The published notices of a person",
		description: "The newest first, with what the person has read. Keep a page by its ETag; read it again after notice.published, or every ten minutes. Files are at /companies/{company_id}/users/{id}/attachments/{attachment_id} for the person's own token.",
	}.operation(reads), c.noticesOf)
	huma.Register(c.api, itemCall("read-events", "reads", "Take in who has read notices",
		"At most 500 a call. Each is answered by itself: accepted, duplicate (the person had read the notice before; the first time counts) or refused with a code: "+
			"event.user for somebody who can read no notices, event.notice for one that is not published or not for them.", events), c.readEvents)
}

type noticesOfInput struct {
	CompanyPath
	UserID      int64    `path:"user_id"`
	Limit       int      `query:"limit" minimum:"1" maximum:"100" default:"50"`
	Cursor      cursor   `query:"cursor" doc:"next_cursor of the page before."`
	IfNoneMatch []string `header:"If-None-Match" doc:"ETag of the page as it is known; if it is still so, the answer is 304."`
}

// readableNotice is a published notice for one of its readers.
type readableNotice struct {
	ID                int64        `json:"id"`
	Title             string       `json:"title"`
	Body              string       `json:"body" doc:"Markdown."`
	Author            string       `json:"author" doc:"The department of who wrote it, else the name."`
	PublishedAt       time.Time    `json:"published_at"`
	ReadAt            *time.Time   `json:"read_at" doc:"Null while the person has not read it."`
	Attachments       []noticeFile `json:"attachments" nullable:"false"`
	DownloadableUntil time.Time    `json:"downloadable_until" doc:"From then on attachments answer 404 attachment.expired."`
}

type noticeFile struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Size        int64  `json:"size" doc:"In bytes."`
	ContentType string `json:"content_type"`
}

type noticesOfOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *list[readableNotice]
}

// noticesOf returns what the messenger shows a person. Hidden users and bots have
// no notices: they are not found.
func (c *calls) noticesOf(ctx context.Context, in *noticesOfInput) (*noticesOfOutput, error) {
	if err := c.db.Notices.CheckReader(ctx, in.CompanyID, in.UserID); err != nil {
		return nil, err
	}
	page, err := c.db.Notices.Readables(ctx, in.CompanyID, in.UserID, notice.ReadableFilter{Bodies: true, Cursor: in.Cursor.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &noticesOfOutput{Status: http.StatusOK, ETag: notice.ETagOf(page, c.db.Now())}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	files, err := c.filesOf(ctx, in.CompanyID, page)
	if err != nil {
		return nil, err
	}
	body := listed(page, func(row notice.ReadableRow) readableNotice {
		return readableNotice{row.ID, row.Title, row.Body, row.Author, row.PublishAt.UTC(), inUTC(row.ReadAt), files[row.ID], row.PublishAt.UTC().Add(notice.DownloadTime)}
	})
	out.Body = &body
	return out, nil
}

// filesOf returns the files of the notices on a page, by the ids of the notices.
func (c *calls) filesOf(ctx context.Context, companyID int64, page lists.Page[notice.ReadableRow]) (map[int64][]noticeFile, error) {
	files := make(map[int64][]noticeFile, len(page.Rows))
	arg := notice.FilesOfNoticesParams{CompanyID: companyID}
	for _, row := range page.Rows {
		files[row.ID] = []noticeFile{}
		if row.Files > 0 {
			arg.NoticeIds = append(arg.NoticeIds, row.ID)
		}
	}
	if len(arg.NoticeIds) == 0 {
		return files, nil
	}
	rows, err := c.db.Notices.FilesOfNotices(ctx, arg)
	for _, f := range rows {
		files[f.NoticeID] = append(files[f.NoticeID], noticeFile{f.ID, f.Name, f.Size, f.ContentType})
	}
	return files, err
}
