package workday

import (
	"fmt"
	"slices"
	"strings"
)

// Flags are the remarkable properties of a day's record, as a bit set (domain
// §6).
type Flags uint16

const (
	FlagLate Flags = 1 << iota
	FlagEarlyLeave
	FlagOvertime
	FlagNight
	FlagHolidayWork
	FlagShortHours
	FlagOutside
	FlagUnproven
	FlagMock
	FlagClockSkew
	FlagEdited
	FlagAutoClosed
	FlagOverWeek // set by AddPremiums
	FlagDeviceNew
	FlagPastClose // the departure is after the end of the window
)

// flagNames are the names in domain §6, in the order of the bits, which are
// stored: new ones are appended.
var flagNames = []string{
	"late", "early_leave", "overtime", "night", "holiday_work", "short_hours", "outside",
	"unproven", "mock", "clock_skew", "edited", "auto_closed", "over_week", "device_new", "past_close",
}

// Has reports whether all of the given flags are set.
func (f Flags) Has(flags Flags) bool { return f&flags == flags }

// Names returns the names of the flags in the order of their bits; never nil.
func (f Flags) Names() []string {
	names := []string{}
	for i, name := range flagNames {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names, separated by commas.
func (f Flags) String() string { return strings.Join(f.Names(), ",") }

// ParseFlags returns the flags with the given names.
func ParseFlags(names []string) (Flags, error) {
	var f Flags
	for _, name := range names {
		i := slices.Index(flagNames, name)
		if i < 0 {
			return 0, fmt.Errorf("unknown flag %q", name)
		}
		f |= 1 << i
	}
	return f, nil
}

func (f *Flags) set(flag Flags, when bool) {
	if when {
		*f |= flag
	}
}
