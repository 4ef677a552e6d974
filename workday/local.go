package workday

import (
	"errors"
	"time"
)

// LocalMinute is the layout of a local date and time in forms.
const LocalMinute = "2006-01-02T15:04"

// Errors of ParseLocal.
var (
	ErrLocalTime   = errors.New("not a local date and time")
	ErrSkippedTime = errors.New("a time that the change to summer time skips")
)

// ParseLocal parses a date and time by the clocks of a zone, written as
// LocalMinute or with one digit for an hour below ten. Of a time that occurs twice it
// returns the first one. It returns ErrLocalTime or ErrSkippedTime.
func ParseLocal(text string, zone *time.Location) (time.Time, error) {
	clock, err := time.Parse(LocalMinute, text)
	if err != nil {
		return clock, ErrLocalTime
	}
	text = clock.Format(LocalMinute)
	at := time.Date(clock.Year(), clock.Month(), clock.Day(), clock.Hour(), clock.Minute(), 0, 0, zone)
	if at.Format(LocalMinute) != text {
		return at, ErrSkippedTime
	}
	for earlier := at.Add(-2 * time.Hour); earlier.Before(at); earlier = earlier.Add(15 * time.Minute) {
		if earlier.Format(LocalMinute) == text {
			return earlier, nil
		}
	}
	return at, nil
}
