package workday

import (
	"math"
	"time"
)

// japaneseDay is a holiday of the Act on National Holidays (国民の祝日に関する
// 法律, Article 2) from one year to another.
type japaneseDay struct {
	id          string
	month       time.Month
	day, monday int // the day of the month, or the number of the Monday in the month
	from, to    int // years; 0 for no limit
}

// japaneseDays include the days that the special acts for 2019 (change of the
// throne) and for 2020 and 2021 (Olympic Games) moved or added.
var japaneseDays = []japaneseDay{
	{id: "jp.new_year", month: 1, day: 1},
	{id: "jp.coming_of_age", month: 1, monday: 2},
	{id: "jp.foundation_day", month: 2, day: 11},
	{id: "jp.emperors_birthday", month: 2, day: 23, from: 2020},
	{id: "jp.showa_day", month: 4, day: 29},
	{id: "jp.accession", month: 5, day: 1, from: 2019, to: 2019},
	{id: "jp.constitution_day", month: 5, day: 3},
	{id: "jp.greenery_day", month: 5, day: 4},
	{id: "jp.childrens_day", month: 5, day: 5},
	{id: "jp.marine_day", month: 7, monday: 3, to: 2019},
	{id: "jp.marine_day", month: 7, day: 23, from: 2020, to: 2020},
	{id: "jp.marine_day", month: 7, day: 22, from: 2021, to: 2021},
	{id: "jp.marine_day", month: 7, monday: 3, from: 2022},
	{id: "jp.mountain_day", month: 8, day: 11, from: 2016, to: 2019},
	{id: "jp.mountain_day", month: 8, day: 10, from: 2020, to: 2020},
	{id: "jp.mountain_day", month: 8, day: 8, from: 2021, to: 2021},
	{id: "jp.mountain_day", month: 8, day: 11, from: 2022},
	{id: "jp.aged_day", month: 9, monday: 3},
	{id: "jp.sports_day", month: 10, monday: 2, to: 2019},
	{id: "jp.sports_day", month: 7, day: 24, from: 2020, to: 2020},
	{id: "jp.sports_day", month: 7, day: 23, from: 2021, to: 2021},
	{id: "jp.sports_day", month: 10, monday: 2, from: 2022},
	{id: "jp.enthronement", month: 10, day: 22, from: 2019, to: 2019},
	{id: "jp.culture_day", month: 11, day: 3},
	{id: "jp.labor_thanksgiving", month: 11, day: 23},
	{id: "jp.emperors_birthday", month: 12, day: 23, to: 2018},
}

func (h japaneseDay) in(year int) (Date, bool) {
	if year < h.from || h.to > 0 && year > h.to {
		return 0, false
	}
	if h.monday > 0 {
		return nthMonday(year, h.month, h.monday), true
	}
	return NewDate(year, h.month, h.day), true
}

// holidaysInJapan returns a year's holidays. If one falls on a Sunday, the next day that
// is no holiday is a substitute (Article 3, paragraph 2, 振替休日). A day between
// two holidays is a holiday too (paragraph 3, 国民の休日).
func holidaysInJapan(year int) map[Date]PublicHoliday {
	law := map[Date]PublicHoliday{}
	add := func(d Date, id string) { law[d] = PublicHoliday{Date: d, ID: id} }
	for _, h := range japaneseDays {
		if d, is := h.in(year); is {
			add(d, h.id)
		}
	}
	add(equinox(year, 3, 20.8431), "jp.vernal_equinox")
	add(equinox(year, 9, 23.2488), "jp.autumnal_equinox")

	found := map[Date]PublicHoliday{}
	for d, h := range law {
		found[d] = h
		if _, pair := law[d+2]; pair {
			if _, between := law[d+1]; !between {
				found[d+1] = PublicHoliday{Date: d + 1, ID: "jp.citizens_holiday"}
			}
		}
	}
	for d, h := range law {
		if d.Weekday() != time.Sunday {
			continue
		}
		for d++; law[d] != (PublicHoliday{}); d++ {
		}
		found[d] = PublicHoliday{Date: d, ID: h.ID, Substitute: true}
	}
	return found
}

// equinox returns the day of an equinox in Japan between 1980 and 2099. day1980
// is the day of the month, with fractions, in 1980. The law leaves the date to
// astronomy; the cabinet announces it every February for the following year.
func equinox(year int, month time.Month, day1980 float64) Date {
	after := year - 1980
	return NewDate(year, month, int(math.Floor(day1980+0.242194*float64(after)-float64(after/4))))
}
