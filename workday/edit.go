package workday

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// Field is a part of a record that can be edited.
type Field string

const (
	FieldArrival   Field = "arrival"
	FieldDeparture Field = "departure"
)

// Edit is a change of a record by a person. Clock events never change.
type Edit struct {
	ID       int64
	At       time.Time
	EditorID int64
	Field    Field
	Old, New *time.Time // nil for no value
	Reason   string
}

// Override is the combined effect of a record's edits. A Change that is not
// Edited leaves the clocked time in effect.
type Override struct{ Arrival, Departure Change }

// Change is the latest edit of a field; To is nil if the edit removed the time.
type Change struct {
	Edited bool
	To     *time.Time
}

// CombineEdits returns the combined effect of edits. The latest edit of a field wins;
// of two at the same time, the one with the higher id.
func CombineEdits(edits []Edit) Override {
	if len(edits) == 0 {
		return Override{}
	}
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	var all Override
	for _, e := range sorted {
		switch e.Field {
		case FieldArrival:
			all.Arrival = Change{true, e.New}
		case FieldDeparture:
			all.Departure = Change{true, e.New}
		}
	}
	return all
}

// The errors of Check.
var (
	ErrOrder   = errors.New("the departure is not after the arrival")
	ErrOutside = errors.New("the time lies outside of the day's window")
)

// Check returns why a day cannot have these times: ErrOutside if it holds one of
// them not, ErrOrder if the departure is not after the arrival. A nil time is
// none.
func (p Plan) Check(arrival, departure *time.Time) error {
	switch {
	case arrival != nil && !p.HoldsArrival(*arrival), departure != nil && !p.HoldsDeparture(arrival, *departure):
		return ErrOutside
	case arrival != nil && departure != nil && !departure.After(*arrival):
		return ErrOrder
	}
	return nil
}

// HoldsArrival reports whether an arrival is in the day's window.
func (p Plan) HoldsArrival(t time.Time) bool { return !t.Before(p.Open) && !t.After(p.Close) }

// HoldsDeparture reports whether a departure is in the day's window, or after it
// but still belongs to the arrival, which is nil for none.
func (p Plan) HoldsDeparture(arrival *time.Time, t time.Time) bool {
	if arrival == nil || !t.After(p.Close) {
		return p.HoldsArrival(t)
	}
	isCut := p.nextStart.After(*arrival) && p.nextStart.Before(t)
	return t.Sub(*arrival) <= MaxPresence && !isCut
}
