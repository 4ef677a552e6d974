package importfile

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Values reads the dates and times of a file as offices write them. Without layouts it
// recognizes what can mean one thing only (docs/import.md). It is not safe for
// concurrent use.
type Values struct {
	DateLayout, TimeLayout string // of Go or strftime; "" recognizes
	IsBook                 bool   // of a workbook, where a whole number can be a midnight
	Date1904               bool   // numbers of dates count from 1904 on, as in old workbooks of Macs

	// The years of the dates that were read, and whether they are used for dates
	// without one.
	years    map[int]bool
	useYears bool

	// What was read before, because the cells of a file repeat themselves.
	dates map[string]readDate
	times map[string]readTime
}

// maxRemembered is the number of texts that Values remembers.
const maxRemembered = 50_000

type readDate struct {
	date time.Time
	err  error
}

type readTime struct {
	time TimeOfCell
	err  error
}

// TimeOfCell is a time in a cell.
type TimeOfCell struct {
	Date   time.Time // midnight UTC of the date that the cell has with the time; zero for none
	Days   int       // how many days after its date the cell says that the time is: 1 for 翌1:30 and 25:30
	Second int       // since midnight, at most 24 hours
}

// Begin takes on how a file writes its numbers. What was read of another file may mean
// something else in this one.
func (v *Values) Begin(t *Table) {
	v.IsBook, v.Date1904, v.dates, v.times = t.IsBook, t.Date1904, nil, nil
	v.years, v.useYears = nil, false
}

// UseYears makes dates without a year have the year of the other dates that were read,
// if these leave only one. It is called when all of them were read, or as many as can be.
func (v *Values) UseYears() { v.useYears = true }

// Errors of dates and times.
var (
	ErrDate = errors.New("not a date")
	ErrTime = errors.New("not a time")
	// ErrOrder is the error of a date such as 3/2/2014, which is the third of February or
	// the second of March.
	ErrOrder = errors.New("the order of day and month is not known")
	// ErrWeekday is the error of a date such as 2014-02-03 (Tue), which was a Monday: one
	// of the two is wrong, and nothing tells which.
	ErrWeekday = errors.New("the date is another day of the week")
	// ErrYear is the error of a date such as 11月18日 while nothing tells its year.
	ErrYear = errors.New("the date has no year")
)

// Date reads a date, as midnight UTC.
func (v *Values) Date(text string) (time.Time, error) {
	if known, ok := v.dates[text]; ok {
		return known.date, known.err
	}
	date, err := v.date(text)
	if errors.Is(err, ErrYear) {
		return date, err // other dates may tell the year
	}
	if len(v.dates) >= maxRemembered || v.dates == nil {
		v.dates = map[string]readDate{}
	}
	v.dates[strings.Clone(text)] = readDate{date, err}
	return date, err
}

// Time reads a time of day, with or without a date.
func (v *Values) Time(text string) (TimeOfCell, error) {
	if known, ok := v.times[text]; ok {
		return known.time, known.err
	}
	at, err := v.time(text)
	if errors.Is(err, ErrYear) {
		return at, err
	}
	if len(v.times) >= maxRemembered || v.times == nil {
		v.times = map[string]readTime{}
	}
	v.times[strings.Clone(text)] = readTime{at, err}
	return at, err
}

func (v *Values) date(text string) (time.Time, error) {
	if v.DateLayout != "" {
		if t, err := time.Parse(goLayout(v.DateLayout), norm.NFKC.String(text)); err == nil {
			return midnight(t), nil
		}
		if whole, fraction, ok := v.serial(text); ok && fraction == 0 { // a cell of a workbook, which has no layout
			return whole, nil
		}
		return time.Time{}, ErrDate
	}
	date, rest, err := v.leadingDate(norm.NFKC.String(text))
	if err != nil {
		return time.Time{}, err
	}
	if rest = strings.TrimSpace(rest); rest == "" {
		return date, nil
	}
	if at, err := clockTime(strings.TrimPrefix(rest, "T")); err == nil && at == (TimeOfCell{}) { // spreadsheets export dates with midnight
		return date, nil
	}
	return time.Time{}, ErrDate
}

