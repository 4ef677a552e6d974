package workday

import (
	"fmt"
	"strings"
	"testing"
)

// koreanYears are complete years as announced (월력요항) and later changed by the
// government; "s" marks a substitute day.
var koreanYears = map[int]string{
	2014: "01-01 01-30 01-31 02-01 03-01 05-05 05-06 06-04 06-06 08-15 09-07 09-08 09-09 09-10s 10-03 10-09 12-25",
	2015: "01-01 02-18 02-19 02-20 03-01 05-05 05-25 06-06 08-14 08-15 09-26 09-27 09-28 09-29s 10-03 10-09 12-25",
	2016: "01-01 02-07 02-08 02-09 02-10s 03-01 04-13 05-05 05-06 05-14 06-06 08-15 09-14 09-15 09-16 10-03 10-09 12-25",
	2017: "01-01 01-27 01-28 01-29 01-30s 03-01 05-03 05-05 05-09 06-06 08-15 10-02 10-03 10-04 10-05 10-06s 10-09 12-25",
	2018: "01-01 02-15 02-16 02-17 03-01 05-05 05-07s 05-22 06-06 06-13 08-15 09-23 09-24 09-25 09-26s 10-03 10-09 12-25",
	2019: "01-01 02-04 02-05 02-06 03-01 05-05 05-06s 05-12 06-06 08-15 09-12 09-13 09-14 10-03 10-09 12-25",
	2020: "01-01 01-24 01-25 01-26 01-27s 03-01 04-15 04-30 05-05 06-06 08-15 08-17 09-30 10-01 10-02 10-03 10-09 12-25",
	2021: "01-01 02-11 02-12 02-13 03-01 05-05 05-19 06-06 08-15 08-16s 09-20 09-21 09-22 10-03 10-04s 10-09 10-11s 12-25",
	2022: "01-01 01-31 02-01 02-02 03-01 03-09 05-05 05-08 06-01 06-06 08-15 09-09 09-10 09-11 09-12s 10-03 10-09 10-10s 12-25",
	2023: "01-01 01-21 01-22 01-23 01-24s 03-01 05-05 05-27 05-29s 06-06 08-15 09-28 09-29 09-30 10-02 10-03 10-09 12-25",
	2024: "01-01 02-09 02-10 02-11 02-12s 03-01 04-10 05-05 05-06s 05-15 06-06 08-15 09-16 09-17 09-18 10-01 10-03 10-09 12-25",
	2025: "01-01 01-27 01-28 01-29 01-30 03-01 03-03s 05-05 05-06s 06-03 06-06 08-15 10-03 10-05 10-06 10-07 10-08s 10-09 12-25",
	2026: "01-01 02-16 02-17 02-18 03-01 03-02s 05-01 05-05 05-24 05-25s 06-03 06-06 07-17 08-15 08-17s 09-24 09-25 09-26 10-03 10-05s 10-09 12-25",
	2027: "01-01 02-06 02-07 02-08 02-09s 03-01 05-01 05-03s 05-05 05-13 06-06 07-17 07-19s 08-15 08-16s 09-14 09-15 09-16 10-03 10-04s 10-09 10-11s 12-25 12-27s",
}

// japaneseYears are complete years as published by the Cabinet Office.
var japaneseYears = map[int]string{
	2015: "01-01 01-12 02-11 03-21 04-29 05-03 05-04 05-05 05-06s 07-20 09-21 09-22 09-23 10-12 11-03 11-23 12-23",
	2016: "01-01 01-11 02-11 03-20 03-21s 04-29 05-03 05-04 05-05 07-18 08-11 09-19 09-22 10-10 11-03 11-23 12-23",
	2018: "01-01 01-08 02-11 02-12s 03-21 04-29 04-30s 05-03 05-04 05-05 07-16 08-11 09-17 09-23 09-24s 10-08 11-03 11-23 12-23 12-24s",
	2019: "01-01 01-14 02-11 03-21 04-29 04-30 05-01 05-02 05-03 05-04 05-05 05-06s 07-15 08-11 08-12s 09-16 09-23 10-14 10-22 11-03 11-04s 11-23",
	2020: "01-01 01-13 02-11 02-23 02-24s 03-20 04-29 05-03 05-04 05-05 05-06s 07-23 07-24 08-10 09-21 09-22 11-03 11-23",
	2021: "01-01 01-11 02-11 02-23 03-20 04-29 05-03 05-04 05-05 07-22 07-23 08-08 08-09s 09-20 09-23 11-03 11-23",
	2024: "01-01 01-08 02-11 02-12s 02-23 03-20 04-29 05-03 05-04 05-05 05-06s 07-15 08-11 08-12s 09-16 09-22 09-23s 10-14 11-03 11-04s 11-23",
	2025: "01-01 01-13 02-11 02-23 02-24s 03-20 04-29 05-03 05-04 05-05 05-06s 07-21 08-11 09-15 09-23 10-13 11-03 11-23 11-24s",
	2026: "01-01 01-12 02-11 02-23 03-20 04-29 05-03 05-04 05-05 05-06s 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23",
}

