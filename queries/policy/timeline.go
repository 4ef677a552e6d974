package policy

import (
	"context"
	"slices"
	"sync"
	"time"

	"officeconsole/settings"
)

// Timeline is all policies of a kind from a time on: which version is in force
// when, and which departments and users each version lists. Effective policies
// and taken targets are computed from it. It is immutable.
type Timeline struct {
	kind          string
	byPolicy      map[int64][]*Span // by policy, the newest first
	listings      map[node][]listing
	ofDepartments map[int64][]listing // the listings of departments, by id
	ofPeople      map[int64][]listing // the listings of users, by id
	defaultID     int64

	// Holidays are those of the company, nil for none. Only timelines of working attitude
	// have them.
	Holidays *HolidayNames
}

// Span is a version with the time in which it is in force: from EffectiveFrom
// to Until, unless a newer version of the policy is in force.
type Span struct {
	policySpansRow
	targets  []Target
	Settings func() settings.Values // parses the settings in the first call
}

func newSpan(kind string, row policySpansRow, targets []Target) *Span {
	s := &Span{policySpansRow: row, targets: targets}
	s.Settings = sync.OnceValue(func() settings.Values {
		values, _ := settings.Parse(settings.Kind(kind), row.Settings)
		return values
	})
	return s
}

// node is a department or a user that a policy can list.
type node struct {
	kind TargetType
	id   int64
}

// listing is a version that lists a node.
type listing struct {
	*Span
	includeChildren bool
}

// ReadTimeline reads the timeline of a kind from a time on. Store.Timeline
// caches timelines.
func (q *Queries) ReadTimeline(ctx context.Context, companyID int64, kind string, from time.Time) (*Timeline, error) {
	t, err := q.readVersions(ctx, companyID, kind, from)
	if err != nil || kind != "workingattitude" {
		return t, err
	}
	holidays, err := q.Holidays(ctx, companyID)
	t.Holidays = newHolidayNames(holidays)
	return t, err
}

// readVersions reads a timeline without holidays.
func (q *Queries) readVersions(ctx context.Context, companyID int64, kind string, from time.Time) (*Timeline, error) {
	rows, err := q.policySpans(ctx, policySpansParams{CompanyID: companyID, Kind: kind, At: from})
	if err != nil {
		return nil, err
	}
	spans := make([]*Span, len(rows))
	arg := spanTargetsParams{CompanyID: companyID}
	byKey := make(map[VersionKey]*Span, len(rows))
	for i, row := range rows {
		spans[i] = newSpan(kind, row, nil)
		byKey[VersionKey{row.PolicyID, row.No}] = spans[i]
		arg.PolicyIds, arg.Nos = append(arg.PolicyIds, row.PolicyID), append(arg.Nos, row.No)
	}
	targets, err := q.spanTargets(ctx, arg)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		s := byKey[VersionKey{t.PolicyID, t.No}]
		s.targets = append(s.targets, target(t.DepartmentID, t.UserID, t.IncludeChildren))
	}
	return newTimeline(kind, spans), nil
}

func newTimeline(kind string, spans []*Span) *Timeline {
	t := &Timeline{kind: kind, byPolicy: map[int64][]*Span{}, listings: map[node][]listing{}, ofDepartments: map[int64][]listing{}, ofPeople: map[int64][]listing{}}
	for _, s := range spans {
		t.byPolicy[s.PolicyID] = append(t.byPolicy[s.PolicyID], s)
		if s.IsDefault {
			t.defaultID = s.PolicyID
		}
		for _, target := range s.targets {
			key := target.node()
			t.listings[key] = append(t.listings[key], listing{s, target.IncludeChildren})
			if key.kind == DepartmentTarget {
				t.ofDepartments[key.id] = t.listings[key]
			} else {
				t.ofPeople[key.id] = t.listings[key]
			}
		}
	}
	for _, versions := range t.byPolicy {
		slices.SortFunc(versions, func(a, b *Span) int {
			if a.newerThan(b) {
				return -1
			}
			return 1
		})
	}
	return t
}

// with returns the timeline with further versions.
func (t *Timeline) with(added ...*Span) *Timeline {
	return t.withSpans(append(t.Spans(), added...))
}

// without returns the timeline without some versions.
func (t *Timeline) without(gone func(*Span) bool) *Timeline {
	return t.withSpans(slices.DeleteFunc(t.Spans(), gone))
}

// withSpans returns a timeline of other versions, with the same holidays.
func (t *Timeline) withSpans(spans []*Span) *Timeline {
	other := newTimeline(t.kind, spans)
	other.Holidays = t.Holidays
	return other
}

// withoutProvisional returns the timeline for the case that nobody confirms its
// provisional versions.
func (t *Timeline) withoutProvisional() *Timeline {
	return t.without(func(s *Span) bool { return s.Unconfirmed })
}

