package directory

// SetSearchStretch makes searches look at so many names first.
func (s *Store) SetSearchStretch(names int) { s.searchStretch = names }
