package locales

import (
	"math"
	"strconv"
	"strings"
)

// Number works like the function Number. Korean, English and Japanese all group
// digits with commas.
func (l Locale) Number(n int64) string {
	return group(strconv.FormatInt(n, 10))
}

// group separates the thousands of a number, which may have decimals.
func group(number string) string {
	whole, _, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && number[i-1] != '-'; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}

// Bytes works like the function Bytes. It writes one decimal unless that is
// zero. What would be rounded to 1,024 of a unit is written as 1 of the next.
func (l Locale) Bytes(n int64) string {
	units := []string{"b", "kb", "mb", "gb", "tb"}
	size, unit := float64(n), 0
	for math.Abs(size) >= 1023.95 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	number := strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0")
	return l.T("locale.bytes."+units[unit], "Size", group(number))
}

// Duration works like the function Duration.
func (l Locale) Duration(minutes int) string {
	sign := ""
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	hours, rest := l.Number(int64(minutes/60)), strconv.Itoa(minutes%60)
	switch {
	case minutes < 60:
		return sign + l.T("locale.duration.minutes", "Minutes", rest)
	case minutes%60 == 0:
		return sign + l.T("locale.duration.hours", "Hours", hours)
	}
	return sign + l.T("locale.duration.both", "Hours", hours, "Minutes", rest)
}
