// Package jobs runs at fixed intervals what no request causes. Each job is one
// call to a rule.
package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"officeconsole/background"
	"officeconsole/backup"
	"officeconsole/blobs"
	"officeconsole/exports"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/sender"
)

type job struct {
	name  string
	every time.Duration
	limit time.Duration // of one run, and of each of its statements
	do    func(context.Context) error
}

// Outside is what jobs use besides the database: the store of files, the client that
// sends webhooks, and the schedule of backups, nil for none.
type Outside struct {
	Blobs    blobs.Store
	Webhooks *sender.Client
	Backups  *backup.Schedule
}

func table(db *areas.Areas, outside Outside) []job {
	jobs := []job{
		{"clean up", time.Hour, 15 * time.Minute, db.Identity.CleanUp},
		{"end sessions", time.Minute, 5 * time.Minute, db.Identity.EndDue},
		{"revert unconfirmed policies", 2 * time.Second, time.Minute, db.Policies.RevertUnconfirmed},
		{"delete write positions", time.Hour, time.Minute, db.DeleteWritePositions},
		{"clean up messages", time.Hour, 15 * time.Minute, db.Bots.CleanUp},
		{"partitions", 24 * time.Hour, 5 * time.Minute, db.EnsurePartitions},
		{"begin days", time.Minute, 15 * time.Minute, db.Attendance.BeginDays},
		{"erase positions", 24 * time.Hour, time.Hour, db.Attendance.ErasePositions},
		{"remind to clock", time.Minute, 5 * time.Minute, db.Attendance.SendReminders},
		{"delete clock notices", 24 * time.Hour, 15 * time.Minute, db.Attendance.DeleteNotices},
		{"settle days", time.Minute, 15 * time.Minute, db.Attendance.SettleDays},
		{"recompute attendance", time.Minute, 12 * time.Hour, db.Attendance.RecomputeOutdated},
		{"show hidden users", time.Minute, 5 * time.Minute, db.Hidings.ShowDue},
		{"remind of notices", time.Minute, 15 * time.Minute, db.Notices.SendReminders},
		{"announce notices", 2 * time.Second, time.Minute, db.Notices.Announce},
		{"delete uploads", time.Hour, 5 * time.Minute, db.Notices.DeleteUploads},
		{"sweep blobs", 6 * time.Hour, time.Hour, func(ctx context.Context) error { return sweepBlobs(ctx, db, outside.Blobs) }},
		{"delete old logs", 24 * time.Hour, 2 * time.Hour, db.Usage.DeleteOld},
		{"count clients", time.Hour, 15 * time.Minute, db.Usage.CountClients},
		{"recompute past", 2 * time.Second, time.Hour, db.Attendance.RecomputePast},
		{"exports", time.Second, time.Hour, func(ctx context.Context) error { return exports.Run(ctx, db) }},
		{"imports", time.Second, time.Hour, func(ctx context.Context) error { return db.Attendance.RunImports(ctx, outside.Blobs) }},
		{"delete unfinished imports", time.Hour, 5 * time.Minute, db.Attendance.DeleteOldImports},
		{"write reads", time.Second, time.Minute, db.Audit.WriteReads},
		{"write search texts of changes", time.Minute, 15 * time.Minute, db.Audit.WriteTexts},
		{"verify change logs", 24 * time.Hour, time.Hour, db.Audit.VerifyAll},
		{"clean up webhooks", time.Hour, 15 * time.Minute, db.Webhooks.DeleteOld},
	}
	if outside.Backups != nil {
		jobs = append(jobs, job{"back up", time.Minute, 12 * time.Hour, outside.Backups.Run})
	}
	for range webhookSenders {
		jobs = append(jobs, job{"send webhooks", time.Second, time.Minute, func(ctx context.Context) error { return sendWebhooks(ctx, db, outside.Webhooks) }})
	}
	return jobs
}

// Run runs every job at once and then at its interval, until ctx ends. A run
// that fails, panics or takes too long is logged; the job runs again at its
// next time. After a long run, release returns memory to the system. wait
// returns when all runs have ended, and cancels those that are still going when
// its context ends.
func Run(ctx context.Context, db *areas.Areas, outside Outside, release func()) (wait func(context.Context)) {
	return start(ctx, table(db, outside), release)
}

func start(ctx context.Context, all []job, release func()) (wait func(context.Context)) {
	// A run may go on after ctx has ended, until it ends by itself or wait
	// cancels it.
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var group sync.WaitGroup
	for _, j := range all {
		group.Go(func() { j.repeat(ctx, running, release) })
	}
	return func(ctx context.Context) {
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		group.Wait()
	}
}

// longJob is the duration beyond which a finished job gives its memory back to
// the system.
const longJob = time.Second

// outageLogged is the least time between two lines about a job that the database does
// not answer. Every job fails then, some every second.
const outageLogged = time.Minute

// repeat runs a job until ctx ends, each time with the context running.
func (j job) repeat(ctx, running context.Context, release func()) {
	ticker := time.NewTicker(j.every)
	defer ticker.Stop()
	var logged time.Time // the last line about an outage
	for {
		began := time.Now()
		err := j.run(running)
		isOutage := queries.Outage(err) != ""
		if err != nil && running.Err() == nil && !(isOutage && began.Sub(logged) < outageLogged) {
			slog.ErrorContext(ctx, "job failed", "job", j.name, "err", err)
			if isOutage {
				logged = began
			}
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

func (j job) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, j.limit)
	defer cancel()
	return j.observe(ctx, func(ctx context.Context) error {
		return background.Protect(func() error { return j.do(queries.WithStatementTimeout(ctx, j.limit)) })
	})
}
