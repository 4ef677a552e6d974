package policy

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// StatusFilter chooses the rows of a list of application status. Without any value
// but the limit it chooses everybody.
type StatusFilter struct {
	OfDepartments bool  // the list is of departments, not of people
	DepartmentID  int64 // with all its descendants; 0 for every department
	Source        Source
	PolicyID      int64
	Query         string // what is searched for, as typed
	Search        search.Search
	Cursor        *lists.Cursor
	Limit         int
}

// ReadStatusFilter reads the address of a list: view, which is departments or
// nothing, department_id, source, policy_id, q and cursor. Values that the
// page does not offer are refused with FieldErrors.
func ReadStatusFilter(query url.Values) (StatusFilter, error) {
	r := lists.AddressReader{Query: query}
	f := StatusFilter{
		OfDepartments: lists.OneOf(&r, "view", []string{viewDepartments}) != "",
		DepartmentID:  r.Id("department_id"),
		Source:        lists.OneOf(&r, "source", []Source{Own, Inherited, Default}),
		PolicyID:      r.Id("policy_id"),
	}
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(f.list())
	return f, r.Err()
}

const viewDepartments = "departments"

// Values is the filter as an address, without the cursor.
func (f StatusFilter) Values() url.Values {
	query := url.Values{}
	if f.OfDepartments {
		query.Set("view", viewDepartments)
	}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "source", string(f.Source))
	lists.SetID(query, "policy_id", f.PolicyID)
	lists.SetID(query, "department_id", f.DepartmentID)
	return query
}

// list names the list for its cursors.
func (f StatusFilter) list() string {
	if f.OfDepartments {
		return "status:departments"
	}
	return "status:people"
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

// PersonStatuses lists people by name with the policy of a kind that applies to
// them now, hidden ones too and without bots. Where nobody stands before the
// cursor any more, the list begins.
func (s *Store) PersonStatuses(ctx context.Context, p directory.Person, kind string, f StatusFilter) (page lists.Page[PersonStatus], err error) {
	f.OfDepartments = false
	if err := f.Cursor.Check(f.list()); err != nil {
		return page, err
	}
	at := s.db.Now()
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, at})
	if err != nil {
		return page, err
	}
	l := statusList{Store: s, timeline: t, companyID: p.CompanyID, filter: f, at: at}
	if f.Source != "" || f.PolicyID != 0 || f.DepartmentID != 0 {
		tree, err := s.Tree(ctx, p)
		if err != nil {
			return page, err
		}
		if _, err := l.narrow(ctx, tree); err != nil {
			return page, err
		}
	}
	wanted := f.Limit + 1
	for from, size := f.Cursor.Name(), wanted+l.passed; len(l.found) < wanted; size = min(2*size, maxStep) {
		var end bool
		if from, end, err = l.step(ctx, from, size); err != nil {
			return page, fmt.Errorf("status of people: %w", err)
		}
		if end {
			break
		}
	}
	if f.Cursor.IsBackward() && len(l.found) == 0 {
		f.Cursor = nil
		return s.PersonStatuses(ctx, p, kind, f)
	}
	return lists.NewPage(l.found, f.Cursor, f.Limit, func(one PersonStatus) lists.Cursor {
		return lists.Cursor{List: f.list(), Value: one.Name, ID: one.UserID}
	}), nil
}

// maxStep bounds how many people are looked at at once.
const maxStep = 2000

// statusList is a page of the list in the making. Its people are those of the
// directory; or, narrowed, the members of the departments whose people have such
// a policy, and those listed themselves.
type statusList struct {
	*Store
	timeline  *Timeline
	companyID int64
	filter    StatusFilter
	at        time.Time

	narrowed    bool
	sparse      bool
	tree        Tree    // of a filter
	passed      int     // people to pass over for a page, about
	departments []int64 // those with people that may be chosen
	subtree     []int64 // the departments of the filter, those with people of their own
	listed      []int64 // people listed themselves that may be chosen
	found       []PersonStatus
}

// narrow finds the departments and people that the filter chooses, and the
// quickest way to them: to walk along the names and pass the others over, to walk
// with the departments at hand, or from department to department. It counts the
// people of the departments.
func (l *statusList) narrow(ctx context.Context, all Tree) (chosen int64, err error) {
	l.tree = all
	var people int64
	groups, err := l.trees.resolve(ctx, l.companyID, l.timeline, all, l.at)
	if err != nil {
		return 0, err
	}
	for _, group := range groups {
		people += group.people
		part := group
		if l.filter.DepartmentID != 0 {
			part = group.inSubtree(l.filter.DepartmentID)
			l.subtree = append(l.subtree, part.ids...)
		}
		if l.chooses(group.decision) {
			l.departments = append(l.departments, part.ids...)
			chosen += part.people
		}
	}
	if l.filter.Source != "" || l.filter.PolicyID != 0 {
		for _, id := range listedPeople(l.timeline) {
			if d, ok := l.timeline.own(id, l.at); ok && l.chooses(d) {
				l.listed = append(l.listed, id)
			}
		}
	}
	const probe = 6 // the cost of looking into a department, in people passed over
	few := l.filter.DepartmentID != 0 && len(l.subtree) <= directory.FewDepartments
	l.narrowed = few || chosen == 0 || chosen*5 < people
	if !l.narrowed {
		l.passed = int(2 * int64(l.filter.Limit) * (people - chosen) / chosen)
	}
	l.sparse = chosen > 0 && int64(len(l.departments))*probe < int64(l.filter.Limit)*people/chosen
	return chosen, nil
}

func (l *statusList) chooses(d decision) bool {
	return d.Span != nil && (l.filter.Source == "" || d.source == l.filter.Source) && (l.filter.PolicyID == 0 || d.PolicyID == l.filter.PolicyID)
}

func (l *statusList) inSubtree(ancestors []int64) bool {
	return l.filter.DepartmentID == 0 || slices.Contains(ancestors, l.filter.DepartmentID)
}

// step adds the people behind a name, or before it, looking at about size of
// them, and tells how far it came.
func (l *statusList) step(ctx context.Context, from lists.PersonKey, size int) (lists.PersonKey, bool, error) {
	members, err := l.members(ctx, from, size)
	if err != nil {
		return from, false, err
	}
	listed, err := l.listedPeople(ctx, from, size)
	if err != nil {
		return from, false, err
	}
	rows, err := l.statusInOrder(ctx, statusInOrderParams{l.companyID, slices.Concat(members.ids, listed.ids)})
	if err != nil {
		return from, false, err
	}
	if l.filter.Cursor.IsBackward() {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		l.add(row)
		if row.ID == members.last || row.ID == listed.last {
			return lists.PersonKey{Name: row.Name, ID: row.ID}, false, nil
		}
	}
	return from, true, nil
}

func (l *statusList) add(row statusInOrderRow) {
	d := l.timeline.resolve(row.ID, row.Ancestors, l.at)
	if row.Bot || !l.inSubtree(row.Ancestors) || !l.chooses(d) {
		return
	}
	status := PersonStatus{
		UserID: row.ID, Name: row.Name, EmployeeID: row.EmployeeID, Hidden: row.Hidden, DepartmentID: row.DepartmentID, DepartmentName: row.DepartmentName,
		PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID,
	}
	if depth := slices.Index(row.Ancestors, d.departmentID); depth >= 0 {
		status.SourceDepartmentName = strings.Split(row.Path, "/")[depth]
	}
	l.found = append(l.found, status)
}
