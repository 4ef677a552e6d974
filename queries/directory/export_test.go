package directory

// SetSearchBounds makes searches walk so many names first and sort at most so many
// matches.
func (s *Store) SetSearchBounds(names, matches int) {
	s.searchStretch, s.searchMatches = names, matches
}
