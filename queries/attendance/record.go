package attendance

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RecordKey identifies the record of a user on a date, in URLs and calls too.
// Extra is the second record of the date (workday.Record.Extra).
type RecordKey struct {
	UserID int64
	Date   workday.Date
	Extra  bool
}

// String returns "12-2026-11-20", followed by "-x" for an extra record.
func (k RecordKey) String() string {
	text := strconv.FormatInt(k.UserID, 10) + "-" + k.Date.String()
	if k.Extra {
		text += "-x"
	}
	return text
}

// ParseRecordKey parses the result of String; anything else is NotFound.
func ParseRecordKey(text string) (RecordKey, error) {
	rest, extra := strings.CutSuffix(text, "-x")
	id, date, _ := strings.Cut(rest, "-")
	k := RecordKey{Extra: extra}
	var err error
	if k.UserID, err = strconv.ParseInt(id, 10, 64); err != nil || k.UserID <= 0 {
		return RecordKey{}, fmt.Errorf("record %q: %w", text, queries.NotFound)
	}
	if k.Date, err = workday.ParseDate(date); err != nil || k.String() != text {
		return RecordKey{}, fmt.Errorf("record %q: %w", text, queries.NotFound)
	}
	return k, nil
}

// Key returns the key of the record.
func (r Record) Key() RecordKey {
	return RecordKey{r.UserID, workday.DateOf(r.WorkDate), r.Extra}
}

// FlagNames returns the names of the flags (domain §6); never nil.
func (r Record) FlagNames() []string { return workday.Flags(r.Flags).Names() }

// Edited reports whether the arrival or departure was edited.
func (r Record) Edited() bool { return workday.Flags(r.Flags).Has(workday.FlagEdited) }

// AsOf returns the record with the presence, status and balance of a time: before
// the window of its day opens, nobody is expected.
func (r Record) AsOf(now time.Time) Record {
	if r.Presence == string(workday.PresenceBefore) && now.Before(r.OpensAt) {
		r.Presence, r.Status = string(workday.PresenceNotDue), string(workday.StatusNotDue)
	}
	if r.SettlesAt != nil || now.Before(r.OpensAt) {
		r.BalanceMin = nil // what the day requires may still be worked
	}
	return r
}
