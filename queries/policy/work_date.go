package policy

import (
	"time"

	"officeconsole/workday"
)

// FirstWorkDate returns the first date to whose records a working attitude
// version applies: the first one at whose beginning it is in force (domain §6).
func FirstWorkDate(from time.Time, zone *time.Location) workday.Date {
	date := workday.DateOf(from.In(zone))
	if date.At(0, zone).Before(from) {
		date++
	}
	return date
}
