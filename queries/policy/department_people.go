package policy

import (
	"context"

	"officeconsole/queries/directory"
)

// DepartmentPeople counts the people of each department and of all below it, as
// far as they are in somebody's scope: without bots, and hidden people only for
// whom sees everybody.
func (s *Store) DepartmentPeople(ctx context.Context, p directory.Person, scope directory.Scope) (map[int64]int64, error) {
	all, err := s.Trees.Read(ctx, s, p)
	switch {
	case err != nil:
		return nil, err
	case scope.Everybody:
		return all.people(), nil
	}
	return all.count(func(d TreeDepartmentsRow, id int64) int64 {
		if !scope.Includes(d.ID) || !scope.Includes(id) {
			return 0
		}
		return d.Visible
	}), nil
}

// count adds to each department what those below it and itself bring in.
func (t Tree) count(people func(of TreeDepartmentsRow, id int64) int64) map[int64]int64 {
	counts := make(map[int64]int64, len(t.Departments))
	for _, d := range t.Departments {
		for _, id := range d.Lineage {
			if n := people(d, id); n > 0 {
				counts[id] += n
			}
		}
	}
	return counts
}
