package workday

import "time"

// Presence is where a person stands on a day (domain §6).
type Presence string

const (
	NotDue           Presence = "not_due" // before the window, or nothing was owed
	Before           Presence = "before"
	Working          Presence = "working"
	Left             Presence = "left"
	Absent           Presence = "absent"
	DepartureMissing Presence = "missing_departure"
)

// Status is the one word shown for a day: the first of domain §6 that fits.
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

	// Clocked is the event, and Original its time; without an event both are
	// zero. They stay when At is edited.
	Clocked  Event
	Original time.Time
}

// Stretch is a time from From to To, in whole minutes.
type Stretch struct{ From, To time.Time }

// Record is what a day came to. Minutes are whole, seconds of events are not
// counted.
type Record struct {
	Date    Date
	Type    DayType
	Holiday string // its id or name
	Extra   bool   // beside the day's own record, see Records

	Start, End  time.Time // see Plan
	Open, Close time.Time

	Presence Presence
	Status   Status
	Flags    Flags

	// Arrival and Departure are nil where there is none. An edited one that was
	// emptied is nil too; see Emptied.
	Arrival, Departure *Stamp
	Emptied            struct{ Arrival, Departure *Stamp }

	// WorkedMin is nil while it is not known: without a departure.
	WorkedMin   *int
	BreakMin    int
	OvertimeMin int
	NightMin    int
	LateMin     int // from the start, not from the end of grace
	EarlyMin    int // to the end
	RequiredMin int

	// Work is what was counted, before Breaks were taken off. Statutory breaks
	// are in BreakMin only, for they have no time of day.
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
