package workday

import "time"

// Presence is whether a person is at work on a day (domain §6).
type Presence string

const (
	PresenceNotDue           Presence = "not_due" // before the window, or no work is required
	PresenceBefore           Presence = "before"
	PresenceWorking          Presence = "working"
	PresenceLeft             Presence = "left"
	PresenceAbsent           Presence = "absent"
	PresenceMissingDeparture Presence = "missing_departure"
	PresenceMissingArrival   Presence = "missing_arrival"
)

// Status is the status shown for a day: the first of domain §6 that applies.
type Status string

const (
	StatusLeave            Status = "leave"
	StatusMissingDeparture Status = "missing_departure"
	StatusMissingArrival   Status = "missing_arrival"
	StatusHolidayWork      Status = "holiday_work"
	StatusHoliday          Status = "holiday"
	StatusDayOff           Status = "day_off"
	StatusAbsent           Status = "absent"
	StatusLateAndEarly     Status = "late_and_early"
	StatusLate             Status = "late"
	StatusEarlyLeave       Status = "early_leave"
	StatusWorking          Status = "working"
	StatusBefore           Status = "before"
	StatusOnTime           Status = "on_time"
	StatusNotDue           Status = "not_due"
)

// ClockTime is an arrival or a departure.
type ClockTime struct {
	At     time.Time
	Edited bool // somebody set At
	Auto   bool // At comes from Policy.MissingDeparture

	// Event is the clock event, and Original its time. Both are zero without
	// an event, and unchanged by edits of At.
	Event    Event
	Original time.Time
}

// Interval is the time between From and To, in whole minutes.
type Interval struct{ From, To time.Time }

// Record is the result of a day. Durations are in whole minutes; the seconds of
// events are dropped.
type Record struct {
	Date    Date
	Type    DayType
	Holiday string // id or name
	Extra   bool   // a second record of the date, see Records

	Start, End  time.Time // see Plan
	Open, Close time.Time

	Presence Presence
	Status   Status
	Flags    Flags

	// Arrival and Departure are nil if there is none, also if an edit removed
	// it; see Removed.
	Arrival, Departure *ClockTime
	Removed            struct{ Arrival, Departure *ClockTime }

	// WorkedMin is nil while it is unknown because there is no departure or no
	// arrival. With Pairs, closed pairs count although the last departure is
	// missing.
	WorkedMin   *int
	BreakMin    int
	Premium     // as if the record were alone in its week; AddPremiums knows the others
	NightMin    int
	LateMin     int // from the start, including the grace period, without the gap of a split day
	EarlyMin    int // before the end, without the gap of a split day
	RequiredMin int

	// Work is the counted time before Breaks are deducted. Statutory breaks are
	// only in BreakMin, because they have no time of day.
	Work, Breaks []Interval

	// Uncounted are events of the record that have no part in its figures,
	// Unmatched those of its date that belong to no record.
	Uncounted, Unmatched []Event
}

func (r *Record) status() Status {
	late, early := r.Flags.Has(FlagLate), r.Flags.Has(FlagEarlyLeave)
	switch {
	case r.Type == Leave:
		return StatusLeave
	case r.Presence == PresenceMissingDeparture:
		return StatusMissingDeparture
	case r.Presence == PresenceMissingArrival:
		return StatusMissingArrival
	case r.Flags.Has(FlagHolidayWork):
		return StatusHolidayWork
	case r.Type == Holiday:
		return StatusHoliday
	case r.Type == DayOff:
		return StatusDayOff
	case r.Presence == PresenceAbsent:
		return StatusAbsent
	case late && early:
		return StatusLateAndEarly
	case late:
		return StatusLate
	case early:
		return StatusEarlyLeave
	case r.Presence == PresenceWorking:
		return StatusWorking
	case r.Presence == PresenceBefore:
		return StatusBefore
	case r.Presence == PresenceLeft:
		return StatusOnTime
	}
	return StatusNotDue
}
