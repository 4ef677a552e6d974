package usage

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// LocksPath is the page of what is locked, without language prefix.
const LocksPath = "/manage/security/locks"

// Locks is the content of the page of what is locked.
type Locks struct {
	Frame views.Frame
	identity.Locks
}

func (l Locks) isEmpty() bool { return len(l.Accounts)+len(l.Addresses) == 0 }

// more says that there may be more locks than the listed ones; "" if there are not.
func (l Locks) more(ctx context.Context, listed int) string {
	if listed < identity.MostLocks {
		return ""
	}
	return locales.T(ctx, "lock.more", "Count", locales.Number(ctx, identity.MostLocks))
}

// until writes when a lock ends by itself.
func (l Locks) until(ctx context.Context, at time.Time) string {
	return locales.Time(ctx, at.In(l.Frame.Zone()))
}
