package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Rank is how well a name matches a search. Lower ranks are better.
type Rank int

// The ranks: the whole name was typed, the name begins with it, the initials of
// the name do, the keywords are in the name, or in another text of the row.
const (
	Exact Rank = iota
	Prefix
	Initials
	Substring
	Elsewhere
)

// Rank returns the rank of a name of a row that the search finds.
func (s Search) Rank(name string) Rank {
	folded := fold(name)
	rank := s.rank(folded)
	if together := joined(folded); together != "" {
		return min(rank, s.rank(together))
	}
	return rank
}

// rank returns the rank of one spelling of a name.
func (s Search) rank(folded string) Rank {
	first := initials(folded)
	typed := s.Beginning()
	switch {
	case typed != "" && folded == typed:
		return Exact
	case typed != "" && strings.HasPrefix(folded, typed):
		return Prefix
	case len(s.Keywords) > 0 && first != "" && strings.HasPrefix(first, s.Keywords[0].last()):
		return Initials
	case s.Match(folded + "\n" + first):
		return Substring
	}
	return Elsewhere
}

// Beginning returns the folded text with which a name of Rank Prefix begins; ""
// if the search has initials, with which no name begins.
func (s Search) Beginning() string {
	words := make([]string, len(s.Keywords))
	for i, keyword := range s.Keywords {
		if words[i] = keyword[0]; len(keyword) > 1 || strings.ContainsFunc(words[i], isInitial) {
			return ""
		}
	}
	return strings.Join(words, " ")
}

// last returns the part of the keyword that is found last in a stored search text.
func (k Keyword) last() string { return k[len(k)-1] }

// A Part is a piece of a name. Found is true for what a keyword matches.
type Part struct {
	Text  string
	Found bool
}

// Parts divides a name, in its composed form, into what the keywords match first
// and the rest.
func (s Search) Parts(name string) []Part {
	name = norm.NFC.String(name)
	found := make([]bool, len(name)) // of each byte
	folded, origin := foldLetters(name)
	for _, keyword := range s.Keywords {
		place := keyword.place(folded, origin)
		if place == nil {
			place = keyword.place(joinLetters(folded, origin))
		}
		for _, start := range place {
			_, size := utf8.DecodeRuneInString(name[start:])
			for j := range size {
				found[start+j] = true
			}
		}
	}
	return divide(name, found)
}

// place returns the origin of every byte of a folded text that the keyword matches
// first.
func (k Keyword) place(folded string, origin []int) []int {
	text, part := folded, k.last()
	if strings.ContainsFunc(part, isInitial) {
		text = initials(folded)
	}
	at := strings.Index(text, part)
	if at < 0 {
		return nil
	}
	return origin[at : at+len(part)]
}

// joinLetters returns what joined does, "" included, with the origin of its bytes.
func joinLetters(folded string, origin []int) (string, []int) {
	together := joined(folded)
	origins := make([]int, 0, len(together))
	for at, i := 0, 0; i < len(together); at++ { // joined only leaves spaces out
		if folded[at] == together[i] {
			origins = append(origins, origin[at])
			i++
		}
	}
	return together, origins
}

func divide(name string, found []bool) []Part {
	var parts []Part
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || found[i] != found[start] {
			parts = append(parts, Part{name[start:i], found[start]})
			start = i
		}
	}
	return parts
}

// foldLetters folds a text letter by letter. origin has, for each byte of the
// folded text, the offset of the letter that it comes from. The initials of the
// folded text have the same offsets, because an initial has as many bytes as a
// syllable.
func foldLetters(text string) (folded string, origin []int) {
	var b strings.Builder
	for at, r := range text {
		letter := string(r)
		switch {
		case r < utf8.RuneSelf:
			letter = string(unicode.ToLower(r))
		case !isSyllable(r) && !unicode.IsSpace(r):
			letter = fold(letter)
		}
		b.WriteString(letter)
		for range len(letter) {
			origin = append(origin, at)
		}
	}
	return b.String(), origin
}
