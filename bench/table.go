package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// table prints figures as they are measured, as Markdown.
type table struct {
	out io.Writer
}

func (t table) head(title string) {
	fmt.Fprintf(t.out, "\n### %s\n\n", title)
	t.row("figure", "target", "measured")
	fmt.Fprintln(t.out, "|"+strings.Repeat("-", 62)+"|"+strings.Repeat("-", 12)+"|"+strings.Repeat("-", 42)+"|")
}

func (t table) row(figure, target, measured string) {
	fmt.Fprintf(t.out, "| %s | %s | %s |\n", pad(figure, 60), pad(target, 10), pad(measured, 40))
}

// pad appends spaces up to a width; Hangul takes two columns.
func pad(s string, width int) string {
	for _, r := range s {
		if unicode.Is(unicode.Hangul, r) {
			width--
		}
	}
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// spread is the results of repeated measurements.
type spread []float64

func (s spread) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// String returns the median with the minimum and maximum in brackets.
func (s spread) String() string {
	return fmt.Sprintf("%.2f (%.2f – %.2f)", s.median(), slices.Min(s), slices.Max(s))
}
