package bot

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"officeconsole/blobs"
	"officeconsole/picture"
	"officeconsole/queries"
)

// MaxImageBytes is more than an image may have (spec §5).
const MaxImageBytes = 10 << 20

const (
	imageSide      = 160 // pixels: twice what is shown at most
	maxImagePixels = 40_000_000
)

// StoreImage converts a picture, stores it for a company and returns its key. It
// refuses with Invalid what is no PNG, JPEG or BMP, or too large, or does not have
// the MD5 checksum, in hexadecimal or Base64 digits, where one is given.
func StoreImage(ctx context.Context, files blobs.Store, companyID int64, r io.Reader, checksum string) (key string, err error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxImageBytes))
	if err != nil {
		return "", err
	}
	if checksum != "" && len(content) < MaxImageBytes && !hasChecksum(content, checksum) {
		return "", queries.Invalid("bot.image.md5")
	}
	image, err := picture.Convert(bytes.NewReader(content), picture.Options{MaxBytes: MaxImageBytes - 1, MaxPixels: maxImagePixels, Width: imageSide, Height: imageSide})
	for cause, refused := range refusedImages {
		if errors.Is(err, cause) {
			return "", refused
		}
	}
	if err != nil {
		return "", err
	}
	blob, err := files.Put(ctx, companyID, bytes.NewReader(image.Content), int64(len(image.Content)))
	return blob.Key, err
}

var refusedImages = map[error]queries.Invalid{
	picture.ErrEmpty:         "bot.image.empty",
	picture.ErrTooLarge:      "bot.image.too_large",
	picture.ErrTooManyPixels: "bot.image.too_many_pixels",
	picture.ErrFormat:        "bot.image.format",
	picture.ErrBroken:        "bot.image.broken",
}

func hasChecksum(content []byte, text string) bool {
	sum := md5.Sum(content)
	return strings.EqualFold(text, hex.EncodeToString(sum[:])) || text == base64.StdEncoding.EncodeToString(sum[:])
}

// SetImage gives the bot another image by its key; "" takes it away. A key that is
// not one of the company's is NotFound.
func (s *Store) SetImage(ctx context.Context, by queries.Actor, key string) error {
	if key != "" && !blobs.IsKey(by.CompanyID, key) {
		return queries.NotFound
	}
	return s.change(ctx, by, func(ctx context.Context, tx queries.Tx, bot Bot) (queries.Change, error) {
		if bot.Image == key {
			return queries.Change{}, nil
		}
		bot.Image = key
		return queries.Change{Action: "bot.image_changed", New: struct {
			Image string `json:"image"`
		}{ImageHash(key)}}, s.store(ctx, tx, bot)
	})
}

// ImageHash is the hash in the key of an image; "" of none.
func ImageHash(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }
