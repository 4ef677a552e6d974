package attendance

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/queries/directory"
)

// Desk is what needs a person, by kind.
type Desk struct {
	Groups []DeskGroup // of the kinds that have items
	Total  int         // the items of all groups
}

// DeskGroup are the items of a kind, the latest date first, each date by name.
type DeskGroup struct {
	Kind   DeskKind
	Items  []DeskItem
	Total  int  // MostDesk if IsMore
	IsMore bool // whether there are more than MostDesk items
}

// foldedItems is the number of items of a group that are listed until it is unfolded.
const foldedItems = 5

// Desk returns what a filter chooses of what the reader may decide, or with
// filter.Everything may see.
func (s *Store) Desk(ctx context.Context, reader directory.Person, scope RecordScope, filter DeskFilter) (Desk, error) {
	desk := Desk{}
	if !scope.EditsAnybody() {
		return desk, nil
	}
	statement := &deskStatement{companyID: reader.CompanyID, scope: scope, filter: filter, own: filter.Everything, kinds: DeskKinds, size: foldedItems, most: MostDesk + 1}
	if filter.UnfoldsAll {
		statement.size = statement.most
	}
	if filter.Kind != "" {
		statement.kinds = []DeskKind{filter.Kind}
	}
	var err error
	if statement.departments, err = s.deskDepartments(ctx, reader, scope, filter); err != nil {
		return desk, err
	}
	rows, err := statement.run(ctx, s.db.GenericPlan())
	if err != nil {
		return desk, fmt.Errorf("desk: %w", err)
	}
	for _, row := range rows {
		if last := len(desk.Groups) - 1; last < 0 || desk.Groups[last].Kind != row.Kind {
			group := DeskGroup{Kind: row.Kind, Total: min(row.total, MostDesk), IsMore: row.total > MostDesk}
			desk.Groups, desk.Total = append(desk.Groups, group), desk.Total+group.Total
		}
		row.MayDecide = scope.Edits(row.UserID, row.DepartmentID)
		group := &desk.Groups[len(desk.Groups)-1]
		if group.Items = append(group.Items, row.DeskItem); len(group.Items) > MostDesk {
			group.Items = group.Items[:MostDesk]
		}
	}
	var suggested []*DeskItem
	for g := range desk.Groups {
		for i := range desk.Groups[g].Items {
			suggested = append(suggested, &desk.Groups[g].Items[i])
		}
	}
	return desk, s.suggestTimes(ctx, New(s.db.GenericPlan()), reader.CompanyID, suggested)
}

// deskDepartments returns the departments of a filter that are within the scope; nil
// for every department.
func (s *Store) deskDepartments(ctx context.Context, reader directory.Person, scope RecordScope, filter DeskFilter) ([]int64, error) {
	ids := scope.EditIDs
	if filter.Everything {
		ids = scope.DepartmentIDs
	}
	if filter.DepartmentID != 0 {
		tree, err := s.policy.Tree(ctx, reader)
		if err != nil {
			return nil, err
		}
		subtree := tree.SubtreeIDs(filter.DepartmentID)
		if scope.Everybody {
			return subtree, nil
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return !slices.Contains(subtree, id) })
	}
	if scope.Everybody {
		return nil, nil
	}
	return append([]int64{}, ids...), nil
}

// deskItems reads the items with the given keys as they are in a transaction, by key.
// Those that are not on the desk any more are missing.
func (q *Queries) deskItems(ctx context.Context, companyID int64, scope RecordScope, keys []DeskKey) (map[DeskKey]*DeskItem, error) {
	statement := &deskStatement{companyID: companyID, scope: scope, own: true, keys: keys, size: MostDesk * usualDeskDays, most: MostDesk * usualDeskDays}
	statement.filter.First, statement.filter.Last = keys[0].Date, keys[0].Date
	wanted := map[DeskKey]bool{}
	for _, key := range keys {
		statement.filter.First, statement.filter.Last = min(statement.filter.First, key.Date), max(statement.filter.Last, key.Date)
		if wanted[key] = true; !slices.Contains(statement.kinds, key.Kind) {
			statement.kinds = append(statement.kinds, key.Kind)
		}
	}
	if statement.filter.Last-statement.filter.First > MostDeskDays {
		statement.filter.First = statement.filter.Last - MostDeskDays
	}
	rows, err := statement.run(ctx, q.db)
	items := make(map[DeskKey]*DeskItem, len(keys))
	for _, row := range rows {
		if item := row.DeskItem; wanted[item.DeskKey] {
			item.MayDecide = scope.Edits(item.UserID, item.DepartmentID)
			items[item.DeskKey] = &item
		}
	}
	return items, err
}
