package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxJoined is the number of characters up to which a text is also found without its
// spaces and punctuation: as long as a name may be. Longer texts, such as those of notices,
// would be stored twice.
const maxJoined = 100

// inNames is the punctuation that people leave out of names, as in OBrien for O'Brien.
const inNames = `'"-./()[]·・`

// joined returns a folded text without the punctuation of names and the spaces between
// letters of East Asian scripts, because 高橋 花子 is also written 高橋花子. It returns "" if
// there are none, if the text is longer than a name, or if it is an email address.
func joined(folded string) string {
	if !strings.ContainsAny(folded, inNames+" ") || strings.Contains(folded, "@") || utf8.RuneCountInString(folded) > maxJoined {
		return ""
	}
	bare := withoutPunctuation(folded)
	var b strings.Builder
	before := rune(0) // the letter before the spaces
	for at, r := range bare {
		switch {
		case r != ' ':
			before = r
		case isEastAsian(before) && isEastAsian(next(bare[at:])):
			continue
		}
		b.WriteRune(r)
	}
	if b.Len() == len(folded) {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// withoutPunctuation returns a text without the punctuation of names. What has spaces on
// both sides separates one part of a text from another, and stays.
func withoutPunctuation(text string) string {
	var b strings.Builder
	for at, r := range text {
		isApart := strings.HasSuffix(text[:at], " ") && strings.HasPrefix(text[at:], string(r)+" ")
		if !strings.ContainsRune(inNames, r) || isApart {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// next returns the first letter behind the spaces with which a text begins.
func next(text string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " "))
	return r
}

// isEastAsian reports whether a letter is of a script that is written without spaces
// between the parts of a name. The long vowel mark belongs to two of them.
func isEastAsian(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
