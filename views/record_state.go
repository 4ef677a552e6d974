package views

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/workday"
)

type statusLook struct{ tone, icon string }

var statusLooks = map[workday.Status]statusLook{
	workday.StatusLeave:            {"info", "leave"},
	workday.StatusHolidayWork:      {"accent", "calendar"},
	workday.StatusHoliday:          {"", "calendar"},
	workday.StatusAbsent:           {"danger", "x"},
	workday.StatusMissingDeparture: {"warning", "help"},
	workday.StatusLateAndEarly:     {"warning", "alert"},
	workday.StatusLate:             {"warning", "clock"},
	workday.StatusEarlyLeave:       {"warning", "logout"},
	workday.StatusWorking:          {"accent", "play"},
	workday.StatusBefore:           {"", "clock"},
	workday.StatusOnTime:           {"success", "check"},
	workday.StatusNotDue:           {"", "minus"},
}

// holidayName is a holiday in the reader's language: those of a calendar by
// their id, a company's own by the name it was given.
func holidayName(ctx context.Context, holiday string) string {
	if strings.HasPrefix(holiday, "kr.") || strings.HasPrefix(holiday, "jp.") {
		return locales.T(ctx, "record.holiday."+holiday)
	}
	return holiday
}

// flagWords are the words of flags.
func flagWords(ctx context.Context, flags int32) []string {
	var words []string
	for _, name := range workday.Flags(flags).Names() {
		words = append(words, locales.T(ctx, "record.flag."+name))
	}
	return words
}

// dayTypeWord says what a day is to a person.
func dayTypeWord(ctx context.Context, dayType string) string {
	return locales.T(ctx, "record.type."+dayType)
}

// platformWord names what somebody clocked with; "" where it is not known.
func platformWord(ctx context.Context, platform string) string {
	if platform == "" {
		return ""
	}
	return locales.T(ctx, "record.platform."+platform)
}
