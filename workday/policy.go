// Package workday turns clock events and a schedule into the record of a day.
//
// It knows no database and reads no clock. A person's consecutive days are
// laid beside each other by Lay, which gives every day its window; Assign
// gives every event to a day; Compute makes a day's record. Records does all
// of it. Weeks adds records up. Whatever comes in, the same facts in any order
// give the same record.
package workday

import "time"

// WorkType is how arrival and departure are bound (domain §5).
type WorkType string

const (
	Fixed    WorkType = "fixed"    // the hours of the weekday
	Flexible WorkType = "flexible" // arrival within a window, core time, hours a day
	Free     WorkType = "free"     // hours a day, or nothing
)

// BreakMode is what is taken off for breaks. Breaks that somebody clocked are
// taken off in every mode, but no minute twice.
type BreakMode string

const (
	BreaksNone      BreakMode = "none"
	BreaksWindows   BreakMode = "windows"   // what of Policy.Breaks lies within the work
	BreaksStatutory BreakMode = "statutory" // see StatutoryBreak
)

// CountMode is which time between events is work.
type CountMode string

const (
	FirstLast CountMode = "first_last" // from the first arrival to the last departure
	Pairs     CountMode = "pairs"      // each arrival to the departure after it
)

// MissingDeparture is what becomes of an arrival without a departure when the
// day's window has closed.
type MissingDeparture string

const (
	MissingKeep         MissingDeparture = "keep"
	MissingScheduleEnd  MissingDeparture = "schedule_end"
	MissingLastActivity MissingDeparture = "last_activity"
)

// OvertimeMode is which overtime is recognised.
type OvertimeMode string

const (
	OvertimeNone      OvertimeMode = "none"
	OvertimeAutomatic OvertimeMode = "automatic"
	OvertimeApproved  OvertimeMode = "approved" // up to Day.ApprovedMin
)

// Shift is the hours of a weekday in minutes after midnight.
type Shift struct {
	Work       bool
	Start, End int
	EndNextDay bool
}

func (s Shift) end() int {
	if s.EndNextDay {
		return s.End + dayMinutes
	}
	return s.End
}

// Policy is what a version of a working attitude policy says about counting
// (domain §5, where the words and bounds are). Minutes everywhere.
type Policy struct {
	WorkType WorkType
	Zone     *time.Location
	Week     [7]Shift // by time.Weekday; free and flexible work read only Work

	FlexibleStart Span
	Core          Span // zero: none
	RequiredMin   int

	EarlyInMin, DayCloseMin int
	GraceInMin, GraceOutMin int
	LateAsAbsentMin         int // 0: never
	BreakMode               BreakMode
	Breaks                  []Span
	CountMode               CountMode
	MissingDeparture        MissingDeparture
	RoundingMin             int
	Overtime                OvertimeMode
	Night                   Span
	ProofRequired           bool // an event without proof is FlagUnproven

	Calendar    Calendar
	OwnHolidays map[Date]string // the company's, by name

	WeekStart                   time.Weekday
	WeeklyCapMin, WeeklyWarnMin int
}

// StatutoryBreak is the least break beside that much work: 30 minutes from 4
// hours and 60 from 8 (Labour Standards Act, Article 54; domain §5).
func StatutoryBreak(workedMin int) int {
	switch {
	case workedMin >= 8*60:
		return 60
	case workedMin >= 4*60:
		return 30
	}
	return 0
}

// statutoryWithin is the least break that makes presence of that length
// lawful: nine hours are eight of work and one of break.
func statutoryWithin(present int) int {
	for _, pause := range []int{0, 30, 60} {
		if StatutoryBreak(present-pause) <= pause {
			return pause
		}
	}
	return 60
}
