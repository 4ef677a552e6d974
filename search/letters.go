package search

// Letters is a set of letters, of which several share a bit. A text can contain a
// keyword only if its set contains that of the keyword, which takes a fraction of the
// time to find out.
type Letters uint64

// LettersOf returns the set of the letters of some texts.
func LettersOf(texts ...string) (set Letters) {
	for _, text := range texts {
		for _, r := range text {
			set |= 1 << (r % 64)
		}
	}
	return set
}

// Contains reports whether the set contains another one.
func (l Letters) Contains(other Letters) bool { return l&other == other }
