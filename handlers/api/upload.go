package api

import (
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/notice"
)

// maxUpload is the maximum size of an upload's body in bytes. It is more than
// any file may have, so that a larger file is refused by its name.
const maxUpload = 16 << 20

// uploadBody describes the form of an upload, which is read as it arrives.
var uploadBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
	Type: huma.TypeObject, Required: []string{"file", "md5"},
	Properties: map[string]*huma.Schema{
		"file": {Type: huma.TypeString, Format: "binary", Description: "With its name."},
		"md5":  {Type: huma.TypeString, Description: "32 hexadecimal digits."},
	},
}}}}

// UploadInput is a form with a file.
type UploadInput struct {
	OwnPath
	form *multipart.Reader // nil for a body of another type
}

// Resolve opens the form, and gives a slow client time to send it.
func (in *UploadInput) Resolve(ctx huma.Context) []error {
	kind, parameters, err := mime.ParseMediaType(ctx.Header("Content-Type"))
	if err != nil || kind != "multipart/form-data" || parameters["boundary"] == "" {
		return nil
	}
	in.form = multipart.NewReader(io.LimitReader(ctx.BodyReader(), maxUpload), parameters["boundary"])
	deadline := time.Now().Add(receiveTime)
	setDeadlines(ctx, deadline, deadline)
	return nil
}

// receiveTime is the maximum time to receive a file.
const receiveTime = 5 * time.Minute

// attachment is a file of a notice.
type attachment struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Size        int64  `json:"size" doc:"In bytes."`
	MD5         string `json:"md5"`
	ContentType string `json:"content_type" doc:"As its first bytes tell."`
}

func newAttachment(a notice.Attachment) attachment {
	return attachment{a.ID, a.Name, a.Size, a.Md5, a.ContentType}
}

type uploadOutput struct{ Body attachment }

func (c *calls) upload(ctx context.Context, in *UploadInput) (*uploadOutput, error) {
	if in.form == nil {
		return nil, refusal{http.StatusUnsupportedMediaType, "api.media_type.form"}
	}
	stored, err := c.db.Notices.ReceiveUpload(ctx, actor(ctx), c.blobs, in.form)
	if err != nil {
		return nil, err
	}
	return &uploadOutput{newAttachment(stored)}, nil
}
