package attendance

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// LockedMonths are the months whose records cannot change, and the forms
// that lock and unlock a month.
type LockedMonths struct {
	Months   []attendance.LockedMonth
	Month    string // as typed, "2026-11"
	Refused  string // message id of why it cannot be locked; "" for none
	Unlock   string // month whose unlocking was refused; "" for none
	Reason   string // reason for unlocking, as typed
	Unreason string // message id of why the reason was refused
	Unlocked string // who had unlocked a month that was to be unlocked; "" for nobody
	Question *LockQuestion
}

// LockQuestion is the question before a month is locked.
type LockQuestion struct {
	Month                     workday.Date // its first day
	Records, People, Requests int          // up to attendance.MaxMonthSize+1
	Back                      string       // address of the list
}

// isOpen reports whether the panel of the months has something to show.
func (m LockedMonths) isOpen() bool { return m.Refused != "" || m.Unlock != "" || m.Unlocked != "" }

// sizeText counts records or people; more is the message where there are more
// than are counted.
func sizeText(ctx context.Context, id, more string, n int) string {
	if n > attendance.MaxMonthSize {
		return locales.N(ctx, more, attendance.MaxMonthSize)
	}
	return locales.N(ctx, id, n)
}

// monthText writes a month for a form: "2026-11".
func monthText(d workday.Date) string { return d.Time().Format("2006-01") }
