package attendance

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/policy"
	"officeconsole/queries/replica"
	"officeconsole/settings"
	"officeconsole/workday"
)

// recordPolicy is a version of a working attitude policy, parsed for the computation of records.
type recordPolicy struct {
	policyID int64
	no       int32
	*workday.Policy
	settings.Clocking
	correctionDays, locationDays int // settings.Values.CorrectionDays and LocationKeepDays
	reminders                    settings.Reminders
}

func newRecordPolicy(policyID int64, no int32, values settings.Values, holidays *policy.HolidayNames) (*recordPolicy, error) {
	p, err := workday.ReadPolicy(values.Complete())
	if err != nil {
		return nil, fmt.Errorf("policy %d, version %d: %w", policyID, no, err)
	}
	return &recordPolicy{policyID, no, holidays.Extend(p), values.Clocking(), values.CorrectionDays(), values.LocationKeepDays(), values.Reminders()}, nil
}

// policyCache caches policy versions, which never change, with the holidays of their
// company.
type policyCache struct {
	cache    *cache.Cache[recordPolicyKey, *recordPolicy]
	holidays *policy.HolidayNames
}

type recordPolicyKey struct {
	policy.VersionKey
	holidays string
}

// with returns the cache for versions with the holidays of a timeline.
func (c policyCache) with(t *policy.Timeline) policyCache { return policyCache{c.cache, t.Holidays} }

func (c policyCache) key(version policy.VersionKey) recordPolicyKey {
	return recordPolicyKey{version, c.holidays.Key()}
}

// maxCachedPolicies is the size of the cache. A version takes a few kilobytes.
const maxCachedPolicies = 20_000

func newPolicyCache(now func() time.Time) policyCache {
	return policyCache{cache: cache.New[recordPolicyKey](cache.Options[*recordPolicy]{Name: "record_policies", Size: maxCachedPolicies, Now: now})}
}

func (c policyCache) get(s *policy.Span) (*recordPolicy, error) {
	key := c.key(policy.VersionKey{PolicyID: s.PolicyID, No: s.No})
	if p, found := c.cache.Peek(key); found {
		return p, nil
	}
	p, err := newRecordPolicy(s.PolicyID, s.No, s.Settings(), c.holidays)
	if err == nil {
		c.cache.Put(key, p)
	}
	return p, err
}

// read reads versions by their keys.
func (c policyCache) read(ctx context.Context, q *Queries, companyID int64, keys map[policy.VersionKey]bool) (map[policy.VersionKey]*recordPolicy, error) {
	found := make(map[policy.VersionKey]*recordPolicy, len(keys))
	arg := versionSettingsParams{CompanyID: companyID}
	for key := range keys {
		var cached bool
		if found[key], cached = c.cache.Peek(c.key(key)); !cached {
			arg.PolicyIds, arg.Nos = append(arg.PolicyIds, key.PolicyID), append(arg.Nos, key.No)
		}
	}
	if len(arg.Nos) == 0 {
		return found, nil
	}
	rows, err := q.versionSettings(replica.Without(ctx), arg)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		values, _ := settings.Parse(settings.WorkingAttitude, row.Settings)
		key := policy.VersionKey{PolicyID: row.PolicyID, No: row.No}
		if found[key], err = newRecordPolicy(row.PolicyID, row.No, values, c.holidays); err != nil {
			return nil, err
		}
		c.cache.Put(c.key(key), found[key])
	}
	return found, nil
}

// policyResolver returns which version applies to a user on a date: the one in
// force when the date begins at the company (domain §6). Inside a transaction,
// it fills its caches through the transaction, so that it never waits for a
// second connection.
type policyResolver struct {
	*Queries
	policies  policyCache
	timelines *policy.Store

	CompanyID     int64
	policyVersion int64 // of the company
	zone          *time.Location
	Now           time.Time
	planned       *policy.HolidayPlan      // replaces the holidays of the company, in a preview; else nil
	past          map[int]*policy.Timeline // by the month they begin in
}

// policyResolver returns a resolver that reads through q.
func (s *Store) policyResolver(q *Queries, companyID, policyVersion int64, zone *time.Location) policyResolver {
	return policyResolver{
		Queries: q, policies: s.policies, timelines: s.policy,
		CompanyID: companyID, policyVersion: policyVersion, zone: zone, Now: s.db.Now().Truncate(time.Microsecond), past: map[int]*policy.Timeline{},
	}
}

func (r *policyResolver) today() workday.Date { return workday.DateOf(r.Now.In(r.zone)) }

func (r *policyResolver) policy(ctx context.Context, userID int64, ancestors []int64, date workday.Date) (*recordPolicy, error) {
	return r.policyAt(ctx, userID, ancestors, date.At(0, r.zone))
}

func (r *policyResolver) policyAt(ctx context.Context, userID int64, ancestors []int64, at time.Time) (*recordPolicy, error) {
	t, err := r.timeline(ctx, at)
	if err != nil {
		return nil, err
	}
	version := t.Resolve(userID, ancestors, at)
	if version == nil { // before the company's first version: the first one
		version = t.FirstDefault()
	}
	if version == nil {
		return nil, fmt.Errorf("no working attitude policy applies to %d at %s", userID, at)
	}
	return r.policiesOf(t).get(version)
}

// policiesOf returns the cache for the versions of a timeline.
func (r *policyResolver) policiesOf(t *policy.Timeline) policyCache {
	if r.planned != nil {
		return policyCache{r.policies.cache, r.planned.After}
	}
	return r.policies.with(t)
}

// versions reads versions by their keys.
func (r *policyResolver) versions(ctx context.Context, keys map[policy.VersionKey]bool) (map[policy.VersionKey]*recordPolicy, error) {
	if len(keys) == 0 {
		return map[policy.VersionKey]*recordPolicy{}, nil
	}
	t, err := r.timeline(ctx, r.Now)
	if err != nil {
		return nil, err
	}
	return r.policiesOf(t).read(ctx, r.Queries, r.CompanyID, keys)
}

// timeline returns a timeline that includes a time.
func (r *policyResolver) timeline(ctx context.Context, at time.Time) (*policy.Timeline, error) {
	month := at.UTC().Year()*12 + int(at.UTC().Month())
	if past := r.past[month]; past != nil {
		return past, nil
	}
	from := time.Date(at.UTC().Year(), at.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	if !at.Before(r.Now.Add(-policy.TimelineReach)) {
		from = at
	}
	t, err := r.timelines.TimelineTx(ctx, r.db, policy.TimelineRequest{CompanyID: r.CompanyID, Kind: "workingattitude", PolicyVersion: r.policyVersion, At: from})
	if err != nil {
		return nil, err
	}
	if from.Before(at) { // the timeline of the whole month is read
		r.past[month] = t
	}
	return t, nil
}
