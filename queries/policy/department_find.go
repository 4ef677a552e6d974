package policy

import (
	"slices"

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
		inOwn := func(k search.Keyword) bool { return k.In(d.SearchText) }
		if !slices.ContainsFunc(s.Keywords, inOwn) {
			continue // the names above are not read for the many that are not found
		}
		missing := func(k search.Keyword) bool { return !inOwn(k) && !t.isAbove(d, k) }
		if !slices.ContainsFunc(s.Keywords, missing) {
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
