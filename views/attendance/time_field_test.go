package attendance

import (
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/views/viewstest"
	"officeconsole/workday"
)

// A form that is sent as it is shown sends the stored time.
func TestTimeFieldRoundTrip(t *testing.T) {
	zone := time.FixedZone("", 5*60*60+30*60)
	date := workday.Date(20770)
	for _, test := range []struct {
		days    workday.Date
		minutes int
		want    TimeField
	}{
		{-1, 20 * 60, TimeField{"20:00", true, false}},
		{-1, 23*60 + 59, TimeField{"23:59", true, false}},
		{0, 0, TimeField{"00:00", false, false}},
		{0, 23*60 + 59, TimeField{"23:59", false, false}},
		{1, 0, TimeField{"00:00", false, true}},
		{1, 9*60 + 5, TimeField{"09:05", false, true}},
	} {
		at := (date + test.days).At(test.minutes, zone).UTC()
		field := NewTimeField(date, &at, zone)
		if field != test.want {
			t.Errorf("%s is shown as %+v, want %+v", at, field, test.want)
		}
		if got := field.Date(date).At(test.minutes, zone); !got.Equal(at) {
			t.Errorf("%+v is read as %s, want %s", field, got, at)
		}
	}
	if got := NewTimeField(date, nil, zone); got != (TimeField{}) {
		t.Errorf("no time is shown as %+v", got)
	}
	if got := (TimeField{"09:00", true, true}).Date(date); got != date {
		t.Errorf("with both boxes ticked the time is on %s", got)
	}
}

// The forms have boxes for the day before only where a time may be on it.
func TestPreviousDayIsAsked(t *testing.T) {
	zone := time.FixedZone("", 9*60*60)
	date := workday.Date(20770)
	minute := func(n int) *time.Time {
		at := date.At(0, zone).Add(time.Duration(n) * time.Minute)
		return &at
	}
	for name, test := range map[string]struct {
		opens              *time.Time
		arrival, departure *time.Time
		form               RecordForm
		want               bool
	}{
		"a window from the morning on":        {opens: minute(5 * 60), arrival: minute(9 * 60), departure: minute(25 * 60)},
		"a window from midnight on":           {opens: minute(0)},
		"a window from the evening before on": {opens: minute(-1), want: true},
		"an arrival on the evening before":    {opens: minute(5 * 60), arrival: minute(-20), want: true},
		"a departure on the evening before":   {opens: minute(5 * 60), departure: minute(-20), want: true},
		"a ticked box of the arrival":         {opens: minute(5 * 60), form: RecordForm{Arrival: TimeField{Previous: true}}, want: true},
		"a ticked box of the departure":       {opens: minute(5 * 60), form: RecordForm{Departure: TimeField{Previous: true}}, want: true},
	} {
		r := attendance.FullRecord{Zone: zone, Policy: &workday.Policy{Zone: zone}}
		r.WorkDate, r.ArrivalAt, r.DepartureAt, r.Plan.Open = date.Time(), test.arrival, test.departure, *test.opens
		boxes := 0
		for _, field := range []string{"arrival_previous", "departure_previous"} {
			page, _ := viewstest.Render(t, locales.English, recordTimes(RecordView{Record: r, Form: test.form}))
			boxes += len(page.With("name", field))
		}
		if want := map[bool]int{true: 2}[test.want]; boxes != want {
			t.Errorf("%s: %d boxes, want %d", name, boxes, want)
		}
	}
}
