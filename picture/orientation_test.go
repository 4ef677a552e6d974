package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"testing"
)

// The numbers of EXIF say where the first row and column as stored are on screen.
func TestOrientation(t *testing.T) {
	for o, want := range map[orientation][4]color.Color{ // top left, top right, bottom left, bottom right
		0: {red, green, blue, yellow}, // unknown
		1: {red, green, blue, yellow},
		2: {green, red, yellow, blue}, // first row at the top, first column at the right
		3: {yellow, blue, green, red}, // bottom, right
		4: {blue, yellow, red, green}, // bottom, left
		5: {red, blue, green, yellow}, // left, top
		6: {blue, red, yellow, green}, // right, top
		7: {yellow, green, blue, red}, // right, bottom
		8: {green, yellow, red, blue}, // left, bottom
		9: {red, green, blue, yellow}, // unknown
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, boxed := range []bool{false, true} {
				options, width, height := Options{MaxBytes: 1 << 20, MaxPixels: 1 << 20}, 60, 40
				if boxed {
					options.Width, options.Height, width, height = 30, 20, 30, 20
				}
				sourceWidth, sourceHeight := 60, 40
				if o >= 5 && o <= 8 {
					sourceWidth, sourceHeight = 40, 60
					width, height = 40, 60
					if boxed {
						width, height = 13, 20
					}
				}
				p, err := Convert(bytes.NewReader(oriented(t, o, order)), options)
				if err != nil {
					t.Fatal(err)
				}
				if p.Width != width || p.Height != height || p.SourceWidth != sourceWidth || p.SourceHeight != sourceHeight {
					t.Errorf("orientation %d, %s: %d×%d of %d×%d", o, order, p.Width, p.Height, p.SourceWidth, p.SourceHeight)
				}
				shown, _, err := image.Decode(bytes.NewReader(p.Content))
				if err != nil {
					t.Fatal(err)
				}
				for i, at := range []image.Point{{2, 2}, {width - 3, 2}, {2, height - 3}, {width - 3, height - 3}} {
					if !similar(shown.At(at.X, at.Y), want[i]) {
						t.Errorf("orientation %d, %s, boxed %t: corner %d is %v, want %v", o, order, boxed, i, shown.At(at.X, at.Y), want[i])
					}
				}
			}
		}
	}
}

func similar(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return (ar>>15 == br>>15) && (ag>>15 == bg>>15) && (ab>>15 == bb>>15)
}

func TestReadOrientationOfDamagedExif(t *testing.T) {
	whole := "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
	if o := readOrientation([]byte(whole)); o != clockwise {
		t.Fatalf("orientation %d", o)
	}
	for n := range len(whole) {
		if o := readOrientation([]byte(whole[:n])); o != upright {
			t.Errorf("of %d bytes: orientation %d", n, o)
		}
	}
	for name, tiff := range map[string]string{
		"byte order":            "XX" + whole[2:],
		"directory far outside": whole[:4] + "\xff\xff\xff\xff" + whole[8:],
		"directory at the end":  whole[:4] + "\x16\x00\x00\x00" + whole[8:],
		"other type":            whole[:12] + "\x04" + whole[13:],
	} {
		if o := readOrientation([]byte(tiff)); o != upright {
			t.Errorf("%s: orientation %d", name, o)
		}
	}
}

func TestReadMarkers(t *testing.T) {
	for n := range 5 {
		if _, got := readMarkers(scans(n + 1)); got != n+1 {
			t.Errorf("%d scans, want %d", got, n+1)
		}
	}
	if _, err := Convert(bytes.NewReader(scans(maxScans)), box); err != nil {
		t.Errorf("as many scans as allowed: %v", err)
	}
	photo := encodeJPEG(t, noise(200, 200))
	if o, got := readMarkers(photo); o != upright || got != 1 {
		t.Errorf("orientation %d and %d scans of a photo", o, got)
	}
	for n := range len(photo) { // none of its parts makes it panic
		readMarkers(photo[:min(n, 1000)])
	}
}
