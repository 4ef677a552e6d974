package attendance

import (
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// LockedMonths are the months whose records stay as they are, and the forms to
// lock and unlock one.
type LockedMonths struct {
	Months   []attendance.LockedMonth
	Month    string // as typed, "2026-11"
	Refused  string // id of the message why it cannot be locked; "" for none
	Unlock   string // the month that could not be unlocked; "" for none
	Reason   string // as typed
	Unreason string // id of the message why the reason is refused
}

func monthText(d workday.Date) string { return d.Time().Format("2006-01") }
