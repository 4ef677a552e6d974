package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/blobs"
	"officeconsole/picture"
	"officeconsole/queries"
	"officeconsole/queries/link"
)

type setLinkBannerInput struct {
	LinkPath
	RawBody []byte `contentType:"application/octet-stream"`
}

func (c *calls) setLinkBanner(ctx context.Context, in *setLinkBannerInput) (*linkOutput, error) {
	key, err := link.StoreBanner(ctx, c.blobs, in.CompanyID, bytes.NewReader(in.RawBody))
	if err != nil {
		return nil, err
	}
	return c.changeBanner(ctx, in.LinkID, key)
}

func (c *calls) deleteLinkBanner(ctx context.Context, in *LinkPath) (*linkOutput, error) {
	return c.changeBanner(ctx, in.LinkID, "")
}

func (c *calls) changeBanner(ctx context.Context, linkID int64, key string) (*linkOutput, error) {
	err := c.db.Links.Update(ctx, actor(ctx), linkID, 0, func(d link.Draft) link.Draft {
		d.Banner = key
		return d
	})
	if err != nil {
		return nil, err
	}
	return c.linkByID(ctx, linkID)
}

func (c *calls) linkBanner(ctx context.Context, in *LinkPath) (*pictureOutput, error) {
	l, err := c.db.Links.Link(ctx, link.LinkParams{CompanyID: in.CompanyID, ID: in.LinkID})
	if err != nil {
		return nil, err
	}
	return c.picture(ctx, l.Banner)
}

type bannerInput struct {
	CompanyPath
	Hash string `path:"hash"`
}

// banner returns a banner for the messenger.
func (c *calls) banner(ctx context.Context, in *bannerInput) (*pictureOutput, error) {
	return c.picture(ctx, blobs.Key(in.CompanyID, in.Hash))
}

type pictureOutput struct {
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control"`
	Body         []byte
}

// picture reads a stored picture, which is small enough for the memory.
func (c *calls) picture(ctx context.Context, key string) (*pictureOutput, error) {
	content, _, err := c.blobs.Open(ctx, key)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, queries.NotFound
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	body, err := io.ReadAll(io.LimitReader(content, link.MaxBannerBytes))
	if err != nil {
		return nil, err
	}
	contentType := http.DetectContentType(body)
	if contentType != picture.PNG && contentType != picture.JPEG { // whatever it was uploaded as
		return nil, queries.NotFound
	}
	return &pictureOutput{contentType, "private, max-age=31536000, immutable", body}, nil
}

// pictureOf describes the response of an operation that answers a picture.
func pictureOf(op huma.Operation) huma.Operation {
	binary := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	op.Responses = map[string]*huma.Response{"200": {Description: "The picture.", Content: map[string]*huma.MediaType{"image/png": binary, "image/jpeg": binary}}}
	op.RejectUnknownQueryParameters = false // v in its address tells browsers that it is another picture
	return op
}
