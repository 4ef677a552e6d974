package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"officeconsole/jobs"
	"officeconsole/queries/areas"
)

// shutdownTime is how long running requests may take after SIGTERM (contract).
const shutdownTime = 30 * time.Second

// jobsTime is how long running jobs may take after SIGTERM before they are
// cancelled. The rest of shutdownTime is for them to return.
const jobsTime = 25 * time.Second

// service is what answers requests and runs jobs until it is told to stop.
type service struct {
	db           *areas.Areas
	console      *http.Server
	listener     net.Listener  // of the console
	metrics      net.Listener  // nil without metrics
	observation  http.Handler  // answers at the address of metrics
	delay        time.Duration // how long to go on answering after a signal
	outside      jobs.Outside
	databaseLost <-chan struct{} // nil for an external database
}

// run returns when the context has ended and all requests and jobs have, or with the
// error that ended the service.
func (s service) run(ctx context.Context) error {
	s.console.RegisterOnShutdown(s.db.EndStreams) // shutting down waits for open responses
	s.db.Listen()
	signalled := ctx
	group, ctx := errgroup.WithContext(ctx)
	answering, stopAnswering := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error {
		defer stopAnswering()
		<-ctx.Done()
		if signalled.Err() != nil && s.delay > 0 {
			slog.InfoContext(ctx, "stopping: not ready any more, answering a while longer", "for", s.delay.String())
			time.Sleep(s.delay)
		}
		return nil
	})
	waitForJobs := jobs.Run(ctx, s.db, s.outside, debug.FreeOSMemory)
	group.Go(func() error {
		<-ctx.Done()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobsTime)
		defer cancel()
		waitForJobs(ending)
		return nil
	})
	group.Go(func() error { return watchDatabase(ctx, s.databaseLost) })
	group.Go(func() error { return serveUntil(answering, s.console, s.listener) })
	debug.FreeOSMemory() // memory that only the start needed
	if s.metrics != nil {
		slog.InfoContext(ctx, "answering metrics", "address", s.metrics.Addr().String())
		group.Go(func() error { return serveUntil(answering, newServer(s.observation), s.metrics) })
	}
	err := group.Wait()
	return errors.Join(err, writeReads(ctx, s.db))
}

// readsTime is how long the server waits at its end for the reads to be stored that
// its last requests recorded.
const readsTime = 3 * time.Second

// writeReads stores the reads that no job will store any more.
func writeReads(ctx context.Context, db *areas.Areas) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readsTime)
	defer cancel()
	return db.Audit.WriteReads(ctx)
}

// errDatabaseLost ends the program, so that a service manager can restart it.
var errDatabaseLost = errors.New("the built-in database ended and cannot be restarted (its own log is postgres.log in the data directory)")

// watchDatabase returns errDatabaseLost if the built-in database ends and
// cannot be restarted.
func watchDatabase(ctx context.Context, lost <-chan struct{}) error {
	select {
	case <-lost:
		slog.ErrorContext(ctx, "stopping: the built-in database ended and cannot be restarted")
		return errDatabaseLost
	case <-ctx.Done():
		return nil
	}
}
