package growth

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// table is a Markdown table.
type table struct{ text strings.Builder }

func newTable(head ...string) *table {
	t := &table{}
	t.row(head...)
	t.text.WriteString("|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
	return t
}

func (t *table) row(cells ...string) {
	t.text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// quantity writes a number with at most three digits that count, and its unit: "1.2
// million", "340", "0.05".
func quantity(n float64) string {
	for _, unit := range []struct {
		from float64
		name string
	}{{1e9, " billion"}, {1e6, " million"}} {
		if n >= unit.from*0.9995 {
			return digits(n/unit.from) + unit.name
		}
	}
	return digits(n)
}

// bytes writes an amount of data: "1.2 GB".
func bytes(n float64) string {
	for _, unit := range []struct {
		from float64
		name string
	}{{1e15, " PB"}, {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " KB"}} {
		if n >= unit.from*0.9995 {
			return digits(n/unit.from) + unit.name
		}
	}
	return digits(n) + " B"
}

// digits writes a number with three digits that count, and commas.
func digits(n float64) string {
	if n == 0 {
		return "0"
	}
	places := max(0, 2-int(math.Floor(math.Log10(math.Abs(n)))))
	scale := math.Pow(10, float64(2-int(math.Floor(math.Log10(math.Abs(n))))))
	n = math.Round(n*scale) / scale
	if places > 0 {
		text := strconv.FormatFloat(n, 'f', places, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	return whole(n)
}

// whole writes a whole number with commas.
func whole(n float64) string {
	text := strconv.FormatFloat(math.Round(n), 'f', 0, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func clock(minutes int) string { return fmt.Sprintf("%d:%02d", minutes/60, minutes%60) }
