// Package search computes the texts by which rows are found, and parses search
// texts.
package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MinSearch is the minimum number of characters of a keyword, and MaxKeywords
// the maximum number of keywords (spec §5).
const (
	MinSearch   = 2
	MaxKeywords = 3
)

// Key returns what is stored for a search: the folded texts, one a line, each
// followed by its Hangul initials (김철수 is also found by ㄱㅊㅅ), and the grams of
// all of this.
func Key(texts ...string) (text string, grams []string) {
	lines := make([]string, 0, len(texts)+1)
	for _, t := range texts {
		folded := fold(t)
		if folded == "" {
			continue
		}
		lines = append(lines, folded)
		if i := initials(folded); i != "" {
			lines = append(lines, i)
		}
	}
	text = strings.Join(lines, "\n")
	return text, gramsOf(text)
}

// gramsOf returns the bigrams of a text, and longer grams of its ASCII parts,
// in which two letters are too frequent.
func gramsOf(text string) []string {
	grams := append(bigrams(text), longGrams(text)...)
	slices.Sort(grams)
	return slices.Compact(grams)
}

// Search is a parsed search text: up to three keywords, all of which must
// occur.
type Search struct {
	Keywords []string // folded
	Grams    []string // grams of the beginnings of the keywords; a text that lacks one does not match
}

// askedGrams is the number of grams of a keyword that are looked up: enough for
// the part of an email address before its domain.
const askedGrams = 12

// Parse parses the text of a search box. It refuses keywords of one character
// and more than three keywords (spec §5); refused is the id of a message in
// locales. An empty text matches everything.
func Parse(text string) (s Search, refused string) {
	words := strings.Fields(fold(text))
	if len(words) > MaxKeywords {
		return s, "search.too_many"
	}
	for _, word := range words {
		if utf8.RuneCountInString(word) < MinSearch {
			return s, "search.too_short"
		}
		s.Keywords = append(s.Keywords, word)
		grams := longGrams(beforeDomain(word))
		if len(grams) == 0 {
			grams = bigrams(word)
		}
		s.Grams = append(s.Grams, grams[:min(len(grams), askedGrams)]...)
	}
	slices.Sort(s.Grams)
	s.Grams = slices.Compact(s.Grams)
	return s, ""
}

// beforeDomain removes the domain of an email address, which all addresses of a
// company have in common.
func beforeDomain(word string) string {
	if i := strings.IndexByte(word, '@'); i > 0 {
		return word[:i+1]
	}
	return word
}

// Empty reports whether the search matches everything.
func (s Search) Empty() bool { return len(s.Keywords) == 0 }

// ThreePatterns returns the keywords as patterns of LIKE. Patterns without a
// keyword match everything.
func (s Search) ThreePatterns() (one, two, three string) {
	patterns := append(s.Patterns(), "%", "%", "%")
	return patterns[0], patterns[1], patterns[2]
}

func (s Search) Patterns() []string {
	var patterns []string
	for _, word := range s.Keywords {
		patterns = append(patterns, "%"+LikeEscaper.Replace(word)+"%")
	}
	return patterns
}

// Match reports whether a stored search text contains every keyword.
func (s Search) Match(text string) bool {
	for _, word := range s.Keywords {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

var LikeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// fold returns the same text for different spellings: full and half width,
// upper and lower case, hiragana and katakana, composed and decomposed Hangul.
func fold(s string) string {
	s = norm.NFKC.String(strings.ToLower(norm.NFKC.String(s)))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r >= 'ァ' && r <= 'ヶ':
			return r - ('ァ' - 'ぁ')
		case r == 0 || !unicode.IsPrint(r) && !unicode.IsSpace(r):
			return -1
		}
		return r
	}, s))
}

// initials replaces every Hangul syllable by its initial consonant. It returns
// "" if there is no syllable. NFKC turns a typed ㄱ into the same letter.
func initials(s string) string {
	const first, last, perInitial, initial = '가', '힣', 588, 0x1100
	found := false
	mapped := strings.Map(func(r rune) rune {
		if r < first || r > last {
			return r
		}
		found = true
		return initial + (r-first)/perInitial
	}, s)
	if !found {
		return ""
	}
	return mapped
}

func bigrams(s string) []string {
	var grams []string
	before, size := utf8.DecodeRuneInString(s)
	start := 0
	for i := size; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(before) && !unicode.IsSpace(r) {
			grams = append(grams, s[start:i+n])
		}
		before, start, i = r, i, i+n
	}
	return grams
}

// longGrams returns the groups of three ASCII letters in a row, or of four
// characters if one of them is a digit, because employee ids consist of the
// same few digits.
func longGrams(s string) []string {
	var grams []string
	for i := range s {
		for size := 3; size <= 4 && i+size <= len(s); size++ {
			gram := s[i : i+size]
			if strings.ContainsFunc(gram, func(r rune) bool { return r <= ' ' || r > '~' }) {
				break
			}
			if strings.ContainsAny(gram, "0123456789") == (size == 4) {
				grams = append(grams, gram)
			}
		}
	}
	return grams
}
