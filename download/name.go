package download

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// longestName is the number of bytes that file systems allow a name.
const longestName = 240

// SafeName returns a name that every system can store a file by: without folders,
// control characters and characters that Windows refuses, and with its Korean
// letters composed (NFC).
func SafeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, norm.NFC.String(name))
	name = strings.Trim(name, " .")
	if stem, ending := split(name); len(name) > longestName {
		name = strings.TrimRight(shorten(stem, longestName-len(ending)), " .") + ending
	}
	if name == "" {
		return "file"
	}
	return name
}

// longestEnding is the number of bytes of what can be the ending of a name.
const longestEnding = 20

// split returns a name without its ending, and the ending with its dot, if it has
// one.
func split(name string) (stem, ending string) {
	if at := strings.LastIndexByte(name, '.'); at > 0 && len(name)-at <= longestEnding {
		return name[:at], name[at:]
	}
	return name, ""
}

// shorten returns the beginning of a text, at most size bytes of whole characters.
func shorten(text string, size int) string {
	if len(text) > size {
		return strings.ToValidUTF8(text[:size], "")
	}
	return text
}

// Disposition returns the header by which a browser saves a file under a name:
// with the name in UTF-8 (RFC 6266, RFC 8187), and in ASCII for programs that do
// not know it.
func Disposition(name string) string {
	name = SafeName(name)
	var ascii, encoded strings.Builder
	for _, r := range name {
		if r < ' ' || r > '~' || r == '%' {
			r = '_'
		}
		ascii.WriteRune(r)
	}
	const hex = "0123456789ABCDEF"
	for i := range len(name) {
		c := name[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			encoded.WriteByte(c)
			continue
		}
		encoded.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return `attachment; filename="` + ascii.String() + `"; filename*=UTF-8''` + encoded.String()
}

// distinctNames returns safe names for files in one folder: of those that some
// system takes for the same, the later ones get a number.
func distinctNames(files []File) []string {
	names, taken := make([]string, len(files)), map[string]bool{}
	for i, f := range files {
		name := SafeName(f.Name)
		stem, ending := split(name)
		for n := 2; taken[cases.Fold().String(name)]; n++ {
			name = stem + " (" + strconv.Itoa(n) + ")" + ending
		}
		taken[cases.Fold().String(name)] = true
		names[i] = name
	}
	return names
}
