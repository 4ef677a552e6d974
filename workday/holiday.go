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
	known := c.allHolidays()
	first, _ := slices.BinarySearchFunc(known, NewDate(year, 1, 1), byDate)
	after, _ := slices.BinarySearchFunc(known, NewDate(year+1, 1, 1), byDate)
	return slices.Clone(known[first:after])
}

// On returns the holiday on a date, or false if there is none.
func (c Calendar) On(d Date) (PublicHoliday, bool) {
	known := c.allHolidays()
	i, found := slices.BinarySearchFunc(known, d, byDate)
	if !found {
		return PublicHoliday{}, false
	}
	return known[i], true
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
	koreanHolidays   = sync.OnceValue(func() []PublicHoliday { return everyYear(korea) })
	japaneseHolidays = sync.OnceValue(func() []PublicHoliday { return everyYear(japan) })
)

func everyYear(year func(int) map[Date]PublicHoliday) []PublicHoliday {
	var all []PublicHoliday
	for y := FirstYear; y <= LastYear; y++ {
		holidays := year(y)
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
