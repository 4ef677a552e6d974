package queries

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/settings"
)

// PolicySummary is a policy as a list shows it (domain §1).
type PolicySummary struct {
	ID              int64
	IsDefault       bool
	Name            string
	Description     string
	Enabled         bool
	ConfiguredAt    time.Time // effective_from of the version in force
	InForce         bool      // false while every version still lies ahead
	LastModified    time.Time
	PlannedAt       time.Time // zero without a planned change
	No              int32     // of the version that is shown
	ConfirmBy       time.Time // the version in force ends then unless it is confirmed; zero for one that stays
	OwnerName       string    // the person or department that may edit it; empty: every administrator
	OwnerDepartment bool
	Summary         []settings.Point // of the settings, the most telling first
	Targets         []ListedTarget   // departments first; at most shownTargets
	TargetCount     int

	nameRank int64
	movedFor int64 // the policy that the version goes with, if it waits; 0 for none
	search   string
	reach    []reach
}

// ListedTarget is a department or a person that a policy lists.
type ListedTarget struct {
	DepartmentID, UserID int64 // one of them is 0
	Name                 string
}

// reach is where in the tree a target stands: a department's own lineage, or
// that of a person's department.
type reach struct {
	lineage         []int64
	person          bool
	includeChildren bool
}

// shownTargets is how many targets a list can name before it counts the rest.
const shownTargets = 10

// PolicyOrder is what a list of policies is sorted by.
type PolicyOrder string

// The orders of the list's columns.
const (
	PolicyByName       PolicyOrder = "name"
	PolicyByModified   PolicyOrder = "modified"
	PolicyByConfigured PolicyOrder = "configured"
	PolicyByPlanned    PolicyOrder = "planned"
	PolicyByTargets    PolicyOrder = "targets"
)

// PolicyOrders lists every order there is.
var PolicyOrders = []PolicyOrder{PolicyByName, PolicyByModified, PolicyByConfigured, PolicyByPlanned, PolicyByTargets}

// PolicyFilter chooses policies of a kind. Its zero value chooses all of them,
// the latest modified last.
type PolicyFilter struct {
	Search     Search
	Enabled    *bool
	Planned    bool
	Branch     []int64 // lineage of a department: policies that list somebody in it, and the one it follows itself
	Order      PolicyOrder
	Descending bool
	After      PolicyKey // of the last row of the page before; the zero key begins
	Before     PolicyKey // of the first row of the page after
	Limit      int
}

// PolicyKey is the place of a policy in an order.
type PolicyKey struct {
	Value, ID int64
}

// PolicyPage is a part of a list. First is the place of its first row among
// Total, counted from 1.
type PolicyPage struct {
	Policies    []PolicySummary
	Waiting     []PolicySummary       // of the whole list, those that end unless they are confirmed
	Departments []UpperDepartmentsRow // the root and those right below it
	Total       int
	First       int
	Earlier     bool // there are rows before
	Later       bool // there are rows after
	Start, Stop PolicyKey
}

// Policies lists policies of a kind. The default policy always comes first.
func (db *DB) Policies(ctx context.Context, p Person, kind string, f PolicyFilter) (PolicyPage, error) {
	list, err := db.policyLists.read(ctx, db, p, kind)
	if err != nil {
		return PolicyPage{}, err
	}
	page := f.page(list.policies)
	page.Departments = list.departments
	for _, policy := range list.policies {
		if policy.waits(list.policies) {
			page.Waiting = append(page.Waiting, policy)
		}
	}
	return page, nil
}

// waits tells whether a policy is to be confirmed by itself.
func (p PolicySummary) waits(all []PolicySummary) bool {
	return !p.ConfirmBy.IsZero() && !slices.ContainsFunc(all, func(other PolicySummary) bool { return other.ID == p.movedFor && !other.ConfirmBy.IsZero() })
}

// page orders what the filter chooses and cuts the page out of it. Companies
// have some hundred policies at most, all of them in memory.
func (f PolicyFilter) page(all []PolicySummary) PolicyPage {
	var chosen []placedPolicy
	followed := followedBy(all, f.Branch)
	for i := range all {
		if policy := &all[i]; f.chooses(policy, followed) {
			chosen = append(chosen, placedPolicy{f.key(policy), policy})
		}
	}
	slices.SortFunc(chosen, func(a, b placedPolicy) int { return a.key.compare(b.key) })

	var from, to int
	none := PolicyKey{}
	switch {
	case f.After != none:
		from = placeOf(chosen, f.After)
		if from < len(chosen) && chosen[from].key == f.After {
			from++
		}
		to = min(from+f.Limit, len(chosen))
	case f.Before != none:
		to = placeOf(chosen, f.Before)
		from = max(to-f.Limit, 0)
	default:
		to = min(f.Limit, len(chosen))
	}
	page := PolicyPage{Total: len(chosen), First: from + 1, Earlier: from > 0, Later: to < len(chosen)}
	for _, c := range chosen[from:to] {
		page.Policies = append(page.Policies, *c.policy)
	}
	if from < to {
		page.Start, page.Stop = chosen[from].key, chosen[to-1].key
	}
	return page
}

// placedPolicy is a policy with its place in the order that is asked for.
// Sorting moves these instead of whole policies.
type placedPolicy struct {
	key    PolicyKey
	policy *PolicySummary
}

func (f PolicyFilter) chooses(p *PolicySummary, followed int64) bool {
	switch {
	case f.Enabled != nil && *f.Enabled != p.Enabled,
		f.Planned && p.PlannedAt.IsZero(),
		!f.Search.Match(p.search):
		return false
	case len(f.Branch) == 0 || p.ID == followed:
		return true
	}
	branch := f.Branch[len(f.Branch)-1]
	return slices.ContainsFunc(p.reach, func(r reach) bool { return slices.Contains(r.lineage, branch) })
}

// followedBy is the policy that a department itself follows: that of the
// nearest department upwards, else the default (domain §2).
func followedBy(all []PolicySummary, lineage []int64) int64 {
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
			at := len(r.lineage) - 1
			above := at >= 0 && at < len(lineage) && lineage[at] == r.lineage[at]
			if !r.person && above && at > depth && (r.includeChildren || at == len(lineage)-1) {
				followed, depth = policy.ID, at
			}
		}
	}
	return followed
}

// key is where a policy stands in the filter's order. The default policy's
// value is below every other's.
func (f PolicyFilter) key(p *PolicySummary) PolicyKey {
	key := PolicyKey{ID: p.ID}
	switch f.Order {
	case PolicyByName:
		key.Value = p.nameRank
	case PolicyByConfigured:
		key.Value = p.ConfiguredAt.UnixMicro()
	case PolicyByPlanned:
		key.Value = p.PlannedAt.UnixMicro()
	case PolicyByTargets:
		key.Value = int64(p.TargetCount)
	default:
		key.Value = p.LastModified.UnixMicro()
	}
	if f.Descending {
		key.Value = -key.Value
	}
	if p.IsDefault {
		key.Value = -1 << 63
	}
	return key
}

func (k PolicyKey) compare(other PolicyKey) int {
	return cmp.Or(cmp.Compare(k.Value, other.Value), cmp.Compare(k.ID, other.ID))
}

func placeOf(sorted []placedPolicy, key PolicyKey) int {
	at, _ := slices.BinarySearchFunc(sorted, key, func(p placedPolicy, key PolicyKey) int { return p.key.compare(key) })
	return at
}
