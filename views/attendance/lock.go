package attendance

import (
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
}

// monthText writes a month for a form: "2026-11".
func monthText(d workday.Date) string { return d.Time().Format("2006-01") }
