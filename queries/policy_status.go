package queries

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// StatusFilter chooses people by what applies to them, and a page of them. Its
// zero value but for the limit chooses everybody.
type StatusFilter struct {
	DepartmentID int64 // with all its descendants; 0 for every department
	Source       Source
	PolicyID     int64
	Search       Search
	After        DirectoryPlace // the last row of the page before; the zero place begins
	Before       DirectoryPlace // the first row of the page behind
	Limit        int
}

// backward tells whether the page ends at a place instead of beginning behind one.
func (f StatusFilter) backward() bool { return f.After.ID == 0 && f.Before.ID != 0 }

// from is where the page begins or, backward, ends.
func (f StatusFilter) from() DirectoryPlace {
	if f.backward() {
		return f.Before
	}
	return f.After
}

// A StatusPage is a part of a list, of people or of departments.
type StatusPage[Row any] struct {
	Rows    []Row
	Earlier bool // there are rows before
	Later   bool // there are rows behind
}

// statusPage cuts the page out of what was found in the filter's direction: one
// more than the limit where there is more.
func statusPage[Row any](f StatusFilter, found []Row) StatusPage[Row] {
	further := len(found) > f.Limit
	page := StatusPage[Row]{Rows: found[:min(f.Limit, len(found))], Earlier: f.After.ID != 0, Later: further}
	if f.backward() {
		slices.Reverse(page.Rows)
		page.Earlier, page.Later = further, true
	}
	return page
}

// PersonStatus is a person and the policy that applies to them.
type PersonStatus struct {
	UserID               int64
	Name, EmployeeID     string
	Hidden               bool
	DepartmentID         int64
	DepartmentName       string
	PolicyID             int64
	PolicyName           string
	VersionNo            int32
	Source               Source
	SourceDepartmentID   int64 // of an inherited policy, else 0
	SourceDepartmentName string
}

// PolicyStatus lists people by name with the policy of a kind that applies to
// them now, hidden ones too and without bots. Where nobody stands before a place
// any more, the list begins.
func (db *DB) PolicyStatus(ctx context.Context, p Person, kind string, f StatusFilter) (page StatusPage[PersonStatus], err error) {
	at := db.now()
	t, err := db.timelines.read(ctx, db, p.CompanyID, kind, p.PolicyVersion, at)
	if err != nil {
		return page, err
	}
	l := statusList{DB: db, timeline: t, companyID: p.CompanyID, filter: f, at: at}
	if f.Source != "" || f.PolicyID != 0 {
		tree, err := db.trees.read(ctx, db, p)
		if err != nil {
			return page, err
		}
		l.narrow(tree)
	}
	wanted := f.Limit + 1
	for from, size := f.from(), wanted+l.passed; len(l.found) < wanted; size = min(2*size, largestStep) {
		var end bool
		if from, end, err = l.step(ctx, from, size); err != nil {
			return page, fmt.Errorf("status of people: %w", err)
		}
		if end {
			break
		}
	}
	if f.backward() && len(l.found) == 0 {
		f.Before = DirectoryPlace{}
		return db.PolicyStatus(ctx, p, kind, f)
	}
	return statusPage(f, l.found), nil
}

// largestStep bounds how many people are looked at at once.
const largestStep = 2000

// statusList is a page of the list in the making. Without a filter of policies
// its people are those of the directory; else the members of the departments
// whose people have such a policy, and those listed themselves.
type statusList struct {
	*DB
	timeline  *timeline
	companyID int64
	filter    StatusFilter
	at        time.Time

	narrowed    bool
	sparse      bool
	passed      int     // people to pass over for a page, about
	departments []int64 // those with people that may be chosen
	within      []int64 // the branch of the filter
	listed      []int64 // people listed themselves that may be chosen
	found       []PersonStatus
}

// narrow finds the departments and people that the filter of policies chooses,
// and the quickest way to them: to walk along the names and pass the others
// over, to walk with the departments at hand, or from department to department.
// It counts the people of the departments.
func (l *statusList) narrow(all tree) (chosen int64) {
	var people int64
	for _, d := range all.branch(l.filter.DepartmentID) {
		people += d.People
		if l.filter.DepartmentID != 0 {
			l.within = append(l.within, d.ID)
		}
	}
	for _, group := range l.trees.resolve(timelineKey{l.companyID, l.timeline.kind}, l.timeline, all, l.at) {
		if !l.chooses(group.decision) {
			continue
		}
		for _, d := range group.departments {
			if l.filter.DepartmentID == 0 || slices.Contains(d.Lineage, l.filter.DepartmentID) {
				l.departments = append(l.departments, d.ID)
				chosen += d.People
			}
		}
	}
	for _, id := range listedPeople(l.timeline) {
		if d, ok := l.timeline.own(id, l.at); ok && l.chooses(d) {
			l.listed = append(l.listed, id)
		}
	}
	const probe = 6 // the cost of looking into a department, in people passed over
	l.narrowed = chosen*5 < people
	if !l.narrowed && chosen > 0 {
		l.passed = int(int64(l.filter.Limit) * (people - chosen) * 3 / (2 * chosen))
	}
	l.sparse = chosen > 0 && int64(len(l.departments))*probe < int64(l.filter.Limit)*people/chosen
	return chosen
}

