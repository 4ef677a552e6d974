package link

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"officeconsole/blobs"
	"officeconsole/picture"
	"officeconsole/queries"
)

// Dimensions of a banner as it is shown, in pixels (spec §5).
const (
	BannerWidth  = 126
	BannerHeight = 80
)

// Limits of a picture that becomes a banner. What is stored is twice as large as
// it is shown, for screens with a high resolution.
const (
	MaxBannerBytes  = 5 << 20 // a banner has fewer
	maxBannerPixels = 20_000_000
	bannerScale     = 2
)

// StoreBanner converts a picture to a banner, stores it for a company and returns
// its key. It refuses as ConvertBanner does.
func StoreBanner(ctx context.Context, files blobs.Store, companyID int64, r io.Reader) (key string, err error) {
	banner, err := ConvertBanner(r)
	if err != nil {
		return "", err
	}
	blob, err := files.Put(ctx, companyID, bytes.NewReader(banner.Content), int64(len(banner.Content)))
	return blob.Key, err
}

// ConvertBanner returns a picture as a banner is stored: small, and without
// metadata. It refuses with Invalid what is no PNG, JPEG or BMP, or too large.
func ConvertBanner(r io.Reader) (picture.Picture, error) {
	banner, err := picture.Convert(r, picture.Options{
		MaxBytes: MaxBannerBytes - 1, MaxPixels: maxBannerPixels, Width: bannerScale * BannerWidth, Height: bannerScale * BannerHeight,
	})
	for cause, refused := range refusedBanners {
		if errors.Is(err, cause) {
			return picture.Picture{}, refused
		}
	}
	return banner, err
}

var refusedBanners = map[error]queries.Invalid{
	picture.ErrEmpty:         "link.banner.empty",
	picture.ErrTooLarge:      "link.banner.too_large",
	picture.ErrTooManyPixels: "link.banner.too_many_pixels",
	picture.ErrFormat:        "link.banner.format",
	picture.ErrBroken:        "link.banner.broken",
}

// BannerHash is the hash in the key of a blob.
func BannerHash(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }
