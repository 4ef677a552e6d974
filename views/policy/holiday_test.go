package policy_test

import (
	"strings"
	"testing"

	"officeconsole/locales"
	policyviews "officeconsole/views/policy"
	"officeconsole/workday"
)

// Every public holiday has a name in every language.
func TestPublicHolidayNames(t *testing.T) {
	for _, calendar := range []workday.Calendar{workday.CalendarKR, workday.CalendarJP} {
		for year := workday.FirstYear; year <= workday.LastYear; year++ {
			for _, h := range calendar.Holidays(year) {
				for _, l := range locales.All() {
					if name := policyviews.PublicHolidayName(l, h); strings.Contains(name, "⟦") {
						t.Fatalf("%s has no name in %s: %s", h.ID, l, name)
					}
				}
			}
		}
	}
}
