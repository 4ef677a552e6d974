package importfile

import (
	"strconv"
	"strings"
)

// Words for the halves of the day, in lower case.
var (
	mornings   = []string{"오전", "午前", "am", "a.m."}
	afternoons = []string{"오후", "午後", "pm", "p.m."}
)

// otherDays are words for how many days after its date a time is, in lower case. They
// stand before or after the time.
var otherDays = []struct {
	word string
	days int
}{
	{"(翌日)", 1}, {"(翌)", 1}, {"翌日", 1}, {"翌", 1}, {"(익일)", 1}, {"(다음 날)", 1}, {"(다음날)", 1}, {"익일", 1}, {"다음 날", 1}, {"다음날", 1},
	{"(next day)", 1}, {"next day", 1}, {"(+1)", 1}, {"(-1)", -1}, // the exports of the console have the last two
}

// day is the number of seconds of a day.
const day = 24 * 3600

// clockTime reads a time of day: 9:05, 9:5, 09:05:30, 09:00 AM, 오전 9:00, 午前9:00, 9시 5분,
// 9時5分, 0905 and 24:00, and on the next day 25:30, 翌1:30 and 01:30 (+1).
func clockTime(text string) (TimeOfCell, error) {
	text, days := cutDays(strings.ToLower(strings.TrimSpace(text)))
	second, err := clockSecond(text)
	switch {
	case err != nil || days != 0 && second >= day:
		return TimeOfCell{}, ErrTime
	case second > day:
		return TimeOfCell{Days: 1, Second: second - day}, nil
	}
	return TimeOfCell{Days: days, Second: second}, nil
}

// cutDays removes the word for another day before or after a time.
func cutDays(text string) (time string, days int) {
	for _, other := range otherDays {
		if rest, ok := strings.CutPrefix(text, other.word); ok {
			return strings.TrimSpace(rest), other.days
		}
		if rest, ok := strings.CutSuffix(text, other.word); ok {
			return strings.TrimSpace(rest), other.days
		}
	}
	return text, 0
}

// clockSecond reads the seconds of a time since the midnight of its date, fewer than
// those of two days.
func clockSecond(text string) (int, error) {
	text, half := cutHalf(text)
	if len(text) == 4 && half == 0 {
		if number, rest := digits(text); rest == "" {
			return seconds(number[:2], number[2:], "", half)
		}
	}
	hour, rest := digits(text)
	mark, rest := clockMark(rest)
	if hour == "" || mark == "" {
		return 0, ErrTime
	}
	minute, rest := digits(rest)
	if minute == "" && mark != ":" && strings.TrimSpace(rest) == "" { // 9시
		return seconds(hour, "0", "", half)
	}
	mark2, rest := clockMark(rest)
	second, rest := digits(rest)
	if _, after := clockMark(rest); mark != ":" {
		rest = after
	}
	if minute == "" || second != "" && mark2 == "" || second == "" && mark2 == ":" {
		return 0, ErrTime
	}
	if fraction, after := digits(strings.TrimPrefix(rest, ".")); strings.HasPrefix(rest, ".") && fraction != "" && second != "" {
		rest = after // of a second
	}
	if strings.TrimSpace(rest) != "" {
		return 0, ErrTime
	}
	return seconds(hour, minute, second, half)
}

// cutHalf removes the half of the day before or after a time: 1 for the first one, 2 for
// the second and 0 for none.
func cutHalf(text string) (time string, half int) {
	for i, words := range [][]string{mornings, afternoons} {
		for _, word := range words {
			if rest, ok := strings.CutPrefix(text, word); ok {
				return strings.TrimSpace(rest), i + 1
			}
			if rest, ok := strings.CutSuffix(text, word); ok {
				return strings.TrimSpace(rest), i + 1
			}
		}
	}
	return text, 0
}

func clockMark(text string) (mark, rest string) {
	trimmed := strings.TrimLeft(text, " ")
	for _, mark := range []string{":", "시", "분", "초", "時", "分", "秒"} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return mark, rest
		}
	}
	return "", text
}

func seconds(hour, minute, second string, half int) (int, error) {
	if len(hour) > 2 || len(minute) > 2 || len(second) > 2 {
		return 0, ErrTime
	}
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	s, _ := strconv.Atoi(second) // "" is 0
	if half > 0 && (h < 1 || h > 12) && !(half == 1 && h == 0) {
		return 0, ErrTime
	}
	if half > 0 {
		h = h%12 + 12*(half-1)
	}
	if at := h*3600 + m*60 + s; m < 60 && s < 60 && at < 2*day {
		return at, nil
	}
	return 0, ErrTime
}
