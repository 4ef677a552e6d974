package attendance

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"officeconsole/settings"
	"officeconsole/workday"
)

// Computing a person's settled days and open days separately gives the same
// records as computing all days together.
func TestComputedInTwoParts(t *testing.T) {
	values, errs := settings.Parse(settings.WorkingAttitude, []byte(`{"week":{"mon":{"work":true,"start":"22:00","end":"07:00","end_next_day":true},"fri":{"work":true,"start":"21:00","end":"06:00","end_next_day":true}},"breaks":[]}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	policy, err := newRecordPolicy(1, 1, values, nil)
	if err != nil {
		t.Fatal(err)
	}
	today := workday.NewDate(2026, 11, 20)
	l := &Loader{LoaderOptions: LoaderOptions{Now: today.At(23*60, policy.Zone), Zone: policy.Zone}}
	for first := today - 12; first <= today; first++ {
		for last := first + 4; last <= today+4; last++ {
			var days []workday.Day
			var events []workday.Event
			for date := first; date <= last; date++ {
				days = append(days, workday.Day{Date: date, Policy: policy.Policy})
				for i, minute := range []int{20*60 + 50, 29*60 + int(date%5)*30, 34 * 60} {
					at, kind := date.At(minute, policy.Zone), []workday.Kind{workday.In, workday.Out, workday.In}[i]
					if (i < 2 || date%3 == 0) && at.Before(l.Now) {
						events = append(events, workday.Event{ID: fmt.Sprint(date, i), Kind: kind, OccurredAt: at, ReceivedAt: at.Add(time.Second)})
					}
				}
			}
			want := computeRecords(workday.NewPlans(days), events, l.Now, everyDate)
			if got := l.compute(days, events); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s to %s: %d records, want %d:\n%+v\n%+v", first, last, len(got), len(want), got, want)
			}
		}
	}
}
