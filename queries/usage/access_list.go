package usage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// AccessRow is a row of the access history, with the user's name as it is now.
type AccessRow struct {
	Access
	User FileUser // the zero user for an unknown account or a service token
}

// IsOfService reports whether the row is about a service token.
func (a Access) IsOfService() bool {
	return a.UserID == nil && a.Account == "" && a.Reason != UnknownToken && AccessKind(a.Kind) != AccessUnlocked && !a.IsOfNobody()
}

// IsOfNobody reports whether the row is about somebody whom single sign-on has refused
// before it knew them.
func (a Access) IsOfNobody() bool {
	return a.UserID == nil && a.Account == "" && AccessKind(a.Kind) == AccessLogin
}

// AccessList is a page of the access history.
type AccessList struct {
	lists.Page[AccessRow]

	// MorePeople is whether more people have the searched name than are used.
	MorePeople bool
}

// AccessEvents lists the access history, the latest first. zone is that of the
// filter's dates.
func (s *Store) AccessEvents(ctx context.Context, companyID int64, zone *time.Location, f AccessFilter) (list AccessList, err error) {
	if err := f.Cursor.Check(accessList); err != nil {
		return list, err
	}
	selection, more, err := s.accessSelection(ctx, companyID, zone, f)
	if err != nil {
		return list, err
	}
	list.MorePeople = more
	var rows []Access
	if !selection.isEmpty() {
		if rows, err = s.readAccess(ctx, selection, f.Limit+1); err != nil {
			return list, fmt.Errorf("access history: %w", err)
		}
	}
	page := lists.NewPage(rows, f.Cursor, f.Limit, func(a Access) lists.Cursor { return lists.TimeCursor(accessList, a.At, a.ID) })
	list.Page = lists.Page[AccessRow]{First: page.First, Total: page.Total, Previous: page.Previous, Next: page.Next}
	list.Rows, err = s.nameAccess(ctx, companyID, f.DirectoryVersion, page.Rows)
	return list, err
}

// AccessAt returns a row by its key.
func (s *Store) AccessAt(ctx context.Context, companyID int64, key AccessKey) (AccessRow, error) {
	a, err := s.accessAt(ctx, accessAtParams{companyID, key.At, key.ID})
	if err != nil {
		return AccessRow{}, err
	}
	rows, err := s.nameAccess(ctx, companyID, 0, []Access{a})
	if err != nil {
		return AccessRow{}, err
	}
	return rows[0], nil
}

// accessSelection resolves a filter. more is whether more people have the searched
// name than are used.
func (s *Store) accessSelection(ctx context.Context, companyID int64, zone *time.Location, f AccessFilter) (selection accessSelection, more bool, err error) {
	selection = accessSelection{companyID: companyID, address: f.Address, pattern: f.Pattern, backward: f.Cursor.IsBackward()}
	selection.from, selection.before = f.times(zone)
	if f.Kind != "" || f.Result != "" {
		selection.facets = facetsOf(f.Kind, f.Result)
	}
	if !f.Cursor.IsStart() {
		at, err := f.Cursor.Time()
		if err != nil {
			return selection, false, err
		}
		selection.edge = &AccessKey{at, f.Cursor.ID}
	}
	if f.UserID != 0 {
		selection.users = []int64{f.UserID}
	}
	if f.Address.IsValid() || f.Search.Empty() {
		return selection, false, nil
	}
	if f.UserID == 0 {
		selection.account = strings.TrimSpace(f.Query)
	}
	people, err := s.directory.SearchUserIDs(ctx, directory.UserSearch{CompanyID: companyID, Hidden: true, Search: f.Search, Size: maxPeople + 1})
	if err != nil {
		return selection, false, err
	}
	if more = len(people) > maxPeople; more {
		people = people[:maxPeople]
	}
	selection.users = both(selection.users, people)
	return selection, more, nil
}

// readAccess returns the next rows of a selection in the order in which they are
// read. Each statement has one good plan, because there is an index for it in this
// order; to plan it for all partitions takes ten times as long as to run it. A page
// without a filter is usually full of the latest weeks, for which no other partitions
// are opened.
func (s *Store) readAccess(ctx context.Context, selection accessSelection, size int) ([]Access, error) {
	if latest := selection; latest.limitToLatest(s.db.Now()) {
		rows, err := s.readAccessOf(ctx, latest, size)
		if err != nil || len(rows) == size {
			return rows, err
		}
	}
	return s.readAccessOf(ctx, selection, size)
}

func (s *Store) readAccessOf(ctx context.Context, selection accessSelection, size int) ([]Access, error) {
	statement := accessStatement{accessSelection: selection}
	text := statement.rows(size)
	rows, err := s.db.OrderedPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, size, func(a *Access) []any {
		return []any{&a.CompanyID, &a.ID, &a.At, &a.EventID, &a.UserID, &a.Account, &a.Kind, &a.Result, &a.Reason, &a.Source, &a.Platform, &a.Ip, &a.UserAgent,
			&a.ActorID, &a.ActorName, &a.ReceivedAt, &a.NewAddress, &a.NewDevice, &a.Failures, &a.AddressFailures}
	})
}

// nameAccess adds the names of users.
func (s *Store) nameAccess(ctx context.Context, companyID, directoryVersion int64, all []Access) ([]AccessRow, error) {
	var ids []int64
	for _, a := range all {
		if a.UserID != nil {
			ids = append(ids, *a.UserID)
		}
	}
	named, err := s.nameUsers(ctx, companyID, directoryVersion, ids)
	if err != nil {
		return nil, fmt.Errorf("users of the access history: %w", err)
	}
	rows := make([]AccessRow, len(all))
	for i, a := range all {
		rows[i] = AccessRow{Access: a}
		if a.UserID != nil {
			rows[i].User = named[*a.UserID]
		}
	}
	return rows, nil
}

// AccessSums are what a person did in a week.
type AccessSums = accessSumsRow

// accessSumSpan is the time that AccessSums sum.
const accessSumSpan = 7 * 24 * time.Hour

// SumAccess sums what a person did in the last week.
func (s *Store) SumAccess(ctx context.Context, companyID, userID int64) (AccessSums, error) {
	return s.accessSums(ctx, accessSumsParams{CompanyID: companyID, UserID: userID, Since: s.db.Now().Add(-accessSumSpan)})
}

// AccessUser returns the names of a person and of their department.
func (s *Store) AccessUser(ctx context.Context, companyID, userID int64) (FileUser, error) {
	users, err := s.fileUsers(ctx, fileUsersParams{companyID, []int64{userID}})
	if err != nil || len(users) == 0 {
		return FileUser{ID: userID}, err
	}
	return users[0], nil
}
