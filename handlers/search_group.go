package handlers

import (
	"cmp"
	"slices"

	"officeconsole/search"
	"officeconsole/views"
)

// foundGroup is a group of results with the rank of the best.
type foundGroup struct {
	views.FoundGroup
	best search.Rank
}

func (g *foundGroup) add(row views.FoundRow) {
	g.Rows = append(g.Rows, row)
	g.Count++
}

// rankedRow is a result with its rank.
type rankedRow struct {
	views.FoundRow
	rank search.Rank
}

// newGroup returns a group with the best of some rows. Equal ones keep their order.
func newGroup(name, all string, rows []rankedRow) foundGroup {
	slices.SortStableFunc(rows, func(a, b rankedRow) int { return cmp.Compare(a.rank, b.rank) })
	g := foundGroup{FoundGroup: views.FoundGroup{Name: name, Count: len(rows)}, best: search.Elsewhere}
	if len(rows) == 0 {
		return g
	}
	g.best = rows[0].rank
	for _, row := range rows[:min(len(rows), mostFoundRows)] {
		g.Rows = append(g.Rows, row.FoundRow)
	}
	if len(rows) > mostFoundRows {
		g.All = all
	}
	return g
}

// limited is newGroup for rows of which the last one says only that there are more
// than mostFoundCount.
func limited(name, all string, rows []rankedRow) foundGroup {
	more := len(rows) > mostFoundCount
	g := newGroup(name, all, rows)
	if more {
		g.Count, g.Open = mostFoundCount, true
	}
	return g
}

// shownGroups returns the groups that are not empty.
func shownGroups(all ...foundGroup) []views.FoundGroup {
	var shown []views.FoundGroup
	for _, g := range all {
		if len(g.Rows) > 0 {
			shown = append(shown, g.FoundGroup)
		}
	}
	return shown
}

// only returns the elements for which keep reports true, in a new slice.
func only[T any](all []T, keep func(T) bool) []T {
	var left []T
	for _, element := range all {
		if keep(element) {
			left = append(left, element)
		}
	}
	return left
}
