package attendance

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"officeconsole/workday"
)

// SuggestionBasis is what a suggested time comes from; "" for no suggestion.
type SuggestionBasis string

// The bases, the best first.
const (
	FromRequest  SuggestionBasis = "request"  // what the person asks for
	FromActivity SuggestionBasis = "activity" // the last use of the messenger, or the first one for an arrival
	FromTeam     SuggestionBasis = "team"     // the median departure of the department on the date
	FromSchedule SuggestionBasis = "schedule" // the end or start of the planned hours
	FromEvent    SuggestionBasis = "event"    // a clock event that does not count
)

// Suggestion is the time that an item of the desk lacks, to the minute.
type Suggestion struct {
	At    time.Time
	Basis SuggestionBasis
}

// suggest sets the suggestions of items.
func (s *Store) suggest(ctx context.Context, q *Queries, companyID int64, items []*DeskItem) error {
	if err := s.suggestTimes(ctx, q, companyID, items); err != nil {
		return err
	}
	return s.suggestEvents(ctx, q, companyID, items)
}

// suggestTimes sets the suggestions of items but those of uncounted events, which need the
// whole record.
func (s *Store) suggestTimes(ctx context.Context, q *Queries, companyID int64, items []*DeskItem) error {
	now := s.db.Now()
	asked := deskGroundsParams{CompanyID: companyID}
	for i, item := range items {
		since, until, ok := item.activitySpan(now)
		if !ok {
			continue
		}
		asked.Nos, asked.UserIds, asked.WorkDates = append(asked.Nos, int32(i)), append(asked.UserIds, item.UserID), append(asked.WorkDates, item.Date.Time())
		asked.DepartmentIds, asked.IsLasts = append(asked.DepartmentIds, item.DepartmentID), append(asked.IsLasts, item.Kind == DeskMissingDeparture)
		asked.Sinces, asked.Untils = append(asked.Sinces, since), append(asked.Untils, until)
	}
	if len(asked.Nos) == 0 {
		return nil
	}
	asked.First, asked.Last = boundsOf(asked.WorkDates)
	asked.Since, asked.Until = boundsOf(slices.Concat(asked.Sinces, asked.Untils))
	grounds, err := q.deskGrounds(ctx, asked)
	if err != nil {
		return fmt.Errorf("suggestions: %w", err)
	}
	for _, found := range grounds {
		items[found.No].suggest(found, now)
	}
	return nil
}

// suggestEvents sets the suggestions of uncounted events, see eventToAdd.
func (s *Store) suggestEvents(ctx context.Context, q *Queries, companyID int64, items []*DeskItem) error {
	byRecord := map[RecordKey]*DeskItem{}
	var userIDs []int64
	for _, item := range items {
		if item.Kind == DeskUncounted {
			byRecord[item.RecordKey], userIDs = item, append(userIDs, item.UserID)
		}
	}
	if len(byRecord) == 0 {
		return nil
	}
	d, err := s.unlockedDerivation(ctx, q, companyID, userIDs)
	if err != nil {
		return err
	}
	for _, span := range spansOf(slices.Collect(maps.Keys(byRecord))) {
		loaded, err := d.loadFacts(ctx, span)
		if err != nil {
			return fmt.Errorf("events to add: %w", err)
		}
		for _, key := range span.keys {
			state, err := loaded.recordState(key)
			if err != nil {
				return err
			}
			if at, ok := eventToAdd(state.computed); ok {
				byRecord[key].Suggestion = Suggestion{at, FromEvent}
			}
		}
	}
	return nil
}

// activitySpan returns the time in which activity suggests the missing time of an item:
// a departure from two hours before the planned end on, an arrival until two hours after
// the planned start. Who used the messenger only in the morning has not left then. ok is
// false for an item without a missing time.
func (i *DeskItem) activitySpan(now time.Time) (since, until time.Time, ok bool) {
	const (
		near    = 2 * time.Hour
		halfDay = 4 * time.Hour // from the other time of the record, where no hours are planned
	)
	switch {
	case i.Kind == DeskMissingDeparture && i.ArrivalAt != nil && i.ClosesAt != nil:
		since, until = i.ArrivalAt.Add(halfDay), *i.ClosesAt
		if i.EndsAt != nil {
			since = later(*i.ArrivalAt, i.EndsAt.Add(-near))
		}
		return since, earlier(until, now), true
	case i.Kind == DeskMissingArrival && i.DepartureAt != nil && i.OpensAt != nil:
		since, until = *i.OpensAt, i.DepartureAt.Add(-halfDay)
		if i.StartsAt != nil {
			until = earlier(*i.DepartureAt, i.StartsAt.Add(near))
		}
		return since, until, true
	}
	return since, until, false
}

// suggest sets the best suggestion that the record can have.
func (i *DeskItem) suggest(found deskGroundsRow, now time.Time) {
	var planned []time.Time
	end, median := i.EndsAt, found.Median
	if i.Kind == DeskMissingArrival {
		end, median = i.StartsAt, nil
	}
	if end != nil {
		planned = []time.Time{*end}
	}
	for _, ground := range []struct {
		basis SuggestionBasis
		at    []time.Time
	}{{FromRequest, found.Requested}, {FromActivity, found.Activity}, {FromTeam, median}, {FromSchedule, planned}} {
		if len(ground.at) == 0 {
			continue
		}
		at := ground.at[0].Truncate(time.Minute)
		isBehind := i.ArrivalAt == nil || at.After(*i.ArrivalAt)
		isAhead := i.DepartureAt == nil || at.Before(*i.DepartureAt)
		isHeld := !at.Before(*i.OpensAt) && !at.After(*i.ClosesAt) && !at.After(now)
		if isBehind && isAhead && isHeld {
			i.Suggestion = Suggestion{at, ground.basis}
			return
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// EventToAdd returns the id of the event that approving the uncounted events of the
// record would add; "" for none.
func (r FullRecord) EventToAdd() string {
	at, ok := eventToAdd(r.Computed)
	for _, e := range r.Events {
		if ok && e.At.Equal(at) && e.Kind == string(workday.Out) {
			return e.EventID
		}
	}
	return ""
}

// eventToAdd returns the departure that does not count although it is after the one that
// the record has, the latest if there are several; false for none. Other events that do
// not count give no time that the record could have instead.
func eventToAdd(computed workday.Record) (at time.Time, ok bool) {
	if computed.Arrival == nil {
		return at, false
	}
	for _, e := range computed.Uncounted {
		when, _ := e.At()
		isLater := computed.Departure == nil || !when.Before(computed.Departure.At)
		if e.Kind == workday.Out && when.After(computed.Arrival.At) && isLater && when.After(at) {
			at, ok = when, true
		}
	}
	return at, ok
}
