// Package jobs does by the clock what handlers do on request: each job is one
// call to a rule.
package jobs

import (
	"context"
	"log/slog"
	"time"

	"officeconsole/exports"
	"officeconsole/queries"
)

type job struct {
	name  string
	every time.Duration
	do    func(context.Context) error
}

// Run does every job at once and then whenever its time comes, until ctx ends. A job that fails is
// logged and tried again at its next time. A long one has taken memory that is not needed until it
// has as much to do again: release gives it back.
func Run(ctx context.Context, db *queries.DB, release func()) {
	for _, j := range []job{
		{"clean up", time.Hour, db.CleanUp},
		{"partitions", 24 * time.Hour, db.EnsurePartitions},
		{"begin days", time.Minute, db.BeginDays},
		{"settle days", time.Minute, db.SettleDays},
		{"exports", time.Second, func(ctx context.Context) error { return exports.Run(ctx, db) }},
	} {
		go j.repeat(ctx, release)
	}
}

// longJob is from when on a job is long, as beginning the day of a hundred
// thousand people is.
const longJob = time.Second

func (j job) repeat(ctx context.Context, release func()) {
	ticker := time.NewTicker(j.every)
	defer ticker.Stop()
	for {
		began := time.Now()
		if err := j.do(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "job failed", "job", j.name, "err", err)
		}
		if time.Since(began) > longJob {
			release()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
