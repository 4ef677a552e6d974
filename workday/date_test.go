package workday

import (
	"testing"
	"time"
)

func TestWallClockTimes(t *testing.T) {
	skipped := map[string]bool{
		"skipped in New York": true, "the begin of the gap": true, "skipped, counted from the day before": true, "skipped in London": true,
		"half an hour skipped on Lord Howe": true, "midnight skipped in Santiago": true,
	}
	for _, c := range []struct{ name, zone, date, clock, want string }{
		{"an ordinary morning", "Asia/Seoul", "2026-11-20", "09:00", "2026-11-20T00:00:00Z"},
		{"after midnight", "Asia/Seoul", "2026-11-20", "07:00+1", "2026-11-20T22:00:00Z"},
		{"skipped in New York", "America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30:00Z"},
		{"the begin of the gap", "America/New_York", "2026-03-08", "02:00", "2026-03-08T07:00:00Z"},
		{"the end of the gap", "America/New_York", "2026-03-08", "03:00", "2026-03-08T07:00:00Z"},
		{"skipped, counted from the day before", "America/New_York", "2026-03-07", "02:30+1", "2026-03-08T07:30:00Z"},
		{"repeated in New York: the first", "America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z"},
		{"after the repetition", "America/New_York", "2026-11-01", "02:00", "2026-11-01T07:00:00Z"},
		{"skipped in London", "Europe/London", "2026-03-29", "01:15", "2026-03-29T01:15:00Z"},
		{"repeated in London: the first", "Europe/London", "2026-10-25", "01:15", "2026-10-25T00:15:00Z"},
		{"half an hour skipped on Lord Howe", "Australia/Lord_Howe", "2026-10-04", "02:10", "2026-10-03T15:40:00Z"},
		{"midnight skipped in Santiago", "America/Santiago", "2026-09-06", "00:00", "2026-09-06T04:00:00Z"},
	} {
		at := date(c.date).At(clock(c.clock), zone(c.zone))
		if got := at.UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if got, want := date(c.date).Skips(clock(c.clock), zone(c.zone)), skipped[c.name]; got != want {
			t.Errorf("%s: skipped: %t, want %t", c.name, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]struct {
		days    Date
		weekday time.Weekday
	}{
		"1970-01-01": {0, time.Thursday},
		"1969-12-31": {-1, time.Wednesday},
		"1950-06-25": {-7130, time.Sunday},
		"2026-11-20": {20777, time.Friday},
		"2028-02-29": {21243, time.Tuesday},
	} {
		d := date(text)
		if d != want.days || d.Weekday() != want.weekday || d.String() != text {
			t.Errorf("%s is day %d, a %s, written %s", text, d, d.Weekday(), d)
		}
	}
	for _, bad := range []string{"", "2026-02-30", "20.11.2026", "2026-11-20T00:00:00Z"} {
		var d Date
		if err := d.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read as %s", bad, d)
		}
	}
	if d := DateOf(time.Date(2026, 11, 19, 23, 30, 0, 0, time.UTC).In(zone("Asia/Seoul"))); d != date("2026-11-20") {
		t.Errorf("the date in Seoul is %s", d)
	}
}