func TestHolidaysOfKnownYears(t *testing.T) {
	for calendar, years := range map[Calendar]map[int]string{CalendarKR: koreanYears, CalendarJP: japaneseYears} {
		for year, want := range years {
			var all []string
			for _, h := range calendar.Holidays(year) {
				day := h.Date.Time().Format("01-02")
				if h.Substitute {
					day += "s"
				}
				all = append(all, day)
			}
			if got := strings.Join(all, " "); got != want {
				t.Errorf("%s %d:\n got %s\nwant %s", calendar, year, got, want)
			}
		}
	}
}

func TestHolidaysByRule(t *testing.T) {
	for _, c := range []struct {
		calendar       Calendar
		date, id, kind string
	}{
		{CalendarKR, "2028-01-27", "kr.seollal", ""},
		{CalendarKR, "2028-10-03", "kr.foundation_day", ""},
		{CalendarKR, "2028-10-05", "kr.chuseok", "substitute"},
		{CalendarKR, "2029-09-24", "kr.chuseok", "substitute"},
		{CalendarKR, "2031-01-23", "kr.seollal", ""},
		{CalendarKR, "2032-05-03", "kr.labor_day", "substitute"},
		{CalendarKR, "2032-05-17", "kr.buddhas_birthday", "substitute"},
		{CalendarKR, "2033-02-02", "kr.seollal", "substitute"},
		{CalendarKR, "2033-09-08", "kr.chuseok", ""},
		{CalendarKR, "2034-02-19", "kr.seollal", ""},
		{CalendarKR, "2035-09-18", "kr.chuseok", "substitute"},
		{CalendarKR, "2025-05-06", "kr.buddhas_birthday", "substitute"},
		{CalendarKR, "2017-10-06", "kr.chuseok", "substitute"},
		{CalendarKR, "2023-10-02", "kr.temporary", ""},
		{CalendarKR, "2025-06-03", "kr.election", ""},
		{CalendarKR, "2025-07-17", "", ""}, // 제헌절 since 2026
		{CalendarKR, "2025-05-01", "", ""}, // 노동절 since 2026
		{CalendarKR, "2012-10-09", "", ""}, // 한글날 since 2013
		{CalendarKR, "2022-12-26", "", ""}, // substitute for Christmas since 2023
		{CalendarKR, "2020-03-02", "", ""}, // substitute for 삼일절 since 2021
		{CalendarKR, "2026-06-08", "", ""}, // never for 현충일
		{CalendarKR, "2028-04-12", "", ""}, // an election that is not announced yet
		{CalendarJP, "2019-05-01", "jp.accession", ""},
		{CalendarJP, "2019-05-02", "jp.citizens_holiday", ""},
		{CalendarJP, "2032-09-21", "jp.citizens_holiday", ""},
		{CalendarJP, "2030-09-23", "jp.autumnal_equinox", ""},
		{CalendarJP, "2030-03-20", "jp.vernal_equinox", ""},
		{CalendarJP, "2031-02-24", "jp.emperors_birthday", "substitute"},
		{CalendarJP, "2035-03-21", "jp.vernal_equinox", ""},
		{CalendarJP, "2026-05-06", "jp.constitution_day", "substitute"},
		{CalendarJP, "2026-05-07", "", ""},
		{CalendarNone, "2026-01-01", "", ""},
		{CalendarKR, "2051-01-01", "", ""},
	} {
		h, _ := c.calendar.HolidayOn(date(c.date))
		kind := ""
		if h.Substitute {
			kind = "substitute"
		}
		if h.ID != c.id || kind != c.kind {
			t.Errorf("%s %s is %q %q, not %q %q", c.calendar, c.date, h.ID, kind, c.id, c.kind)
		}
	}
}

// Every year has as many holidays as the law lists, and substitutes never fall
// on a weekend.
func TestHolidaysOfEveryYear(t *testing.T) {
	for year := FirstYear; year <= LastYear; year++ {
		for _, calendar := range []Calendar{CalendarKR, CalendarJP} {
			ids := map[string]int{}
			for _, h := range calendar.Holidays(year) {
				if h.Date.Year() != year {
					t.Errorf("%s %d has %s", calendar, year, h.Date)
				}
				if wd := h.Date.Weekday(); h.Substitute && (wd == 0 || calendar == CalendarKR && wd == 6) {
					t.Errorf("%s is a substitute on a %s", h.Date, wd)
				}
				ids[fmt.Sprint(h.ID, h.Substitute)]++
			}
			for id, n := range ids {
				if n > 1 && !strings.Contains(id, "citizens") && !strings.Contains(id, "election") &&
					id != "kr.chuseoktrue" && id != "kr.seollaltrue" && id != "kr.temporaryfalse" {
					t.Errorf("%d has %d times %s", year, n, id)
				}
			}
			if len(ids) < 14 { // without 한글날, 노동절 and 제헌절
				t.Errorf("%s %d has only %d", calendar, year, len(ids))
			}
		}
	}
}
