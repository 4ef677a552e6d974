package picture

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

var (
	red    = color.RGBA{255, 0, 0, 255}
	green  = color.RGBA{0, 255, 0, 255}
	blue   = color.RGBA{0, 0, 255, 255}
	yellow = color.RGBA{255, 255, 0, 255}
)

// quadrants is red at the top left, then green, and below blue and yellow.
func quadrants(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := red
			switch right, below := 2*x >= width, 2*y >= height; {
			case right && below:
				c = yellow
			case right:
				c = green
			case below:
				c = blue
			}
			picture.SetRGBA(x, y, c)
		}
	}
	return picture
}

// noise is what a PNG cannot compress.
func noise(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(picture.Pix)
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 255
	}
	return picture
}

func translucent(picture *image.RGBA) image.Image {
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 128
	}
	return &image.NRGBA{Pix: picture.Pix, Stride: picture.Stride, Rect: picture.Rect}
}

func copyTo(to draw.Image, from image.Image) image.Image {
	draw.Draw(to, to.Bounds(), from, image.Point{}, draw.Src)
	return to
}

// bmpHeader is a BMP with 24 bits for each pixel, of which there are none.
func bmpHeader(width, height uint32) []byte {
	b := make([]byte, 54, 60)
	copy(b, "BM")
	b[10], b[14], b[26], b[28] = 54, 40, 1, 24
	binary.LittleEndian.PutUint32(b[18:], width)
	binary.LittleEndian.PutUint32(b[22:], height)
	return append(b, "little"...)
}

// compressed marks a BMP as run-length encoded.
func compressed(b []byte) []byte {
	b[30] = 1
	return b
}

// pngHeader is a PNG without pixels.
func pngHeader(width, height uint32) []byte {
	b := make([]byte, 13)
	binary.BigEndian.PutUint32(b, width)
	binary.BigEndian.PutUint32(b[4:], height)
	b[8], b[9] = 8, 2
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", string(b))...)
}

func chunk(kind, data string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(b, kind+data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(kind+data)))
}

// segment is one of a JPEG.
func segment(marker byte, data string) []byte {
	b := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
	return append(b, data...)
}

// oriented is a JPEG of 60×40 quadrants with an EXIF orientation.
func oriented(t testing.TB, o orientation, order binary.AppendByteOrder) []byte {
	tiff := "II*\x00"
	if order.String() == "BigEndian" {
		tiff = "MM\x00*"
	}
	b := order.AppendUint32([]byte("Exif\x00\x00"+tiff), 8)
	b = order.AppendUint16(b, 2)
	for _, tag := range []uint16{0x0100, 0x0112} { // ImageWidth comes before Orientation
		b = order.AppendUint16(b, tag)
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, uint16(o))
		b = order.AppendUint16(b, 0)
	}
	photo := encodeJPEG(t, quadrants(60, 40))
	return append(append([]byte("\xff\xd8"), segment(0xe1, string(b))...), photo[2:]...)
}

// Parts of a JPEG of one block of 8×8 whose samples are all 128: tables with the
// single code 0, which means no difference and the end of a block.
var (
	quantization = segment(0xdb, "\x00"+string(ones(64)))
	codes        = string(segment(0xc4, "\x00\x01"+string(make([]byte, 15))+"\x00")) + string(segment(0xc4, "\x10\x01"+string(make([]byte, 15))+"\x00"))
)

func ones(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 1
	}
	return b
}

// cmyk is a JPEG of Adobe's with four components.
var cmyk = []byte("\xff\xd8" + string(segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x00")) + string(quantization) +
	string(segment(0xc0, "\x08\x00\x08\x00\x08\x04\x01\x11\x00\x02\x11\x00\x03\x11\x00\x04\x11\x00")) + codes +
	string(segment(0xda, "\x04\x01\x00\x02\x00\x03\x00\x04\x00\x00\x3f\x00")) + "\x00\xff\xd9")

// scans is a progressive gray JPEG whose every scan but the first has nothing to add.
func scans(n int) []byte {
	b := "\xff\xd8" + string(quantization) + string(segment(0xc2, "\x08\x00\x08\x00\x08\x01\x01\x11\x00")) + codes +
		string(segment(0xda, "\x01\x01\x00\x00\x00\x00")) + "\x7f"
	for range n - 1 {
		b += string(segment(0xda, "\x01\x01\x00\x01\x3f\x00")) + "\x7f"
	}
	return []byte(b + "\xff\xd9")
}
