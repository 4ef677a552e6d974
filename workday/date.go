package workday

import (
	"fmt"
	"time"
	_ "time/tzdata" // zones are known wherever the program runs
)

// Date is a calendar day of no zone: the days since 1970-01-01, so that dates
// are compared and counted like numbers. As text it is "2026-11-20".
type Date int

// DateOf is the day that a time shows in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return NewDate(y, m, d)
}

// NewDate is a day by its numbers; as in time.Date, those out of range carry.
func NewDate(year int, month time.Month, day int) Date {
	return Date(floorDiv(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix(), 24*60*60))
}

// ParseDate reads "2026-11-20".
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("date %q: %w", text, err)
	}
	return DateOf(t), nil
}

// Time is midnight UTC of the day, which is how databases take a date.
func (d Date) Time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Year is the calendar year.
func (d Date) Year() int { return d.Time().Year() }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday(((int(d)+4)%7 + 7) % 7) }

// String is the day as "2026-11-20".
func (d Date) String() string { return d.Time().Format(time.DateOnly) }

// MarshalText is String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is ParseDate.
func (d *Date) UnmarshalText(text []byte) error {
	read, err := ParseDate(string(text))
	*d = read
	return err
}

// At is when clocks in a zone show a number of minutes after the day's
// midnight; 1,440 and more are on the following days. A time that summer time
// skips is moved forward by as much as is skipped; of a time that it repeats,
// the first is meant.
func (d Date) At(minutes int, zone *time.Location) time.Time {
	y, m, day := d.Time().Date()
	t := time.Date(y, m, day, 0, minutes, 0, 0, zone)
	return settled(t, minutes)
}

// settled makes what time.Date leaves open. Of a time that does not exist it
// may take one before the gap, of one that exists twice the second.
func settled(t time.Time, minutes int) time.Time {
	hour, minute, _ := t.Clock()
	if short := ((minutes-hour*60-minute)%dayMinutes + dayMinutes) % dayMinutes; short > 0 && short < dayMinutes/2 {
		return t.Add(time.Duration(short) * time.Minute)
	}
	since, _ := t.ZoneBounds()
	if since.IsZero() || t.Sub(since) > 3*time.Hour {
		return t
	}
	_, offset := t.Zone()
	_, before := since.Add(-time.Second).Zone()
	if first := t.Add(time.Duration(offset-before) * time.Second); first.Before(since) && before > offset {
		return first
	}
	return t
}

const dayMinutes = 24 * 60

// Span is a part of a day in minutes after midnight. One that does not end
// after it begins ends on the next day, and the zero Span is none.
type Span struct{ From, To int }

// Minutes is how long the span is on an ordinary day.
func (s Span) Minutes() int { return s.end() - s.From }

func (s Span) end() int {
	if s.To <= s.From && s != (Span{}) {
		return s.To + dayMinutes
	}
	return s.To
}

func (s Span) on(d Date, zone *time.Location) stretch {
	return stretch{minute(d.At(s.From, zone)), minute(d.At(s.end(), zone))}
}

// minute is a time in whole minutes since 1970: seconds are dropped, so that
// everything is counted as it is shown.
func minute(t time.Time) int64 { return floorDiv(t.Unix(), 60) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