// Spans returns all versions, in no particular order of the policies.
func (t *Timeline) Spans() []*Span {
	var all []*Span
	for _, versions := range t.byPolicy {
		all = append(all, versions...)
	}
	return all
}

// FirstDefault returns the oldest version of the default policy, or nil.
func (t *Timeline) FirstDefault() *Span {
	versions := t.byPolicy[t.defaultID]
	if len(versions) == 0 {
		return nil
	}
	return versions[len(versions)-1]
}

// DefaultInForce returns the version of the default policy that is in force at
// a time, or nil.
func (t *Timeline) DefaultInForce(at time.Time) *Span { return t.inForce(t.defaultID, at) }

// inForce returns the version of a policy that is in force at a time, or nil.
func (t *Timeline) inForce(policyID int64, at time.Time) *Span {
	for _, s := range t.byPolicy[policyID] {
		if s.covers(at) {
			return s
		}
	}
	return nil
}

// defaultAt returns the version of the default policy that applies at a time, or
// nil. The oldest version for working attitude is as old as the company's first
// record (domain §6), and so applies before its start, too.
func (t *Timeline) defaultAt(at time.Time) *Span {
	if s := t.inForce(t.defaultID, at); s != nil || t.kind != "workingattitude" {
		return s
	}
	if first := t.FirstDefault(); first != nil && at.Before(first.EffectiveFrom) {
		return first
	}
	return nil
}

// planned returns the next planned version of a policy, or nil.
func (t *Timeline) planned(policyID int64, at time.Time) *Span {
	var next *Span
	for _, s := range t.byPolicy[policyID] {
		if s.EffectiveFrom.After(at) {
			next = s
		}
	}
	return next
}

// listedBy returns the listing of a node by a version that is in force at a
// time, and whether there is one.
func (t *Timeline) listedBy(n node, at time.Time) (listing, bool) {
	for _, l := range t.listingsOf(n) {
		if t.inForce(l.PolicyID, at) == l.Span {
			return l, true
		}
	}
	return listing{}, false
}

// unchangedUntil returns when the next version begins or ends, or nil.
func (t *Timeline) unchangedUntil(at time.Time) *time.Time {
	var next *time.Time
	for _, versions := range t.byPolicy {
		for _, s := range versions {
			for _, turn := range []*time.Time{&s.EffectiveFrom, s.Until} {
				if turn != nil && turn.After(at) && (next == nil || turn.Before(*next)) {
					next = turn
				}
			}
		}
	}
	return next
}

func (t *Timeline) listingsOf(n node) []listing {
	if n.kind == DepartmentTarget {
		return t.ofDepartments[n.id]
	}
	return t.ofPeople[n.id]
}

func (s *Span) covers(at time.Time) bool {
	return !at.Before(s.EffectiveFrom) && (s.Until == nil || at.Before(*s.Until))
}

func (s *Span) newerThan(other *Span) bool {
	if !s.EffectiveFrom.Equal(other.EffectiveFrom) {
		return s.EffectiveFrom.After(other.EffectiveFrom)
	}
	return s.No > other.No
}

// possible returns the time in which a version may be in force: a provisional
// version may be confirmed or end, and then an older version applies again.
func (t *Timeline) possible(s *Span) (from time.Time, until *time.Time) {
	if s.Until != nil && !s.Unconfirmed {
		until = s.Until
	}
	for _, newer := range t.byPolicy[s.PolicyID] {
		if newer.newerThan(s) && newer.outlasts(s) && (until == nil || newer.EffectiveFrom.Before(*until)) {
			until = &newer.EffectiveFrom
		}
	}
	return s.EffectiveFrom, until
}

// outlasts reports whether the version certainly lasts as long as an older one of the
// same policy, so that that does not apply again.
func (s *Span) outlasts(older *Span) bool {
	return s.Until == nil || !s.Unconfirmed && older.Until != nil && !s.Until.Before(*older.Until)
}

// takenBy returns the targets of a version that other policies may hold while
// it is in force.
func (t *Timeline) takenBy(s *Span) []taken {
	from, until := t.possible(s)
	return t.takenFrom(s, from, until)
}

func (t *Timeline) takenFrom(s *Span, from time.Time, until *time.Time) []taken {
	var all []taken
	for _, target := range s.targets {
		for _, l := range t.listings[target.node()] {
			if l.PolicyID == s.PolicyID {
				continue
			}
			if begin, end := t.possible(l.Span); overlap(from, until, begin, end) {
				all = append(all, taken{target, l.Span})
			}
		}
	}
	return all
}

// taken is a target with the version of another policy that lists it.
type taken struct {
	target Target
	by     *Span
}

func overlap(from time.Time, until *time.Time, begin time.Time, end *time.Time) bool {
	return (until == nil || begin.Before(*until)) && (end == nil || from.Before(*end)) &&
		(until == nil || from.Before(*until)) && (end == nil || begin.Before(*end))
}
