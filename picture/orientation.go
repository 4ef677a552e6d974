package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientation says how stored pixels become the picture on screen, by the numbers
// of the tag Orientation of EXIF.
type orientation int

const (
	upright orientation = 1 + iota
	mirrored
	upsideDown
	upsideDownMirrored
	transposed // mirrored at the diagonal from the top left
	clockwise  // to be turned by 90°
	transversed
	counterclockwise
)

// swapsSides reports whether the width on screen is the height as stored.
func (o orientation) swapsSides() bool { return o >= transposed && o <= counterclockwise }

// size returns the width and height on screen.
func (o orientation) size(stored image.Rectangle) (width, height int) {
	if o.swapsSides() {
		return stored.Dy(), stored.Dx()
	}
	return stored.Dx(), stored.Dy()
}

// apply turns and mirrors a picture, whose bounds begin at 0, 0.
func (o orientation) apply(stored *image.RGBA) *image.RGBA {
	if o <= upright || o > counterclockwise {
		return stored
	}
	width, height := o.size(stored.Rect)
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	right, bottom := stored.Rect.Dx()-1, stored.Rect.Dy()-1
	for y := range height {
		for x := range width {
			fromX, fromY := x, y
			if o.swapsSides() {
				fromX, fromY = y, x
			}
			switch o {
			case mirrored, counterclockwise:
				fromX = right - fromX
			case upsideDown, transversed:
				fromX, fromY = right-fromX, bottom-fromY
			case upsideDownMirrored, clockwise:
				fromY = bottom - fromY
			}
			copy(turned.Pix[turned.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(fromX, fromY):])
		}
	}
	return turned
}

// maxScans is how many scans of a JPEG are decoded. Progressive pictures have about
// ten; 5 MB can hold thousands, which would take minutes to decode.
const maxScans = 50

// readMarkers returns the orientation of a JPEG, upright if it does not say, and the
// number of its scans, counted up to one more than maxScans.
func readMarkers(content []byte) (o orientation, scans int) {
	const (
		fill, stuffed    = 0xff, 0x00
		standalone       = 0x01
		restart0, image0 = 0xd0, 0xd8 // markers from restart0 to image0 have no length
		end, scan, app1  = 0xd9, 0xda, 0xe1
	)
	o = upright
	found := false
	for at := 2; scans <= maxScans; {
		// Whatever is not a marker is the content of a scan, or skipped by decoders too.
		next := bytes.IndexByte(content[min(at, len(content)):], 0xff)
		if at += next + 1; next < 0 || at >= len(content) {
			break
		}
		marker := content[at]
		if marker == fill {
			continue
		}
		at++
		if marker == stuffed || marker == standalone || marker >= restart0 && marker <= image0 {
			continue
		}
		if marker == end || len(content)-at < 2 {
			break
		}
		length := int(binary.BigEndian.Uint16(content[at:]))
		if length < 2 || length > len(content)-at {
			break
		}
		if marker == scan {
			scans++
		}
		if exif, ok := bytes.CutPrefix(content[at+2:at+length], []byte("Exif\x00\x00")); ok && marker == app1 && !found {
			found = true
			o = readOrientation(exif)
		}
		at += length
	}
	return o, scans
}

// readOrientation finds the tag Orientation in the first directory of EXIF, which
// has the form of a TIFF file. It returns upright for what it cannot read.
func readOrientation(tiff []byte) orientation {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	start := uint64(order.Uint32(tiff[4:]))
	if start+2 > uint64(len(tiff)) {
		return upright
	}
	const (
		entrySize = 12 // tag, type, count, value
		tag       = 0x0112
		short     = 3
	)
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < entrySize {
			break
		}
		if order.Uint16(entries) == tag {
			o := orientation(order.Uint16(entries[8:]))
			if order.Uint16(entries[2:]) != short || o < upright || o > counterclockwise {
				return upright
			}
			return o
		}
		entries = entries[entrySize:]
	}
	return upright
}
