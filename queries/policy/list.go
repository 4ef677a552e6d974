package policy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/settings"
)

// Summary is a policy as a list shows it (domain §1).
type Summary struct {
	ID              int64
	IsDefault       bool
	Name            string
	Description     string
	Enabled         bool
	ConfiguredAt    time.Time // effective_from of the version in force
	InForce         bool      // false if all versions are still planned
	LastModified    time.Time
	ChangedByName   string    // who made the last change; "" for nobody of the company
	People          int       // to whom it applies
	PlannedAt       time.Time // zero without a planned change
	PlannedNo       int32     // the number of the planned version; 0 without one
	No              int32     // the number of the version that is shown
	ConfirmBy       time.Time // when the version in force reverts unless it is confirmed; zero for one that stays
	OwnerName       string    // who may edit it besides administrators; "" for nobody else
	OwnerDepartment bool
	Owner           Owner
	Summary         []settings.Point // the most important settings
	Targets         []ListedTarget   // departments first; at most shownTargets
	TargetCount     int
	AllTargets      []Target // every target, without names

	nameRank int64
	movedFor int64 // the policy whose confirmation also confirms the version, if it waits for one; 0 for none
	search   string
	reach    []targetReach
}

// ListedTarget is a department or a person that a policy lists.
type ListedTarget struct {
	DepartmentID, UserID int64 // one of them is 0
	Name                 string
}

// targetReach is a target with its ancestors: those of the department, or of
// the user's department.
type targetReach struct {
	ancestors       []int64
	person          bool
	includeChildren bool
}

// shownTargets is the number of targets that a list names before it counts the
// rest.
const shownTargets = 10

// Order is what a list of policies is sorted by.
type Order string

// The orders of the list's columns.
const (
	ByName       Order = "name"
	ByModified   Order = "modified"
	ByConfigured Order = "configured"
	ByPlanned    Order = "planned"
	ByTargets    Order = "targets"
)

// Orders lists every order there is.
var Orders = []Order{ByName, ByModified, ByConfigured, ByPlanned, ByTargets}

// ListPage is a page of the list with what is shown beside it.
type ListPage struct {
	lists.Page[Summary]
	Waiting     []Summary         // the policies of the whole list that revert unless they are confirmed
	Departments []UpperDepartment // the root department and its children
}

// UpperDepartment is the root department or one of its children.
type UpperDepartment = UpperDepartmentsRow

// List returns a page of the policies of a kind. The default policy always comes
// first.
func (s *Store) List(ctx context.Context, p directory.Person, kind string, f Filter) (ListPage, error) {
	list, err := s.lists.read(ctx, s, p, kind)
	if err != nil {
		return ListPage{}, err
	}
	page := ListPage{Departments: list.departments}
	if page.Page, err = f.page(list.policies); err != nil {
		return ListPage{}, err
	}
	for _, policy := range list.policies {
		if policy.waits(list.policies) {
			page.Waiting = append(page.Waiting, policy)
		}
	}
	return page, nil
}

// waits reports whether a policy has a confirmation of its own to wait for.
func (p Summary) waits(all []Summary) bool {
	return !p.ConfirmBy.IsZero() && !slices.ContainsFunc(all, func(other Summary) bool { return other.ID == p.movedFor && !other.ConfirmBy.IsZero() })
}

// page sorts the chosen policies and cuts the page out of them. A company has
// some hundred policies at most, all of which are in memory.
func (f Filter) page(all []Summary) (lists.Page[Summary], error) {
	chosen := make([]sortedSummary, 0, len(all))
	followed := followedBy(all, f.Ancestors)
	for i := range all {
		if policy := &all[i]; f.chooses(policy, followed) {
			chosen = append(chosen, sortedSummary{f.key(policy), policy})
		}
	}
	slices.SortFunc(chosen, func(a, b sortedSummary) int { return a.key.compare(b.key) })

	key, err := f.cursorKey()
	if err != nil {
		return lists.Page[Summary]{}, err
	}
	cut := lists.CutPage(chosen, f.Cursor, f.Limit, func(p sortedSummary) int { return p.key.compare(key) }, f.cursor)
	page := lists.Page[Summary]{First: cut.First, Total: cut.Total, Previous: cut.Previous, Next: cut.Next}
	page.Rows = make([]Summary, 0, len(cut.Rows))
	for _, c := range cut.Rows {
		page.Rows = append(page.Rows, *c.policy)
	}
	return page, nil
}

// sortedSummary is a policy with its sort key. Sorting moves these instead of
// whole policies.
type sortedSummary struct {
	key    sortKey
	policy *Summary
}

// sortKey is what a policy is sorted by.
type sortKey struct {
	value, id int64
}

func (f Filter) chooses(p *Summary, followed int64) bool {
	switch {
	case f.Deleted,
		f.Enabled != nil && *f.Enabled != p.Enabled,
		f.Planned && p.PlannedAt.IsZero(),
		!f.Search.Match(p.search):
		return false
	case len(f.Ancestors) == 0 || p.ID == followed:
		return true
	}
	department := f.Ancestors[len(f.Ancestors)-1]
	return slices.ContainsFunc(p.reach, func(r targetReach) bool { return slices.Contains(r.ancestors, department) })
}

// followedBy returns the policy that a department follows: that of the nearest
// ancestor with one, else the default (domain §2).
func followedBy(all []Summary, ancestors []int64) int64 {
	var followed int64
	depth := -1
	for i := range all {
		policy := &all[i]
		if !policy.Enabled || !policy.InForce {
			continue
		}
		if policy.IsDefault && depth < 0 {
			followed = policy.ID
		}
		for _, r := range policy.reach {
			at := len(r.ancestors) - 1
			above := at >= 0 && at < len(ancestors) && ancestors[at] == r.ancestors[at]
			if !r.person && above && at > depth && (r.includeChildren || at == len(ancestors)-1) {
				followed, depth = policy.ID, at
			}
		}
	}
	return followed
}

// key returns the sort key of a policy in the filter's order. The default
// policy's is less than all others.
func (f Filter) key(p *Summary) sortKey {
	key := sortKey{id: p.ID}
	switch f.Order {
	case ByName:
		key.value = p.nameRank
	case ByConfigured:
		key.value = p.ConfiguredAt.UnixMicro()
	case ByPlanned:
		key.value = p.PlannedAt.UnixMicro()
	case ByTargets:
		key.value = int64(p.TargetCount)
	default:
		key.value = p.LastModified.UnixMicro()
	}
	if f.Descending {
		key.value = -key.value
	}
	if p.IsDefault {
		key.value = -1 << 63
	}
	return key
}

func (k sortKey) compare(other sortKey) int {
	return cmp.Or(cmp.Compare(k.value, other.value), cmp.Compare(k.id, other.id))
}
