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
	wanted := make([]search.Letters, len(s.Keywords))
	for i, keyword := range s.Keywords {
		wanted[i] = search.LettersOf(keyword...)
	}
	var found []TreeDepartment
	for i, letters := range t.letters {
		if !slices.ContainsFunc(wanted, letters.Contains) {
			continue // as most departments, whose names need not be read
		}
		d := t.Departments[i]
		inOwn := func(k search.Keyword) bool { return k.In(d.SearchText) }
		if !slices.ContainsFunc(s.Keywords, inOwn) {
			continue // nor the names above
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
