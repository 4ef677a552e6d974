package workday

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// Field is what of a record somebody may edit.
type Field string

const (
	FieldArrival   Field = "arrival"
	FieldDeparture Field = "departure"
)

// Edit is a change of a record by a person. Events stay as they are.
type Edit struct {
	ID       int64
	At       time.Time
	EditorID int64
	Field    Field
	Old, New *time.Time // nil: nothing
	Reason   string
}

// Override is what edits make of a record; a Change that is not Edited leaves
// what was clocked.
type Override struct{ Arrival, Departure Change }

// Change is the last of the edits of a field; To is nil where it was emptied.
type Change struct {
	Edited bool
	To     *time.Time
}

// Apply sums up edits, of which the latest counts. Among those of one moment it
// is the one with the higher id.
func Apply(edits []Edit) Override {
	if len(edits) == 0 {
		return Override{}
	}
	inOrder := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	var all Override
	for _, e := range inOrder {
		switch e.Field {
		case FieldArrival:
			all.Arrival = Change{true, e.New}
		case FieldDeparture:
			all.Departure = Change{true, e.New}
		}
	}
	return all
}

// What Check says of an edit.
var (
	ErrOrder   = errors.New("the departure is not after the arrival")
	ErrOutside = errors.New("the time lies outside of the day's window")
)

// Check tells why the day cannot have these times: ErrOutside if one of them
// belongs to another day, ErrOrder if the departure is not after the arrival.
// Nil is none.
func (p Plan) Check(arrival, departure *time.Time) error {
	for _, t := range []*time.Time{arrival, departure} {
		if t != nil && (t.Before(p.Open) || t.After(p.Close)) {
			return ErrOutside
		}
	}
	if arrival != nil && departure != nil && !departure.After(*arrival) {
		return ErrOrder
	}
	return nil
}
