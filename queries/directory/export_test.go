package directory

// SetSearchBounds sets how many names a search reads in order before it uses
// the index, and how many matches it sorts at most.
func (s *Store) SetSearchBounds(names, matches int) {
	s.searchStretch, s.searchMatches = names, matches
}
