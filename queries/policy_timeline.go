package queries

import (
	"context"
	"slices"
	"sync"
	"time"

	"officeconsole/settings"
)

// timeline is every policy of a kind from a time on: which version is in force
// when, and which nodes of the tree each lists. Everything about precedence and
// taken targets is read from it; it never changes once it is built.
type timeline struct {
	kind          string
	lines         map[int64][]*span // by policy, the newest first
	listings      map[node][]listing
	below         map[int64][]listing // those of departments by id, as they are looked up much
	persons       map[int64][]listing // those of people
	defaultPolicy int64
}

// span is a version with the time in which it counts, from EffectiveFrom to
// Until. While it counts it hides the versions before it.
type span struct {
	policySpansRow
	targets  []Target
	settings func() settings.Values // read once
}

func newSpan(kind string, row policySpansRow, targets []Target) *span {
	s := &span{policySpansRow: row, targets: targets}
	s.settings = sync.OnceValue(func() settings.Values {
		values, _ := settings.Parse(settings.Kind(kind), row.Settings)
		return values
	})
	return s
}

// node is a place in the tree that a policy can list.
type node struct {
	kind TargetType
	id   int64
}

type listing struct {
	*span
	includeChildren bool
}

// timelineOf reads the policies of a kind as they are from a time on.
func (q *Queries) timelineOf(ctx context.Context, companyID int64, kind string, from time.Time) (*timeline, error) {
	rows, err := q.policySpans(ctx, policySpansParams{CompanyID: companyID, Kind: kind, At: from})
	if err != nil {
		return nil, err
	}
	spans := make([]*span, len(rows))
	arg := spanTargetsParams{CompanyID: companyID}
	byKey := make(map[policyVersionKey]*span, len(rows))
	for i, row := range rows {
		spans[i] = newSpan(kind, row, nil)
		byKey[policyVersionKey{row.PolicyID, row.No}] = spans[i]
		arg.PolicyIds, arg.Nos = append(arg.PolicyIds, row.PolicyID), append(arg.Nos, row.No)
	}
	targets, err := q.spanTargets(ctx, arg)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		s := byKey[policyVersionKey{t.PolicyID, t.No}]
		s.targets = append(s.targets, target(t.DepartmentID, t.UserID, t.IncludeChildren))
	}
	return newTimeline(kind, spans), nil
}

type policyVersionKey struct {
	policyID int64
	no       int32
}

func newTimeline(kind string, spans []*span) *timeline {
	t := &timeline{kind: kind, lines: map[int64][]*span{}, listings: map[node][]listing{}, below: map[int64][]listing{}, persons: map[int64][]listing{}}
	for _, s := range spans {
		t.lines[s.PolicyID] = append(t.lines[s.PolicyID], s)
		if s.IsDefault {
			t.defaultPolicy = s.PolicyID
		}
		for _, target := range s.targets {
			key := target.node()
			t.listings[key] = append(t.listings[key], listing{s, target.IncludeChildren})
			if key.kind == DepartmentTarget {
				t.below[key.id] = t.listings[key]
			} else {
				t.persons[key.id] = t.listings[key]
			}
		}
	}
	for _, line := range t.lines {
		slices.SortFunc(line, func(a, b *span) int {
			if a.newerThan(b) {
				return -1
			}
			return 1
		})
	}
	return t
}

// with is the timeline after another version has been saved.
func (t *timeline) with(added ...*span) *timeline {
	return newTimeline(t.kind, append(t.spans(), added...))
}

// without is the timeline without some versions.
func (t *timeline) without(gone func(*span) bool) *timeline {
	return newTimeline(t.kind, slices.DeleteFunc(t.spans(), gone))
}

// settled is the timeline without the versions that may end by themselves.
func (t *timeline) settled() *timeline {
	return t.without(func(s *span) bool { return s.Unconfirmed })
}

func (t *timeline) spans() []*span {
	var all []*span
	for _, line := range t.lines {
		all = append(all, line...)
	}
	return all
}

// inForce is the version of a policy that counts at a time, nil if none does.
func (t *timeline) inForce(policyID int64, at time.Time) *span {
	for _, s := range t.lines[policyID] {
		if s.covers(at) {
			return s
		}
	}
	return nil
}

// planned is the version of a policy that waits for its time, nil if none does.
func (t *timeline) planned(policyID int64, at time.Time) *span {
	for _, s := range t.lines[policyID] {
		if s.EffectiveFrom.After(at) {
			return s
		}
	}
	return nil
}

// listedBy finds the version in force at a time that lists a node, and whether
// it does so with what is below.
func (t *timeline) listedBy(n node, at time.Time) (listing, bool) {
	for _, l := range t.of(n) {
		if t.inForce(l.PolicyID, at) == l.span {
			return l, true
		}
	}
	return listing{}, false
}

// unchangedUntil is when the next version begins or ends, nil if none does.
func (t *timeline) unchangedUntil(at time.Time) *time.Time {
	var next *time.Time
	for _, line := range t.lines {
		for _, s := range line {
			for _, turn := range []*time.Time{&s.EffectiveFrom, s.Until} {
				if turn != nil && turn.After(at) && (next == nil || turn.Before(*next)) {
					next = turn
				}
			}
		}
	}
	return next
}

func (t *timeline) of(n node) []listing {
	if n.kind == DepartmentTarget {
		return t.below[n.id]
	}
	return t.persons[n.id]
}

func (s *span) covers(at time.Time) bool {
	return !at.Before(s.EffectiveFrom) && (s.Until == nil || at.Before(*s.Until))
}

func (s *span) newerThan(other *span) bool {
	if !s.EffectiveFrom.Equal(other.EffectiveFrom) {
		return s.EffectiveFrom.After(other.EffectiveFrom)
	}
	return s.No > other.No
}

// possible is the time in which a version may turn out to count: one that
// waits for its confirmation may stay or end, and what it hides may resume.
func (t *timeline) possible(s *span) (from time.Time, until *time.Time) {
	if s.Until != nil && !s.Unconfirmed {
		until = s.Until
	}
	for _, newer := range t.lines[s.PolicyID] {
		if newer.newerThan(s) && newer.Until == nil && (until == nil || newer.EffectiveFrom.Before(*until)) {
			until = &newer.EffectiveFrom
		}
	}
	return s.EffectiveFrom, until
}

// takenBy lists the targets of a version that other policies may hold at a
// time when it counts.
func (t *timeline) takenBy(s *span) []taken {
	from, until := t.possible(s)
	return t.takenFrom(s, from, until)
}

func (t *timeline) takenFrom(s *span, from time.Time, until *time.Time) []taken {
	var all []taken
	for _, target := range s.targets {
		for _, l := range t.listings[target.node()] {
			if l.PolicyID == s.PolicyID {
				continue
			}
			if begin, end := t.possible(l.span); overlap(from, until, begin, end) {
				all = append(all, taken{target, l.span})
			}
		}
	}
	return all
}

// taken is a target with the version of another policy that lists it.
type taken struct {
	target Target
	by     *span
}

func overlap(from time.Time, until *time.Time, begin time.Time, end *time.Time) bool {
	return (until == nil || begin.Before(*until)) && (end == nil || from.Before(*end)) &&
		(until == nil || from.Before(*until)) && (end == nil || begin.Before(*end))
}
