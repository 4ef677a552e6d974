package policy

import (
	"cmp"
	"context"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/settings"
)

// listCache caches the lists of companies. A list is valid until a policy or
// the directory of the company changes, whose versions every request reads with
// its user, and until a planned change takes effect or a version ends.
type listCache struct {
	cache *cache.Cache[listKey, listValue]
}

type listKey struct {
	companyID int64
	kind      string
}

type listValue struct {
	policies                        []Summary
	departments                     []UpperDepartment
	policyVersion, directoryVersion int64
	from, until                     time.Time // until is zero if nothing is planned or ends
}

func newListCache(now func() time.Time) listCache {
	return listCache{cache.New[listKey](cache.Options[listValue]{Name: "policy_lists", Size: maxLists, Now: now})}
}

// maxLists is the size of the cache. A list takes some hundred kilobytes.
const maxLists = 64

func (l listCache) read(ctx context.Context, s *Store, p directory.Person, kind string) (listValue, error) {
	now := s.db.Now()
	valid := func(v listValue) bool { return v.isValid(p, now) }
	return l.cache.GetValid(ctx, listKey{p.CompanyID, kind}, valid, func(ctx context.Context) (listValue, error) {
		return s.loadList(ctx, p, kind, now)
	})
}

func (v listValue) isValid(p directory.Person, now time.Time) bool {
	return v.policyVersion == p.PolicyVersion && v.directoryVersion == p.DirectoryVersion &&
		!now.Before(v.from) && (v.until.IsZero() || now.Before(v.until))
}

func (s *Store) loadList(ctx context.Context, p directory.Person, kind string, now time.Time) (listValue, error) {
	value := listValue{policyVersion: p.PolicyVersion, directoryVersion: p.DirectoryVersion, from: now}
	rows, err := s.listedPolicies(ctx, listedPoliciesParams{CompanyID: p.CompanyID, Kind: kind, At: now})
	if err != nil {
		return value, err
	}
	index := make(map[int64]int, len(rows))
	shown := listedTargetsParams{CompanyID: p.CompanyID}
	for i, row := range rows {
		index[row.ID] = i
		if !row.hasReverted() {
			shown.PolicyIds, shown.Nos = append(shown.PolicyIds, row.ID), append(shown.Nos, row.No)
		}
		value.policies = append(value.policies, summarize(kind, row))
		if row.PlanNo > 0 {
			value.endBy(row.PlanFrom)
		}
		if row.InForce && row.Until != nil {
			value.endBy(*row.Until)
		}
	}
	targets, err := s.listedTargets(ctx, shown)
	if err != nil {
		return value, err
	}
	for _, target := range targets {
		value.policies[index[target.PolicyID]].add(target)
	}
	people, err := s.peopleByPolicy(ctx, p, kind, now)
	if err != nil {
		return value, err
	}
	for i := range value.policies {
		value.policies[i].People = people[value.policies[i].ID]
	}
	value.departments, err = s.UpperDepartments(ctx, p.CompanyID)
	return value, err
}

// peopleByPolicy counts the people to whom each policy of a kind applies at a time, each
// of them once.
func (s *Store) peopleByPolicy(ctx context.Context, p directory.Person, kind string, at time.Time) (map[int64]int, error) {
	t, err := s.Timeline(ctx, TimelineRequest{p.CompanyID, kind, p.PolicyVersion, at})
	if err != nil {
		return nil, err
	}
	tree, err := s.Tree(ctx, p)
	if err != nil {
		return nil, err
	}
	listed, err := s.peopleWithAncestors(ctx, peopleWithAncestorsParams{p.CompanyID, listedPeople(t)})
	if err != nil {
		return nil, err
	}
	people := map[int64]int{}
	count := func(d decision, n int) {
		if d.Span != nil {
			people[d.PolicyID] += n
		}
	}
	for _, d := range tree.Departments {
		count(t.inherit(d.Ancestors, at), int(d.People))
	}
	for _, one := range listed {
		if !one.Hidden {
			count(t.inherit(one.Ancestors, at), -1)
			count(t.resolve(one.ID, one.Ancestors, at), 1)
		}
	}
	return people, nil
}

func (v *listValue) endBy(t time.Time) {
	if v.until.IsZero() || t.Before(v.until) {
		v.until = t
	}
}

// hasReverted reports whether the only version of a policy has ended, because nobody
// confirmed it.
func (r listedPoliciesRow) hasReverted() bool { return !r.InForce && r.PlanNo == 0 }

func summarize(kind string, row listedPoliciesRow) Summary {
	values, _ := settings.Parse(settings.Kind(kind), row.Settings)
	s := Summary{
		ID: row.ID, IsDefault: row.IsDefault, Name: row.Name, Description: row.Description, Enabled: row.Enabled && !row.hasReverted(),
		ConfiguredAt: row.EffectiveFrom, InForce: row.InForce, LastModified: row.LastModified, ChangedByName: row.ChangedByName,
		OwnerName: cmp.Or(row.OwnerName, row.OwnerDepartment), OwnerDepartment: row.OwnerDepartment != "",
		Owner:    Owner{orZero(row.OwnerUserID), orZero(row.OwnerDepartmentID), cmp.Or(row.OwnerName, row.OwnerDepartment)},
		No:       row.No,
		Summary:  settings.Summary(values),
		nameRank: row.NameRank, search: row.SearchText,
	}
	if row.PlanNo > 0 {
		s.PlannedAt, s.PlannedNo = row.PlanFrom, row.PlanNo
	}
	if row.InForce && row.ConfirmBy != nil && row.ConfirmedAt == nil {
		s.ConfirmBy, s.movedFor = *row.ConfirmBy, orZero(row.MovedForPolicyID)
	}
	return s
}

func (s *Summary) add(t listedTargetsRow) {
	s.TargetCount++
	s.AllTargets = append(s.AllTargets, target(queries.OrNil(t.DepartmentID), queries.OrNil(t.UserID), t.IncludeChildren))
	if len(s.Targets) < shownTargets {
		s.Targets = append(s.Targets, ListedTarget{t.DepartmentID, t.UserID, t.Name})
	}
	s.search = strings.Join([]string{s.search, t.SearchText}, "\n")
	s.reach = append(s.reach, targetReach{t.Ancestors, t.UserID != 0, t.IncludeChildren})
}
