package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
)

// fault is something that happens to a site under load.
type fault struct {
	name   string
	root   bool // whether it needs root
	start  func(*laboratory, context.Context, *site) error
	inject func(context.Context, *site) error // returns once it is over
	most   time.Duration                      // without a write or a page; 0 for any time
}

var faults = []fault{
	{"none", false, (*laboratory).builtIn, func(ctx context.Context, _ *site) error { wait(ctx, 5*time.Second); return nil }, 0},
	{"program killed", false, (*laboratory).builtIn, killProgram, 0},
	{"program stopped gently and started", false, (*laboratory).builtIn, restartProgram, 0},
	{"first process of the database killed", false, (*laboratory).builtIn, killPostmaster, 0},
	{"a connection's process of the database killed", false, (*laboratory).builtIn, killBackend, 0},
	{"host: program and database killed at once", false, (*laboratory).builtIn, killHost, 0},
	{"clock an hour ahead, and back", false, (*laboratory).builtIn, jumpClock(time.Hour), 0},
	{"clock an hour behind, and back", false, (*laboratory).builtIn, jumpClock(-time.Hour), 0},
	{"database frozen for 60 s", false, (*laboratory).builtIn, freezeDatabase, 0},
	{"external database stopped for 60 s", false, (*laboratory).external, stopDatabase, 0},
	{"disk full for 15 s", true, (*laboratory).onDisk, fillDisk, 0},
	{"slow disk for 20 s", true, (*laboratory).onDisk, slowDisk, 0},
	{"20 % of packets lost, 20 ms delay, for 30 s", true, (*laboratory).apart, losePackets, 0},
	{"one of two consoles cut off for 30 s", true, (*laboratory).apart, cutConsole, requestTimeout + 5*time.Second},
}

const (
	calmTime    = 6 * time.Second // of load before a fault
	settleTime  = 4 * time.Second // of load after everything works again
	recoverTime = 90 * time.Second
)

const (
	employees = 300
	demoDays  = 14
)

// breakAll puts a load on a new site for every fault whose name contains a text.
func breakAll(ctx context.Context, binary, only string, r *report) (err error) {
	b, err := newLaboratory(ctx, binary, employees, demoDays)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	r.head()
	for _, f := range faults {
		if !strings.Contains(f.name, only) {
			continue
		}
		w, err := b.try(ctx, f)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.failures = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		if w.load == nil && w.notRun == "" {
			w.notRun, r.failed = w.failures, true
		}
		r.row(w)
	}
	return nil
}

func (b *laboratory) try(ctx context.Context, f fault) (w row, err error) {
	w.fault, w.most = f.name, f.most
	if f.root && os.Geteuid() != 0 {
		w.notRun = "needs root"
		return w, nil
	}
	s := &site{}
	defer func() {
		w.logged = s.loggedErrors()
		err = errors.Join(err, s.close())
	}()
	if err := f.start(b, ctx, s); err != nil {
		return w, err
	}
	c := company{email: "admin@hanbit.example", password: demoPassword}
	if err := c.setUp(ctx, s.consoles(), s.database); err != nil {
		return w, err
	}
	l := startLoad(ctx, s.consoles(), &c, pace{eventWriters: 4, batch: 20, eventPause: 50 * time.Millisecond, savePause: 100 * time.Millisecond, readers: 2, pagePause: 100 * time.Millisecond})
	defer l.end()
	if !wait(ctx, calmTime) {
		return w, ctx.Err()
	}
	w.load, w.faultAt = l, time.Now()
	if err := f.inject(ctx, s); err != nil {
		return w, err
	}
	w.healed = time.Now()
	w.again = l.waitUntil(ctx, recoverTime, func() bool { return l.tally.allSince(w.healed) })
	wait(ctx, settleTime)
	l.end()
	w.took = time.Since(l.began)
	w.found, err = b.oracle(s).judge(ctx, l)
	return w, err
}
