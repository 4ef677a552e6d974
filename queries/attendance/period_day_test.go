package attendance

import (
	"testing"
	"time"

	"officeconsole/workday"
)

// Of a date with two records the date's own is shown and counted, in whatever order they are
// read, unless only the other one has to be repaired.
func TestPeriodDayOfTwoRecords(t *testing.T) {
	for _, test := range []struct {
		own, extra workday.Status
		want       workday.Status
		opensExtra bool
	}{
		{workday.StatusOnTime, workday.StatusDayOff, workday.StatusOnTime, false},
		{workday.StatusAbsent, workday.StatusOnTime, workday.StatusAbsent, false},
		{workday.StatusDayOff, workday.StatusMissingDeparture, workday.StatusMissingDeparture, true},
		{workday.StatusOnTime, workday.StatusMissingArrival, workday.StatusMissingArrival, true},
		{workday.StatusLate, workday.StatusMissingDeparture, workday.StatusLate, false},
		{workday.StatusMissingArrival, workday.StatusMissingDeparture, workday.StatusMissingArrival, false},
	} {
		own := monthDay{Day: 2, status: codeOf(monthStatuses, string(test.own)), dayType: codeOf(monthTypes, string(workday.Workday)), WorkedMin: unknownMin}
		extra := monthDay{Day: 2, Extra: true, status: codeOf(monthStatuses, string(test.extra)), dayType: codeOf(monthTypes, string(workday.DayOff)), WorkedMin: unknownMin}
		for _, records := range [][]monthDay{{own, extra}, {extra, own}} {
			day, worked := PeriodDay{Date: workday.NewDate(2026, 11, 2)}, 0
			for i := range records {
				day.add(7, &records[i], workday.NewDate(2026, 11, 1), time.Time{}.AddDate(3000, 0, 0), &worked)
			}
			if day.Status != test.want || day.Key.Extra != test.opensExtra || day.Type != workday.Workday {
				t.Errorf("%s and %s: %+v", test.own, test.extra, day)
			}
		}
	}
}
