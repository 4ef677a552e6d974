package traffic

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// ErrFull means that too many requests of a caller wait already.
var ErrFull = errors.New("too many requests of a caller are waiting")

// Queue lets one request of each caller run at the same time. The others wait in the
// order in which they came, up to a limit. Each process queues for itself. It is safe
// for concurrent use.
type Queue struct {
	most  int
	mutex sync.Mutex
	lines map[string]*line // by caller, without those who have no request
}

// line are the requests of one caller.
type line struct {
	turn     *semaphore.Weighted
	requests int // the running one and those that wait
}

// NewQueue returns a queue in which at most a number of requests of each caller wait.
func NewQueue(most int) *Queue { return &Queue{most: most, lines: map[string]*line{}} }

// Enter waits for the turn of a caller's request, which lasts until leave is called. It
// returns ErrFull, or the error of the context if that ends first.
func (q *Queue) Enter(ctx context.Context, caller string) (leave func(), err error) {
	l := q.join(caller)
	if l == nil {
		return nil, ErrFull
	}
	if err := l.turn.Acquire(ctx, 1); err != nil {
		q.quit(caller)
		return nil, err
	}
	return func() {
		l.turn.Release(1)
		q.quit(caller)
	}, nil
}

// join returns the line of a caller, which is one request longer, or nil if it is full.
func (q *Queue) join(caller string) *line {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	l := q.lines[caller]
	if l == nil {
		l = &line{turn: semaphore.NewWeighted(1)}
		q.lines[caller] = l
	}
	if l.requests > q.most {
		return nil
	}
	l.requests++
	return l
}

func (q *Queue) quit(caller string) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if l := q.lines[caller]; l.requests > 1 {
		l.requests--
	} else {
		delete(q.lines, caller)
	}
}
