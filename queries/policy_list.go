package queries

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
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

// policyLists keeps the lists of companies as long as they are right: until a
// policy or the directory of the company changes, which every request knows
// from its person's row, or until a planned change takes effect or a version ends.
type policyLists struct {
	mutex sync.Mutex
	kept  map[policyListKey]policyListValue
}

type policyListKey struct {
	companyID int64
	kind      string
}

type policyListValue struct {
	policies                        []PolicySummary
	departments                     []UpperDepartmentsRow
	policyVersion, directoryVersion int64
	from, until                     time.Time // until is zero when nothing ends or is planned
}

// keptPolicyLists bounds the memory: some hundred kilobytes a list.
const keptPolicyLists = 64

func (l *policyLists) read(ctx context.Context, db *DB, p Person, kind string) (policyListValue, error) {
	key, now := policyListKey{p.CompanyID, kind}, db.now()
	l.mutex.Lock()
	value, ok := l.kept[key]
	l.mutex.Unlock()
	right := ok && value.policyVersion == p.PolicyVersion && value.directoryVersion == p.DirectoryVersion &&
		!now.Before(value.from) && (value.until.IsZero() || now.Before(value.until))
	if right {
		return value, nil
	}
	value, err := db.loadPolicyList(ctx, p, kind, now)
	if err != nil {
		return value, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.kept == nil || len(l.kept) >= keptPolicyLists {
		l.kept = map[policyListKey]policyListValue{}
	}
	l.kept[key] = value
	return value, nil
}

func (db *DB) loadPolicyList(ctx context.Context, p Person, kind string, now time.Time) (policyListValue, error) {
	value := policyListValue{policyVersion: p.PolicyVersion, directoryVersion: p.DirectoryVersion, from: now}
	rows, err := db.policyList(ctx, policyListParams{CompanyID: p.CompanyID, Kind: kind, At: now})
	if err != nil {
		return value, err
	}
	place := make(map[int64]int, len(rows))
	shown := policyListTargetsParams{CompanyID: p.CompanyID}
	for i, row := range rows {
		place[row.ID] = i
		shown.PolicyIds, shown.Nos = append(shown.PolicyIds, row.ID), append(shown.Nos, row.No)
		value.policies = append(value.policies, summarize(kind, row))
		if row.PlanNo > 0 {
			value.rightUntil(row.PlanFrom)
		}
		if row.InForce && row.Until != nil {
			value.rightUntil(*row.Until)
		}
	}
	targets, err := db.policyListTargets(ctx, shown)
	if err != nil {
		return value, err
	}
	for _, target := range targets {
		value.policies[place[target.PolicyID]].add(target)
	}
	value.departments, err = db.UpperDepartments(ctx, p.CompanyID)
	return value, err
}

func (v *policyListValue) rightUntil(t time.Time) {
	if v.until.IsZero() || t.Before(v.until) {
		v.until = t
	}
}

func summarize(kind string, row policyListRow) PolicySummary {
	values, _ := settings.Parse(settings.Kind(kind), row.Settings)
	s := PolicySummary{
		ID: row.ID, IsDefault: row.IsDefault, Name: row.Name, Description: row.Description, Enabled: row.Enabled,
		ConfiguredAt: row.EffectiveFrom, InForce: row.InForce, LastModified: row.LastModified,
		OwnerName: cmp.Or(row.OwnerName, row.OwnerDepartment), OwnerDepartment: row.OwnerDepartment != "",
		No:       row.No,
		Summary:  settings.Summary(values),
		nameRank: row.NameRank, search: row.SearchText,
	}
	if row.PlanNo > 0 {
		s.PlannedAt = row.PlanFrom
	}
	if row.InForce && row.ConfirmBy != nil && row.ConfirmedAt == nil {
		s.ConfirmBy, s.movedFor = *row.ConfirmBy, orZero(row.MovedForPolicyID)
	}
	return s
}

func (s *PolicySummary) add(t policyListTargetsRow) {
	s.TargetCount++
	if len(s.Targets) < shownTargets {
		s.Targets = append(s.Targets, ListedTarget{t.DepartmentID, t.UserID, t.Name})
	}
	s.search = strings.Join([]string{s.search, t.SearchText}, "\n")
	s.reach = append(s.reach, reach{t.Lineage, t.UserID != 0, t.IncludeChildren})
}
