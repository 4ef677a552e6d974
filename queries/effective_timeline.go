package queries

import (
	"context"
	"sync"
	"time"
)

// timelines keeps the timelines of companies as long as they are right: until
// a policy of the company changes, which every statement that finds people
// tells by policy_version. What time does to them is in them.
type timelines struct {
	mutex sync.Mutex
	kept  map[timelineKey]keptTimeline
}

type timelineKey struct {
	companyID int64
	kind      string
}

type keptTimeline struct {
	*timeline
	policyVersion int64
	from          time.Time
}

// keptTimelines bounds the memory: some hundred kilobytes each.
const keptTimelines = 128

// looksBack is how long a timeline that is kept reaches into the past, for
// those who ask about a moment ago.
const looksBack = time.Hour

func (l *timelines) read(ctx context.Context, db *DB, companyID int64, kind string, policyVersion int64, at time.Time) (*timeline, error) {
	return l.readThrough(ctx, db.Queries, timelineKey{companyID, kind}, policyVersion, at, db.now())
}

// readThrough reads what is not cached through the given statements: inside a
// transaction, those of the transaction.
func (l *timelines) readThrough(ctx context.Context, q *Queries, key timelineKey, policyVersion int64, at, now time.Time) (*timeline, error) {
	l.mutex.Lock()
	kept, ok := l.kept[key]
	l.mutex.Unlock()
	right := ok && kept.policyVersion == policyVersion
	if right && !at.Before(kept.from) {
		return kept.timeline, nil
	}
	from := now.Add(-looksBack)
	if at.Before(from) { // a past that is asked for once
		return q.timelineOf(ctx, key.companyID, key.kind, at)
	}
	t, err := q.timelineOf(ctx, key.companyID, key.kind, from)
	if err != nil {
		return nil, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.kept == nil || len(l.kept) >= keptTimelines {
		l.kept = map[timelineKey]keptTimeline{}
	}
	l.kept[key] = keptTimeline{t, policyVersion, from}
	return t, nil
}
