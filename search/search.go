// Package search makes the texts by which rows are found and parses what people search for.
package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MinSearch is the least number of characters of a keyword and MaxKeywords the
// number of keywords that count (spec §5).
const (
	MinSearch   = 2
	MaxKeywords = 3
)

// Key gives what is stored to find texts by: every text folded, one a
// line, with the Hangul initials of each (김철수 is also found by ㄱㅊㅅ), and
// the grams of all that.
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

// gramsOf are the bigrams of a text and, where it is ASCII, the longer grams: a
// few letters say little there.
func gramsOf(text string) []string {
	grams := append(bigrams(text), longGrams(text)...)
	slices.Sort(grams)
	return slices.Compact(grams)
}

// Search is what somebody looks for: up to three keywords that must all occur.
type Search struct {
	Keywords []string // folded
	Grams    []string // of the beginning of all keywords; who lacks one cannot match
}

// askedGrams is how many grams of a keyword are looked up: enough for what stands
// before the domain of an email address.
const askedGrams = 12

// Parse reads the text of a search box. It refuses a keyword of one
// character and more than three keywords (spec §5), by the id of a message in
// locales; an empty text finds everything.
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

// beforeDomain leaves out what the emails of a company have in common.
func beforeDomain(word string) string {
	if i := strings.IndexByte(word, '@'); i > 0 {
		return word[:i+1]
	}
	return word
}

// Empty reports whether everything is asked for.
func (s Search) Empty() bool { return len(s.Keywords) == 0 }

// ThreePatterns are the keywords as patterns of LIKE, three of them: what is not
// asked for matches everything.
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

// Match reports whether a stored search text holds every keyword.
func (s Search) Match(text string) bool {
	for _, word := range s.Keywords {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

var LikeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// fold brings spellings of the same text together: full and half width, case,
// hiragana and katakana, composed and decomposed Hangul.
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

// initials replaces every Hangul syllable by its initial consonant. It is
// empty when there is no syllable. NFKC turns a typed ㄱ into the same letter.
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

// longGrams are the three letters in a row that are ASCII, or four when they hold
// a digit: employee ids all consist of the same few.
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
