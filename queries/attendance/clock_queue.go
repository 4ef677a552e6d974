package attendance

import (
	"cmp"
	"context"
	"sync"

	"officeconsole/background"
	"officeconsole/queries"
)

// clockQueue stores the events of calls that arrive at the same time together.
// Only one transaction at a time takes events of the people of a lane
// (lockClockLane): callers who wait for it here hold no connection, and when it ends
// one more transaction stores what all of them sent.
type clockQueue struct {
	mu      sync.Mutex
	waiting map[clockLane][]*clockCall // an entry is there while its events are being stored
}

// clockLanes is how many transactions take clock events of a company at the same
// time, each those of other people: with two, both processors of a small machine work.
const clockLanes = 2

// clockLane is a part of a company's people.
type clockLane struct {
	companyID int64
	number    int
}

// clockCall is the part of a call of TakeClockEvents that is for one lane.
type clockCall struct {
	events  []ClockInput
	places  []int // of the events in the call
	results []ClockResult
	err     error
	done    chan struct{} // closed when results or err is set
}

// divideClockCall returns the part of a call for each lane, nil where it has no events.
// The events of a person are in one part, in their order.
func divideClockCall(events []ClockInput) [clockLanes]*clockCall {
	var parts [clockLanes]*clockCall
	for place, e := range events {
		part := &parts[uint64(e.UserID)%clockLanes]
		if *part == nil {
			share := len(events)/clockLanes + 1
			*part = &clockCall{events: make([]ClockInput, 0, share), places: make([]int, 0, share), done: make(chan struct{})}
		}
		(*part).events, (*part).places = append((*part).events, e), append((*part).places, place)
	}
	return parts
}

// storeClockEvents stores events of people of a lane in one transaction.
type storeClockEvents func(context.Context, clockLane, []ClockInput) ([]ClockResult, error)

// take returns what store answers for the events of a call. Where an error is returned,
// a part of the events may be stored; where the caller's context ends before, they may
// still be stored.
func (c *clockQueue) take(ctx context.Context, companyID int64, events []ClockInput, store storeClockEvents) ([]ClockResult, error) {
	parts := divideClockCall(events)
	for number, part := range parts {
		if part != nil {
			c.add(ctx, clockLane{companyID, number}, part, store)
		}
	}
	results := make([]ClockResult, len(events))
	var failed error
	for _, part := range parts {
		if part == nil {
			continue
		}
		select {
		case <-part.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for i, result := range part.results {
			results[part.places[i]] = result
		}
		failed = cmp.Or(failed, part.err)
	}
	if failed != nil {
		return nil, failed
	}
	return results, nil
}

// add has a part of a call stored after those that wait already.
func (c *clockQueue) add(ctx context.Context, lane clockLane, part *clockCall, store storeClockEvents) {
	c.mu.Lock()
	calls, isStoring := c.waiting[lane]
	c.waiting[lane] = append(calls, part)
	c.mu.Unlock()
	if isStoring {
		return
	}
	ctx = context.WithoutCancel(ctx) // the events of others are stored too
	background.Go("store clock events", func() {
		for calls := c.next(lane); len(calls) > 0; calls = c.next(lane) {
			storeCalls(ctx, lane, calls, store)
		}
	})
}

// next returns the longest waiting calls of a lane, at most ClockBatch events
// together; none is the end of storing.
func (c *clockQueue) next(lane clockLane) []*clockCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.waiting[lane]
	if len(calls) == 0 {
		delete(c.waiting, lane)
		return nil
	}
	count, events := 1, len(calls[0].events)
	for count < len(calls) && events+len(calls[count].events) <= ClockBatch {
		events += len(calls[count].events)
		count++
	}
	c.waiting[lane] = calls[count:]
	return calls[:count]
}

// storeCalls stores the events of calls in one transaction. Where that fails,
// each call is stored by itself: one that cannot be stored fails alone.
func storeCalls(ctx context.Context, lane clockLane, calls []*clockCall, store storeClockEvents) {
	var events []ClockInput
	for _, call := range calls {
		events = append(events, call.events...)
	}
	var results []ClockResult
	err := background.Protect(func() (err error) {
		results, err = store(ctx, lane, events)
		return err
	})
	if err != nil && len(calls) > 1 && queries.Outage(err) == "" {
		for _, call := range calls {
			storeCalls(ctx, lane, []*clockCall{call}, store)
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
