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

// clockTime reads a time of day in seconds: 9:05, 9:5, 09:05:30, 09:00 AM, 오전 9:00,
// 午前9:00, 9시 5분, 9時5分, 0905 and 24:00.
func clockTime(text string) (int, error) {
	text = strings.ToLower(strings.TrimSpace(text))
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
	for _, mark := range []string{":", "：", "시", "분", "초", "時", "分", "秒"} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return strings.ReplaceAll(mark, "：", ":"), rest
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
	if at := h*3600 + m*60 + s; m < 60 && s < 60 && at <= 24*3600 {
		return at, nil
	}
	return 0, ErrTime
}
