package workday

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// recordsWithWork returns records of consecutive days from a date on; -1 is unknown
// work.
func recordsWithWork(from string, minutes ...int) []Record {
	var all []Record
	for i, n := range minutes {
		r := Record{Date: date(from) + Date(i), Type: Workday}
		if n != 0 {
			r.Arrival = &ClockTime{}
		}
		if n >= 0 {
			r.WorkedMin = &n
		}
		all = append(all, r)
	}
	return all
}

func TestSumByWeek(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []Record
		start   time.Weekday
		want    string // start, minutes, days and marks of the week, then the dates over the cap
	}{
		{"딱 40시간", recordsWithWork("2026-11-16", 480, 480, 480, 480, 480, 0, 0), time.Monday,
			"2026-11-16 2400/5"},
		{"48시간부터 경고", recordsWithWork("2026-11-16", 576, 576, 576, 576, 576, 0, 0), time.Monday,
			"2026-11-16 2880/5 warned"},
		{"52시간까지는 한도 안", recordsWithWork("2026-11-16", 624, 624, 624, 624, 624, 0, 0), time.Monday,
			"2026-11-16 3120/5 warned"},
		{"토요일에 52시간을 넘김", recordsWithWork("2026-11-16", 600, 600, 600, 600, 600, 180, 0), time.Monday,
			"2026-11-16 3180/6 warned over | 2026-11-21"},
		{"넘긴 날부터 표시", recordsWithWork("2026-11-16", 900, 900, 900, 600, 300, 0, 60), time.Monday,
			"2026-11-16 3660/6 warned over | 2026-11-19 2026-11-20 2026-11-22"},
		{"일요일에 시작하는 주", recordsWithWork("2026-11-15", 600, 600, 600, 600, 600, 180, 0), time.Sunday,
			"2026-11-15 3180/6 warned over | 2026-11-20"},
		{"두 주는 따로 센다", recordsWithWork("2026-11-19", 1000, 1000, 700, 700, 600, 600, 600), time.Monday,
			"2026-11-16 3400/4 warned over, 2026-11-23 1800/3 | 2026-11-22"},
		{"모르는 근무는 세지 않되 알린다", recordsWithWork("2026-11-16", 480, -1, 480), time.Monday,
			"2026-11-16 960/3 unknown 1"},
		{"해를 넘기는 주", recordsWithWork("2026-12-28", 480, 480, 480, 480, 0, 0, 0), time.Monday,
			"2026-12-28 1920/4"},
		{"기록이 없음", nil, time.Monday, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			totals, marked := SumByWeek(c.records, c.start, 3120, 2880)
			var weeks, over []string
			for _, w := range totals {
				text := fmt.Sprintf("%s %d/%d", w.Start, w.WorkedMin, w.Days)
				for mark, is := range map[string]bool{" warned": w.ReachesWarning && !w.ExceedsCap, " warned over": w.ReachesWarning && w.ExceedsCap, fmt.Sprint(" unknown ", w.UnknownDays): w.UnknownDays > 0} {
					if is {
						text += mark
					}
				}
				weeks = append(weeks, text)
			}
			for _, r := range marked {
				if r.Flags.Has(FlagOverWeek) {
					over = append(over, r.Date.String())
				}
			}
			got := strings.Join(weeks, ", ")
			if len(over) > 0 {
				got += " | " + strings.Join(over, " ")
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			again, _ := SumByWeek(marked, c.start, 3120, 2880)
			if fmt.Sprint(again) != fmt.Sprint(totals) {
				t.Errorf("again: %v", again)
			}
		})
	}
}

func TestWeekCountsExtraRecordsAndResetsItsFlag(t *testing.T) {
	records := recordsWithWork("2026-11-16", 3000)
	extra := recordsWithWork("2026-11-16", 200)[0]
	extra.Extra = true
	totals, marked := SumByWeek(append([]Record{extra}, records...), time.Monday, 3120, 2880)
	if !totals[0].ExceedsCap || marked[0].Flags.Has(FlagOverWeek) || !marked[1].Flags.Has(FlagOverWeek) {
		t.Errorf("%+v, %v, %v", totals, marked[0].Flags, marked[1].Flags)
	}
	if _, marked = SumByWeek(marked, time.Monday, 6000, 0); marked[1].Flags.Has(FlagOverWeek) {
		t.Error("the flag stays under a higher cap")
	}
}
