package queries

import (
	"context"
	"time"
)

// timelines caches the timelines of companies. One is valid until a policy of
// the company changes, which every statement that finds people reports by
// policy_version. What time does to them is in them.
type timelines struct {
	cache *Cache[timelineKey, timelineFrom]
}

type timelineKey struct {
	companyID int64
	kind      string
}

// timelineFrom is a timeline of a policy version that begins at a time.
type timelineFrom struct {
	*timeline
	policyVersion int64
	from          time.Time
}

func newTimelines(now func() time.Time) timelines {
	return timelines{NewCache[timelineKey](CacheOptions[timelineFrom]{Name: "timelines", Size: maxTimelines, Now: now})}
}

// maxTimelines bounds the memory: some hundred kilobytes each.
const maxTimelines = 128

// looksBack is how long a cached timeline reaches into the past, for those who
// ask about a moment ago.
const looksBack = time.Hour

func (l timelines) read(ctx context.Context, db *DB, companyID int64, kind string, policyVersion int64, at time.Time) (*timeline, error) {
	f := timelineFill{db.Queries, timelineKey{companyID, kind}, policyVersion, at, db.now().Add(-looksBack)}
	if f.at.Before(f.from) {
		return l.readPast(ctx, f)
	}
	t, err := l.cache.GetValid(ctx, f.timelineKey, f.isValid, f.fill)
	return t.timeline, err
}

// readThrough is read inside a transaction: what is not cached is read through
// its statements.
func (l timelines) readThrough(ctx context.Context, q *Queries, key timelineKey, policyVersion int64, at, now time.Time) (*timeline, error) {
	f := timelineFill{q, key, policyVersion, at, now.Add(-looksBack)}
	if f.at.Before(f.from) {
		return l.readPast(ctx, f)
	}
	t, err := l.cache.GetTx(ctx, f.timelineKey, f.isValid, f.fill)
	return t.timeline, err
}

// readPast reads a timeline from a past that is asked for once.
func (l timelines) readPast(ctx context.Context, f timelineFill) (*timeline, error) {
	if cached, found := l.cache.Peek(f.timelineKey); found && f.isValid(cached) {
		return cached.timeline, nil
	}
	return f.timelineOf(ctx, f.companyID, f.kind, f.at)
}

// timelineFill reads a timeline that reaches back to from, for somebody who asks
// about a time.
type timelineFill struct {
	*Queries
	timelineKey
	policyVersion int64
	at, from      time.Time
}

func (f timelineFill) isValid(t timelineFrom) bool {
	return t.policyVersion == f.policyVersion && !f.at.Before(t.from)
}

func (f timelineFill) fill(ctx context.Context) (timelineFrom, error) {
	t, err := f.timelineOf(ctx, f.companyID, f.kind, f.from)
	return timelineFrom{t, f.policyVersion, f.from}, err
}
