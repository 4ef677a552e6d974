package workday

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// lunarDays are the months and days of 설날 (1st of the 1st lunar month),
// 부처님오신날 (8th of the 4th) and 추석 (15th of the 8th) from FirstYear on.
// They follow from the new moons and the sun's longitude at UTC+9, as the
// Korea Astronomy and Space Science Institute reckons the lunar calendar.
var lunarDays = [LastYear - FirstYear + 1][6]int{
	{2, 14, 5, 21, 9, 22}, {2, 3, 5, 10, 9, 12}, {1, 23, 5, 28, 9, 30}, {2, 10, 5, 17, 9, 19}, {1, 31, 5, 6, 9, 8}, // 2010
	{2, 19, 5, 25, 9, 27}, {2, 8, 5, 14, 9, 15}, {1, 28, 5, 3, 10, 4}, {2, 16, 5, 22, 9, 24}, {2, 5, 5, 12, 9, 13}, // 2015
	{1, 25, 4, 30, 10, 1}, {2, 12, 5, 19, 9, 21}, {2, 1, 5, 8, 9, 10}, {1, 22, 5, 27, 9, 29}, {2, 10, 5, 15, 9, 17}, // 2020
	{1, 29, 5, 5, 10, 6}, {2, 17, 5, 24, 9, 25}, {2, 7, 5, 13, 9, 15}, {1, 27, 5, 2, 10, 3}, {2, 13, 5, 20, 9, 22}, // 2025
	{2, 3, 5, 9, 9, 12}, {1, 23, 5, 28, 10, 1}, {2, 11, 5, 16, 9, 19}, {1, 31, 5, 6, 9, 8}, {2, 19, 5, 25, 9, 27}, // 2030
	{2, 8, 5, 15, 9, 16}, {1, 28, 5, 3, 10, 4}, {2, 15, 5, 22, 9, 24}, {2, 4, 5, 11, 9, 13}, {1, 24, 4, 30, 10, 2}, // 2035
	{2, 12, 5, 18, 9, 21}, {2, 1, 5, 7, 9, 10}, {1, 22, 5, 26, 9, 28}, {2, 10, 5, 16, 9, 17}, {1, 30, 5, 5, 10, 5}, // 2040
	{2, 17, 5, 24, 9, 25}, {2, 6, 5, 13, 9, 15}, {1, 26, 5, 2, 10, 4}, {2, 14, 5, 20, 9, 22}, {2, 2, 5, 9, 9, 11}, // 2045
	{1, 23, 5, 28, 9, 30}, // 2050
}

// koreanDay is a holiday with the rule for its substitute day.
type koreanDay struct {
	id         string
	month      time.Month
	day        int
	since      int    // first year; 0 for always
	substitute int    // first year with a substitute day; 0 for none
	sunday     bool   // only a Sunday leads to a substitute
	instead    string // the substitute's id if it differs
}

// fixedKoreanDays are the holidays with a date of the solar calendar, by the
// Public Holidays Act (공휴일에 관한 법률, Article 2) and the regulation before it
// (관공서의 공휴일에 관한 규정). 한글날 has been a holiday again since 2013; 노동절 and 제헌절
// became holidays by the amendments of 2026.
var fixedKoreanDays = []koreanDay{
	{id: "kr.new_year", month: 1, day: 1},
	{id: "kr.march_first", month: 3, day: 1, substitute: 2021},
	{id: "kr.labor_day", month: 5, day: 1, since: 2026, substitute: 2026},
	{id: "kr.childrens_day", month: 5, day: 5, substitute: 2014},
	{id: "kr.memorial_day", month: 6, day: 6},
	{id: "kr.constitution_day", month: 7, day: 17, since: 2026, substitute: 2026},
	{id: "kr.liberation_day", month: 8, day: 15, substitute: 2021},
	{id: "kr.foundation_day", month: 10, day: 3, substitute: 2021},
	{id: "kr.hangul_day", month: 10, day: 9, since: 2013, substitute: 2021},
	{id: "kr.christmas", month: 12, day: 25, substitute: 2023},
}

