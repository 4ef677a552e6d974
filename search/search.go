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
// the maximum number of keywords (spec §5). Nobody types more than MaxText
// characters.
const (
	MinSearch   = 2
	MaxKeywords = 3
	MaxText     = 200
)

// Key returns what is stored for a search: the folded texts, one a line, each
// followed by its Hangul initials (김철수 is also found by ㄱㅊㅅ), a name then without
// its spaces and punctuation too (see joined), and the grams of all of this.
func Key(texts ...string) (text string, grams []string) {
	text = Text(texts...)
	return text, gramsOf(text)
}

// Text returns the text of Key, for rows that are searched in memory.
func Text(texts ...string) string {
	lines := make([]string, 0, len(texts)+1)
	for _, t := range texts {
		folded := fold(t)
		if folded == "" {
			continue
		}
		for _, spelling := range []string{folded, joined(folded)} {
			if spelling == "" {
				continue
			}
			lines = append(lines, spelling)
			if i := initials(spelling); i != "" {
				lines = append(lines, i)
			}
		}
	}
	return strings.Join(lines, "\n")
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
	Keywords []Keyword
	Grams    []string // grams of the beginnings of the keywords; a text that lacks one does not match
	Ignored  int      // words that were not used, because there are MaxKeywords
}

// askedGrams is the number of grams of a keyword that are looked up: enough for
// the part of an email address before its domain.
const askedGrams = 12

// Parse parses the text of a search box. A pasted name is found as it is
// displayed: a word of one character counts beside others, as in 林 修, punctuation
// around words is left out, and of more than MaxKeywords words the longer ones are
// used. A single word needs MinSearch characters (spec §5), and a text has at most
// MaxText; refused is the id of a message in locales. An empty text matches
// everything.
func Parse(text string) (s Search, refused string) {
	if utf8.RuneCountInString(text) > MaxText {
		return s, "search.too_long"
	}
	words := wordsOf(fold(text))
	if len(words) == 0 {
		return s, ""
	}
	if len(words) == 1 && isShort(words[0]) {
		return s, "search.too_short"
	}
	used := words[:min(len(words), MaxKeywords)]
	s.Ignored = len(words) - len(used)
	for _, word := range used {
		keyword := newKeyword(word)
		s.Keywords = append(s.Keywords, keyword)
		s.Grams = append(s.Grams, keyword.grams()...)
	}
	slices.Sort(s.Grams)
	s.Grams = slices.Compact(s.Grams)
	return s, ""
}

// wordsOf returns the words of a folded text, those of one character last.
func wordsOf(folded string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(folded, isSeparator) {
		if trimmed := strings.Trim(word, punctuation); trimmed != "" {
			word = trimmed
		}
		words = append(words, word)
	}
	slices.SortStableFunc(words, func(a, b string) int {
		switch {
		case isShort(a) == isShort(b):
			return 0
		case isShort(a):
			return 1
		}
		return -1
	})
	return words
}

// isSeparator reports whether a character ends a word. Commas do, since names are
// written with and without a space after one.
func isSeparator(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '、' }

// punctuation is what stands around words in displayed names and lists of them.
const punctuation = ".;:'\"“”()[]{}<>「」『』《》·"

func isShort(word string) bool { return utf8.RuneCountInString(word) < MinSearch }

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

// Patterns returns a pattern of LIKE for each keyword.
func (s Search) Patterns() []string {
	var patterns []string
	for _, keyword := range s.Keywords {
		patterns = append(patterns, keyword.Pattern())
	}
	return patterns
}

// Match reports whether a stored search text contains every keyword.
func (s Search) Match(text string) bool {
	for _, keyword := range s.Keywords {
		if !keyword.In(text) {
			return false
		}
	}
	return true
}

// fold returns the same text for different spellings: full and half width,
// upper and lower case, hiragana and katakana, composed and decomposed Hangul, the
// variants of kanji, and those of apostrophes and dashes, which phones write for the
// plain ones.
func fold(s string) string {
	s = norm.NFKC.String(strings.ToLower(norm.NFKC.String(s)))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r >= 'ァ' && r <= 'ヶ':
			return r - ('ァ' - 'ぁ')
		case strings.ContainsRune("‘’ʼ′", r):
			return '\''
		case strings.ContainsRune("‐‒–—―−", r):
			return '-'
		case r == 0 || !unicode.IsPrint(r) && !unicode.IsSpace(r):
			return -1
		}
		if r < firstKanji { // most letters, for which a map would be slow
			return r
		}
		if same, ok := sameLetters[r]; ok {
			return same
		}
		return r
	}, s))
}

// initials replaces every Hangul syllable by its initial consonant. It returns
// "" if there is no syllable. NFKC turns a typed ㄱ into the same letter.
func initials(s string) string {
	const perInitial, initial = 588, 0x1100
	found := false
	mapped := strings.Map(func(r rune) rune {
		if !isSyllable(r) {
			return r
		}
		found = true
		return initial + (r-'가')/perInitial
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
