package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"officeconsole/queries"
)

// Result is the outcome of one event.
type Result struct {
	EventID string
	Status  Status
	Code    string // why it was refused
}

// Status is accepted, duplicate or refused.
type Status string

// The statuses.
const (
	Accepted  Status = "accepted"
	Duplicate Status = "duplicate"
	Refused   Status = "refused"
)

// MaxEvents is the maximum number of events of a call.
const MaxEvents = 500

// An event is refused when it is older than a client is ever offline, or further
// in the future than a time zone or a wrong clock can explain.
const (
	maxEventAge  = 366 * 24 * time.Hour
	maxEventLead = 24 * time.Hour
)

// resendSpan is how far the time of an event that is sent again may be from the
// times of its call: a sender that reports another time by mistake is recognized
// within it.
const resendSpan = 31 * 24 * time.Hour

// Refusals of events of every kind.
const (
	refusedID       = "event.id"
	refusedTime     = "event.time"
	refusedFuture   = "event.future"
	refusedPast     = "usage.past"
	refusedUser     = "event.user"
	refusedText     = "usage.too_long"
	refusedPlatform = "usage.platform"
)

// eventKey is what recognizes an event of a user: the id that its sender gave it, and
// its time.
type eventKey struct {
	id string
	at time.Time
}

// eventUser is whom an event is about: a user or, where the company has no such user,
// the name of an account.
type eventUser struct {
	id      int64
	account string
}

// userEvent is the id of an event, which is unique for its user.
type userEvent struct {
	user eventUser
	id   string
}

// refusal returns why no event can have the key at a time, or "".
func (k eventKey) refusal(now time.Time) string {
	switch {
	case k.id == "" || utf8.RuneCountInString(k.id) > 100 || !isStorable(k.id):
		return refusedID
	case k.at.IsZero():
		return refusedTime
	case k.at.After(now.Add(maxEventLead)):
		return refusedFuture
	case k.at.Before(now.Add(-maxEventAge)):
		return refusedPast
	}
	return ""
}

// eventKind is what differs between kinds of events in takeEvents.
type eventKind[Event any] struct {
	key func(Event) eventKey

	// open reads what is needed to decide on the events. refusal returns why one is
	// refused, or "".
	open func(ctx context.Context, q *Queries, events []Event) (refusal func(Event) string, err error)

	// user returns whom an event is about, after open.
	user func(Event) eventUser

	// known returns the positions, from 1, of those of the events that are stored
	// already, at times of a period.
	known func(ctx context.Context, q *Queries, events []Event, since, until time.Time) ([]int32, error)

	// store stores accepted events.
	store func(ctx context.Context, q *Queries, events []Event) error
}

// attempts is how often a transaction is tried that meets the events of its call
// in another one, which stores them at the same time. Each time another call has
// succeeded, so more are only needed if many calls send the same events.
const attempts = 10

// takeEvents stores the events of one call in one transaction and returns their
// results in their order. A refused event does not affect the others, and an event
// of a user whose id is stored already is a duplicate and changes nothing. More than
// MaxEvents events are Invalid.
func takeEvents[Event any](ctx context.Context, s *Store, events []Event, kind eventKind[Event]) (results []Result, err error) {
	if len(events) > MaxEvents {
		return nil, queries.Invalid("event.too_many")
	}
	now := s.db.Now()
	if err := ensurePartitions(ctx, s, now, events, kind.key); err != nil {
		return nil, err
	}
	for range attempts {
		err = s.inTx(ctx, func(ctx context.Context, q *Queries) error {
			results, err = takeEventsTx(ctx, q, now, events, kind)
			return err
		})
		if !isConcurrent(err) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return results, nil
}

func takeEventsTx[Event any](ctx context.Context, q *Queries, now time.Time, events []Event, kind eventKind[Event]) ([]Result, error) {
	results := make([]Result, len(events))
	refusal, err := kind.open(ctx, q, events)
	if err != nil {
		return nil, err
	}
	taken, err := takenIDs(ctx, q, now, events, kind)
	if err != nil {
		return nil, err
	}
	var accepted []Event
	for i, e := range events {
		key := kind.key(e)
		results[i] = Result{EventID: key.id, Status: Refused, Code: key.refusal(now)}
		if results[i].Code != "" {
			continue
		}
		id := kind.id(e)
		if taken[id] {
			results[i].Status = Duplicate
			continue
		}
		if results[i].Code = refusal(e); results[i].Code != "" {
			continue
		}
		results[i].Status, taken[id] = Accepted, true
		accepted = append(accepted, e)
	}
	if len(accepted) == 0 {
		return results, nil
	}
	// In one order, so that transactions with the same events wait for each other
	// instead of ending in a deadlock.
	slices.SortFunc(accepted, func(a, b Event) int { return kind.id(a).compare(kind.id(b)) })
	return results, kind.store(ctx, q, accepted)
}

// id returns the id of an event with its user, after open.
func (k eventKind[Event]) id(e Event) userEvent { return userEvent{k.user(e), k.key(e).id} }

func (e userEvent) compare(other userEvent) int {
	return cmp.Or(cmp.Compare(e.id, other.id), cmp.Compare(e.user.id, other.user.id), cmp.Compare(e.user.account, other.user.account))
}

// takenIDs returns those ids of the events that are stored already.
func takenIDs[Event any](ctx context.Context, q *Queries, now time.Time, events []Event, kind eventKind[Event]) (map[userEvent]bool, error) {
	var possible []Event
	var since, until time.Time
	for _, e := range events {
		key := kind.key(e)
		if key.refusal(now) != "" {
			continue
		}
		possible = append(possible, e)
		if since.IsZero() || key.at.Before(since) {
			since = key.at
		}
		if key.at.After(until) {
			until = key.at
		}
	}
	taken := map[userEvent]bool{}
	if len(possible) == 0 {
		return taken, nil
	}
	known, err := kind.known(ctx, q, possible, since.Add(-resendSpan), until.Add(resendSpan))
	if err != nil {
		return nil, fmt.Errorf("known events: %w", err)
	}
	for _, position := range known {
		taken[kind.id(possible[position-1])] = true
	}
	return taken, nil
}

// ensurePartitions creates the partitions of events that are older than the ones
// that always exist.
func ensurePartitions[Event any](ctx context.Context, s *Store, now time.Time, events []Event, key func(Event) eventKey) error {
	months := map[string]bool{}
	for _, e := range events {
		k := key(e)
		if month := k.at.UTC().Format("2006-01"); k.refusal(now) == "" && !months[month] {
			months[month] = true
			if err := s.db.EnsurePartitionsAt(ctx, k.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// isConcurrent reports whether a transaction failed because another one stored the
// same events at the same time.
func isConcurrent(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && slices.Contains([]string{"23505", "40P01"}, pg.Code)
}
