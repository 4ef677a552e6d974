// Package workday computes the record of a day from clock events and a
// schedule.
//
// It uses no database and does not read the clock. NewPlans gives each of a
// person's consecutive days its window of time, Assign assigns the events to
// days, and Compute computes a day's record; Records does all three.
// AddPremiums computes what depends on other days of the week or month. The
// same events in any order give the same record.
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

// ShiftKind is the kind of a weekday.
type ShiftKind string

const (
	ShiftWork          ShiftKind = "work"
	ShiftDayOff        ShiftKind = "day_off"        // no work is required, and work is regular time
	ShiftWeeklyHoliday ShiftKind = "weekly_holiday" // the paid holiday of the week (Labour Standards Act, Article 55)
)

// Shift is a weekday: its kind, and the hours in minutes after midnight.
type Shift struct {
	Kind       ShiftKind
	Start, End int
	EndNextDay bool
	Second     Span // the hours of the second stint of a split day, zero for none; see secondStint
}

// end returns the end of the last stint.
func (s Shift) end() int {
	if second := s.secondStint(); second != (Span{}) {
		return second.To
	}
	return s.firstEnd()
}

func (s Shift) firstEnd() int {
	if s.EndNextDay {
		return s.End + dayMinutes
	}
	return s.End
}

// secondStint returns the second stint in minutes after the midnight of the work
// date. It begins at or after the end of the first one, if need be on the next
// day.
func (s Shift) secondStint() Span {
	if s.Second == (Span{}) {
		return Span{}
	}
	second := Span{s.Second.From, s.Second.end()}
	for second.From < s.firstEnd() {
		second.From, second.To = second.From+dayMinutes, second.To+dayMinutes
	}
	return second
}

// gap returns the time between the stints of a split day, zero for none.
func (s Shift) gap() Span {
	second := s.secondStint()
	if second.From <= s.firstEnd() {
		return Span{}
	}
	return Span{s.firstEnd(), second.From}
}

// Settlement is the period in which the work of flexible and free work is
// compared with the required time (Labour Standards Act, Article 52).
type Settlement string

const (
	SettlementDay   Settlement = "day"
	SettlementWeek  Settlement = "week"
	SettlementMonth Settlement = "month"
)

// Policy is the part of a working attitude policy's version that computing
// records needs (domain §5, which defines names and bounds). Durations are in
// minutes.
type Policy struct {
	WorkType WorkType
	Zone     *time.Location
	Week     [7]Shift // by time.Weekday; free and flexible work read only Kind

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
	Settlement              Settlement // SettlementDay for fixed work
	WeeklyOvertimeAfterMin  int        // regular time of a week beyond this is overtime
	Night                   Span
	ProofRequired           bool // an event without proof sets FlagUnproven

	Calendar    Calendar
	OwnHolidays map[Date]string // names of the own dates of the policy

	CompanyHolidays map[Date]string // names of the holidays of all policies of the company; see WithCompanyHolidays

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
