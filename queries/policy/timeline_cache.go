package policy

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
)

// TimelineRequest identifies the timeline of a company's policies of a kind.
type TimelineRequest struct {
	CompanyID     int64
	Kind          string
	PolicyVersion int64     // the company's policy_version, read in the same statement as its users
	At            time.Time // the earliest time that the timeline must cover
}

// TimelineReach is how far a cached timeline reaches into the past: as far as the days
// around late clock events, so that their batches need not read it. For an earlier time,
// a timeline is read from the database.
const TimelineReach = 40 * 24 * time.Hour

// Timeline returns the timeline for a request, cached until a policy of the
// company changes.
func (s *Store) Timeline(ctx context.Context, r TimelineRequest) (*Timeline, error) {
	f := timelineFill{s.Queries, r, s.db.Now().Add(-TimelineReach)}
	if r.At.Before(f.from) {
		return s.timelines.readPast(ctx, f)
	}
	t, err := s.timelines.cache.GetValid(ctx, f.key(), f.isValid, f.fill)
	return t.Timeline, err
}

// TimelineTx is Timeline inside a transaction, through which it reads what is
// not cached.
func (s *Store) TimelineTx(ctx context.Context, tx queries.DBTX, r TimelineRequest) (*Timeline, error) {
	f := timelineFill{New(tx), r, s.db.Now().Add(-TimelineReach)}
	if r.At.Before(f.from) {
		return s.timelines.readPast(ctx, f)
	}
	t, err := s.timelines.cache.GetTx(ctx, f.key(), f.isValid, f.fill)
	return t.Timeline, err
}

// timelineCache caches the timelines of companies. A timeline is valid until
// the company's policy_version changes, which is read with every user. Planned
// changes are part of it and do not invalidate it.
type timelineCache struct {
	cache *cache.Cache[timelineKey, timelineFrom]
}

type timelineKey struct {
	companyID int64
	kind      string
}

// timelineFrom is a timeline of a policy_version, and the time at which it
// begins.
type timelineFrom struct {
	*Timeline
	policyVersion int64
	from          time.Time
}

func newTimelineCache(now func() time.Time) timelineCache {
	return timelineCache{cache.New[timelineKey](cache.Options[timelineFrom]{Name: "timelines", Size: maxTimelines, Now: now})}
}

// maxTimelines is the size of the cache. A timeline takes some hundred
// kilobytes.
const maxTimelines = 128

// readPast returns a timeline that begins before TimelineReach. It is not
// cached, but for the holidays, which do not depend on the time.
func (c timelineCache) readPast(ctx context.Context, f timelineFill) (*Timeline, error) {
	cached, found := c.cache.Peek(f.key())
	switch {
	case found && f.isValid(cached):
		return cached.Timeline, nil
	case found && cached.policyVersion == f.PolicyVersion:
		t, err := f.readVersions(ctx, f.CompanyID, f.Kind, f.At)
		if err == nil {
			t.Holidays = cached.Holidays
		}
		return t, err
	}
	return f.ReadTimeline(ctx, f.CompanyID, f.Kind, f.At)
}

// timelineFill reads the timeline of a request from a time on.
type timelineFill struct {
	*Queries
	TimelineRequest
	from time.Time
}

func (f timelineFill) key() timelineKey { return timelineKey{f.CompanyID, f.Kind} }

func (f timelineFill) isValid(t timelineFrom) bool {
	return t.policyVersion == f.PolicyVersion && !f.At.Before(t.from)
}

func (f timelineFill) fill(ctx context.Context) (timelineFrom, error) {
	t, err := f.ReadTimeline(ctx, f.CompanyID, f.Kind, f.from)
	return timelineFrom{t, f.PolicyVersion, f.from}, err
}
