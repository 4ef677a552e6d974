package api

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"officeconsole/download"
	"officeconsole/queries"
	"officeconsole/queries/notice"
)

// registerAttachments registers the files of notices.
func (c *calls) registerAttachments(own huma.Middlewares) {
	describe := func(d call, contentType string) huma.Operation {
		d.tag = "Notices"
		op := d.operation(own)
		op.Responses = map[string]*huma.Response{"200": {Description: "The content, to be saved under the name in Content-Disposition.",
			Content: map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}
		return op
	}
	huma.Register(c.api, describe(call{id: "attachment", path: u + "/attachments/{attachment_id}", summary: "A file of a notice",
		description: "For who may read the notice, and for administrators also before its publication. Range is supported. 404 attachment.expired two weeks after the publication, notice.gone once the notice is deleted."}, "*/*"), c.attachment)
	huma.Register(c.api, describe(call{id: "notice-attachments", path: u + "/notices/{notice_id}/attachments.zip", summary: "The files of a notice in one archive",
		description: "Written as it is sent. Of files with the same name, the later ones get a number."}, "application/zip"), c.noticeAttachments)
}

type attachmentInput struct {
	OwnPath
	AttachmentID int64 `path:"attachment_id"`
}

func (c *calls) attachment(ctx context.Context, in *attachmentInput) (*huma.StreamResponse, error) {
	who := callerOf(ctx)
	file, err := c.db.Notices.File(ctx, who.Person, in.AttachmentID)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, file.NoticeID, func(w http.ResponseWriter, r *http.Request) error {
		return download.Send(w, r, file.Sendable(c.blobs))
	})
}

type noticeAttachmentsInput struct {
	OwnPath
	NoticeID int64 `path:"notice_id"`
}

func (c *calls) noticeAttachments(ctx context.Context, in *noticeAttachmentsInput) (*huma.StreamResponse, error) {
	files, err := c.db.Notices.Files(ctx, callerOf(ctx).Person, in.NoticeID)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, in.NoticeID, func(w http.ResponseWriter, r *http.Request) error {
		return download.SendZip(w, r, notice.ArchiveName(in.NoticeID), notice.SendableFiles(files, c.blobs))
	})
}

// send answers with files of a notice, and notes that the caller has downloaded
// some.
func (c *calls) send(ctx context.Context, noticeID int64, do func(w http.ResponseWriter, r *http.Request) error) (*huma.StreamResponse, error) {
	who := callerOf(ctx)
	if err := c.db.Notices.NoteDownload(ctx, who.CompanyID, who.ID, noticeID); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		allowLongAnswer(ctx)
		r, w := humachi.Unwrap(ctx)
		err := do(w, r.WithContext(ctx.Context()))
		if errors.Is(err, fs.ErrNotExist) {
			slog.ErrorContext(ctx.Context(), "the content of an attachment is missing in the blobs", "path", r.URL.Path, "err", err)
			err = queries.NotFound
		}
		if err != nil {
			c.refuse(ctx, err)
		}
	}}, nil
}
