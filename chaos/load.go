package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"
)

// pace says how many writers and readers a load has, and how fast they are.
type pace struct {
	eventWriters int
	batch        int           // events of a call
	eventPause   time.Duration // between two calls of a writer
	savePause    time.Duration // between two policies, notices or tokens
	readers      int
	pagePause    time.Duration
	admit        func(context.Context) error // waits until a call of events or a page may be sent; nil for at once
}

// load is a mixed load on some consoles.
type load struct {
	consoles []string
	company  *company
	pace     pace
	prefix   string // of all names of this load
	ledger   *ledger
	tally    *tally
	began    time.Time

	stop    context.CancelFunc // ends the loops after their requests
	running sync.WaitGroup
	ending  sync.Once
}

// startLoad starts a load, which goes on until end. Requests that run when ctx ends are
// cancelled.
func startLoad(ctx context.Context, consoles []string, c *company, p pace) *load {
	now := time.Now()
	l := &load{consoles: consoles, company: c, pace: p, prefix: "chaos " + rand.Text()[:8] + " ", ledger: newLedger(), tally: newTally(now), began: now}
	going, stop := context.WithCancel(ctx)
	l.stop = stop
	for i := range p.eventWriters {
		l.run(func() { l.writeEvents(ctx, going, i) })
	}
	for i, write := range []func(context.Context, context.Context, *session){l.writePolicies, l.writeNotices, l.writeTokens} {
		l.run(func() {
			s := l.session(i)
			defer s.close()
			if s.signIn(going) == nil {
				write(ctx, going, s)
			}
		})
	}
	for i := range p.readers {
		l.run(func() { l.readPages(ctx, going, i) })
	}
	return l
}

func (l *load) run(loop func()) { l.running.Go(loop) }

func (l *load) session(first int) *session {
	return &session{client: newClient(l.consoles, first, l.tally), company: l.company}
}

// end ends the load and waits for the last answers, once.
func (l *load) end() {
	l.ending.Do(func() {
		l.stop()
		l.running.Wait()
		l.tally.finish()
	})
}

func (l *load) admit(ctx context.Context) bool {
	return l.pace.admit == nil || l.pace.admit(ctx) == nil
}

// waitUntil waits until a condition of the load holds, for some time at most.
func (l *load) waitUntil(ctx context.Context, patience time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) || !wait(ctx, 50*time.Millisecond) {
			return false
		}
	}
	return true
}

// name returns a name that no other write of any load has.
func (l *load) name(writer, n int) string { return fmt.Sprintf("%s%d-%d", l.prefix, writer, n) }
