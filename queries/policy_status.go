package queries

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// StatusFilter chooses people by what applies to them. Its zero value but for
// the limit chooses everybody.
type StatusFilter struct {
	DepartmentID int64 // with all its descendants; 0 for every department
	Source       Source
	PolicyID     int64
	Search       Search
	After        DirectoryPlace // the last row of the page before
	Limit        int
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
// them now, hidden ones too and without bots; fewer than the limit only at the
// end of the list.
func (db *DB) PolicyStatus(ctx context.Context, p Person, kind string, f StatusFilter) ([]PersonStatus, error) {
	at := db.now()
	t, err := db.timelines.read(ctx, db, p.CompanyID, kind, p.PolicyVersion, at)
	if err != nil {
		return nil, err
	}
	l := statusList{DB: db, timeline: t, companyID: p.CompanyID, filter: f, at: at}
	if f.Source != "" || f.PolicyID != 0 {
		tree, err := db.trees.read(ctx, db, p)
		if err != nil {
			return nil, err
		}
		l.narrow(tree)
	}
	for after, size := f.After, f.Limit+l.passed; len(l.found) < f.Limit; size = min(2*size, largestStep) {
		var end bool
		if after, end, err = l.step(ctx, after, size); err != nil {
			return nil, fmt.Errorf("status of people: %w", err)
		}
		if end {
			break
		}
	}
	return l.found[:min(f.Limit, len(l.found))], nil
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
func (l *statusList) narrow(all tree) {
	var people, chosen int64
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
}

func (l *statusList) chooses(d decision) bool {
	return d.span != nil && (l.filter.Source == "" || d.source == l.filter.Source) && (l.filter.PolicyID == 0 || d.PolicyID == l.filter.PolicyID)
}

// step adds the people behind a place, looking at about size of them, and
// tells how far it came.
func (l *statusList) step(ctx context.Context, after DirectoryPlace, size int) (DirectoryPlace, bool, error) {
	members, err := l.members(ctx, after, int32(size))
	if err != nil {
		return after, false, err
	}
	listed, err := l.listedPeople(ctx, after, int32(size))
	if err != nil {
		return after, false, err
	}
	rows, err := l.statusInOrder(ctx, statusInOrderParams{l.companyID, slices.Concat(members, listed)})
	if err != nil {
		return after, false, err
	}
	var last []int64 // behind these there may be others that are not among the rows
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
	return after, true, nil
}

func (l *statusList) members(ctx context.Context, after DirectoryPlace, size int32) ([]int64, error) {
	f := DirectoryFilter{CompanyID: l.companyID, Scope: Scope{Everybody: true}, DepartmentID: l.filter.DepartmentID, Search: l.filter.Search, Hidden: true}
	if l.narrowed {
		if len(l.departments) == 0 {
			return nil, nil
		}
		f.Scope, f.DepartmentID = Scope{DepartmentIDs: l.departments}, 0
	}
	if l.narrowed && l.sparse {
		one, two, three := l.filter.Search.Patterns()
		return New(freshlyPlanned{l.pool}).userIDsOfFewDepartments(ctx, userIDsOfFewDepartmentsParams{
			CompanyID: l.companyID, Hidden: true, DepartmentIds: l.departments,
			Pattern1: one, Pattern2: two, Pattern3: three, AfterName: after.Name, AfterID: after.ID, Size: size,
		})
	}
	return l.directoryUserIDs(ctx, f, after, size)
}

func (l *statusList) listedPeople(ctx context.Context, after DirectoryPlace, size int32) ([]int64, error) {
	if !l.narrowed || len(l.listed) == 0 {
		return nil, nil
	}
	one, two, three := l.filter.Search.Patterns()
	return l.listedUserIDs(ctx, listedUserIDsParams{
		CompanyID: l.companyID, Ids: l.listed, Everywhere: l.filter.DepartmentID == 0, DepartmentIds: l.within,
		Pattern1: one, Pattern2: two, Pattern3: three, AfterName: after.Name, AfterID: after.ID, Size: size,
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
