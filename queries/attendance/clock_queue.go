package attendance

import (
	"context"
	"sync"

	"officeconsole/background"
	"officeconsole/queries"
)

// clockQueue stores the events of calls that arrive at the same time together.
// Only one transaction at a time derives records of a company (lockAttendance):
// callers who wait for it here hold no connection, and when it ends one more
// transaction stores what all of them sent.
type clockQueue struct {
	mu      sync.Mutex
	waiting map[int64][]*clockCall // by company; an entry is there while its events are being stored
}

// clockCall is one call of TakeClockEvents.
type clockCall struct {
	events  []ClockInput
	results []ClockResult
	err     error
	done    chan struct{} // closed when results or err is set
}

// take returns what store answers for the events of a call. Where the caller's
// context ends before, its events may still be stored.
func (c *clockQueue) take(ctx context.Context, companyID int64, events []ClockInput, store func(context.Context, []ClockInput) ([]ClockResult, error)) ([]ClockResult, error) {
	call := &clockCall{events: events, done: make(chan struct{})}
	c.mu.Lock()
	calls, isStoring := c.waiting[companyID]
	c.waiting[companyID] = append(calls, call)
	c.mu.Unlock()
	if !isStoring {
		ctx := context.WithoutCancel(ctx) // the events of others are stored too
		background.Go("store clock events", func() {
			for calls := c.next(companyID); len(calls) > 0; calls = c.next(companyID) {
				storeCalls(ctx, calls, store)
			}
		})
	}
	select {
	case <-call.done:
		return call.results, call.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// next returns the longest waiting calls of a company, at most ClockBatch events
// together; none is the end of storing.
func (c *clockQueue) next(companyID int64) []*clockCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.waiting[companyID]
	if len(calls) == 0 {
		delete(c.waiting, companyID)
		return nil
	}
	count, events := 1, len(calls[0].events)
	for count < len(calls) && events+len(calls[count].events) <= ClockBatch {
		events += len(calls[count].events)
		count++
	}
	c.waiting[companyID] = calls[count:]
	return calls[:count]
}

// storeCalls stores the events of calls in one transaction. Where that fails,
// each call is stored by itself: one that cannot be stored fails alone.
func storeCalls(ctx context.Context, calls []*clockCall, store func(context.Context, []ClockInput) ([]ClockResult, error)) {
	var events []ClockInput
	for _, call := range calls {
		events = append(events, call.events...)
	}
	var results []ClockResult
	err := background.Protect(func() (err error) {
		results, err = store(ctx, events)
		return err
	})
	if err != nil && len(calls) > 1 && queries.Outage(err) == "" {
		for _, call := range calls {
			storeCalls(ctx, []*clockCall{call}, store)
		}
		return
	}
	for _, call := range calls {
		if call.err = err; err == nil {
			call.results, results = results[:len(call.events):len(call.events)], results[len(call.events):]
		}
		close(call.done)
	}
}
