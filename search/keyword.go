package search

import "strings"

// A Keyword is a word of a search text. A stored search text contains it if it
// contains its parts one after the other. Most keywords are one part.
type Keyword []string

// newKeyword returns the keyword of a folded word. A word of syllables and
// initials together, such as 김ㅁ, is found where the syllables are in a text and
// the initials of the whole word, ㄱㅁ, on the line below (see Key).
func newKeyword(word string) Keyword {
	if !isMixed(word) {
		return Keyword{word}
	}
	parts := Keyword(strings.FieldsFunc(word, isInitial))
	return append(parts, "\n", initials(word))
}

// In reports whether a stored search text contains the keyword.
func (k Keyword) In(text string) bool {
	for _, part := range k {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// Pattern returns the keyword as a pattern of LIKE.
func (k Keyword) Pattern() string {
	escaped := make([]string, len(k))
	for i, part := range k {
		escaped[i] = likeEscaper.Replace(part)
	}
	return "%" + strings.Join(escaped, "%") + "%"
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// grams returns those of the keyword that are looked up, at most askedGrams.
func (k Keyword) grams() []string {
	var grams []string
	for _, part := range k {
		long := longGrams(beforeDomain(part))
		if len(long) == 0 {
			long = bigrams(part)
		}
		grams = append(grams, long...)
	}
	return grams[:min(len(grams), askedGrams)]
}

func isSyllable(r rune) bool { return r >= '가' && r <= '힣' }

// isInitial reports whether a folded letter is the initial consonant of a syllable.
func isInitial(r rune) bool { return r >= 0x1100 && r <= 0x1112 }

// isMixed reports whether a word has both syllables and initials.
func isMixed(word string) bool {
	return strings.ContainsFunc(word, isSyllable) && strings.ContainsFunc(word, isInitial)
}
