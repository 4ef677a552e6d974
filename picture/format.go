package picture

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
)

// format reads the pictures of one media type.
type format struct {
	contentType string
	matches     func(content []byte) bool
	header      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
}

var formats = []format{
	{PNG, func(c []byte) bool { return bytes.HasPrefix(c, []byte("\x89PNG\r\n\x1a\n")) }, png.DecodeConfig, png.Decode},
	{JPEG, func(c []byte) bool { return bytes.HasPrefix(c, []byte("\xff\xd8\xff")) }, jpeg.DecodeConfig, jpeg.Decode},
	// Text can begin with BM too. The four bytes are reserved and zero.
	{BMP, func(c []byte) bool {
		return len(c) >= 10 && string(c[:2]) == "BM" && string(c[6:10]) == "\x00\x00\x00\x00"
	}, bmp.DecodeConfig, bmp.Decode},
}

// sniff returns the format of content by its first bytes, or nil.
func sniff(content []byte) *format {
	for i := range formats {
		if formats[i].matches(content) {
			return &formats[i]
		}
	}
	return nil
}

// guard runs a decoder. It returns ErrFormat for what the decoder does not support,
// and ErrBroken for any other error or a panic.
func guard[T any](decode func() (T, error)) (result T, err error) {
	defer func() {
		if recover() != nil {
			err = ErrBroken
		}
	}()
	result, err = decode()
	if err == nil {
		return result, nil
	}
	var unsupportedPNG png.UnsupportedError
	var unsupportedJPEG jpeg.UnsupportedError
	if errors.Is(err, bmp.ErrUnsupported) || errors.As(err, &unsupportedPNG) || errors.As(err, &unsupportedJPEG) {
		return result, ErrFormat
	}
	return result, ErrBroken
}
