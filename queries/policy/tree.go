package policy

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

// Tree returns the departments of a user's company, cached until the directory
// changes.
func (s *Store) Tree(ctx context.Context, p directory.Person) (Tree, error) {
	valid := func(t Tree) bool { return t.directoryVersion == p.DirectoryVersion }
	return s.trees.cache.GetValid(ctx, p.CompanyID, valid, func(ctx context.Context) (Tree, error) {
		rows, err := s.treeDepartments(ctx, p.CompanyID)
		t := Tree{Departments: rows, directoryVersion: p.DirectoryVersion}
		t.children = map[int64][]int32{}
		for i, d := range rows {
			t.letters = append(t.letters, search.LettersOf(d.SearchText))
			if last := len(d.Ancestors) - 1; last > 0 {
				t.children[d.Ancestors[last-1]] = append(t.children[d.Ancestors[last-1]], int32(i))
			} else {
				t.children[0] = append(t.children[0], int32(i))
			}
		}
		t.people = sync.OnceValue(func() map[int64]int64 {
			return countPeople(rows, func(d TreeDepartment, _ int64) int64 { return d.People })
		})
		return t, err
	})
}

// treeCache caches the departments of companies, and what their users inherit.
// A tree is valid for a directory_version, which every request reads with its
// user.
type treeCache struct {
	cache    *cache.Cache[int64, Tree] // by company id
	resolved *cache.Cache[timelineKey, resolvedTree]
}

func newTreeCache(now func() time.Time) treeCache {
	return treeCache{
		cache:    cache.New[int64](cache.Options[Tree]{Name: "trees", Size: maxTrees, Now: now}),
		resolved: cache.New[timelineKey](cache.Options[resolvedTree]{Name: "resolved_trees", Size: maxTimelines, Now: now}),
	}
}

// TreeDepartment is a department with the number of its own users. Ancestors
// are the ids from the root to the department itself.
type TreeDepartment = treeDepartmentsRow

// Tree is the departments of a company.
type Tree struct {
	Departments      []TreeDepartment       // by id
	letters          []search.Letters       // of the search texts of Departments
	children         map[int64][]int32      // the indexes of the children of a department, of the roots for 0
	people           func() map[int64]int64 // the number of users in the subtree of each department, computed in the first call
	directoryVersion int64
}

// maxTrees is the size of the cache. A tree of 10,000 departments takes two
// megabytes.
const maxTrees = 64

// Department returns a department, or nil.
func (t Tree) Department(id int64) *TreeDepartment {
	i, found := slices.BinarySearchFunc(t.Departments, id, func(d TreeDepartment, id int64) int { return cmp.Compare(d.ID, id) })
	if !found {
		return nil
	}
	return &t.Departments[i]
}

// Children returns the departments directly below a department by id, the roots
// for 0.
func (t Tree) Children(id int64) []*TreeDepartment {
	children := make([]*TreeDepartment, len(t.children[id]))
	for n, i := range t.children[id] {
		children[n] = &t.Departments[i]
	}
	return children
}

// Upper returns what UpperDepartments returns.
func (t Tree) Upper() []UpperDepartment {
	upper := t.Children(0)
	for _, root := range upper {
		upper = append(upper, t.Children(root.ID)...)
	}
	slices.SortFunc(upper, func(a, b *TreeDepartment) int { return cmp.Compare(a.Position, b.Position) })
	rows := make([]UpperDepartment, len(upper))
	for i, d := range upper {
		rows[i] = UpperDepartment{ID: d.ID, Name: d.Name, Root: len(d.Ancestors) == 1}
	}
	return rows
}

// Ancestors returns the ids from the root to a department itself, or nil for
// one that is not in the tree.
func (t Tree) Ancestors(id int64) []int64 {
	if d := t.Department(id); d != nil {
		return d.Ancestors
	}
	return nil
}

// Subtree returns a department and all its descendants, or the whole tree for
// 0.
func (t Tree) Subtree(id int64) []TreeDepartment {
	if id == 0 {
		return t.Departments
	}
	ids := t.SubtreeIDs(id)
	all := make([]TreeDepartment, len(ids))
	for i, id := range ids {
		all[i] = *t.Department(id)
	}
	return all
}

// resolvedTree is what the users of each department inherit. It is valid until
// the tree or a policy changes, or a version begins or ends.
type resolvedTree struct {
	groups           []treeGroup
	timeline         *Timeline
	directoryVersion int64
	from             time.Time
	until            *time.Time
}

// treeGroup is the departments with users of their own that inherit the same
// policy in the same way.
type treeGroup struct {
	decision    decision // departmentID is one of them
	departments []*TreeDepartment
	ids         []int64 // ids of departments
	people      int64
}

// inSubtree returns the departments of the group in the subtree of a
// department.
func (g treeGroup) inSubtree(id int64) treeGroup {
	return g.only(func(d *TreeDepartment) bool { return slices.Contains(d.Ancestors, id) })
}

// only returns the departments of the group that are chosen.
func (g treeGroup) only(chosen func(*TreeDepartment) bool) treeGroup {
	part := treeGroup{decision: g.decision}
	for _, d := range g.departments {
		if chosen(d) {
			part.departments, part.ids, part.people = append(part.departments, d), append(part.ids, d.ID), part.people+d.People
		}
	}
	return part
}

func (r resolvedTree) isValid(t *Timeline, all Tree, at time.Time) bool {
	return r.timeline == t && r.directoryVersion == all.directoryVersion && !at.Before(r.from) && (r.until == nil || at.Before(*r.until))
}

// resolve groups the departments of a tree by what their users inherit.
func (c treeCache) resolve(ctx context.Context, companyID int64, t *Timeline, all Tree, at time.Time) ([]treeGroup, error) {
	valid := func(r resolvedTree) bool { return r.isValid(t, all, at) }
	resolved, err := c.resolved.GetValid(ctx, timelineKey{companyID, t.kind}, valid, func(context.Context) (resolvedTree, error) {
		return resolvedTree{timeline: t, directoryVersion: all.directoryVersion, from: at, until: t.unchangedUntil(at), groups: all.groups(t, at)}, nil
	})
	return resolved.groups, err
}

func (t Tree) groups(policies *Timeline, at time.Time) (groups []treeGroup) {
	type which struct {
		*Span
		source Source
	}
	numbers := map[which]int{}
	for n := range t.Departments {
		d := &t.Departments[n]
		if d.People == 0 {
			continue
		}
		inherited := policies.inherit(d.Ancestors, at)
		i, known := numbers[which{inherited.Span, inherited.source}]
		if !known {
			i = len(groups)
			numbers[which{inherited.Span, inherited.source}] = i
			groups = append(groups, treeGroup{decision: inherited})
		}
		group := &groups[i]
		group.departments, group.ids, group.people = append(group.departments, d), append(group.ids, d.ID), group.people+d.People
	}
	return groups
}

// SubtreeIDs returns the ids of some departments and of all below them, ascending and
// never nil.
func (t Tree) SubtreeIDs(ids ...int64) []int64 {
	all := []int64{}
	var addBelow func(id int64)
	addBelow = func(id int64) {
		all = append(all, id)
		for _, i := range t.children[id] {
			addBelow(t.Departments[i].ID)
		}
	}
	for _, id := range ids {
		if t.Department(id) != nil {
			addBelow(id)
		}
	}
	slices.Sort(all)
	return slices.Compact(all) // one may be below another
}
