package importfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Refusal is a value of a file that was not accepted, and why. Line is 0 for a
// refusal of the whole file.
type Refusal struct {
	File   string `json:"file,omitempty"` // its name where an import has several files
	Line   int    `json:"line,omitempty"`
	Column string `json:"column,omitempty"`
	Value  string `json:"value,omitempty"` // at most shownValue characters
	Reason string `json:"reason"`          // id of a message in locales
	Other  int    `json:"other,omitempty"` // the line that the value is in conflict with; 0 for none
}

// Against returns the refusal with the line that the value is in conflict with.
func (r Refusal) Against(line int) Refusal {
	r.Other = line
	return r
}

// Error has the line, the column and the id of the reason. WriteRefusals translates it.
func (r Refusal) Error() string {
	return fmt.Sprintf("line %d, column %q, value %q: %s", r.Line, r.Column, r.Value, r.Reason)
}

// Unreadable is a Refusal after which the file cannot be read any further,
// because the beginning of the next row is unknown. Nothing of such a file may
// be imported.
type Unreadable struct{ Refusal }

const shownValue = 60

// Refuse returns a refusal whose value is shortened to shownValue characters.
func Refuse(line int, column, value string, reason string) Refusal {
	value = storable(value)
	if utf8.RuneCountInString(value) > shownValue {
		value = string([]rune(value)[:shownValue-1]) + "…"
	}
	return Refusal{Line: line, Column: storable(column), Value: strings.Clone(value), Reason: reason} // a copy, so that the rest of its row can be freed
}

// storable replaces what the database cannot store in a text.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\x00", "�")
}

// MostRefusals is the number of refusals of an import that are listed. Others are
// counted only, so that a wrong format does not fill the memory.
const MostRefusals = 100_000

// Refusals are those of an import.
type Refusals struct {
	Listed []Refusal
	Count  int
	counts map[string]int
}

// Add adds a refusal.
func (r *Refusals) Add(one Refusal) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.Count++
	r.counts[one.Reason]++
	if len(r.Listed) < MostRefusals {
		r.Listed = append(r.Listed, one)
	}
}

// Reason is why values were refused, and how many.
type Reason struct {
	ID    string `json:"id"` // of a message in locales
	Count int    `json:"count"`
}

// Reasons returns the reasons of all refusals, the most frequent first.
func (r *Refusals) Reasons() []Reason {
	all := make([]Reason, 0, len(r.counts))
	for id, count := range r.counts {
		all = append(all, Reason{id, count})
	}
	slices.SortFunc(all, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	return all
}
