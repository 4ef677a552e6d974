package search

import (
	"slices"
	"strings"
	"unicode"
)

// fillers are letters, marks and symbols that are displayed as nothing or as a blank.
var fillers = []rune{0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}

// IsFiller reports whether a character is displayed as nothing or as a blank although
// Unicode counts it among the letters, marks or symbols, as the Hangul filler U+3164.
func IsFiller(r rune) bool { return slices.Contains(fillers, r) }

// IsBlank reports whether a text shows nothing: it has no letter, number, punctuation or
// symbol that can be seen. A text that is required must not be blank.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !IsFiller(r)
	})
}
