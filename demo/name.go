package demo

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fullName is a person's name as it is shown, and in Latin letters for the
// email.
type fullName struct{ shown, latin string }

// koreanName makes up a name that was usual in a year of birth.
func koreanName(r *rand.Rand, born int, woman bool) fullName {
	family := pick(r, surnames)
	given := givenName(r, born, woman)
	for strings.HasSuffix(family, given[:3]) {
		given = givenName(r, born, woman)
	}
	latin, ok := familyLatin[family]
	if !ok {
		latin = romanise(family)
	}
	return fullName{family + given, romanise(given) + "." + latin}
}

// givenName returns a given name. Two in ten have a fashionable name of their
// years, the others one that is combined from its syllables. So in a company of
// a thousand a few dozen people share their full name with another one.
func givenName(r *rand.Rand, born int, woman bool) string {
	sex := 0
	if woman {
		sex = 1
	}
	decade := min(max((born-1960)/10, 0), len(fashions)-1)
	if r.IntN(10) < 2 {
		return pickOne(r, fashions[decade][sex])
	}
	parts := syllables[sex]
	if born < 1975 {
		parts = olderSyllables[sex]
	}
	for {
		first, second := pickOne(r, parts[0]), pickOne(r, parts[1])
		if first != second {
			return first + second
		}
	}
}

func japaneseName(r *rand.Rand, woman bool) fullName {
	given := japaneseMen
	if woman {
		given = japaneseWomen
	}
	family, familyLatin, _ := strings.Cut(pickOne(r, japaneseFamilies), ":")
	name, latin, _ := strings.Cut(pickOne(r, given), ":")
	return fullName{family + " " + name, latin + "." + familyLatin}
}

func latinName(r *rand.Rand, woman bool) fullName {
	people := pickOne(r, latinPeoples)
	given := people.men
	if woman {
		given = people.women
	}
	name, family := strings.ReplaceAll(pickOne(r, given), "_", " "), pickOne(r, people.families)
	shown := name + " " + family
	if people.familyFirst {
		shown = family + " " + name
	}
	return fullName{shown, plainLatin(name) + "." + plainLatin(family)}
}

// plainLatin returns the letters of a name that an email address can contain.
func plainLatin(name string) string {
	name = strings.NewReplacer("ß", "ss", "đ", "d", "ø", "o", "ł", "l").Replace(strings.ToLower(name))
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, norm.NFD.String(name))
}

// romanise writes Hangul by the Revised Romanization, each syllable by itself.
func romanise(hangul string) string {
	const perInitial, perVowel = 588, 28
	var b strings.Builder
	for _, r := range hangul {
		if !unicode.Is(unicode.Hangul, r) || r < '가' {
			continue
		}
		n := int(r - '가')
		b.WriteString(initialLetters[n/perInitial])
		b.WriteString(vowelLetters[n%perInitial/perVowel])
		b.WriteString(finalLetters[n%perVowel])
	}
	return b.String()
}

var (
	initialLetters = strings.Split("g kk n d tt r m b pp s ss  j jj ch k t p h", " ")
	vowelLetters   = strings.Fields("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
	finalLetters   = strings.Split(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
)

func pickOne[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// weighted is a choice with the sum of the weights up to and including it.
type weighted struct {
	value string
	upTo  int
}

func pick(r *rand.Rand, from []weighted) string {
	n := r.IntN(from[len(from)-1].upTo)
	for _, w := range from {
		if n < w.upTo {
			return w.value
		}
	}
	panic("unreachable: n is below the last sum")
}
