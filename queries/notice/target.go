package notice

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// MaxTargets is how many departments and users a notice may list (domain §9.15).
const MaxTargets = 500

// Targets are those whom a notice is for: everyone, or some departments and
// users. A person belongs to their default department.
type Targets struct {
	Everyone    bool               `json:"everyone,omitempty"`
	Departments []DepartmentTarget `json:"departments,omitempty"`
	UserIDs     []int64            `json:"users,omitempty"`
}

// DepartmentTarget is a department whose people a notice is for, and those of
// all departments below it where IncludeChildren is set.
type DepartmentTarget struct {
	ID              int64 `json:"id"`
	IncludeChildren bool  `json:"include_children"`
}

// normalized returns the targets by their ids, each once.
func (t Targets) normalized() Targets {
	if t.Everyone {
		return Targets{Everyone: true}
	}
	children := map[int64]bool{}
	for _, d := range t.Departments {
		children[d.ID] = children[d.ID] || d.IncludeChildren // the wider of two
	}
	var once Targets
	for _, id := range slices.Sorted(maps.Keys(children)) {
		once.Departments = append(once.Departments, DepartmentTarget{id, children[id]})
	}
	if len(t.UserIDs) > 0 {
		once.UserIDs = sortedIDs(t.UserIDs)
	}
	return once
}

func sortedIDs(ids []int64) []int64 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (t Targets) departmentIDs() []int64 {
	ids := make([]int64, len(t.Departments))
	for i, d := range t.Departments {
		ids[i] = d.ID
	}
	return ids
}

func (q *Queries) checkTargets(ctx context.Context, n Notice, t Targets, refused queries.FieldErrors) error {
	count := len(t.Departments) + len(t.UserIDs)
	switch {
	case t.Everyone:
		return nil
	case count == 0:
		refused["targets"] = "notice.targets.required"
		return nil
	case count > MaxTargets:
		refused["targets"] = "notice.targets.too_many"
		return nil
	}
	known, err := q.knownTargets(ctx, knownTargetsParams{CompanyID: n.CompanyID, DepartmentIds: t.departmentIDs(), UserIds: t.UserIDs})
	if err != nil {
		return err
	}
	hasNewHidden, err := q.hasNewHidden(ctx, hasNewHiddenParams{CompanyID: n.CompanyID, UserIds: t.UserIDs, NoticeID: n.ID})
	if len(known) < count || hasNewHidden {
		refused["targets"] = "notice.targets.unknown"
	}
	return err
}

// storeTargets replaces the targets of a notice.
func (q *Queries) storeTargets(ctx context.Context, n Notice, t Targets) error {
	if err := q.deleteTargets(ctx, deleteTargetsParams{n.CompanyID, n.ID}); err != nil || t.Everyone {
		return err
	}
	arg := insertTargetsParams{CompanyID: n.CompanyID, NoticeID: n.ID}
	for _, d := range t.Departments {
		arg.DepartmentIds, arg.UserIds, arg.IncludeChildren = append(arg.DepartmentIds, d.ID), append(arg.UserIds, 0), append(arg.IncludeChildren, d.IncludeChildren)
	}
	for _, id := range t.UserIDs {
		arg.DepartmentIds, arg.UserIds, arg.IncludeChildren = append(arg.DepartmentIds, 0), append(arg.UserIds, id), append(arg.IncludeChildren, false)
	}
	return q.insertTargets(ctx, arg)
}

// targetsOf returns the targets of a notice.
func (q *Queries) targetsOf(ctx context.Context, n Notice) (Targets, error) {
	if n.Everyone {
		return Targets{Everyone: true}, nil
	}
	rows, err := q.Targets(ctx, TargetsParams{n.CompanyID, n.ID})
	var t Targets
	for _, row := range rows {
		if row.DepartmentID != nil {
			t.Departments = append(t.Departments, DepartmentTarget{*row.DepartmentID, row.IncludeChildren})
		} else {
			t.UserIDs = append(t.UserIDs, *row.UserID)
		}
	}
	return t, err
}

// NamedTarget is a department or user of a notice; the id of the other is 0.
type NamedTarget struct {
	DepartmentID, UserID int64
	IncludeChildren      bool
	Name                 string
	Path                 string // of a department, from the root
	Department, Rank     string // of a user, as far as they are known
}

// NameTargets returns targets that exist with their names, departments by path
// before users by name.
func (s *Store) NameTargets(ctx context.Context, companyID int64, t Targets) ([]NamedTarget, error) {
	rows, err := s.knownTargets(ctx, knownTargetsParams{CompanyID: companyID, DepartmentIds: t.departmentIDs(), UserIds: t.UserIDs})
	if err != nil {
		return nil, fmt.Errorf("names of targets: %w", err)
	}
	children := map[int64]bool{}
	for _, d := range t.Departments {
		children[d.ID] = d.IncludeChildren
	}
	named := make([]NamedTarget, len(rows))
	for i, row := range rows {
		named[i] = NamedTarget{row.DepartmentID, row.UserID, children[row.DepartmentID], row.Name, row.Path, row.Department, row.Rank}
	}
	return named, nil
}

