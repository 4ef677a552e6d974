package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// DepartmentStatus is a department and the policy that applies to those of its
// users whom no policy lists: the department's own, that of an ancestor, or the
// default.
type DepartmentStatus struct {
	ID                   int64
	Name, Path           string // Path has the names from the root down to it, joined by "/"
	Depth                int    // 0 for the root
	PolicyID             int64
	PolicyName           string
	VersionNo            int32
	Source               Source
	SourceDepartmentID   int64 // the department that an inherited policy lists, else 0
	SourceDepartmentName string
	Now                  *AppliedPolicy // what applies now instead, in a list of a date; nil for the same
}

// DepartmentStatuses lists departments by path with the policy of a kind that
// applies to them now, or at the filter's date.
func (s *Store) DepartmentStatuses(ctx context.Context, p directory.Person, kind string, f StatusFilter) (page lists.Page[DepartmentStatus], err error) {
	f.OfDepartments = true
	if err := f.Cursor.Check(f.list()); err != nil {
		return page, err
	}
	l, err := s.statusList(ctx, p, kind, f)
	if err != nil {
		return page, err
	}
	arg := departmentsBehindParams{CompanyID: p.CompanyID, Below: behindEveryPath, Size: int32(f.Limit) + 1}
	if arg.After, err = s.pathOf(ctx, p.CompanyID, f.Cursor.Name().ID); err != nil {
		return page, err
	}
	if arg.First, err = s.pathOf(ctx, p.CompanyID, f.DepartmentID); err != nil {
		return page, err
	}
	if arg.First != "" {
		arg.Below = arg.First + "0" // the character after "/"
	}
	finds, err := s.departmentSearch(ctx, p.CompanyID, f.Search)
	if err != nil {
		return page, err
	}
	var found []DepartmentStatus
	for {
		rows, err := l.nextDepartments(ctx, arg)
		if err != nil {
			return page, fmt.Errorf("status of departments: %w", err)
		}
		for _, row := range rows {
			if status, ok := l.ofDepartment(row); ok && finds(row.ID) {
				found = append(found, status)
			}
		}
		over := len(rows) < int(arg.Size)
		if over && f.Cursor.IsBackward() && len(found) == 0 {
			f.Cursor = nil
			return s.DepartmentStatuses(ctx, p, kind, f)
		}
		if over || len(found) > f.Limit {
			return lists.NewPage(found[:min(f.Limit+1, len(found))], f.Cursor, f.Limit, func(one DepartmentStatus) lists.Cursor {
				return lists.Cursor{List: f.list(), ID: one.ID}
			}), nil
		}
		arg.After, arg.Size = rows[len(rows)-1].Path, min(2*arg.Size, maxStep)
	}
}

// nextDepartments returns the departments after the path of After or, backward,
// before it.
func (l *statusList) nextDepartments(ctx context.Context, arg departmentsBehindParams) ([]departmentsBehindRow, error) {
	if !l.filter.Cursor.IsBackward() {
		return l.departmentsBehind(ctx, arg)
	}
	rows, err := l.departmentsBefore(ctx, departmentsBeforeParams{CompanyID: arg.CompanyID, Before: arg.After, First: arg.First, Below: arg.Below, Size: arg.Size})
	before := make([]departmentsBehindRow, len(rows))
	for i, row := range rows {
		before[i] = departmentsBehindRow(row)
	}
	return before, err
}

const behindEveryPath = "\U0010ffff"

// pathOf returns the path of a department; "" for 0.
func (s *Store) pathOf(ctx context.Context, companyID, id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	return s.departmentPath(ctx, departmentPathParams{companyID, id})
}

func (s *Store) departmentSearch(ctx context.Context, companyID int64, search search.Search) (func(id int64) bool, error) {
	if search.Empty() {
		return func(int64) bool { return true }, nil
	}
	all, err := s.directory.Departments(ctx, companyID, directory.Scope{Everybody: true}, search)
	found := make(map[int64]bool, len(all))
	for _, d := range all {
		found[d.ID] = true
	}
	return func(id int64) bool { return found[id] }, err
}

func (l *statusList) ofDepartment(row departmentsBehindRow) (status DepartmentStatus, chosen bool) {
	if l.filter.DepartmentID != 0 && !slices.Contains(row.Ancestors, l.filter.DepartmentID) {
		return status, false // in the order of paths, "A B" is between "A" and "A/B"
	}
	d := l.timeline.inherit(row.Ancestors, l.at)
	now := l.timeline.inherit(row.Ancestors, l.now)
	if d.departmentID == row.ID {
		d.source, d.departmentID = Own, 0
	}
	if !l.chooses(d) || l.filter.Differing && !l.differs(d, now) {
		return status, false
	}
	status = DepartmentStatus{
		ID: row.ID, Name: row.Name, Path: row.Path, Depth: len(row.Ancestors) - 1,
		PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID,
	}
	if depth := slices.Index(row.Ancestors, d.departmentID); depth >= 0 {
		status.SourceDepartmentName = strings.Split(row.Path, "/")[depth]
	}
	if l.filter.Date != 0 {
		status.Now = l.nowOf(d, now)
	}
	return status, true
}

// DepartmentPaths returns the paths of those departments that exist, by id.
func (s *Store) DepartmentPaths(ctx context.Context, companyID int64, ids ...int64) (map[int64]string, error) {
	rows, err := s.directory.DepartmentsByID(ctx, directory.DepartmentsByIDParams{CompanyID: companyID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("paths of departments: %w", err)
	}
	paths := make(map[int64]string, len(rows))
	for _, row := range rows {
		paths[row.ID] = row.Path
	}
	return paths, nil
}

// StatusCount counts the users whom a filter chooses, by the counts of
// departments. It ignores the filter's search.
func (s *Store) StatusCount(ctx context.Context, p directory.Person, kind string, f StatusFilter) (int, error) {
	l, err := s.statusList(ctx, p, kind, f)
	if err != nil {
		return 0, err
	}
	tree, err := s.Tree(ctx, p)
	if err != nil {
		return 0, err
	}
	members, err := l.narrow(ctx, tree)
	if err != nil || f.Source == "" && f.PolicyID == 0 && !f.Differing {
		return int(members), err
	}
	moved, err := l.listedBalance(ctx)
	return int(members) + moved, err
}

// listedBalance returns how many more users are chosen than the counts of their
// departments say, because policies list users themselves.
func (l *statusList) listedBalance(ctx context.Context) (int, error) {
	people, err := l.peopleWithAncestors(ctx, peopleWithAncestorsParams{l.companyID, listedPeople(l.timeline)})
	if err != nil {
		return 0, fmt.Errorf("people whom policies list: %w", err)
	}
	balance := 0
	for _, one := range people {
		if one.Hidden || !l.inSubtree(one.Ancestors) {
			continue
		}
		if _, chosen := l.choosesUser(one.ID, one.Ancestors); chosen {
			balance++
		}
		if _, counted := l.choosesDepartment(one.Ancestors); counted {
			balance--
		}
	}
	return balance, nil
}
