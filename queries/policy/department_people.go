package policy

import (
	"context"

	"officeconsole/queries/directory"
)

// DepartmentPeople counts the users in the subtree of each department, as far
// as they are in the scope. Bots and hidden users do not count.
func (s *Store) DepartmentPeople(ctx context.Context, p directory.Person, scope directory.Scope) (map[int64]int64, error) {
	all, err := s.Tree(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case scope.Everybody:
		return all.people(), nil
	}
	return countPeople(all.Departments, func(d TreeDepartment, id int64) int64 {
		if !scope.Includes(d.ID) || !scope.Includes(id) {
			return 0
		}
		return d.People
	}), nil
}

// countPeople adds the users of each department to its count and to those of
// its ancestors. people returns how many users of a department count for an
// ancestor.
func countPeople(departments []TreeDepartment, people func(d TreeDepartment, id int64) int64) map[int64]int64 {
	counts := make(map[int64]int64, len(departments))
	for _, d := range departments {
		for _, id := range d.Ancestors {
			if n := people(d, id); n > 0 {
				counts[id] += n
			}
		}
	}
	return counts
}
