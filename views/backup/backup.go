// Package backup renders the page of the console's own backups.
package backup

import (
	"context"
	"time"

	"officeconsole/backup"
	"officeconsole/locales"
	"officeconsole/views"
)

// Page shows the schedule of backups and its archives.
type Page struct {
	Frame      views.Frame
	IsExternal bool         // the database is not the built-in one
	State      backup.State // if there is a schedule
	IsOn       bool         // there is a schedule
}

// hasFailed reports whether the last backup failed.
func (p Page) hasFailed() bool { return !p.State.Failure.At.IsZero() }

func (p Page) failureText(ctx context.Context) string {
	return locales.T(ctx, "backup.failed", "Time", p.at(ctx, p.State.Failure.At))
}

func (p Page) lateText(ctx context.Context) string {
	return locales.T(ctx, "backup.late", "Time", p.at(ctx, p.State.Archives[0].At))
}

func (p Page) lastText(ctx context.Context) string {
	if len(p.State.Archives) == 0 && p.hasFailed() {
		return "–" // there may be some in a directory that cannot be read
	}
	if len(p.State.Archives) == 0 {
		return locales.T(ctx, "backup.none")
	}
	last := p.State.Archives[0]
	return p.at(ctx, last.At) + " · " + locales.Bytes(ctx, last.Size)
}

// nextText is when the next backup begins: a due one is made in the next minute.
func (p Page) nextText(ctx context.Context) string {
	if !p.State.Next.After(p.Frame.Now) {
		return locales.T(ctx, "backup.due")
	}
	return p.at(ctx, p.State.Next)
}

func (p Page) everyText(ctx context.Context) string {
	return locales.Duration(ctx, int(p.State.Every/time.Minute))
}

func (p Page) encryptionText(ctx context.Context) string {
	if p.State.IsEncrypted {
		return locales.T(ctx, "backup.encrypted")
	}
	return locales.T(ctx, "backup.unencrypted")
}

func (p Page) at(ctx context.Context, t time.Time) string {
	return locales.ShortDateTime(ctx, t.In(p.Frame.Zone()), p.Frame.Now)
}
