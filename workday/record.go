package workday

import "time"

// Presence is whether a person is at work on a day (domain §6).
type Presence string

const (
	NotDue           Presence = "not_due" // before the window, or no work is required
	Before           Presence = "before"
	Working          Presence = "working"
	Left             Presence = "left"
	Absent           Presence = "absent"
	DepartureMissing Presence = "missing_departure"
)

// Status is the status shown for a day: the first of domain §6 that applies.
type Status string

const (
	StatusLeave            Status = "leave"
	StatusHolidayWork      Status = "holiday_work"
	StatusHoliday          Status = "holiday"
	StatusAbsent           Status = "absent"
	StatusMissingDeparture Status = "missing_departure"
	StatusLateAndEarly     Status = "late_and_early"
	StatusLate             Status = "late"
	StatusEarlyLeave       Status = "early_leave"
	StatusWorking          Status = "working"
	StatusBefore           Status = "before"
	StatusOnTime           Status = "on_time"
	StatusNotDue           Status = "not_due"
)

// Stamp is an arrival or a departure.
type Stamp struct {
	At     time.Time
	Edited bool // somebody set At
	Auto   bool // At comes from Policy.MissingDeparture

	// Clocked is the event, and Original its time. Both are zero without an
	// event, and unchanged by edits of At.
	Clocked  Event
	Original time.Time
}

// Stretch is the time between From and To, in whole minutes.
type Stretch struct{ From, To time.Time }

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
	// it; see Emptied.
	Arrival, Departure *Stamp
	Emptied            struct{ Arrival, Departure *Stamp }

	// WorkedMin is nil while it is unknown because there is no departure.
	WorkedMin   *int
	BreakMin    int
	OvertimeMin int
	NightMin    int
	LateMin     int // from the start, including the grace period
	EarlyMin    int // before the end
	RequiredMin int

	// Work is the counted time before Breaks are deducted. Statutory breaks are
	// only in BreakMin, because they have no time of day.
	Work, Breaks []Stretch
}

func (r *Record) status() Status {
	late, early := r.Flags.Has(FlagLate), r.Flags.Has(FlagEarlyLeave)
	switch {
	case r.Type == Leave:
		return StatusLeave
	case r.Flags.Has(FlagHolidayWork):
		return StatusHolidayWork
	case r.Type.Rest():
		return StatusHoliday
	case r.Presence == Absent:
		return StatusAbsent
	case r.Presence == DepartureMissing:
		return StatusMissingDeparture
	case late && early:
		return StatusLateAndEarly
	case late:
		return StatusLate
	case early:
		return StatusEarlyLeave
	case r.Presence == Working:
		return StatusWorking
	case r.Presence == Before:
		return StatusBefore
	case r.Presence == Left:
		return StatusOnTime
	}
	return StatusNotDue
}
