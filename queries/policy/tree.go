package policy

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// Trees caches the departments of companies. Those of a company are valid for a
// directory version, which every request knows from its person's row.
type Trees struct {
	cache    *queries.Cache[int64, Tree] // by company
	resolved *queries.Cache[TimelineKey, resolvedTree]
}

func NewTrees(now func() time.Time) Trees {
	return Trees{
		cache:    queries.NewCache[int64](queries.CacheOptions[Tree]{Name: "trees", Size: maxTrees, Now: now}),
		resolved: queries.NewCache[TimelineKey](queries.CacheOptions[resolvedTree]{Name: "resolved_trees", Size: maxTimelines, Now: now}),
	}
}

type Tree struct {
	Departments      []TreeDepartmentsRow   // by id
	people           func() map[int64]int64 // of a department and all below it; computed once
	directoryVersion int64
}

// maxTrees bounds the memory: two megabytes for 10,000 departments.
const maxTrees = 64

func (l Trees) Read(ctx context.Context, s *Store, p directory.Person) (Tree, error) {
	valid := func(t Tree) bool { return t.directoryVersion == p.DirectoryVersion }
	return l.cache.GetValid(ctx, p.CompanyID, valid, func(ctx context.Context) (Tree, error) {
		rows, err := s.TreeDepartments(ctx, p.CompanyID)
		read := Tree{Departments: rows, directoryVersion: p.DirectoryVersion}
		counted := read
		read.people = sync.OnceValue(func() map[int64]int64 {
			return counted.count(func(d TreeDepartmentsRow, _ int64) int64 { return d.People })
		})
		return read, err
	})
}

// Department is nil for one that is not in the tree.
func (t Tree) Department(id int64) *TreeDepartmentsRow {
	i, found := slices.BinarySearchFunc(t.Departments, id, func(d TreeDepartmentsRow, id int64) int { return cmp.Compare(d.ID, id) })
	if !found {
		return nil
	}
	return &t.Departments[i]
}

// Lineage are the ids from the root down to a department.
func (t Tree) Lineage(id int64) []int64 {
	if d := t.Department(id); d != nil {
		return d.Lineage
	}
	return nil
}

// Branch are the departments from one on downwards, all of them for 0.
func (t Tree) Branch(id int64) []TreeDepartmentsRow {
	if id == 0 {
		return t.Departments
	}
	var all []TreeDepartmentsRow
	for _, d := range t.Departments {
		if slices.Contains(d.Lineage, id) {
			all = append(all, d)
		}
	}
	return all
}

// resolvedTree says what the people of each department inherit, as long as
// neither the tree nor the policies change and no version begins or ends.
type resolvedTree struct {
	groups           []treeGroup
	timeline         *Timeline
	directoryVersion int64
	from             time.Time
	until            *time.Time
}

// treeGroup are the departments with people of their own that inherit the
// same policy in the same way.
type treeGroup struct {
	decision    decision // departmentID is of one of them
	departments []*TreeDepartmentsRow
	ids         []int64 // theirs
	people      int64
}

// within are those departments from one on downwards.
func (g treeGroup) within(id int64) (part treeGroup) {
	for _, d := range g.departments {
		if slices.Contains(d.Lineage, id) {
			part.ids, part.people = append(part.ids, d.ID), part.people+d.People
		}
	}
	return part
}

func (r resolvedTree) isValid(t *Timeline, all Tree, at time.Time) bool {
	return r.timeline == t && r.directoryVersion == all.directoryVersion && !at.Before(r.from) && (r.until == nil || at.Before(*r.until))
}

// resolve groups the departments of a tree by what their people inherit.
func (l Trees) resolve(ctx context.Context, key TimelineKey, t *Timeline, all Tree, at time.Time) ([]treeGroup, error) {
	valid := func(r resolvedTree) bool { return r.isValid(t, all, at) }
	resolved, err := l.resolved.GetValid(ctx, key, valid, func(context.Context) (resolvedTree, error) {
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
		inherited := policies.inherit(d.Lineage, at)
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
