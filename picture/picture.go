// Package picture turns a picture that somebody uploaded into one that is safe to show.
package picture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// Convert refuses a picture with one of these errors. Any other error is that of
// the reader.
var (
	ErrEmpty         = errors.New("picture: no content")
	ErrTooLarge      = errors.New("picture: more bytes than allowed")
	ErrTooManyPixels = errors.New("picture: more pixels than allowed")
	ErrFormat        = errors.New("picture: not one of the formats")
	ErrBroken        = errors.New("picture: damaged content")
)

// Formats of pictures, by their media types.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
	BMP  = "image/bmp"
)

const (
	// maxSide is the greatest width or height of a picture that is read, in pixels.
	maxSide = 20_000
	// quality is that of a JPEG that is written, of 100.
	quality = 85
)

// Options says which pictures Convert accepts, and how large the result may be.
type Options struct {
	MaxBytes  int64 // that are read
	MaxPixels int64 // width × height of the picture that is read
	// Width and Height are those of the box, in pixels, that the result fits into.
	// Zero sets no bound.
	Width, Height int
	Formats       []string // of PNG, JPEG and BMP; none means all
}

// Picture is a PNG or JPEG without metadata.
type Picture struct {
	Content       []byte
	ContentType   string // PNG or JPEG
	Width, Height int    // in pixels
	// SourceWidth and SourceHeight are those of the picture that was read, in pixels
	// and in its orientation on screen.
	SourceWidth, SourceHeight int
}

// Convert reads a picture and writes it anew, so that nothing but its pixels
// remains of it. The format is that of the content; a name or declared type has no
// part in it. A JPEG is turned as its EXIF orientation says. A picture larger than
// the box is scaled down with its aspect ratio; a smaller one keeps its size. The
// result is a PNG, or a JPEG if the picture is opaque and that is smaller.
//
// A kind of a format that cannot be read, such as a compressed BMP, is ErrFormat. The
// number of pixels is checked before they are decoded. Decoding takes up to 24 bytes
// of memory for each pixel, and scaling 32 bytes for the result's width times the
// source's height.
func Convert(r io.Reader, o Options) (Picture, error) {
	content, err := io.ReadAll(io.LimitReader(r, min(o.MaxBytes, math.MaxInt64-1)+1))
	if err != nil {
		return Picture{}, fmt.Errorf("picture: %w", err)
	}
	switch {
	case len(content) == 0:
		return Picture{}, ErrEmpty
	case int64(len(content)) > o.MaxBytes:
		return Picture{}, ErrTooLarge
	}
	source, orientation, err := decode(content, o)
	if err != nil {
		return Picture{}, err
	}
	result := orientation.apply(scale(source, orientation, o.Width, o.Height))
	encoded, contentType, err := encode(result)
	if err != nil {
		return Picture{}, err
	}
	width, height := orientation.size(source.Bounds())
	return Picture{
		Content: encoded, ContentType: contentType,
		Width: result.Rect.Dx(), Height: result.Rect.Dy(),
		SourceWidth: width, SourceHeight: height,
	}, nil
}

// decode returns the pixels of a picture as they are stored, and how to turn them.
func decode(content []byte, o Options) (image.Image, orientation, error) {
	format := sniff(content)
	if format == nil || len(o.Formats) > 0 && !slices.Contains(o.Formats, format.contentType) {
		return nil, 0, ErrFormat
	}
	turn := upright
	if format.contentType == JPEG {
		var scans int
		if turn, scans = readMarkers(content); scans > maxScans {
			return nil, 0, ErrBroken
		}
	}
	header, err := guard(func() (image.Config, error) { return format.header(bytes.NewReader(content)) })
	if err != nil {
		return nil, 0, err
	}
	if header.Width <= 0 || header.Height <= 0 {
		return nil, 0, ErrBroken
	}
	if header.Width > maxSide || header.Height > maxSide || int64(header.Width)*int64(header.Height) > o.MaxPixels {
		return nil, 0, ErrTooManyPixels
	}
	source, err := guard(func() (image.Image, error) { return format.decode(bytes.NewReader(content)) })
	if err != nil {
		return nil, 0, err
	}
	return source, turn, nil
}

// scale draws a picture to fit into a box, which holds for the picture after it is
// turned, and never larger than it is.
func scale(source image.Image, turn orientation, width, height int) *image.RGBA {
	from := source.Bounds()
	if turn.swapsSides() {
		width, height = height, width
	}
	factor := min(1,
		float64(cmp.Or(max(width, 0), from.Dx()))/float64(from.Dx()),
		float64(cmp.Or(max(height, 0), from.Dy()))/float64(from.Dy()))
	side := func(n int) int { return max(1, int(math.Round(float64(n)*factor))) }
	to := image.NewRGBA(image.Rect(0, 0, side(from.Dx()), side(from.Dy())))
	if to.Rect.Size() == from.Size() {
		draw.Draw(to, to.Rect, source, from.Min, draw.Src)
	} else {
		draw.CatmullRom.Scale(to, to.Rect, source, from, draw.Src, nil)
	}
	return to
}

// encode writes a picture as a PNG, or as a JPEG if it is opaque and that is smaller.
func encode(picture *image.RGBA) (content []byte, contentType string, err error) {
	asPNG, err := EncodePNG(picture)
	if err != nil {
		return nil, "", err
	}
	if picture.Opaque() {
		var asJPEG bytes.Buffer
		if err := jpeg.Encode(&asJPEG, picture, &jpeg.Options{Quality: quality}); err != nil {
			return nil, "", fmt.Errorf("picture: %w", err)
		}
		if asJPEG.Len() < len(asPNG) {
			return asJPEG.Bytes(), JPEG, nil
		}
	}
	return asPNG, PNG, nil
}

// EncodePNG writes a picture as a PNG: with a palette, which takes about half of the
// bytes, if it has few colours, as drawings have.
func EncodePNG(picture *image.RGBA) ([]byte, error) {
	var smallest image.Image = picture
	if p := paletted(picture); p != nil {
		smallest = p
	}
	var content bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&content, smallest); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return content.Bytes(), nil
}

// maxColors is the number of colours that a palette of a PNG holds.
const maxColors = 256

// paletted returns the same picture with a palette, and nil if it has more colours than
// a palette holds.
func paletted(picture *image.RGBA) *image.Paletted {
	same := image.NewPaletted(picture.Rect, nil)
	numbers := map[color.RGBA]uint8{}
	for y := picture.Rect.Min.Y; y < picture.Rect.Max.Y; y++ {
		for x := picture.Rect.Min.X; x < picture.Rect.Max.X; x++ {
			c := picture.RGBAAt(x, y)
			number, ok := numbers[c]
			if !ok {
				if len(same.Palette) == maxColors {
					return nil
				}
				number = uint8(len(same.Palette))
				numbers[c] = number
				same.Palette = append(same.Palette, c)
			}
			same.SetColorIndex(x, y, number)
		}
	}
	return same
}
