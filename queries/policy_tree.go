package queries

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// trees keeps the departments of companies as long as they are right, which
// every request knows from its person's row.
type trees struct {
	mutex    sync.Mutex
	kept     map[int64]tree
	resolved map[timelineKey]resolvedTree
}

type tree struct {
	departments      []treeDepartmentsRow   // by id
	people           func() map[int64]int64 // of a department and all below it; computed once
	directoryVersion int64
}

// keptTrees bounds the memory: two megabytes for 10,000 departments.
const keptTrees = 64

func (l *trees) read(ctx context.Context, db *DB, p Person) (tree, error) {
	l.mutex.Lock()
	kept, ok := l.kept[p.CompanyID]
	l.mutex.Unlock()
	if ok && kept.directoryVersion == p.DirectoryVersion {
		return kept, nil
	}
	rows, err := db.treeDepartments(ctx, p.CompanyID)
	if err != nil {
		return tree{}, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.kept == nil || len(l.kept) >= keptTrees {
		l.kept = map[int64]tree{}
	}
	read := tree{departments: rows, directoryVersion: p.DirectoryVersion}
	counted := read
	read.people = sync.OnceValue(func() map[int64]int64 {
		return counted.count(func(d treeDepartmentsRow, _ int64) int64 { return d.People })
	})
	l.kept[p.CompanyID] = read
	return read, nil
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

// resolve groups the departments of a tree by what their people inherit.
func (l *trees) resolve(key timelineKey, t *timeline, all tree, at time.Time) []treeGroup {
	l.mutex.Lock()
	kept, ok := l.resolved[key]
	l.mutex.Unlock()
	if ok && kept.timeline == t && kept.directoryVersion == all.directoryVersion && !at.Before(kept.from) && (kept.until == nil || at.Before(*kept.until)) {
		return kept.groups
	}
	kept = resolvedTree{timeline: t, directoryVersion: all.directoryVersion, from: at, until: t.steadyUntil(at)}
	type which struct {
		*span
		source Source
	}
	place := map[which]int{}
	for n := range all.departments {
		d := &all.departments[n]
		if d.People == 0 {
			continue
		}
		inherited := t.inherit(d.Lineage, at)
		i, known := place[which{inherited.span, inherited.source}]
		if !known {
			i = len(kept.groups)
			place[which{inherited.span, inherited.source}] = i
			kept.groups = append(kept.groups, treeGroup{decision: inherited})
		}
		group := &kept.groups[i]
		group.departments, group.ids, group.people = append(group.departments, d), append(group.ids, d.ID), group.people+d.People
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.resolved == nil || len(l.resolved) >= keptTimelines {
		l.resolved = map[timelineKey]resolvedTree{}
	}
	l.resolved[key] = kept
	return kept.groups
}