// lunarKoreanDays returns the holidays of the lunar calendar.
func lunarKoreanDays(year int) []koreanDay {
	d := lunarDays[year-FirstYear]
	three := func(id string, month, day int) []koreanDay {
		one := koreanDay{month: time.Month(month), substitute: 2014, sunday: true, instead: id}
		eve, feast, after := one, one, one
		eve.id, eve.day = id+"_eve", day-1
		feast.id, feast.day = id, day
		after.id, after.day = id+"_after", day+1
		return []koreanDay{eve, feast, after}
	}
	return slices.Concat(
		three("kr.seollal", d[0], d[1]),
		[]koreanDay{{id: "kr.buddhas_birthday", month: time.Month(d[2]), day: d[3], substitute: 2023}},
		three("kr.chuseok", d[4], d[5]),
	)
}

const (
	koreanElection  = "kr.election"
	koreanTemporary = "kr.temporary"
)

// announcedKoreanDays are election days, and days that the government declared
// holidays (Article 2, 임시공휴일). Future ones are unknown until they are
// announced; until then a company enters them as its own.
var announcedKoreanDays = map[Date]string{
	NewDate(2010, 6, 2):   koreanElection,
	NewDate(2012, 4, 11):  koreanElection,
	NewDate(2012, 12, 19): koreanElection,
	NewDate(2014, 6, 4):   koreanElection,
	NewDate(2015, 8, 14):  koreanTemporary,
	NewDate(2016, 4, 13):  koreanElection,
	NewDate(2016, 5, 6):   koreanTemporary,
	NewDate(2017, 5, 9):   koreanElection,
	NewDate(2017, 10, 2):  koreanTemporary,
	NewDate(2018, 6, 13):  koreanElection,
	NewDate(2020, 4, 15):  koreanElection,
	NewDate(2020, 8, 17):  koreanTemporary,
	NewDate(2022, 3, 9):   koreanElection,
	NewDate(2022, 6, 1):   koreanElection,
	NewDate(2023, 10, 2):  koreanTemporary,
	NewDate(2024, 4, 10):  koreanElection,
	NewDate(2024, 10, 1):  koreanTemporary,
	NewDate(2025, 1, 27):  koreanTemporary,
	NewDate(2025, 6, 3):   koreanElection,
	NewDate(2026, 6, 3):   koreanElection,
}

// holidaysInKorea returns a year's holidays. A holiday that falls on a weekend or on
// another holiday has a substitute on the next day that is neither (Article 3,
// 대체공휴일), from the year in which the regulation introduced it.
func holidaysInKorea(year int) map[Date]PublicHoliday {
	found, on := map[Date]PublicHoliday{}, map[Date][]koreanDay{}
	for d, id := range announcedKoreanDays {
		if d.Year() == year {
			found[d] = PublicHoliday{Date: d, ID: id}
		}
	}
	for _, h := range slices.Concat(fixedKoreanDays, lunarKoreanDays(year)) {
		if d := NewDate(year, h.month, h.day); year >= h.since {
			on[d] = append(on[d], h)
			found[d] = PublicHoliday{Date: d, ID: on[d][0].id}
		}
	}
	for _, d := range slices.Sorted(maps.Keys(on)) {
		if id := substituteFor(d, on[d]); id != "" {
			free := firstFree(d+1, found)
			found[free] = PublicHoliday{Date: free, ID: id, Substitute: true}
		}
	}
	return found
}

// substituteFor returns the holiday on a date that needs a substitute, or "".
func substituteFor(d Date, on []koreanDay) string {
	for _, h := range slices.Backward(on) {
		sunday, saturday := d.Weekday() == time.Sunday, d.Weekday() == time.Saturday
		if h.substitute > 0 && d.Year() >= h.substitute && (sunday || saturday && !h.sunday || len(on) > 1) {
			return cmp.Or(h.instead, h.id)
		}
	}
	return ""
}

func firstFree(d Date, taken map[Date]PublicHoliday) Date {
	for {
		_, holiday := taken[d]
		if !holiday && d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			return d
		}
		d++
	}
}
