package usage

import "testing"

// SetSearch sets how many files a search reads before it asks the index, and how
// many the index may return, for the duration of a test.
func SetSearch(t *testing.T, stretch, matches int) {
	beforeStretch, beforeMatches := searchStretch, searchMatches
	searchStretch, searchMatches = stretch, matches
	t.Cleanup(func() { searchStretch, searchMatches = beforeStretch, beforeMatches })
}
