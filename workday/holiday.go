package workday

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Calendar is the country whose public holidays apply.
type Calendar string

const (
	CalendarKR   Calendar = "KR"
	CalendarJP   Calendar = "JP"
	CalendarNone Calendar = "none"
)

// FirstYear and LastYear are the first and last year for which the calendars
// have holidays.
const FirstYear, LastYear = 2010, 2050

// PublicHoliday is a day off by law. ID names it, as in "kr.seollal". A
// Substitute day replaces the holiday of that name, which fell on another day
// off.
type PublicHoliday struct {
	Date       Date
	ID         string
	Substitute bool
}

// Holidays returns a calendar's holidays of a year by date. If two fall on the
// same day, only one of them is returned.
func (c Calendar) Holidays(year int) []PublicHoliday {
	all := c.allHolidays()
	first, _ := slices.BinarySearchFunc(all, NewDate(year, 1, 1), byDate)
	after, _ := slices.BinarySearchFunc(all, NewDate(year+1, 1, 1), byDate)
	return slices.Clone(all[first:after])
}

// HolidayOn returns the holiday on a date, or false if there is none.
func (c Calendar) HolidayOn(d Date) (PublicHoliday, bool) {
	all := c.allHolidays()
	i, found := slices.BinarySearchFunc(all, d, byDate)
	if !found {
		return PublicHoliday{}, false
	}
	return all[i], true
}

func byDate(h PublicHoliday, d Date) int { return int(h.Date - d) }

// allHolidays returns all holidays of a calendar by date. They are computed at
// the first call.
func (c Calendar) allHolidays() []PublicHoliday {
	switch c {
	case CalendarKR:
		return koreanHolidays()
	case CalendarJP:
		return japaneseHolidays()
	}
	return nil
}

var (
	koreanHolidays   = sync.OnceValue(func() []PublicHoliday { return holidaysOfAllYears(holidaysInKorea) })
	japaneseHolidays = sync.OnceValue(func() []PublicHoliday { return holidaysOfAllYears(holidaysInJapan) })
)

func holidaysOfAllYears(ofYear func(int) map[Date]PublicHoliday) []PublicHoliday {
	var all []PublicHoliday
	for y := FirstYear; y <= LastYear; y++ {
		holidays := ofYear(y)
		for _, d := range slices.Sorted(maps.Keys(holidays)) {
			all = append(all, holidays[d])
		}
	}
	return all
}

// nthMonday returns the nth Monday of a month.
func nthMonday(year int, month time.Month, n int) Date {
	first := NewDate(year, month, 1)
	return first + Date((time.Monday-first.Weekday()+7)%7) + Date(7*(n-1))
}
