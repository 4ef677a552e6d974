package attendance

import (
	"slices"
	"time"

	"officeconsole/workday"
)

// A TimeField is a time in a form, as it was typed: "09:05", and whether it is on the day
// before the work date or on the day after. The form says by the clocks of which zone.
type TimeField struct {
	Clock          string
	Previous, Next bool
}

// NewTimeField returns what a form shows of a time; nothing for nil.
func NewTimeField(date workday.Date, at *time.Time, zone *time.Location) TimeField {
	if at == nil {
		return TimeField{}
	}
	local := at.In(zone)
	day := workday.DateOf(local)
	return TimeField{local.Format("15:04"), day < date, day > date}
}

// Date returns the date of the time on a work date. The day before and the day after
// together cancel each other out.
func (f TimeField) Date(date workday.Date) workday.Date {
	if f.Previous {
		date--
	}
	if f.Next {
		date++
	}
	return date
}

// asksPreviousDay reports whether a form has a box for the day before the work date: most
// windows begin after midnight, and the box would only be in the way. times are the
// beginning of the window and the times that the record has; nil for none.
func asksPreviousDay(date workday.Date, zone *time.Location, times ...*time.Time) bool {
	return slices.ContainsFunc(times, func(at *time.Time) bool { return NewTimeField(date, at, zone).Previous })
}
