package policy

import (
	"errors"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Start is when a version takes effect (domain §3). The zero Start is the usual
// one of the kind: now, or for working attitude the next work date. Days that have
// begun do not change by themselves, so that now is the next work date for working
// attitude too. A version of it may also start on a date of the past.
type Start struct {
	When  StartKind
	At    time.Time // the time of StartAt,
	Local string    // or a local time of the company, "2006-01-02T15:04"
}

// StartKind is the way in which a start is given.
type StartKind string

// The kinds of start. The next work date is tomorrow, a day off or not: a work date is
// the date of a record (domain §6), and people work on other people's days off.
const (
	StartNow          StartKind = "now"
	StartNextWorkDate StartKind = "next_work_date"
	StartAt           StartKind = "time"
)

// ParseStart parses "now", "next_work_date", a time of RFC 3339, a local date, or a
// local date and time; "" is the usual start. It refuses with
// policy.effective_from.invalid.
func ParseStart(text string) (Start, error) {
	switch kind := StartKind(text); kind {
	case "", StartNow, StartNextWorkDate:
		return Start{When: kind}, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return Start{When: StartAt, At: at}, nil
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		text += "T00:00"
	}
	if _, err := time.Parse(workday.LocalMinute, text); err != nil {
		return Start{}, queries.Invalid("policy.effective_from.invalid")
	}
	return Start{When: StartAt, Local: text}, nil
}

// A planned version begins between minAhead and a year from now (domain §3).
const minAhead = 5 * time.Minute

// resolve returns the time of a start, or its refusal.
func (s Start) resolve(kind string, zone *time.Location, now time.Time) (time.Time, queries.Invalid) {
	when := s.When
	if when == "" {
		when = usualStart(kind)
	}
	switch when {
	case StartNow, StartNextWorkDate:
		if when == StartNow && kind != "workingattitude" {
			return now, ""
		}
		return nextDay(now, zone), ""
	case StartAt:
	default:
		return time.Time{}, "policy.effective_from.invalid"
	}
	if s.At.IsZero() && s.Local == "" {
		return time.Time{}, "policy.effective_from.invalid"
	}
	at := s.At.Truncate(time.Microsecond)
	if s.Local != "" {
		var refusal queries.Invalid
		if at, refusal = atLocal(s.Local, zone); refusal != "" {
			return at, refusal
		}
	}
	switch date, isPast := pastDate(kind, at, zone, now); {
	case isPast && date < earliestPast:
		return at, "policy.effective_from.too_early"
	case isPast:
		return date.At(0, zone), ""
	case at.Before(now.Add(minAhead)):
		return at, "policy.effective_from.too_soon"
	case at.After(now.In(zone).AddDate(1, 0, 0)):
		return at, "policy.effective_from.too_late"
	}
	return at, ""
}

// earliestPast is the first date on which a version can start.
const earliestPast = workday.Date(14610) // 2010-01-01

// pastDate returns the date of a start of the past, and whether it is one: versions
// of working attitude may start with any date that has begun. A time earlier today
// is none, because records follow the version of the beginning of their date.
func pastDate(kind string, at time.Time, zone *time.Location, now time.Time) (date workday.Date, isPast bool) {
	date = workday.DateOf(at.In(zone))
	today := workday.DateOf(now.In(zone))
	return date, kind == "workingattitude" && (date < today || date == today && at.Equal(today.At(0, zone)))
}

func usualStart(kind string) StartKind {
	if kind == "workingattitude" {
		return StartNextWorkDate
	}
	return StartNow
}

// nextDay returns when the next date begins in a zone: not at midnight where
// the clocks are set forward then.
func nextDay(now time.Time, zone *time.Location) time.Time {
	year, month, day := now.In(zone).Date()
	noon := time.Date(year, month, day+1, 12, 0, 0, 0, zone)
	at := noon
	for earlier := at; earlier.Day() == noon.Day(); earlier = earlier.Add(-15 * time.Minute) {
		at = earlier
	}
	return at
}

// atLocal parses a local time. Of a time that occurs twice it returns the first
// one; a time that is skipped is refused.
func atLocal(text string, zone *time.Location) (time.Time, queries.Invalid) {
	at, err := workday.ParseLocal(text, zone)
	switch {
	case errors.Is(err, workday.ErrSkippedTime):
		return at, "policy.effective_from.skipped"
	case err != nil:
		return at, "policy.effective_from.invalid"
	}
	return at, ""
}
