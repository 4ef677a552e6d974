package importfile

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// An era counts the years of Japanese dates, from first to last.
type era struct {
	names       []string // in lower case
	before      int      // the year before its first one
	first, last string
}

// The eras by the Era Name Act and its cabinet orders.
var eras = []era{
	{[]string{"令和", "r"}, 2018, "2019-05-01", "9999-12-31"},
	{[]string{"平成", "h"}, 1988, "1989-01-08", "2019-04-30"},
	{[]string{"昭和", "s"}, 1925, "1926-12-25", "1989-01-07"},
}

// cutEra reads the era with which a text begins.
func cutEra(text string) (found era, rest string, ok bool) {
	lower := strings.ToLower(text)
	for _, e := range eras {
		for _, name := range e.names {
			if strings.HasPrefix(lower, name) {
				return e, text[len(name):], true
			}
		}
	}
	return era{}, text, false
}

// date reads the rest of a date behind the name of the era: 8年11月2日, 元年5月1日 or 8.11.2.
func (e era) date(text string) (date time.Time, rest string, err error) {
	year, rest := digits(text)
	if after, isFirst := strings.CutPrefix(strings.TrimLeft(rest, " "), "元"); year == "" && isFirst {
		year, rest = "1", after
	}
	mark, rest := dateMark(rest)
	month, rest := digits(rest)
	mark2, rest := dateMark(rest)
	day, rest := digits(rest)
	number, _ := strconv.Atoi(year)
	if slices.Contains([]string{year, mark, month, mark2, day}, "") || len(year) > 2 || !sameMarks(mark, mark2) {
		return date, "", ErrDate
	}
	date, err = dateOf(strconv.Itoa(e.before+number), month, day)
	if shown := date.Format(time.DateOnly); err != nil || shown < e.first || shown > e.last {
		return date, "", ErrDate
	}
	return date, cutLastMark(rest), nil
}