// ListedTargets returns the targets of a notice as the list shows them: without hidden
// users, departments by path before users by name.
func (s *Store) ListedTargets(ctx context.Context, n Notice) ([]NamedTarget, error) {
	if n.Everyone {
		return nil, nil
	}
	targets, err := s.targetsByNotice(ctx, n.CompanyID, []int64{n.ID})
	return namedTargets(targets[n.ID]), err
}

func namedTargets(rows []targetsOfNoticesRow) []NamedTarget {
	named := make([]NamedTarget, len(rows))
	for i, t := range rows {
		named[i] = NamedTarget{DepartmentID: t.DepartmentID, UserID: t.UserID, IncludeChildren: t.IncludeChildren, Name: t.Name, Path: t.Path, Department: t.Department}
	}
	return named
}

// targetsByNotice returns the targets of some notices, none of which is for
// everyone, by their ids.
func (s *Store) targetsByNotice(ctx context.Context, companyID int64, ids []int64) (map[int64][]targetsOfNoticesRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.targetsOfNotices(ctx, targetsOfNoticesParams{CompanyID: companyID, NoticeIds: ids})
	if err != nil {
		return nil, fmt.Errorf("targets of notices: %w", err)
	}
	targets := map[int64][]targetsOfNoticesRow{}
	for _, row := range rows {
		targets[row.NoticeID] = append(targets[row.NoticeID], row)
	}
	return targets, nil
}

// CountRecipients returns how many people some targets would reach now.
func (s *Store) CountRecipients(ctx context.Context, companyID int64, t Targets) (int, error) {
	var rows []targetsOfNoticesRow
	for _, d := range t.Departments {
		rows = append(rows, targetsOfNoticesRow{DepartmentID: d.ID, IncludeChildren: d.IncludeChildren})
	}
	if len(t.UserIDs) > 0 && !t.Everyone {
		homes, err := s.homes(ctx, homesParams{CompanyID: companyID, UserIds: t.UserIDs})
		if err != nil {
			return 0, fmt.Errorf("recipients: %w", err)
		}
		for _, home := range homes {
			rows = append(rows, targetsOfNoticesRow{UserID: home.ID, Home: home.Home})
		}
	}
	people, err := s.headcount(ctx, companyID)
	return people.of(t.Everyone, rows), err
}

// headcount counts people by their departments.
type headcount struct {
	policy.Tree
	version int64 // of the directory
}

// headcount returns the people of a company by department, who are cached until
// the directory changes.
func (s *Store) headcount(ctx context.Context, companyID int64) (headcount, error) {
	version, err := s.directoryVersion(ctx, companyID)
	if err != nil {
		return headcount{}, fmt.Errorf("recipients: %w", err)
	}
	tree, err := s.policies.Tree(ctx, directory.Person{CompanyID: companyID, DirectoryVersion: version})
	return headcount{tree, version}, err
}

// of counts everyone, or the people of targets, nobody twice.
func (h headcount) of(everyone bool, targets []targetsOfNoticesRow) (people int) {
	for _, count := range h.departments(everyone, targets) {
		people += int(count)
	}
	return people
}

// departments counts everyone, or the people of targets, nobody twice, by the ids of
// their departments. A department can come more than once.
func (h headcount) departments(everyone bool, targets []targetsOfNoticesRow) iter.Seq2[int64, int64] {
	own, subtrees, users := map[int64]bool{}, map[int64]bool{}, map[int64]int64{}
	for _, t := range targets {
		switch {
		case t.UserID != 0:
			users[t.UserID] = t.Home
		case t.IncludeChildren:
			subtrees[t.DepartmentID] = true
		default:
			own[t.DepartmentID] = true
		}
	}
	covers := func(id int64, ancestors []int64) bool {
		return everyone || own[id] || slices.ContainsFunc(ancestors, func(ancestor int64) bool { return subtrees[ancestor] })
	}
	return func(yield func(id, people int64) bool) {
		if everyone || len(own)+len(subtrees) > 0 {
			for i := range h.Departments {
				if d := &h.Departments[i]; d.People > 0 && covers(d.ID, d.Ancestors) && !yield(d.ID, int64(d.People)) {
					return
				}
			}
		}
		for _, home := range users {
			if home != 0 && !covers(home, h.Ancestors(home)) && !yield(home, 1) {
				return
			}
		}
	}
}
