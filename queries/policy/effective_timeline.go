package policy

import (
	"context"
	"time"

	"officeconsole/queries"
)

// Timelines caches the timelines of companies. One is valid until a policy of
// the company changes, which every statement that finds people reports by
// policy_version. What time does to them is in them.
type Timelines struct {
	cache *queries.Cache[TimelineKey, timelineFrom]
}

// TimelineKey names the policies of a kind of a company.
type TimelineKey struct {
	CompanyID int64
	Kind      string
}

// timelineFrom is a timeline of a policy version that begins at a time.
type timelineFrom struct {
	*Timeline
	policyVersion int64
	from          time.Time
}

func NewTimelines(now func() time.Time) Timelines {
	return Timelines{queries.NewCache[TimelineKey](queries.CacheOptions[timelineFrom]{Name: "timelines", Size: maxTimelines, Now: now})}
}

// maxTimelines bounds the memory: some hundred kilobytes each.
const maxTimelines = 128

// LooksBack is how long a cached timeline reaches into the past, for those who
// ask about a moment ago.
const LooksBack = time.Hour

func (l Timelines) Read(ctx context.Context, s *Store, companyID int64, kind string, policyVersion int64, at time.Time) (*Timeline, error) {
	f := timelineFill{s.Queries, TimelineKey{companyID, kind}, policyVersion, at, s.db.Now().Add(-LooksBack)}
	if f.at.Before(f.from) {
		return l.readPast(ctx, f)
	}
	t, err := l.cache.GetValid(ctx, f.TimelineKey, f.isValid, f.fill)
	return t.Timeline, err
}

// ReadThrough is read inside a transaction: what is not cached is read through
// its statements.
func (l Timelines) ReadThrough(ctx context.Context, q *Queries, key TimelineKey, policyVersion int64, at, now time.Time) (*Timeline, error) {
	f := timelineFill{q, key, policyVersion, at, now.Add(-LooksBack)}
	if f.at.Before(f.from) {
		return l.readPast(ctx, f)
	}
	t, err := l.cache.GetTx(ctx, f.TimelineKey, f.isValid, f.fill)
	return t.Timeline, err
}

// readPast reads a timeline from a past that is asked for once.
func (l Timelines) readPast(ctx context.Context, f timelineFill) (*Timeline, error) {
	if cached, found := l.cache.Peek(f.TimelineKey); found && f.isValid(cached) {
		return cached.Timeline, nil
	}
	return f.TimelineOf(ctx, f.CompanyID, f.Kind, f.at)
}

// timelineFill reads a timeline that reaches back to from, for somebody who asks
// about a time.
type timelineFill struct {
	*Queries
	TimelineKey
	policyVersion int64
	at, from      time.Time
}

func (f timelineFill) isValid(t timelineFrom) bool {
	return t.policyVersion == f.policyVersion && !f.at.Before(t.from)
}

func (f timelineFill) fill(ctx context.Context) (timelineFrom, error) {
	t, err := f.TimelineOf(ctx, f.CompanyID, f.Kind, f.from)
	return timelineFrom{t, f.policyVersion, f.from}, err
}