func (l *statusList) chooses(d decision) bool {
	return d.span != nil && (l.filter.Source == "" || d.source == l.filter.Source) && (l.filter.PolicyID == 0 || d.PolicyID == l.filter.PolicyID)
}

// step adds the people behind a place, or before it, looking at about size of
// them, and tells how far it came.
func (l *statusList) step(ctx context.Context, from DirectoryPlace, size int) (DirectoryPlace, bool, error) {
	members, err := l.members(ctx, from, int32(size))
	if err != nil {
		return from, false, err
	}
	listed, err := l.listedPeople(ctx, from, int32(size))
	if err != nil {
		return from, false, err
	}
	rows, err := l.statusInOrder(ctx, statusInOrderParams{l.companyID, slices.Concat(members, listed)})
	if err != nil {
		return from, false, err
	}
	if l.filter.backward() {
		slices.Reverse(rows)
	}
	var last []int64 // beyond these there may be others that are not among the rows
	for _, ids := range [][]int64{members, listed} {
		if len(ids) == size {
			last = append(last, ids[size-1])
		}
	}
	for _, row := range rows {
		l.add(row)
		if slices.Contains(last, row.ID) {
			return DirectoryPlace{row.Name, row.ID}, false, nil
		}
	}
	return from, true, nil
}

// members are the next of those whose departments may be chosen.
func (l *statusList) members(ctx context.Context, from DirectoryPlace, size int32) ([]int64, error) {
	f := DirectoryFilter{CompanyID: l.companyID, Scope: Scope{Everybody: true}, DepartmentID: l.filter.DepartmentID, Search: l.filter.Search, Hidden: true}
	if l.narrowed {
		if len(l.departments) == 0 {
			return nil, nil
		}
		f.Scope, f.DepartmentID = Scope{DepartmentIDs: l.departments}, 0
	}
	switch {
	case l.filter.backward():
		return l.membersBefore(ctx, f, from, size)
	case l.narrowed && l.sparse:
		one, two, three := l.filter.Search.Patterns()
		return New(freshlyPlanned{l.pool}).userIDsOfFewDepartments(ctx, userIDsOfFewDepartmentsParams{
			CompanyID: l.companyID, Hidden: true, DepartmentIds: l.departments,
			Pattern1: one, Pattern2: two, Pattern3: three, AfterName: from.Name, AfterID: from.ID, Size: size,
		})
	}
	return l.directoryUserIDs(ctx, f, from, size)
}

// listedPeople are the next of those who may be chosen because a policy lists
// themselves.
func (l *statusList) listedPeople(ctx context.Context, from DirectoryPlace, size int32) ([]int64, error) {
	if !l.narrowed || len(l.listed) == 0 {
		return nil, nil
	}
	one, two, three := l.filter.Search.Patterns()
	arg := listedUserIDsParams{
		CompanyID: l.companyID, Ids: l.listed, Everywhere: l.filter.DepartmentID == 0, DepartmentIds: l.within,
		Pattern1: one, Pattern2: two, Pattern3: three, AfterName: from.Name, AfterID: from.ID, Size: size,
	}
	if !l.filter.backward() {
		return l.listedUserIDs(ctx, arg)
	}
	return l.listedUserIDsBefore(ctx, listedUserIDsBeforeParams{
		CompanyID: l.companyID, Ids: l.listed, Everywhere: arg.Everywhere, DepartmentIds: l.within,
		Pattern1: one, Pattern2: two, Pattern3: three, BeforeName: from.Name, BeforeID: from.ID, Size: size,
	})
}

func (l *statusList) add(row statusInOrderRow) {
	d := l.timeline.decide(row.ID, row.Lineage, l.at)
	if row.Bot || !l.chooses(d) {
		return
	}
	status := PersonStatus{
		UserID: row.ID, Name: row.Name, EmployeeID: row.EmployeeID, Hidden: row.Hidden, DepartmentID: row.DepartmentID, DepartmentName: row.DepartmentName,
		PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID,
	}
	if place := slices.Index(row.Lineage, d.departmentID); place >= 0 {
		status.SourceDepartmentName = strings.Split(row.Path, "/")[place]
	}
	l.found = append(l.found, status)
}
