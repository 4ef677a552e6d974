package workday

import (
	"fmt"
	"time"
	_ "time/tzdata" // time zones without a database on the machine
)

// Date is a calendar day without a time zone: the number of days since
// 1970-01-01. As text it is "2026-11-20".
type Date int

// DateOf returns the date of a time in the time's own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return NewDate(y, m, d)
}

// NewDate returns a date. As in time.Date, values outside their usual ranges
// are normalized.
func NewDate(year int, month time.Month, day int) Date {
	return Date(floorDiv(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix(), 24*60*60))
}

// ParseDate parses "2026-11-20".
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("date %q: %w", text, err)
	}
	return DateOf(t), nil
}

// Time returns midnight UTC of the day, the form in which databases take a
// date.
func (d Date) Time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Year returns the calendar year.
func (d Date) Year() int { return d.Time().Year() }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday(((int(d)+4)%7 + 7) % 7) }

// String returns the date as "2026-11-20".
func (d Date) String() string { return d.Time().Format(time.DateOnly) }

// MarshalText returns the same as String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses like ParseDate.
func (d *Date) UnmarshalText(text []byte) error {
	read, err := ParseDate(string(text))
	*d = read
	return err
}

// At returns the time that is a number of minutes after the day's midnight by
// the clocks of a zone; 1,440 minutes and more are on the following days. A
// time that the change to summer time skips is moved forward by the length of
// the gap; of a time that occurs twice, At returns the first.
func (d Date) At(minutes int, zone *time.Location) time.Time {
	y, m, day := d.Time().Date()
	t := time.Date(y, m, day, 0, minutes, 0, 0, zone)
	return exactTime(t, minutes)
}

// Skips reports whether the clocks of a zone skip a time of the day, because they are
// put forward.
func (d Date) Skips(minutes int, zone *time.Location) bool {
	hour, minute, _ := d.At(minutes, zone).Clock()
	return (hour*60+minute-minutes)%dayMinutes != 0
}

// exactTime corrects the result of time.Date where its documentation leaves the
// choice open: for a time that does not exist, and for one that exists twice.
func exactTime(t time.Time, minutes int) time.Time {
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

// Span is a part of a day in minutes after midnight. If To is not after From,
// it ends on the next day. The zero Span is empty.
type Span struct{ From, To int }

// Minutes returns the length of the span on a day without a change of the
// clock.
func (s Span) Minutes() int { return s.end() - s.From }

func (s Span) end() int {
	if s.To <= s.From && s != (Span{}) {
		return s.To + dayMinutes
	}
	return s.To
}

func (s Span) on(d Date, zone *time.Location) interval {
	return interval{minute(d.At(s.From, zone)), minute(d.At(s.end(), zone))}
}

// minute returns a time in whole minutes since 1970. Seconds are dropped, so
// that results agree with the times shown.
func minute(t time.Time) int64 { return floorDiv(t.Unix(), 60) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