func (v *Values) time(text string) (TimeOfCell, error) {
	if v.TimeLayout != "" {
		if t, err := time.Parse(goLayout(v.TimeLayout), norm.NFKC.String(text)); err == nil {
			at := TimeOfCell{Second: secondOf(t)}
			if t.Year() != 0 {
				at.Date = midnight(t)
			}
			return at, nil
		}
		if at, ok := v.serialTime(text); ok {
			return at, nil
		}
		return TimeOfCell{}, ErrTime
	}
	if at, ok := v.serialTime(text); ok {
		return at, nil
	}
	text = norm.NFKC.String(text)
	if at, err := clockTime(text); err == nil {
		return at, nil
	}
	date, rest, err := v.leadingDate(text)
	if errors.Is(err, ErrDate) {
		return TimeOfCell{}, ErrTime
	}
	if err != nil {
		return TimeOfCell{}, err
	}
	at, err := clockTime(strings.TrimPrefix(strings.TrimSpace(rest), "T"))
	at.Date = date
	return at, err
}

// leadingDate reads the date that a text begins with, in the forms of numericDate,
// 令和8年11月2日, R8.11.2 or 11月18日, with the day of the week that may stand behind it.
func (v *Values) leadingDate(text string) (date time.Time, rest string, err error) {
	if month, day, after, ok := dateOfYear(text); ok {
		weekday, rest, has := cutWeekday(after)
		date, err = v.inKnownYear(month, day, func(date time.Time) bool { return !has || date.Weekday() == weekday })
		return date, rest, err
	}
	if of, after, ok := cutEra(text); ok {
		date, rest, err = of.date(after)
	} else {
		date, rest, err = v.numericDate(text)
	}
	if err != nil {
		return date, "", err
	}
	if weekday, after, ok := cutWeekday(rest); ok {
		if err := checkWeekday(date, weekday); err != nil {
			return date, "", err
		}
		rest = after
	}
	if v.years == nil {
		v.years = map[int]bool{}
	}
	v.years[date.Year()] = true
	return date, rest, nil
}

// inKnownYear returns the date of a month and day in the only year of the file's other
// dates in which fits accepts it.
func (v *Values) inKnownYear(month, day string, fits func(time.Time) bool) (time.Time, error) {
	var found []time.Time
	for year := range v.years {
		if date, err := dateOf(strconv.Itoa(year), month, day); err == nil && fits(date) {
			found = append(found, date)
		}
	}
	if !v.useYears || len(found) != 1 {
		return time.Time{}, ErrYear
	}
	return found[0], nil
}

// numericDate reads the date that a text begins with: 2014-02-03, 2014/2/3, 2014. 2. 3.,
// 2014년 2월 3일, 2014年2月3日, 20140203 or the number of a spreadsheet.
func (v *Values) numericDate(text string) (date time.Time, rest string, err error) {
	if len(text) == 8 {
		if t, err := time.Parse("20060102", text); err == nil {
			return t, "", nil
		}
	}
	if whole, fraction, ok := v.serial(text); ok && fraction == 0 {
		return whole, "", nil
	}
	year, rest := digits(text)
	mark, rest := dateMark(rest)
	month, rest := digits(rest)
	mark2, rest := dateMark(rest)
	day, rest := digits(rest)
	switch {
	case year == "" || mark == "" || month == "" || mark2 == "" || day == "" || len(month) > 2:
		return date, "", ErrDate
	case len(day) == 4 && len(year) <= 2: // whatever its numbers: one value does not tell about the file
		return date, "", ErrOrder
	case len(year) == 2 && len(day) <= 2:
		return date, "", ErrOrder
	case len(year) != 4 || len(day) > 2 || !sameMarks(mark, mark2):
		return date, "", ErrDate
	}
	date, err = dateOf(year, month, day)
	return date, cutLastMark(rest), err
}

func dateOf(year, month, day string) (time.Time, error) {
	date, err := time.Parse("2006-1-2", year+"-"+month+"-"+day)
	if err != nil {
		return date, ErrDate
	}
	return date, nil
}

// cutLastMark removes the mark behind the day of a date.
func cutLastMark(text string) string {
	if mark, after := dateMark(text); mark == "." || mark == "일" || mark == "日" {
		return after
	}
	return text
}

// dateOfYear reads a date without a year: 11月18日 or 11월 18일.
func dateOfYear(text string) (month, day, rest string, ok bool) {
	month, rest = digits(text)
	mark, rest := dateMark(rest)
	day, rest = digits(rest)
	last, rest := dateMark(rest)
	ok = month != "" && day != "" && len(month) <= 2 && len(day) <= 2 && (mark == "月" && last == "日" || mark == "월" && last == "일")
	return month, day, rest, ok
}

