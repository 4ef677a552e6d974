package queries

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// trees caches the departments of companies. Those of a company are valid for a
// directory version, which every request knows from its person's row.
type trees struct {
	cache    *Cache[int64, tree] // by company
	resolved *Cache[timelineKey, resolvedTree]
}

func newTrees(now func() time.Time) trees {
	return trees{
		cache:    NewCache[int64](CacheOptions[tree]{Name: "trees", Size: maxTrees, Now: now}),
		resolved: NewCache[timelineKey](CacheOptions[resolvedTree]{Name: "resolved_trees", Size: maxTimelines, Now: now}),
	}
}

type tree struct {
	departments      []treeDepartmentsRow   // by id
	people           func() map[int64]int64 // of a department and all below it; computed once
	directoryVersion int64
}

// maxTrees bounds the memory: two megabytes for 10,000 departments.
const maxTrees = 64

func (l trees) read(ctx context.Context, db *DB, p Person) (tree, error) {
	valid := func(t tree) bool { return t.directoryVersion == p.DirectoryVersion }
	return l.cache.GetValid(ctx, p.CompanyID, valid, func(ctx context.Context) (tree, error) {
		rows, err := db.treeDepartments(ctx, p.CompanyID)
		read := tree{departments: rows, directoryVersion: p.DirectoryVersion}
		counted := read
		read.people = sync.OnceValue(func() map[int64]int64 {
			return counted.count(func(d treeDepartmentsRow, _ int64) int64 { return d.People })
		})
		return read, err
	})
}

// department is nil for one that is not in the tree.
func (t tree) department(id int64) *treeDepartmentsRow {
	i, found := slices.BinarySearchFunc(t.departments, id, func(d treeDepartmentsRow, id int64) int { return cmp.Compare(d.ID, id) })
	if !found {
		return nil
	}
	return &t.departments[i]
}

// lineage are the ids from the root down to a department.
func (t tree) lineage(id int64) []int64 {
	if d := t.department(id); d != nil {
		return d.Lineage
	}
	return nil
}

// branch are the departments from one on downwards, all of them for 0.
func (t tree) branch(id int64) []treeDepartmentsRow {
	if id == 0 {
		return t.departments
	}
	var all []treeDepartmentsRow
	for _, d := range t.departments {
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
	timeline         *timeline
	directoryVersion int64
	from             time.Time
	until            *time.Time
}

// treeGroup are the departments with people of their own that inherit the
// same policy in the same way.
type treeGroup struct {
	decision    decision // departmentID is of one of them
	departments []*treeDepartmentsRow
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

func (r resolvedTree) isValid(t *timeline, all tree, at time.Time) bool {
	return r.timeline == t && r.directoryVersion == all.directoryVersion && !at.Before(r.from) && (r.until == nil || at.Before(*r.until))
}

// resolve groups the departments of a tree by what their people inherit.
func (l trees) resolve(ctx context.Context, key timelineKey, t *timeline, all tree, at time.Time) ([]treeGroup, error) {
	valid := func(r resolvedTree) bool { return r.isValid(t, all, at) }
	resolved, err := l.resolved.GetValid(ctx, key, valid, func(context.Context) (resolvedTree, error) {
		return resolvedTree{timeline: t, directoryVersion: all.directoryVersion, from: at, until: t.unchangedUntil(at), groups: all.groups(t, at)}, nil
	})
	return resolved.groups, err
}

func (t tree) groups(policies *timeline, at time.Time) (groups []treeGroup) {
	type which struct {
		*span
		source Source
	}
	numbers := map[which]int{}
	for n := range t.departments {
		d := &t.departments[n]
		if d.People == 0 {
			continue
		}
		inherited := policies.inherit(d.Lineage, at)
		i, known := numbers[which{inherited.span, inherited.source}]
		if !known {
			i = len(groups)
			numbers[which{inherited.span, inherited.source}] = i
			groups = append(groups, treeGroup{decision: inherited})
		}
		group := &groups[i]
		group.departments, group.ids, group.people = append(group.departments, d), append(group.ids, d.ID), group.people+d.People
	}
	return groups
}
