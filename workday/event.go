package workday

import (
	"cmp"
	"slices"
	"time"
)

// Kind is the kind of a clock event.
type Kind string

const (
	In         Kind = "in"
	Out        Kind = "out"
	BreakStart Kind = "break_start"
	BreakEnd   Kind = "break_end"
)

// rank orders events at the same time: a departure comes before an arrival, so
// that the person counts as present.
func (k Kind) rank() int { return slices.Index([]Kind{BreakEnd, Out, In, BreakStart}, k) }

// Place is where an event was clocked. If Located is false, Lat and Lng have no
// meaning.
type Place struct {
	Name      string
	Located   bool
	Lat, Lng  float64
	AccuracyM float64
}

// Event is a clock event. It is never changed.
type Event struct {
	ID         string // a second event with the same id is a replay, which is ignored
	Kind       Kind
	OccurredAt time.Time // by the clock of the device
	SentAt     time.Time // by the clock of the device; zero if unknown
	ReceivedAt time.Time // by the server's clock; zero if there is nothing to compare with
	Offline    bool      // the device had no connection and sent it later

	Platform string
	Place    Place
	Proof    string // "ip", "gps" or "none"

	Mock, Outside, NewDevice bool
}

// MaxSkew is the largest accepted difference between the clocks of a device and
// the server.
const MaxSkew = 5 * time.Minute

// At returns the time that counts for the event, and whether the device's clock
// was wrong (domain §7). If the clock is off by more than MaxSkew, the time of
// receipt counts, unless the event was clocked offline. The clocks are compared
// at the time of sending if that is known, so that a batch may be received
// late. No event, not even an offline one, counts as later than its receipt.
func (e Event) At() (at time.Time, skewed bool) {
	if e.ReceivedAt.IsZero() {
		return e.OccurredAt, false
	}
	clock := e.OccurredAt
	if !e.SentAt.IsZero() {
		clock = e.SentAt
	}
	switch off := e.ReceivedAt.Sub(clock).Abs(); {
	case e.OccurredAt.Sub(e.ReceivedAt) > MaxSkew, off > MaxSkew && !e.Offline:
		return e.ReceivedAt, true
	}
	return e.OccurredAt, false
}

// timedEvent is an event with the time that counts.
type timedEvent struct {
	*Event
	at     time.Time
	skewed bool
}

// timedEvents returns the events in the order in which they happened, without
// replays.
func timedEvents(events []Event) []timedEvent {
	all := make([]timedEvent, 0, len(events))
	for i := range events {
		at, skewed := events[i].At()
		all = append(all, timedEvent{&events[i], at, skewed})
	}
	slices.SortStableFunc(all, compareEvents)
	return withoutReplays(all)
}

func compareEvents(a, b timedEvent) int {
	return cmp.Or(
		a.at.Compare(b.at),
		cmp.Compare(a.Kind.rank(), b.Kind.rank()),
		cmp.Compare(a.ID, b.ID),
		a.OccurredAt.Compare(b.OccurredAt),
		a.ReceivedAt.Compare(b.ReceivedAt),
		cmp.Compare(a.Platform, b.Platform),
	)
}

// withoutReplays returns the first event of each id. A day has few events, so
// an index is only built for many.
func withoutReplays(all []timedEvent) []timedEvent {
	if len(all) <= 8 {
		unique := all[:0]
		for _, e := range all {
			if e.ID == "" || !slices.ContainsFunc(unique, func(k timedEvent) bool { return k.ID == e.ID }) {
				unique = append(unique, e)
			}
		}
		return unique
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(e timedEvent) bool {
		again := e.ID != "" && seen[e.ID]
		seen[e.ID] = true
		return again
	})
}
