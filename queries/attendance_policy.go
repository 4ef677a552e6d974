package queries

import (
	"context"
	"fmt"
	"sync"
	"time"

	"officeconsole/settings"
	"officeconsole/workday"
)

// attendancePolicy is a version of a working attitude policy, ready to count by.
type attendancePolicy struct {
	policyID int64
	no       int32
	*workday.Policy
	settings.Clocking
	correctionDays, locationDays int // settings.Values.CorrectionDays and LocationKeepDays
}

func newAttendancePolicy(policyID int64, no int32, values settings.Values) (*attendancePolicy, error) {
	p, err := workday.ReadPolicy(values.Complete())
	if err != nil {
		return nil, fmt.Errorf("policy %d, version %d: %w", policyID, no, err)
	}
	return &attendancePolicy{policyID, no, p, values.Clocking(), values.CorrectionDays(), values.LocationKeepDays()}, nil
}

// attendancePolicies keeps versions, which never change.
type attendancePolicies struct {
	mutex sync.Mutex
	kept  map[policyVersionKey]*attendancePolicy
}

// keptAttendancePolicies bounds the memory: a few kilobytes each.
const keptAttendancePolicies = 20_000

func (a *attendancePolicies) of(s *span) (*attendancePolicy, error) {
	key := policyVersionKey{s.PolicyID, s.No}
	if p := a.get(key); p != nil {
		return p, nil
	}
	p, err := newAttendancePolicy(s.PolicyID, s.No, s.settings())
	if err == nil {
		a.keep(key, p)
	}
	return p, err
}

// read finds versions by their numbers.
func (a *attendancePolicies) read(ctx context.Context, q *Queries, companyID int64, keys map[policyVersionKey]bool) (map[policyVersionKey]*attendancePolicy, error) {
	found := make(map[policyVersionKey]*attendancePolicy, len(keys))
	arg := versionSettingsParams{CompanyID: companyID}
	for key := range keys {
		if found[key] = a.get(key); found[key] == nil {
			arg.PolicyIds, arg.Nos = append(arg.PolicyIds, key.policyID), append(arg.Nos, key.no)
		}
	}
	if len(arg.Nos) == 0 {
		return found, nil
	}
	rows, err := q.versionSettings(ctx, arg)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		values, _ := settings.Parse(settings.WorkingAttitude, row.Settings)
		key := policyVersionKey{row.PolicyID, row.No}
		if found[key], err = newAttendancePolicy(row.PolicyID, row.No, values); err != nil {
			return nil, err
		}
		a.keep(key, found[key])
	}
	return found, nil
}

func (a *attendancePolicies) get(key policyVersionKey) *attendancePolicy {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.kept[key]
}

func (a *attendancePolicies) keep(key policyVersionKey, p *attendancePolicy) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.kept == nil || len(a.kept) >= keptAttendancePolicies {
		a.kept = map[policyVersionKey]*attendancePolicy{}
	}
	a.kept[key] = p
}

// policyResolver decides which version applies to a person on a date: the one in
// force when the date begins at the company (domain §6). It fills its caches
// through its own statements, so that inside a transaction nothing waits for a
// second connection.
type policyResolver struct {
	*Queries
	policies  *attendancePolicies
	timelines *timelines

	companyID     int64
	policyVersion int64 // of the company
	zone          *time.Location
	now           time.Time
	past          map[int]*timeline // by the month they begin with; few
}

// policyResolver is one that reads through q.
func (db *DB) policyResolver(q *Queries, companyID, policyVersion int64, zone *time.Location) policyResolver {
	return policyResolver{
		Queries: q, policies: &db.attendancePolicies, timelines: &db.timelines,
		companyID: companyID, policyVersion: policyVersion, zone: zone, now: db.now().Truncate(time.Microsecond), past: map[int]*timeline{},
	}
}

func (r *policyResolver) policy(ctx context.Context, userID int64, lineage []int64, date workday.Date) (*attendancePolicy, error) {
	return r.policyAt(ctx, userID, lineage, date.At(0, r.zone))
}

func (r *policyResolver) policyAt(ctx context.Context, userID int64, lineage []int64, at time.Time) (*attendancePolicy, error) {
	t, err := r.timeline(ctx, at)
	if err != nil {
		return nil, err
	}
	decided := t.decide(userID, lineage, at)
	if decided.span == nil { // before the company's first version: the first one
		decided.span = t.firstDefault()
	}
	if decided.span == nil {
		return nil, fmt.Errorf("no working attitude policy applies to %d at %s", userID, at)
	}
	return r.policies.of(decided.span)
}

// timeline finds one that reaches back to a time.
func (r *policyResolver) timeline(ctx context.Context, at time.Time) (*timeline, error) {
	month := at.UTC().Year()*12 + int(at.UTC().Month())
	if past := r.past[month]; past != nil {
		return past, nil
	}
	from := time.Date(at.UTC().Year(), at.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	if !at.Before(r.now.Add(-looksBack)) {
		from = at
	}
	t, err := r.timelines.readThrough(ctx, r.Queries, timelineKey{r.companyID, "workingattitude"}, r.policyVersion, from, r.now)
	if err != nil {
		return nil, err
	}
	if from.Before(at) { // the whole month can be read from it
		r.past[month] = t
	}
	return t, nil
}

// firstDefault is the oldest version of the default policy.
func (t *timeline) firstDefault() *span {
	line := t.lines[t.defaultPolicy]
	if len(line) == 0 {
		return nil
	}
	return line[len(line)-1]
}
