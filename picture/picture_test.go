package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/image/bmp"
)

var box = Options{MaxBytes: 5 << 20, MaxPixels: 40_000_000, Width: 126, Height: 80}

func TestConvert(t *testing.T) {
	for name, test := range map[string]struct {
		content       []byte
		width, height int
		contentType   string
	}{
		"PNG smaller than the box": {encodePNG(t, quadrants(40, 30)), 40, 30, PNG},
		"PNG as large as the box":  {encodePNG(t, quadrants(126, 80)), 126, 80, PNG},
		"PNG too wide":             {encodePNG(t, quadrants(252, 80)), 126, 40, PNG},
		"PNG too high":             {encodePNG(t, quadrants(126, 160)), 63, 80, PNG},
		"BMP":                      {encodeBMP(t, quadrants(1260, 800)), 126, 80, PNG},
		"photo as JPEG":            {encodeJPEG(t, noise(400, 400)), 80, 80, JPEG},
		"photo as PNG":             {encodePNG(t, noise(400, 400)), 80, 80, JPEG},
		"photo with transparency":  {encodePNG(t, translucent(noise(400, 400))), 80, 80, PNG},
		"16-bit PNG":               {encodePNG(t, copyTo(image.NewNRGBA64(image.Rect(0, 0, 200, 200)), quadrants(200, 200))), 80, 80, PNG},
		"paletted PNG":             {encodePNG(t, copyTo(image.NewPaletted(image.Rect(0, 0, 50, 50), color.Palette{red, green, blue, yellow}), quadrants(50, 50))), 50, 50, PNG},
		"gray PNG":                 {encodePNG(t, image.NewGray(image.Rect(0, 0, 9, 9))), 9, 9, PNG},
		"one pixel":                {encodePNG(t, quadrants(1, 1)), 1, 1, PNG},
		"one pixel wide":           {encodePNG(t, quadrants(1, 20_000)), 1, 80, PNG},
		"one pixel high":           {encodePNG(t, quadrants(20_000, 1)), 126, 1, PNG},
		"CMYK JPEG":                {cmyk, 8, 8, PNG},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Convert(iotest.OneByteReader(bytes.NewReader(test.content)), box)
			if err != nil {
				t.Fatal(err)
			}
			if p.Width != test.width || p.Height != test.height || p.ContentType != test.contentType {
				t.Errorf("%d×%d %s, want %d×%d %s", p.Width, p.Height, p.ContentType, test.width, test.height, test.contentType)
			}
			header, format, err := image.DecodeConfig(bytes.NewReader(test.content))
			if err != nil {
				t.Fatal(err)
			}
			if p.SourceWidth != header.Width || p.SourceHeight != header.Height {
				t.Errorf("the %s source is %d×%d, want %d×%d", format, p.SourceWidth, p.SourceHeight, header.Width, header.Height)
			}
			shown, format, err := image.Decode(bytes.NewReader(p.Content))
			if err != nil || "image/"+format != p.ContentType || shown.Bounds() != image.Rect(0, 0, p.Width, p.Height) {
				t.Errorf("the content is %s of %v: %v", format, shown.Bounds(), err)
			}
		})
	}
}

