package queries

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// DepartmentStatus is a department and the policy that applies to those of its
// people whom no policy lists: its own, the one of a department above, or the
// default.
type DepartmentStatus struct {
	ID                   int64
	Name, Path           string // Path has the names from the root down to it, joined by "/"
	Depth                int    // 0 for the root
	PolicyID             int64
	PolicyName           string
	VersionNo            int32
	Source               Source
	SourceDepartmentID   int64 // of an inherited policy, else 0
	SourceDepartmentName string
}

// DepartmentStatuses lists departments by path with the policy of a kind that
// applies to them now; fewer than the limit only at the end of the list. The id
// of the filter's After is that of a department.
func (db *DB) DepartmentStatuses(ctx context.Context, p Person, kind string, f StatusFilter) ([]DepartmentStatus, error) {
	at := db.now()
	t, err := db.timelines.read(ctx, db, p.CompanyID, kind, p.PolicyVersion, at)
	if err != nil {
		return nil, err
	}
	arg := departmentsBehindParams{CompanyID: p.CompanyID, Below: behindEveryPath, Size: int32(f.Limit)}
	if arg.After, err = db.pathOf(ctx, p.CompanyID, f.After.ID); err != nil {
		return nil, err
	}
	if arg.First, err = db.pathOf(ctx, p.CompanyID, f.DepartmentID); err != nil {
		return nil, err
	}
	if arg.First != "" {
		arg.Below = arg.First + "0" // the character after "/"
	}
	finds, err := db.departmentSearch(ctx, p.CompanyID, f.Search)
	if err != nil {
		return nil, err
	}
	l := statusList{DB: db, timeline: t, filter: f, at: at}
	var found []DepartmentStatus
	for {
		rows, err := db.departmentsBehind(ctx, arg)
		if err != nil {
			return nil, fmt.Errorf("status of departments: %w", err)
		}
		for _, row := range rows {
			status, ok := l.ofDepartment(row)
			if ok && finds(row.ID) {
				found = append(found, status)
			}
			if len(found) == f.Limit {
				return found, nil
			}
		}
		if len(rows) < int(arg.Size) {
			return found, nil
		}
		arg.After, arg.Size = rows[len(rows)-1].Path, min(2*arg.Size, largestStep)
	}
}

const behindEveryPath = "\U0010ffff"

// pathOf is the path of a department; "" for 0.
func (db *DB) pathOf(ctx context.Context, companyID, id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	return db.departmentPath(ctx, departmentPathParams{companyID, id})
}

func (db *DB) departmentSearch(ctx context.Context, companyID int64, search Search) (func(id int64) bool, error) {
	if search.Empty() {
		return func(int64) bool { return true }, nil
	}
	all, err := db.DirectoryDepartments(ctx, companyID, Scope{Everybody: true}, search)
	found := make(map[int64]bool, len(all))
	for _, d := range all {
		found[d.ID] = true
	}
	return func(id int64) bool { return found[id] }, err
}

func (l *statusList) ofDepartment(row departmentsBehindRow) (status DepartmentStatus, chosen bool) {
	if l.filter.DepartmentID != 0 && !slices.Contains(row.Lineage, l.filter.DepartmentID) {
		return status, false // "A B" stands between "A" and "A/B"
	}
	d := l.timeline.inherit(row.Lineage, l.at)
	if d.departmentID == row.ID {
		d.source, d.departmentID = Own, 0
	}
	if !l.chooses(d) {
		return status, false
	}
	status = DepartmentStatus{
		ID: row.ID, Name: row.Name, Path: row.Path, Depth: len(row.Lineage) - 1,
		PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID,
	}
	if place := slices.Index(row.Lineage, d.departmentID); place >= 0 {
		status.SourceDepartmentName = strings.Split(row.Path, "/")[place]
	}
	return status, true
}

// DepartmentPaths are the paths of departments by id, of those that exist.
func (db *DB) DepartmentPaths(ctx context.Context, companyID int64, ids ...int64) (map[int64]string, error) {
	rows, err := db.departmentsByID(ctx, departmentsByIDParams{CompanyID: companyID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("paths of departments: %w", err)
	}
	paths := make(map[int64]string, len(rows))
	for _, row := range rows {
		paths[row.ID] = row.Path
	}
	return paths, nil
}

// PolicyStatusCount counts the people whom a filter chooses, up to most. It
// does not look at the filter's search.
func (db *DB) PolicyStatusCount(ctx context.Context, p Person, kind string, f StatusFilter, most int) (int, error) {
	at := db.now()
	t, err := db.timelines.read(ctx, db, p.CompanyID, kind, p.PolicyVersion, at)
	if err != nil {
		return 0, err
	}
	tree, err := db.trees.read(ctx, db, p)
	if err != nil {
		return 0, err
	}
	l := statusList{DB: db, timeline: t, companyID: p.CompanyID, filter: f, at: at}
	l.narrow(tree)
	everybody := f.DepartmentID == 0 && f.Source == "" && f.PolicyID == 0
	members, err := db.countPeople(ctx, countPeopleParams{p.CompanyID, everybody, l.departments, int32(most)})
	if err != nil || everybody || int(members) == most {
		return int(members), err
	}
	moved, err := l.listedBalance(ctx)
	return min(int(members)+moved, most), err
}

// listedBalance is how many more people are chosen, because a policy lists
// themselves, than their departments tell.
func (l *statusList) listedBalance(ctx context.Context) (int, error) {
	people, err := l.placesOfPeople(ctx, placesOfPeopleParams{l.companyID, listedPeople(l.timeline)})
	if err != nil {
		return 0, fmt.Errorf("people whom policies list: %w", err)
	}
	balance := 0
	for _, one := range people {
		own, ok := l.timeline.own(one.ID, l.at)
		if !ok || l.filter.DepartmentID != 0 && !slices.Contains(one.Lineage, l.filter.DepartmentID) {
			continue
		}
		if l.chooses(own) {
			balance++
		}
		if l.chooses(l.timeline.inherit(one.Lineage, l.at)) {
			balance--
		}
	}
	return balance, nil
}
