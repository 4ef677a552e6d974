package bot

import (
	"context"
	"sync"

	"officeconsole/background"
	"officeconsole/queries"
)

// batchSize is how many messages are stored in one transaction at most.
const batchSize = 200

// queue stores messages of a company that arrive at the same time together. Only
// one transaction at a time publishes messages of a company (Publish): callers
// who wait for it here hold no connection, and the next transaction stores what
// all of them sent.
type queue struct {
	mu      sync.Mutex
	waiting map[int64][]*waitingDelivery // by company; an entry is there while its messages are being stored
}

type delivery struct {
	sender  Sender
	message Incoming
}

type waitingDelivery struct {
	delivery
	outcome
	done chan struct{} // closed when the outcome is set
}

type storeFunc func(context.Context, []delivery) ([]outcome, error)

// take stores a message. Where the caller's context ends before, the message may
// still be stored.
func (q *queue) take(ctx context.Context, d delivery, store storeFunc) (Receipt, error) {
	own := &waitingDelivery{delivery: d, done: make(chan struct{})}
	companyID := d.sender.companyID
	q.mu.Lock()
	if q.waiting == nil {
		q.waiting = map[int64][]*waitingDelivery{}
	}
	waiting, isStoring := q.waiting[companyID]
	q.waiting[companyID] = append(waiting, own)
	q.mu.Unlock()
	if !isStoring {
		ctx := context.WithoutCancel(ctx) // messages of others are stored too
		background.Go("store messages of bots", func() {
			for next := q.next(companyID); len(next) > 0; next = q.next(companyID) {
				storeTogether(ctx, next, store)
			}
		})
	}
	select {
	case <-own.done:
		return own.receipt, own.err
	case <-ctx.Done():
		return Receipt{}, ctx.Err()
	}
}

// next returns the messages of a company that have waited longest; none is the
// end of storing.
func (q *queue) next(companyID int64) []*waitingDelivery {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := q.waiting[companyID]
	if len(waiting) == 0 {
		delete(q.waiting, companyID)
		return nil
	}
	count := min(len(waiting), batchSize)
	q.waiting[companyID] = waiting[count:]
	return waiting[:count]
}

// length returns how many messages of a company wait.
func (q *queue) length(companyID int64) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[companyID])
}

// storeTogether stores messages in one transaction. Where that fails, each is
// stored by itself: one that cannot be stored fails alone.
func storeTogether(ctx context.Context, all []*waitingDelivery, store storeFunc) {
	deliveries := make([]delivery, len(all))
	for i, w := range all {
		deliveries[i] = w.delivery
	}
	var outcomes []outcome
	err := background.Protect(func() (err error) {
		outcomes, err = store(ctx, deliveries)
		return err
	})
	if err != nil && len(all) > 1 && queries.Outage(err) == "" {
		for i := range all {
			storeTogether(ctx, all[i:i+1], store)
		}
		return
	}
	for i, w := range all {
		if w.err = err; err == nil {
			w.outcome = outcomes[i]
		}
		close(w.done)
	}
}