func TestConvertRefuses(t *testing.T) {
	whole, photo := encodePNG(t, quadrants(100, 100)), encodeJPEG(t, noise(100, 100))
	var animation bytes.Buffer
	if err := gif.Encode(&animation, quadrants(10, 10), nil); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		want    error
	}{
		"nothing":                    {nil, ErrEmpty},
		"one byte too many":          {make([]byte, box.MaxBytes+1), ErrTooLarge},
		"HTML":                       {[]byte("<!doctype html><script>alert(1)</script>"), ErrFormat},
		"SVG":                        {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), ErrFormat},
		"GIF":                        {animation.Bytes(), ErrFormat},
		"text":                       {[]byte("hello"), ErrFormat},
		"text like BMP":              {[]byte("BMW is a car, and this is a text about it"), ErrFormat},
		"zeros":                      {make([]byte, 100), ErrFormat},
		"HTML after the PNG header":  {[]byte("\x89PNG\r\n\x1a\n<script>alert(1)</script>"), ErrBroken},
		"HTML after the JPEG header": {[]byte("\xff\xd8\xff\xe0<script>alert(1)</script>"), ErrBroken},
		"PNG header":                 {whole[:8], ErrBroken},
		"JPEG header":                {photo[:3], ErrBroken},
		"BMP header":                 {bmpHeader(100, 100)[:14], ErrBroken},
		"half a PNG":                 {whole[:len(whole)/2], ErrBroken},
		"half a JPEG":                {photo[:len(photo)/2], ErrBroken},
		"half a BMP":                 {encodeBMP(t, noise(10, 10))[:200], ErrBroken},
		"damaged PNG":                {bytes.Replace(whole, []byte("IDAT"), []byte("IDAT\xff"), 1), ErrBroken},
		"BMP without pixels":         {bmpHeader(0, 0), ErrBroken},
		"BMP of 30,000×30,000":       {bmpHeader(30_000, 30_000), ErrTooManyPixels},
		"PNG of 65,000×65,000":       {pngHeader(65_000, 65_000), ErrTooManyPixels},
		"PNG of 20,001×1":            {encodePNG(t, image.NewGray(image.Rect(0, 0, 20_001, 1))), ErrTooManyPixels},
		"PNG of 1×20,001":            {encodePNG(t, image.NewGray(image.Rect(0, 0, 1, 20_001))), ErrTooManyPixels},
		"one row too many":           {pngHeader(8000, 5001), ErrTooManyPixels},
		"as many as allowed":         {pngHeader(8000, 5000), ErrBroken},
		"compressed BMP":             {compressed(bmpHeader(10, 10)), ErrFormat},
		"JPEG of too many scans":     {scans(maxScans + 1), ErrBroken},
	} {
		if p, err := Convert(bytes.NewReader(test.content), box); !errors.Is(err, test.want) {
			t.Errorf("%s: %d×%d, %v, want %v", name, p.Width, p.Height, err, test.want)
		}
	}
}

func TestConvertReadsNoMoreThanAllowed(t *testing.T) {
	content := bytes.NewReader(make([]byte, 1000))
	if _, err := Convert(content, Options{MaxBytes: 99}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if read := 1000 - content.Len(); read != 100 {
		t.Errorf("%d bytes were read, want 100", read)
	}
	picture := encodePNG(t, quadrants(10, 10))
	exact := Options{MaxBytes: int64(len(picture)), MaxPixels: 100}
	if _, err := Convert(bytes.NewReader(picture), exact); err != nil {
		t.Errorf("as large as allowed: %v", err)
	}
	broken := errors.New("the browser has gone")
	if _, err := Convert(io.MultiReader(strings.NewReader("\x89PNG"), iotest.ErrReader(broken)), box); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

func TestConvertFormats(t *testing.T) {
	contents := map[string][]byte{PNG: encodePNG(t, quadrants(4, 4)), JPEG: encodeJPEG(t, quadrants(4, 4)), BMP: encodeBMP(t, quadrants(4, 4))}
	for _, allowed := range [][]string{nil, {PNG}, {JPEG}, {PNG, BMP}} {
		for format, content := range contents {
			o := box
			o.Formats = allowed
			_, err := Convert(bytes.NewReader(content), o)
			accepted := allowed == nil || strings.Contains(fmt.Sprint(allowed), format)
			if accepted && err != nil || !accepted && !errors.Is(err, ErrFormat) {
				t.Errorf("%s where %v are allowed: %v", format, allowed, err)
			}
		}
	}
}

func TestConvertWithoutBox(t *testing.T) {
	for _, test := range []struct{ boxWidth, boxHeight, width, height int }{
		{0, 0, 300, 200}, {150, 0, 150, 100}, {0, 50, 75, 50}, {1000, 1000, 300, 200},
	} {
		o := box
		o.Width, o.Height = test.boxWidth, test.boxHeight
		p, err := Convert(bytes.NewReader(encodePNG(t, quadrants(300, 200))), o)
		if err != nil || p.Width != test.width || p.Height != test.height {
			t.Errorf("%d×%d into %d×%d, %v, want %d×%d", p.Width, p.Height, test.boxWidth, test.boxHeight, err, test.width, test.height)
		}
	}
}

func TestConvertDropsMetadata(t *testing.T) {
	const secret = "37.5665N 126.9780E <script>"
	plain := encodePNG(t, quadrants(20, 20))
	withText := bytes.Join([][]byte{plain[:33], chunk("tEXt", "Comment\x00"+secret), plain[33:], []byte(secret)}, nil)
	photo := encodeJPEG(t, noise(20, 20))
	withComment := bytes.Join([][]byte{photo[:2], segment(0xfe, secret), photo[2:], []byte(secret)}, nil)
	for name, content := range map[string][]byte{"PNG": withText, "JPEG": withComment} {
		p, err := Convert(bytes.NewReader(content), box)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if bytes.Contains(p.Content, []byte("script")) {
			t.Errorf("%s: the text is still there", name)
		}
	}
}

func TestConvertCMYK(t *testing.T) {
	p, err := Convert(bytes.NewReader(cmyk), box)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(p.Content))
	if err != nil {
		t.Fatal(err)
	}
	// Each of the four inks is at a half: (1 - 1/2) × (1 - 1/2) of white is left.
	if got := color.GrayModel.Convert(shown.At(3, 3)).(color.Gray).Y; got < 62 || got > 66 {
		t.Errorf("gray %d, want about 64", got)
	}
}

func TestPanicIsBroken(t *testing.T) {
	_, err := guard(func() (int, error) { return []int{}[binary.Size(byte(0))], nil })
	if !errors.Is(err, ErrBroken) {
		t.Error(err)
	}
}

// FuzzConvert holds that whatever comes in, a picture within the box or one of the
// errors comes out.
func FuzzConvert(f *testing.F) {
	for _, seed := range [][]byte{nil, []byte("<svg/>"), cmyk, scans(2), bmpHeader(2, 2), pngHeader(2, 2)} {
		f.Add(seed)
	}
	f.Add(encodePNG(f, quadrants(9, 5)))
	f.Add(encodeJPEG(f, noise(20, 9)))
	f.Add(encodeBMP(f, quadrants(5, 9)))
	f.Add(oriented(f, 6, binary.LittleEndian))
	f.Add(encodePNG(f, copyTo(image.NewPaletted(image.Rect(0, 0, 5, 5), color.Palette{red, green}), quadrants(5, 5))))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := Convert(bytes.NewReader(content), Options{MaxBytes: 1 << 16, MaxPixels: 10_000, Width: 16, Height: 8})
		if err != nil {
			for _, known := range []error{ErrEmpty, ErrTooLarge, ErrTooManyPixels, ErrFormat, ErrBroken} {
				if err == known {
					return
				}
			}
			t.Fatalf("unknown error: %v", err)
		}
		var shown image.Config
		if p.ContentType == JPEG {
			shown, err = jpeg.DecodeConfig(bytes.NewReader(p.Content))
		} else {
			shown, err = png.DecodeConfig(bytes.NewReader(p.Content))
		}
		if err != nil || shown.Width != p.Width || shown.Height != p.Height {
			t.Fatalf("%+v of %+v: %v", shown, p, err)
		}
		if p.Width > 16 || p.Height > 8 || p.SourceWidth < p.Width || p.SourceHeight < p.Height {
			t.Fatalf("%d×%d of %d×%d", p.Width, p.Height, p.SourceWidth, p.SourceHeight)
		}
	})
}