func digits(text string) (number, rest string) {
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end], text[end:]
}

// dateMark returns the mark between the numbers of a date.
func dateMark(text string) (mark, rest string) {
	trimmed := strings.TrimLeft(text, " ")
	for _, mark := range []string{"-", "/", ".", "년", "월", "일", "年", "月", "日"} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return mark, rest
		}
	}
	return "", text
}

func sameMarks(first, second string) bool {
	return first == second && strings.Contains("-/.", first) || first == "년" && second == "월" || first == "年" && second == "月"
}

// weekdays are the names of days of the week, as they stand behind a date.
var weekdays = map[string]time.Weekday{
	"일": time.Sunday, "월": time.Monday, "화": time.Tuesday, "수": time.Wednesday, "목": time.Thursday, "금": time.Friday, "토": time.Saturday,
	"日": time.Sunday, "月": time.Monday, "火": time.Tuesday, "水": time.Wednesday, "木": time.Thursday, "金": time.Friday, "土": time.Saturday,
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

// cutWeekday reads the day of the week with which a text begins, in parentheses: (월) or
// (Mon).
func cutWeekday(text string) (weekday time.Weekday, rest string, ok bool) {
	inside, opened := strings.CutPrefix(strings.TrimLeft(text, " "), "(")
	name, rest, closed := strings.Cut(inside, ")")
	weekday, ok = weekdays[strings.ToLower(name)]
	if !ok || !opened || !closed {
		return 0, text, false
	}
	return weekday, rest, true
}

func checkWeekday(date time.Time, weekday time.Weekday) error {
	if date.Weekday() != weekday {
		return ErrWeekday
	}
	return nil
}

// firstSerial and lastSerial are the numbers of 2000 and 2100 in a spreadsheet. Numbers
// outside of them are no dates.
const (
	firstSerial = 36526
	lastSerial  = 73050
	days1904    = 1462 // between the two ways of counting
)

// serial reads the number of a spreadsheet for a date and time: days since the end of
// 1899, with the time as a fraction.
func (v *Values) serial(text string) (date time.Time, fraction float64, ok bool) {
	if len(text) < 5 || strings.Trim(text, "0123456789.") != "" {
		return date, 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	if v.Date1904 {
		number += days1904
	}
	if err != nil || number < firstSerial || number >= lastSerial {
		return date, 0, false
	}
	whole, fraction := math.Modf(number)
	return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(whole)), fraction, true
}

// serialTime reads a fraction of a day, 0.375 for nine, with or without the number of a
// date. In a workbook, 0, 1 and the whole number of a date are midnight; in other files
// nobody writes it like that.
func (v *Values) serialTime(text string) (TimeOfCell, bool) {
	isWhole := v.IsBook && (text == "0" || text == "1" || len(text) == 5) // but not 0001, which is a minute past midnight
	if !isWhole && !strings.Contains(text, ".") || strings.Trim(text, "0123456789.") != "" && !strings.ContainsAny(text, "eE") {
		return TimeOfCell{}, false
	}
	if date, fraction, ok := v.serial(text); ok {
		return TimeOfCell{Date: date, Second: int(math.Round(fraction * 24 * 3600))}, true
	}
	fraction, err := strconv.ParseFloat(text, 64)
	if v.IsBook && fraction > 1 && fraction < 2 { // [h]:mm shows 25:30
		return TimeOfCell{Days: 1, Second: int(math.Round((fraction - 1) * 24 * 3600))}, err == nil
	}
	if err != nil || fraction < 0 || fraction > 1 || fraction == 1 && !isWhole {
		return TimeOfCell{}, false
	}
	return TimeOfCell{Second: int(math.Round(fraction * 24 * 3600))}, true
}

func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

func secondOf(t time.Time) int {
	hour, minute, second := t.Clock()
	return hour*3600 + minute*60 + second
}

// strftime maps the directives of strftime for dates and times to Go layouts.
var strftime = strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%H", "15", "%I", "03", "%M", "04", "%S", "05",
	"%p", "PM", "%b", "Jan", "%B", "January", "%e", "_2", "%F", "2006-01-02", "%T", "15:04:05", "%%", "%")

func goLayout(layout string) string { return strftime.Replace(layout) }
