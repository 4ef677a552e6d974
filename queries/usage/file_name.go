package usage

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"officeconsole/search"
)

// NamePart is a part of a name as it is stored. Character is set for a character
// that is invisible or changes how the rest is read, such as "U+202E", which
// reverses the text behind it; it is shown by its number instead.
type NamePart struct{ Text, Character string }

// NameParts cuts a name at its deceptive characters.
func NameParts(name string) []NamePart {
	var parts []NamePart
	for from := 0; from < len(name); {
		at := strings.IndexFunc(name[from:], isDeceptive)
		if at < 0 {
			return append(parts, NamePart{Text: name[from:]})
		}
		if at > 0 {
			parts = append(parts, NamePart{Text: name[from : from+at]})
		}
		character, size := utf8.DecodeRuneInString(name[from+at:])
		parts = append(parts, NamePart{Character: fmt.Sprintf("U+%04X", character)})
		from += at + size
	}
	return parts
}

// PlainName returns a name with the numbers of its deceptive characters in their
// place, for where parts cannot be marked.
func PlainName(name string) string {
	if !IsDeceptive(name) {
		return name
	}
	var text strings.Builder
	for _, part := range NameParts(name) {
		text.WriteString(part.Text)
		if part.Character != "" {
			text.WriteString("[" + part.Character + "]")
		}
	}
	return text.String()
}

// IsDeceptive reports whether a name has characters that make it look like another
// one.
func IsDeceptive(name string) bool { return strings.ContainsFunc(name, isDeceptive) }

// joiners are invisible, too, but belong to emoji and to the scripts of India and
// Persia.
var joiners = []rune{0x200C, 0x200D}

// isDeceptive reports whether a character is invisible, or changes the order or
// the lines of the text around it.
func isDeceptive(r rune) bool {
	if ' ' <= r && r <= '~' || '가' <= r && r <= '힣' {
		return false // most names have no other characters
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !slices.Contains(joiners, r) || search.IsFiller(r)
}

// isStorable reports whether the database can hold a text.
func isStorable(text string) bool { return !strings.ContainsRune(text, 0) && utf8.ValidString(text) }
