package workday

import (
	"cmp"
	"slices"
	"time"
)

// Kind is what was clocked.
type Kind string

const (
	In         Kind = "in"
	Out        Kind = "out"
	BreakStart Kind = "break_start"
	BreakEnd   Kind = "break_end"
)

// rank orders events of one moment. Whoever leaves and arrives at once is
// there.
func (k Kind) rank() int { return slices.Index([]Kind{BreakEnd, Out, In, BreakStart}, k) }

// Place is where an event was clocked; Located reports whether Lat and Lng mean
// anything.
type Place struct {
	Name      string
	Located   bool
	Lat, Lng  float64
	AccuracyM float64
}

// Event is a fact that is never changed: somebody clocked.
type Event struct {
	ID         string // a second event of the same id is a replay and ignored
	Kind       Kind
	OccurredAt time.Time // by the clock of the device
	SentAt     time.Time // by the clock of the device; zero: not known
	ReceivedAt time.Time // by the server's clock; zero: nothing to compare with
	Offline    bool      // the device had no connection and sent it later

	Platform, DeviceID, IP string
	Source, Reason         string
	Place                  Place
	Proof                  string // "ip", "gps" or "none"

	Mock, Outside, NewDevice bool
}

// MaxSkew is how far a device's clock may be from the server's.
const MaxSkew = 5 * time.Minute

// At is when the event counts as having happened, and whether the device's
// clock was wrong: by more than MaxSkew, the time of receipt counts, unless
// the event was clocked offline (domain §7). The clock is compared at sending,
// where that is known, so that a batch may come late. Nothing, offline or not,
// happens after it was received.
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

// fact is an event at the time that counts.
type fact struct {
	*Event
	at     time.Time
	skewed bool
}

// facts are the events in the order that they happened, without replays.
func facts(events []Event) []fact {
	all := make([]fact, 0, len(events))
	for i := range events {
		at, skewed := events[i].At()
		all = append(all, fact{&events[i], at, skewed})
	}
	slices.SortStableFunc(all, inOrder)
	return withoutReplays(all)
}

func inOrder(a, b fact) int {
	return cmp.Or(
		a.at.Compare(b.at),
		cmp.Compare(a.Kind.rank(), b.Kind.rank()),
		cmp.Compare(a.ID, b.ID),
		a.OccurredAt.Compare(b.OccurredAt),
		a.ReceivedAt.Compare(b.ReceivedAt),
		cmp.Compare(a.Platform, b.Platform),
		cmp.Compare(a.DeviceID, b.DeviceID),
		cmp.Compare(a.IP, b.IP),
	)
}

// withoutReplays keeps the first event of each id. A day has a few events: only
// for many of them an index is worth its price.
func withoutReplays(all []fact) []fact {
	if len(all) <= 8 {
		kept := all[:0]
		for _, f := range all {
			if f.ID == "" || !slices.ContainsFunc(kept, func(k fact) bool { return k.ID == f.ID }) {
				kept = append(kept, f)
			}
		}
		return kept
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(f fact) bool {
		again := f.ID != "" && seen[f.ID]
		seen[f.ID] = true
		return again
	})
}
