package attendance

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RecordKey names the record of a person on a date: its id in addresses and
// calls. Extra is the record beside the day's own (workday.Record.Extra).
type RecordKey struct {
	UserID int64
	Date   workday.Date
	Extra  bool
}

// String is "12-2026-11-20", with "-x" behind it for an extra record.
func (k RecordKey) String() string {
	text := strconv.FormatInt(k.UserID, 10) + "-" + k.Date.String()
	if k.Extra {
		text += "-x"
	}
	return text
}

// ParseRecordKey reads what String wrote; anything else is NotFound.
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

// Key names the record.
func (r Record) Key() RecordKey {
	return RecordKey{r.UserID, workday.DateOf(r.WorkDate), r.Extra}
}

// FlagNames are the flags of domain §6; never nil.
func (r Record) FlagNames() []string { return workday.Flags(r.Flags).Names() }

// Edited reports whether somebody edited arrival or departure.
func (r Record) Edited() bool { return workday.Flags(r.Flags).Has(workday.FlagEdited) }

// AsOf returns the record with the presence and status of a time: before the
// window of its day opens, nobody is expected.
func (r Record) AsOf(now time.Time) Record {
	if r.Presence == string(workday.Before) && now.Before(r.OpensAt) {
		r.Presence, r.Status = string(workday.NotDue), string(workday.StatusNotDue)
	}
	return r
}
