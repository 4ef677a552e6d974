package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
)

// registerNotices registers the operations with which notices are written.
func (c *calls) registerNotices(middlewares huma.Middlewares) {
	const all, one = u + "/notices", u + "/notices/{notice_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Notices"
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	conflicts := []int{http.StatusConflict, http.StatusPreconditionRequired}
	huma.Register(c.api, describe(call{id: "notices", path: all, errors: []int{http.StatusUnprocessableEntity}, summary: "Notices by publication, the latest first",
		description: "A page of them; next_cursor leads to the next one. Without a status, deleted notices are left out; body and attachments are those of one notice."}), c.notices)
	huma.Register(c.api, describe(call{id: "create-notice", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Publish or reserve a notice", description: "publish_at null publishes at once; a time must be in the future by the server's clock, and at most a year ahead. " +
			"attachment_ids are those of uploads, or of files of other notices that can still be downloaded, which are copied."}), c.createNotice)
	huma.Register(c.api, describe(call{id: "notice", path: one, summary: "One notice with its text and files",
		description: "ETag is its version, for If-Match. recipients counts the people it is for now, readers those of them who have opened it. 404 notice.gone once somebody has deleted it."}), c.notice)
	huma.Register(c.api, describe(call{id: "update-notice", method: http.MethodPatch, path: one, errors: append(conflicts, unreadable...),
		summary: "Change a reservation", description: "What is left out stays as it is; publish_at null publishes at once. A published notice is not changed: 409 notice.published. With If-Match, 409 notice.edited when somebody else changed it in between, with who, when and what in changed_by; 404 notice.gone once somebody has deleted it."}), c.updateNotice)
	huma.Register(c.api, describe(call{id: "delete-notice", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts,
		summary: "Delete a notice or cancel a reservation", description: "It can be restored for thirty days."}), c.deleteNotice)
	huma.Register(c.api, describe(call{id: "restore-notice", method: http.MethodPost, path: one + "/restoration", errors: []int{http.StatusUnprocessableEntity},
		summary: "Restore a deleted notice", description: "422 notice.restore.missed for a reservation whose time has passed meanwhile: create another notice from it."}), c.restoreNotice)
	upload := describe(call{id: "upload", method: http.MethodPost, path: u + "/uploads", status: http.StatusCreated, errors: append([]int{http.StatusInsufficientStorage}, unreadable...),
		summary: "Send a file for a notice", description: "At most 10 MB, in any order with its MD5 in hexadecimal, which is compared with what arrived. A file that no notice lists within a day is deleted."})
	huma.Register(c.api, upload, c.upload)
	c.api.OpenAPI().Paths[upload.Path].Post.RequestBody = uploadBody // after the registration, so that huma does not read it
}

// NoticeRow is a notice in a list.
type NoticeRow struct {
	ID          int64      `json:"id"`
	Title       string     `json:"title"`
	Status      string     `json:"status" enum:"published,reserved,expired,deleted" doc:"expired: published, and its files can no longer be downloaded."`
	PublishedAt time.Time  `json:"published_at" doc:"In the future for a reservation."`
	DeletedAt   *time.Time `json:"deleted_at,omitempty"`
	Author      string     `json:"author" doc:"A name."`
	Everyone    bool       `json:"everyone" doc:"Whether it is for the whole company."`
	Files       int        `json:"files"`
	Readers     int        `json:"readers"`
	Recipients  int        `json:"recipients"`
}

// NoticesInput is the input of the list of notices.
type NoticesInput struct {
	OwnPath
	Status   string `query:"status" enum:"published,reserved,expired,deleted"`
	Q        string `query:"q" doc:"Up to three keywords of two characters or more, in title and text."`
	Target   string `query:"target" doc:"everyone, or the id of a department: notices that list it or one below it."`
	AuthorID int64  `query:"author_id" minimum:"1"`
	From     string `query:"from" format:"date" doc:"First date of publication, by the company's clocks."`
	To       string `query:"to" format:"date" doc:"Last date of publication."`
	Sort     string `query:"sort" enum:"published,-published" doc:"published for the earliest publication first."`
	Limit    int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor   string `query:"cursor" doc:"next_cursor of the page before."`
}

// values returns the query as notice.ReadFilter reads it.
func (in *NoticesInput) values() url.Values {
	v := url.Values{"status": {in.Status}, "q": {in.Q}, "target": {in.Target}, "from": {in.From}, "to": {in.To}, "sort": {in.Sort}, "cursor": {in.Cursor}}
	lists.SetID(v, "author", in.AuthorID)
	return v
}

type noticesOutput struct{ Body list[NoticeRow] }

func (c *calls) notices(ctx context.Context, in *NoticesInput) (*noticesOutput, error) {
	filter, err := notice.ReadFilter(in.values())
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	page, err := c.db.Notices.List(ctx, in.CompanyID, zone, filter)
	if err != nil {
		return nil, err
	}
	now := c.db.Now()
	return &noticesOutput{listed(page, func(r notice.Row) NoticeRow {
		return NoticeRow{r.ID, r.Title, string(r.Status(now)), r.PublishAt.UTC(), inUTC(r.DeletedAt), r.Author, r.Everyone, r.Files, r.Readers, r.Recipients}
	}).searched(ctx, in.Q)}, nil
}
