package policy

import (
	"officeconsole/search"
)

// Find returns the departments that a search finds: every keyword is in the name
// of the department or of one above it, and at least one in its own.
func (t Tree) Find(s search.Search) []TreeDepartment {
	if s.Empty() {
		return nil
	}
	var found []TreeDepartment
	for _, d := range t.Departments {
		own := false
		missing := false
		for _, keyword := range s.Keywords {
			switch {
			case keyword.In(d.SearchText):
				own = true
			case !t.isAbove(d, keyword):
				missing = true
			}
		}
		if own && !missing {
			found = append(found, d)
		}
	}
	return found
}

// isAbove reports whether a department above d has the keyword in its name.
func (t Tree) isAbove(d TreeDepartment, keyword search.Keyword) bool {
	for _, id := range d.Ancestors[:len(d.Ancestors)-1] {
		if above := t.Department(id); above != nil && keyword.In(above.SearchText) {
			return true
		}
	}
	return false
}

// Headcount returns the number of users in the subtree of a department.
func (t Tree) Headcount(id int64) int64 { return t.people()[id] }
