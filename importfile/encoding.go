package importfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Encodings are the names of the encodings that a file may have. The first is also that
// of a file of ASCII alone.
var Encodings = []string{"utf-8", "utf-16le", "utf-16be", "cp949", "shift_jis", "gbk", "windows-1252"}

// encodingAliases are other names of Encodings.
var encodingAliases = map[string]string{
	"utf8": "utf-8", "utf-16": "utf-16le", "utf16": "utf-16le", "utf16le": "utf-16le", "utf16be": "utf-16be",
	"ms949": "cp949", "uhc": "cp949", "windows-949": "cp949", "euc-kr": "cp949", "euckr": "cp949", "ks_c_5601-1987": "cp949",
	"sjis": "shift_jis", "shift-jis": "shift_jis", "cp932": "shift_jis", "ms932": "shift_jis", "windows-31j": "shift_jis",
	"gb2312": "gbk", "gb18030": "gbk", "cp936": "gbk", "windows-936": "gbk",
	"cp1252": "windows-1252", "latin1": "windows-1252", "iso-8859-1": "windows-1252",
}

// EncodingName returns the name among Encodings for one of its names, or "".
func EncodingName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if slices.Contains(Encodings, name) {
		return name
	}
	return encodingAliases[name]
}

func encodingOf(name string) encoding.Encoding {
	switch name {
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case "cp949":
		return korean.EUCKR // which is CP949 in spite of its name
	case "shift_jis":
		return japanese.ShiftJIS
	case "gbk":
		return simplifiedchinese.GB18030 // an extension of GBK
	case "windows-1252":
		return charmap.Windows1252
	}
	return unicode.UTF8BOM
}

// encodingProbe is the number of bytes by which an encoding is recognized.
const encodingProbe = 16 << 10

// errUnsure is the error of reading text whose encoding cannot be told.
var errUnsure = errors.New("the encoding is not known")

// decoder passes on the text of a file as UTF-8. Without a chosen encoding, a mark or
// zero bytes at the beginning decide, and otherwise the first bytes that are not
// ASCII, because ASCII is the same in the other encodings.
type decoder struct {
	raw      *bufio.Reader
	text     io.Reader // nil until the encoding is known
	encoding string    // "" until then
	last     byte      // of the ASCII before
}

func newDecoder(raw *bufio.Reader, chosen string) *decoder {
	d := &decoder{raw: raw}
	start, _ := raw.Peek(encodingProbe)
	switch {
	case chosen != "":
		d.settle(chosen)
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		d.settle("utf-8")
	case bytes.HasPrefix(start, []byte("\xff\xfe")):
		d.settle("utf-16le")
	case bytes.HasPrefix(start, []byte("\xfe\xff")):
		d.settle("utf-16be")
	default:
		if name := zeroBytes(start); name != "" {
			d.settle(name)
		}
	}
	return d
}

func (d *decoder) settle(name string) {
	d.encoding = name
	if start, _ := d.raw.Peek(3); name == "utf-8" {
		if bytes.HasPrefix(start, []byte("\xef\xbb\xbf")) {
			_, _ = d.raw.Discard(3)
		}
		d.text = d.raw // invalid bytes are refused in their rows
		return
	}
	d.text = transform.NewReader(d.raw, encodingOf(name).NewDecoder())
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.text != nil || len(p) == 0 {
		return d.text.Read(p)
	}
	ahead, err := d.raw.Peek(encodingProbe)
	if len(ahead) == 0 {
		return 0, err
	}
	plain := bytes.IndexFunc(ahead, func(r rune) bool { return r >= utf8.RuneSelf })
	if plain < 0 {
		plain = len(ahead)
	}
	if plain > 0 {
		n, err := d.raw.Read(p[:min(plain, len(p))])
		d.last = p[max(0, n-1)]
		return n, err
	}
	name := recognize(append([]byte{d.last}, ahead...)) // with the letter before, if there is one
	if name == "" {
		return 0, errUnsure
	}
	d.settle(name)
	return d.text.Read(p)
}

// zeroBytes returns the encoding of UTF-16 without a mark: digits, separators and line
// ends have a zero byte, always on the same side. It returns "" if that is not clear.
func zeroBytes(start []byte) string {
	pairs := len(start) / 2
	var first, second int
	for i := range pairs {
		if start[2*i] == 0 {
			first++
		}
		if start[2*i+1] == 0 {
			second++
		}
	}
	switch {
	case pairs < 4:
		return ""
	case second*4 >= pairs && first*20 < second:
		return "utf-16le"
	case first*4 >= pairs && second*20 < first:
		return "utf-16be"
	}
	return ""
}

const (
	// likelyText is the score from which bytes are text of an encoding: most of its
	// letters are common ones.
	likelyText = 0.5
	// clearLead is how much more likely an encoding must be than all others.
	clearLead = 0.3
)

// recognize returns the encoding in which bytes are text that somebody may have
// written, or "" if that is true of none or of several.
func recognize(b []byte) string {
	isUTF8 := looksLikeUTF8(b)
	if isUTF8 && !hasOddLetters(b) {
		return "utf-8"
	}
	best, second, name := 0.0, 0.0, ""
	for _, script := range scripts {
		switch score := script.score(b); {
		case score > best:
			best, second, name = score, best, script.encoding
		case score > second:
			second = score
		}
	}
	switch {
	case isUTF8 && best <= 0:
		return "utf-8"
	case isUTF8 || best < likelyText || best-second < clearLead:
		return ""
	}
	return name
}

// looksLikeUTF8 accepts a few invalid characters, which are refused in their
// rows. Otherwise a single one would make the whole file look like another encoding.
func looksLikeUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(b):
			bad++
		case size > 1:
			good++
		}
		b = b[size:]
	}
	return good > 0 && good >= 3*bad
}
