package attendance

import (
	"context"
	"strings"
	"sync"

	"officeconsole/locales"
	"officeconsole/views"
	"officeconsole/workday"

	"github.com/a-h/templ"
)

// A statusLook is the tone and the icon of a badge.
type statusLook struct{ tone, icon string }

// statusLooks are the badges of the statuses of a record.
var statusLooks = map[workday.Status]statusLook{
	workday.StatusLeave:            {"info", "leave"},
	workday.StatusHolidayWork:      {"accent", "calendar"},
	workday.StatusHoliday:          {"", "calendar"},
	workday.StatusAbsent:           {"danger", "x"},
	workday.StatusMissingDeparture: {"warning", "help"},
	workday.StatusMissingArrival:   {"warning", "help"},
	workday.StatusDayOff:           {"", "calendar"},
	workday.StatusLateAndEarly:     {"warning", "alert"},
	workday.StatusLate:             {"warning", "clock"},
	workday.StatusEarlyLeave:       {"warning", "logout"},
	workday.StatusWorking:          {"accent", "play"},
	workday.StatusBefore:           {"", "clock"},
	workday.StatusOnTime:           {"success", "check"},
	workday.StatusNotDue:           {"", "minus"},
}

// holidayName names a holiday in the reader's language. Public holidays have
// an id; those of the company have the name that it gave them.
func holidayName(ctx context.Context, holiday string) string {
	if strings.HasPrefix(holiday, "kr.") || strings.HasPrefix(holiday, "jp.") {
		return locales.T(ctx, "record.holiday."+holiday)
	}
	return holiday
}

// flagWords names the flags of a record.
func flagWords(ctx context.Context, flags int32) []string {
	var words []string
	for _, name := range workday.Flags(flags).Names() {
		words = append(words, locales.T(ctx, "record.flag."+name))
	}
	return words
}

// dayTypeWord names the type of a day.
func dayTypeWord(ctx context.Context, dayType string) string {
	return locales.T(ctx, "record.type."+dayType)
}

// platformWord names the platform of a clock event; "" if it is unknown.
func platformWord(ctx context.Context, platform string) string {
	if platform == "" {
		return ""
	}
	return locales.T(ctx, "record.platform."+platform)
}

// statusBadges are the badges of all statuses in each language, as markup.
var statusBadges = map[locales.Locale]func() map[workday.Status]string{
	locales.Korean:   sync.OnceValue(func() map[workday.Status]string { return newStatusBadges(locales.Korean) }),
	locales.English:  sync.OnceValue(func() map[workday.Status]string { return newStatusBadges(locales.English) }),
	locales.Japanese: sync.OnceValue(func() map[workday.Status]string { return newStatusBadges(locales.Japanese) }),
}

func newStatusBadges(l locales.Locale) map[workday.Status]string {
	badges := map[workday.Status]string{}
	for status, look := range statusLooks {
		m := views.Markup{Locale: l}
		m.Badge(look.tone, look.icon, l.T("record.status."+string(status)))
		badges[status] = m.String()
	}
	return badges
}

// writeStatus writes the badge of a record's status.
func writeStatus(m *views.Markup, status string) {
	if badge, ok := statusBadges[m.Locale]()[workday.Status(status)]; ok {
		m.Raw(badge)
		return
	}
	look := statusLooks[workday.Status(status)]
	m.Badge(look.tone, look.icon, m.T("record.status."+status))
}

func recordStatus(status string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeStatus(m, status) })
}
