package search

import (
	"hash/fnv"
	"slices"
)

// NameKey returns what is stored for a search of names of files: the folded name,
// and numbers for its grams. Unlike Key it leaves out the initials of syllables,
// and numbers take less space than grams: there are many more files than people.
func NameKey(name string) (text string, grams []int32) {
	text = fold(name)
	return text, numbers(append(bigrams(text), longGrams(text)...))
}

// NumberedKey is Key with numbers for the grams.
func NumberedKey(texts ...string) (text string, grams []int32) {
	text = Text(texts...)
	return text, numbers(gramsOf(text))
}

// GramNumbers returns the grams as NameKey and NumberedKey store them. Different grams can have
// the same number, so what they find has to be compared with the Patterns.
func (s Search) GramNumbers() []int32 { return numbers(s.Grams) }

func numbers(grams []string) []int32 {
	all := make([]int32, len(grams))
	for i, gram := range grams {
		h := fnv.New32a()
		h.Write([]byte(gram))
		all[i] = int32(h.Sum32())
	}
	slices.Sort(all)
	return slices.Compact(all)
}
