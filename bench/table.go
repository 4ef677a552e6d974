package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
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
	fmt.Fprintf(t.out, "| %s | %s | %s |\n", wide(figure, 60), wide(target, 10), wide(measured, 40))
}

// wide fills up with blanks; Hangul takes two columns.
func wide(s string, width int) string {
	for _, r := range s {
		if r >= 'ᄀ' && r <= '힣' {
			width--
		}
	}
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// spread is what repeated measurements gave.
type spread []float64

func (s spread) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// String gives the median and, in brackets, the least and the most.
func (s spread) String() string {
	return fmt.Sprintf("%.2f (%.2f – %.2f)", s.median(), slices.Min(s), slices.Max(s))
}
