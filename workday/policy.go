// Package workday computes the record of a day from clock events and a
// schedule.
//
// It uses no database and does not read the clock. NewPlans gives each of a
// person's consecutive days its window of time, Assign assigns the events to
// days, and Compute computes a day's record; Records does all three. SumByWeek
// adds up records. The same events in any order give the same record.
package workday

import "time"

// WorkType is the rule for arrival and departure (domain §5).
type WorkType string

const (
	Fixed    WorkType = "fixed"    // the hours of the weekday
	Flexible WorkType = "flexible" // arrival within a window, core time, hours a day
	Free     WorkType = "free"     // a number of hours a day, or none
)

// BreakMode says which breaks are deducted. Clocked breaks are deducted in
// every mode, but no minute twice.
type BreakMode string

const (
	BreaksNone      BreakMode = "none"
	BreaksWindows   BreakMode = "windows"   // the parts of Policy.Breaks within the work
	BreaksStatutory BreakMode = "statutory" // see StatutoryBreak
)

// CountMode says which time between events is work.
type CountMode string

const (
	FirstLast CountMode = "first_last" // from the first arrival to the last departure
	Pairs     CountMode = "pairs"      // each arrival to the departure after it
)

// MissingDeparture is the departure of a day that has none when its window
// closes.
type MissingDeparture string

const (
	MissingKeep         MissingDeparture = "keep"
	MissingScheduleEnd  MissingDeparture = "schedule_end"
	MissingLastActivity MissingDeparture = "last_activity"
)

// OvertimeMode says which overtime is recognized.
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

// Policy is the part of a working attitude policy's version that computing
// records needs (domain §5, which defines names and bounds). Durations are in
// minutes.
type Policy struct {
	WorkType WorkType
	Zone     *time.Location
	Week     [7]Shift // by time.Weekday; free and flexible work read only Work

	FlexibleStart Span
	Core          Span // zero for none
	RequiredMin   int

	EarlyInMin, DayCloseMin int
	GraceInMin, GraceOutMin int
	LateAsAbsentMin         int // 0 for never
	BreakMode               BreakMode
	Breaks                  []Span
	CountMode               CountMode
	MissingDeparture        MissingDeparture
	RoundingMin             int
	Overtime                OvertimeMode
	Night                   Span
	ProofRequired           bool // an event without proof sets FlagUnproven

	Calendar    Calendar
	OwnHolidays map[Date]string // names of the company's own holidays

	WeekStart                   time.Weekday
	WeeklyCapMin, WeeklyWarnMin int
}

// StatutoryBreak returns the minimum break, in minutes, for that much work: 30
// from 4 hours and 60 from 8 (Labour Standards Act, Article 54; domain §5).
func StatutoryBreak(workedMin int) int {
	switch {
	case workedMin >= 8*60:
		return 60
	case workedMin >= 4*60:
		return 30
	}
	return 0
}

// statutoryWithin returns the minimum break within a presence of that length:
// nine hours are eight of work and one of break.
func statutoryWithin(present int) int {
	for _, pause := range []int{0, 30, 60} {
		if StatutoryBreak(present-pause) <= pause {
			return pause
		}
	}
	return 60
}
