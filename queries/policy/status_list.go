package policy

import (
	"context"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"slices"
	"strings"
	"time"
)

// maxStep is the maximum number of users that are read at once.
const maxStep = 2000

// statusList reads a page of the list. Its users are those of the directory or,
// after narrow, the members of the departments whose users have such a policy
// and the users whom policies list themselves.
type statusList struct {
	*Store
	timeline  *Timeline
	companyID int64
	filter    StatusFilter
	at, now   time.Time

	directoryVersion int64
	isFiltered       bool // whether the filter chooses some of the users

	narrowed    bool
	sparse      bool
	tree        Tree    // set for a filter
	passed      int     // the estimated number of users to skip for a page
	departments []int64 // the departments whose users may be chosen
	subtree     []int64 // the departments of the filter that have users of their own
	listed      []int64 // users whom policies list themselves and who may be chosen
	found       []PersonStatus
}

// statusList returns an empty list of the time that the filter asks for.
func (s *Store) statusList(ctx context.Context, p directory.Person, kind string, f StatusFilter) (*statusList, error) {
	now := s.db.Now()
	at := now
	if f.Date != 0 {
		company, err := s.directory.Company(ctx, p.CompanyID)
		if err != nil {
			return nil, err
		}
		zone, err := time.LoadLocation(company.TimeZone)
		if err != nil {
			return nil, err
		}
		at = f.Date.At(0, zone)
	}
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, earlier(at, now)})
	return &statusList{Store: s, timeline: t, companyID: p.CompanyID, directoryVersion: p.DirectoryVersion, filter: f, at: at, now: now}, err
}

// groups groups the departments of a tree by what their users inherit. Only what they
// inherit now is cached.
func (l *statusList) groups(ctx context.Context, all Tree) ([]treeGroup, error) {
	if l.filter.Date != 0 {
		return all.groups(l.timeline, l.at), nil
	}
	return l.trees.resolve(ctx, l.companyID, l.timeline, all, l.at)
}

// nowOf returns what applies now instead of d, for a list of a date; nil for the same.
func (l *statusList) nowOf(d, now decision) *AppliedPolicy {
	if !l.differs(d, now) {
		return nil
	}
	return &AppliedPolicy{now.PolicyID, now.Name, now.No}
}

// narrow finds the departments and users that the filter chooses, and the
// fastest way to read them: by name, skipping the others; by name among the
// departments; or department by department. It counts the users of the
// departments.
func (l *statusList) narrow(ctx context.Context, all Tree) (chosen int64, err error) {
	l.tree = all
	var people int64
	groups, err := l.groups(ctx, all)
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
		if !l.chooses(group.decision) {
			continue
		}
		if l.filter.Differing {
			part = part.only(func(d *TreeDepartment) bool { return l.differs(group.decision, l.timeline.inherit(d.Ancestors, l.now)) })
		}
		l.departments = append(l.departments, part.ids...)
		chosen += part.people
	}
	l.listed = l.listedCandidates()
	const probe = 6 // the cost of reading a department, as a number of skipped users
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

// choosesUser returns what applies to a user, and whether the filter chooses them by it.
func (l *statusList) choosesUser(id int64, ancestors []int64) (d decision, chosen bool) {
	d = l.timeline.resolve(id, ancestors, l.at)
	return d, l.chooses(d) && (!l.filter.Differing || l.differs(d, l.timeline.resolve(id, ancestors, l.now)))
}

// choosesDepartment is choosesUser for the users of a department whom no policy lists.
func (l *statusList) choosesDepartment(ancestors []int64) (d decision, chosen bool) {
	d = l.timeline.inherit(ancestors, l.at)
	return d, l.chooses(d) && (!l.filter.Differing || l.differs(d, l.timeline.inherit(ancestors, l.now)))
}

// differs reports whether something else applies now.
func (l *statusList) differs(d, now decision) bool { return now.Span != nil && now.Span != d.Span }

// listedCandidates returns the users whom policies list themselves and whom the filter may
// choose although it does not choose their departments.
func (l *statusList) listedCandidates() (ids []int64) {
	switch {
	case l.filter.Differing:
		return listedPeople(l.timeline)
	case l.filter.Source == "" && l.filter.PolicyID == 0:
		return nil
	}
	for _, id := range listedPeople(l.timeline) {
		if d, ok := l.timeline.own(id, l.at); ok && l.chooses(d) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (l *statusList) inSubtree(ancestors []int64) bool {
	return l.filter.DepartmentID == 0 || slices.Contains(ancestors, l.filter.DepartmentID)
}

// step adds the users after a key or, backward, before it. It reads about size
// of them and returns the key that it reached.
func (l *statusList) step(ctx context.Context, from lists.PersonKey, size int) (lists.PersonKey, bool, error) {
	read, err := l.stepOf(ctx, from, size)
	if err != nil {
		return from, false, err
	}
	for _, row := range read.rows {
		l.add(row)
		if row.ID == read.members || row.ID == read.listed {
			return lists.PersonKey{Name: row.Name, ID: row.ID}, false, nil
		}
	}
	return from, true, nil
}

// stepOf returns the rows of a step. Without a filter they depend on nothing but the
// directory, and come from a cache.
func (l *statusList) stepOf(ctx context.Context, from lists.PersonKey, size int) (statusStep, error) {
	if l.isFiltered {
		return l.readStep(ctx, from, size)
	}
	valid := func(s statusStep) bool { return s.directoryVersion == l.directoryVersion }
	return l.statusSteps.GetValid(ctx, statusStepKey{l.companyID, from, size, l.filter.Cursor.IsBackward()}, valid, func(ctx context.Context) (statusStep, error) {
		return l.readStep(ctx, from, size)
	})
}

func (l *statusList) readStep(ctx context.Context, from lists.PersonKey, size int) (statusStep, error) {
	members, err := l.members(ctx, from, size)
	if err != nil {
		return statusStep{}, err
	}
	listed, err := l.listedPeople(ctx, from, size)
	if err != nil {
		return statusStep{}, err
	}
	rows, err := l.statusInOrder(ctx, statusInOrderParams{l.companyID, slices.Concat(members.ids, listed.ids)})
	if l.filter.Cursor.IsBackward() {
		slices.Reverse(rows)
	}
	return statusStep{rows, members.last, listed.last, l.directoryVersion}, err
}

func (l *statusList) add(row statusInOrderRow) {
	d, chosen := l.choosesUser(row.ID, row.Ancestors)
	if row.Bot || !chosen || !l.inSubtree(row.Ancestors) {
		return
	}
	status := PersonStatus{
		UserID: row.ID, Name: row.Name, EmployeeID: row.EmployeeID, DepartmentID: row.DepartmentID, DepartmentName: row.DepartmentName,
		DepartmentPath: row.Path, PolicyID: d.PolicyID, PolicyName: d.Name, VersionNo: d.No, Source: d.source, SourceDepartmentID: d.departmentID,
	}
	if depth := slices.Index(row.Ancestors, d.departmentID); depth >= 0 {
		status.SourceDepartmentName = strings.Split(row.Path, "/")[depth]
	}
	if l.filter.Date != 0 {
		status.Now = l.nowOf(d, l.timeline.resolve(row.ID, row.Ancestors, l.now))
	}
	l.found = append(l.found, status)
}