func encodePNG(t testing.TB, picture image.Image) []byte { return encoded(t, picture, png.Encode) }
func encodeBMP(t testing.TB, picture image.Image) []byte { return encoded(t, picture, bmp.Encode) }
func encodeJPEG(t testing.TB, picture image.Image) []byte {
	return encoded(t, picture, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 95}) })
}

func encoded(t testing.TB, picture image.Image, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	var content bytes.Buffer
	if err := encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

func TestEncodePNG(t *testing.T) {
	faint := quadrants(8, 6)
	for i := range faint.Pix {
		faint.Pix[i] /= 2
	}
	full := image.NewRGBA(image.Rect(0, 0, 257, 1))
	for x := range 257 {
		full.SetRGBA(x, 0, color.RGBA{uint8(x), uint8(x >> 8), 7, 255})
	}
	for name, c := range map[string]struct {
		picture    *image.RGBA
		isPaletted bool
	}{
		"few colours":  {quadrants(8, 6), true},
		"translucent":  {faint, true},
		"256 colours":  {full.SubImage(image.Rect(1, 0, 257, 1)).(*image.RGBA), true},
		"257 colours":  {full, false},
		"many colours": {noise(64, 64), false},
	} {
		content, err := EncodePNG(c.picture)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		decoded, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, ok := decoded.(*image.Paletted); ok != c.isPaletted {
			t.Errorf("%s: decoded as %T", name, decoded)
		}
		from := c.picture.Rect.Min
		for y := range c.picture.Rect.Dy() {
			for x := range c.picture.Rect.Dx() {
				if got, want := color.RGBAModel.Convert(decoded.At(x, y)), c.picture.At(from.X+x, from.Y+y); got != want {
					t.Fatalf("%s: %v at %d, %d, want %v", name, got, x, y, want)
				}
			}
		}
	}
}
