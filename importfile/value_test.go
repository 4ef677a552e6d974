package importfile

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"2014-02-03": "2014-02-03", "2014/2/3": "2014-02-03", "2014. 2. 3.": "2014-02-03", "2014.2.3": "2014-02-03", "2014.02.03.": "2014-02-03",
		"2014년 2월 3일": "2014-02-03", "2014년2월3일": "2014-02-03", "2014年2月3日": "2014-02-03", "20140203": "2014-02-03",
		"2014-02-03(월)": "2014-02-03", "2014. 2. 3. (Mon)": "2014-02-03", "2014-02-03 00:00:00": "2014-02-03", "2014-02-03T00:00": "2014-02-03",
		"41673": "2014-02-03", "41673.0": "2014-02-03", "2014-02-29": "", "2014-2": "", "2014-02/03": "", "2014-02-03 09:00": "", "14": "", "": "", "월": "", "2014-02-03(x)": "", "20141403": "",
		"1234567": "", "41673.5": "", "2014년 2월": "",
		"2026年11月19日（木）": "2026-11-19", "２０２６年１１月１９日": "2026-11-19", "２０２６－１１－１９": "2026-11-19", "2026. 11. 19.（목）": "2026-11-19",
		"令和8年11月2日": "2026-11-02", "令和８年11月2日（月）": "2026-11-02", "R8.11.2": "2026-11-02", "r8/11/2": "2026-11-02", "R08-11-02": "2026-11-02", "㋿8年11月2日": "2026-11-02",
		"令和元年5月1日": "2019-05-01", "平成31年4月30日": "2019-04-30", "H27.5.11": "2015-05-11", "昭和64年1月7日": "1989-01-07",
		"令和元年4月30日": "", "平成31年5月1日": "", "R0.11.2": "", "R2026.11.2": "", "令和年11月2日": "", "R8": "", "T8.11.2": "",
	} {
		got, err := (&Values{}).Date(text)
		if want == "" && !errors.Is(err, ErrDate) || want != "" && (err != nil || got.Format(time.DateOnly) != want) {
			t.Errorf("%q is %s, %v", text, got.Format(time.DateOnly), err)
		}
	}
	for _, text := range []string{"3/2/2014", "03.02.2014", "13/02/2014", "14-02-03", "14. 2. 3."} {
		if got, err := (&Values{}).Date(text); !errors.Is(err, ErrOrder) {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"11月18日", "11월 18일", "11月18日（水）", "１１月１８日"} {
		if got, err := (&Values{}).Date(text); !errors.Is(err, ErrYear) {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"2014-02-03(화)", "令和8年11月2日（火）", "2014. 2. 3. (Sun)", "2014年2月3日(日)"} {
		if got, err := (&Values{}).Date(text); !errors.Is(err, ErrWeekday) {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	if got, err := (&Values{}).Time("2014-02-03 (화) 09:00"); !errors.Is(err, ErrWeekday) {
		t.Errorf("a time of another day of the week is %v, %v", got, err)
	}
	for layout, text := range map[string]string{"%d/%m/%Y": "03/02/2014", "02/01/2006": "03/02/2014", "01/02/2006": "02/03/2014", "%y. %m. %d.": "14. 02. 03."} {
		v := Values{DateLayout: layout}
		for range 2 { // the second time from memory
			if got, err := v.Date(text); err != nil || got.Format(time.DateOnly) != "2014-02-03" {
				t.Errorf("%q by %s is %s, %v", text, layout, got, err)
			}
		}
	}
	if got, err := (&Values{Date1904: true}).Date("40211"); err != nil || got.Format(time.DateOnly) != "2014-02-03" {
		t.Errorf("counted from 1904: %s, %v", got, err)
	}
}

// A date without its year has the only year that the other dates of the file leave.
func TestDatesWithoutYear(t *testing.T) {
	for _, test := range []struct {
		others     []string
		text, want string
	}{
		{nil, "11月18日", ""},
		{[]string{"2026-11-02"}, "11月18日", "2026-11-18"},
		{[]string{"2026-11-02", "R8.12.1"}, "11월 18일", "2026-11-18"},
		{[]string{"2025-12-31", "2026-01-01"}, "1月5日", ""},
		{[]string{"2025-12-31", "2026-01-01"}, "1月5日（月）", "2026-01-05"},
		{[]string{"2026-11-02"}, "11月18日（木）", ""}, // a Wednesday
		{[]string{"2026-11-02"}, "2月29日", ""},
		{[]string{"no date"}, "11月18日", ""},
	} {
		v := Values{}
		for _, other := range append(test.others, test.text) {
			_, _ = v.Date(other)
		}
		v.UseYears()
		got, err := v.Date(test.text)
		if test.want == "" && err == nil || test.want != "" && (err != nil || got.Format(time.DateOnly) != test.want) {
			t.Errorf("%q beside %v is %s, %v", test.text, test.others, got.Format(time.DateOnly), err)
		}
	}
}

func TestTimes(t *testing.T) {
	const nine = 9 * 3600
	for text, want := range map[string]int{
		"09:00": nine, "9:00": nine, "9:0": nine, "9:5": nine + 300, "09:05:30": nine + 330, "0905": nine + 300, "09:00 AM": nine, "9:00am": nine, "9:00 p.m.": nine + 12*3600,
		"오전 9:00": nine, "오후 12:10": 12*3600 + 600, "오전 12:10": 600, "午前9:00": nine, "午後 6:30": 18*3600 + 1800, "24:00": 24 * 3600, "24:00:00": 24 * 3600, "00:00": 0,
		"9시 5분": nine + 300, "9時5分": nine + 300, "9시": nine, "오후 6시 12분": 18*3600 + 720, "0.375": nine, "0.3541666667": 8*3600 + 1800, "0.0": 0, "09:00:00.000": nine, "PM 6:12": 18*3600 + 720,
		"９：００": nine, "０９００": nine, "午前９時５分": nine + 300, "9：00": nine,
	} {
		if got, err := (&Values{}).Time(text); err != nil || got.Second != want || !got.Date.IsZero() {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]int{
		"2014-02-03 09:00": nine, "2014-02-03 09:00:30": nine + 30, "2014-02-03T09:00:30": nine + 30, "2014. 2. 3. 오전 9:00": nine, "2014-02-03 (월) 09:00": nine,
		"2014年2月3日 9:00": nine, "41673.375": nine, "2014-02-03 24:00": 24 * 3600,
	} {
		if got, err := (&Values{}).Time(text); err != nil || got.Second != want || got.Date.Format(time.DateOnly) != "2014-02-03" {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"25:30": "1 5400", "26:00": "1 7200", "47:59": "1 86340", "24:01": "1 60", "２５：３０": "1 5400", "25時30分": "1 5400", "2530": "1 5400",
		"翌1:30": "1 5400", "翌日 1:30": "1 5400", "翌日1時30分": "1 5400", "翌 午前1:30": "1 5400", "（翌）1:30": "1 5400", "1:30（翌日）": "1 5400",
		"다음 날 1:30": "1 5400", "다음날 1:30": "1 5400", "익일 01:30": "1 5400", "next day 1:30 am": "1 5400", "01:30 next day": "1 5400",
		"00:00 (+1)": "1 0", "07:10 (+1)": "1 25800", "23:50 (-1)": "-1 85800",
	} {
		if got, err := (&Values{}).Time(text); err != nil || fmt.Sprint(got.Days, " ", got.Second) != want || !got.Date.IsZero() {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if got, err := (&Values{}).Time("2026年11月19日（木） 25:30"); err != nil || got.Days != 1 || got.Second != 5400 || got.Date.Format(time.DateOnly) != "2026-11-19" {
		t.Errorf("a time with a date: %v, %v", got, err)
	}
	for _, text := range []string{"9", "900", "48:00", "翌25:30", "翌24:00", "25:30 (+1)", "翌", "翌翌1:30", "00:00 (+12)", "午後25:30", "09:60", "nine", "09:00:", ":30", "13:00 PM", "0:30 pm", "1.5", "-0.5", "09:00 09:00", "2014-02-03", "오전", "09:00:61", "100:00", "9:00x", "NaN", "0x1p-2"} {
		if got, err := (&Values{}).Time(text); !errors.Is(err, ErrTime) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if _, err := (&Values{}).Time("3/2/2014 09:00"); !errors.Is(err, ErrOrder) {
		t.Errorf("day or month first: %v", err)
	}
	v := Values{TimeLayout: "%d.%m.%Y %H.%M"}
	if got, err := v.Time("03.02.2014 09.05"); err != nil || got.Second != nine+300 || got.Date.Format(time.DateOnly) != "2014-02-03" {
		t.Errorf("by a layout: %v, %v", got, err)
	}
	if _, err := v.Time("09:05"); !errors.Is(err, ErrTime) {
		t.Errorf("a time in another layout: %v", err)
	}
}

// A workbook has a midnight as a whole number.
func TestTimesOfWorkbooks(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0001-01-01 0", "1": "0001-01-01 86400", "46350": "2026-11-24 0", "46350.375": "2026-11-24 32400", "0001": "0001-01-01 60", "2": "", "1.0625": "0001-01-01 +1 5400", "2.5": "", "48:00": "", "73050": "",
	} {
		got, err := (&Values{IsBook: true}).Time(text)
		if want == "" && !errors.Is(err, ErrTime) || want != "" && (err != nil || shownTime(got) != want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
		if _, err := (&Values{}).Time(text); err == nil && len(text) <= 5 && text != "0001" {
			t.Errorf("%q is a time in CSV", text)
		}
	}
	var v Values
	_, _ = v.Time("0")
	_, _ = v.Date("40211")
	v.Begin(&Table{IsBook: true, Date1904: true})
	if _, err := v.Time("0"); err != nil {
		t.Errorf("the answer is that of the file before: %v", err)
	}
	if got, err := v.Date("40211"); err != nil || got.Format(time.DateOnly) != "2014-02-03" {
		t.Errorf("the answer is that of the file before: %v, %v", got, err)
	}
}

func shownTime(t TimeOfCell) string {
	if t.Days == 0 {
		return fmt.Sprint(t.Date.Format(time.DateOnly), " ", t.Second)
	}
	return fmt.Sprintf("%s %+d %d", t.Date.Format(time.DateOnly), t.Days, t.Second)
}

// What is read is a date between the years of spreadsheets, or a time within a day, and
// reading it again from memory gives the same.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"2014. 2. 3. 오전 9:00", "41673.375", "0905", "9시 5분", "3/2/14", "24:00", "2014-02-03T09:05:30.5", "午後12", "1e-3", "0.99999999", "令和8年11月2日", "翌1:30", "25:30", "11月18日（水）", "00:00 (+1)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := &Values{}
		date, err := v.Date(text)
		if again, err2 := v.Date(text); again != date || !errors.Is(err2, err) {
			t.Errorf("date %q: %v %v, then %v %v", text, date, err, again, err2)
		}
		if err == nil && (date.Hour() != 0 || date.Year() < 0 || date.Year() > 9999) {
			t.Errorf("date %q: %v", text, date)
		}
		at, err := v.Time(text)
		if again, err2 := v.Time(text); again != at || !errors.Is(err2, err) {
			t.Errorf("time %q: %v %v, then %v %v", text, at, err, again, err2)
		}
		if err == nil && (at.Second < 0 || at.Second > 24*3600) {
			t.Errorf("time %q: %v", text, at)
		}
	})
}
