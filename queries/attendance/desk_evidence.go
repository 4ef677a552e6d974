package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// DeskEvidence is what helps to decide an item of the desk.
type DeskEvidence struct {
	Item        DeskItem
	Record      FullRecord
	Team        []time.Time // the departures of the others of the department on the date, in order, at most mostTeam
	MissingDays int         // the dates of the month with a missing time, this one included
	Refusals    []Refusal   // of the date, the latest last
	After       *DayFigures // the record with the suggested time; nil without one
}

// DayFigures are figures of a record.
type DayFigures struct {
	WorkedMin   *int // nil while unknown
	OvertimeMin int
}

// mostTeam is the maximum number of departures of a team that are read.
const mostTeam = 100

// DeskItems returns those of the items with the given keys that are on the desk of a
// scope, by key, with their suggestions.
func (s *Store) DeskItems(ctx context.Context, companyID int64, scope RecordScope, keys []DeskKey) (map[DeskKey]*DeskItem, error) {
	if len(keys) == 0 || len(keys) > MostDesk {
		return nil, refusedReviewMany
	}
	for _, key := range keys {
		if err := s.checkDate(key.RecordKey); err != nil {
			return nil, err
		}
	}
	items, err := s.deskItems(ctx, companyID, scope, keys)
	if err != nil {
		return nil, fmt.Errorf("items of the desk: %w", err)
	}
	var suggested []*DeskItem
	for key, item := range items {
		if !scope.Sees(item.UserID, item.DepartmentID) {
			delete(items, key)
		} else {
			suggested = append(suggested, item)
		}
	}
	return items, s.suggest(ctx, s.Queries, companyID, suggested)
}

// DeskEvidence returns the evidence of an item that is on the reader's desk, else
// NotFound. at replaces the suggested time; nil for none. Like Record, it is stored as
// reading the record.
func (s *Store) DeskEvidence(ctx context.Context, reader directory.Person, scope RecordScope, key DeskKey, at *time.Time) (DeskEvidence, error) {
	items, err := s.DeskItems(ctx, reader.CompanyID, scope, []DeskKey{key})
	if err != nil {
		return DeskEvidence{}, err
	}
	if items[key] == nil || !scope.EditsAnybody() {
		return DeskEvidence{}, fmt.Errorf("item %s: %w", key, queries.NotFound)
	}
	e := DeskEvidence{Item: *items[key]}
	if e.Record, err = s.Record(ctx, reader, key.RecordKey); err != nil {
		return e, err
	}
	if at != nil && key.Kind.Field() != "" {
		e.Item.Suggestion = Suggestion{At: *at}
	}
	if !e.Item.Suggestion.At.IsZero() {
		after := e.Record.with(key.Kind.Field(), e.Item.Suggestion.At, s.db.Now())
		e.After = &after
	}
	if e.Team, err = s.teamDepartures(ctx, teamDeparturesParams{reader.CompanyID, key.Date.Time(), e.Item.DepartmentID, key.UserID, mostTeam}); err != nil {
		return e, err
	}
	missing, err := s.missingDays(ctx, missingDaysParams{reader.CompanyID, key.UserID, monthOf(key.Date).Time(), lastOfMonth(key.Date).Time()})
	if err != nil {
		return e, err
	}
	e.MissingDays = int(missing)
	if key.Kind == DeskRefused {
		e.Refusals, err = s.refusalsOf(ctx, refusalsOfParams{reader.CompanyID, key.UserID, key.Date.Time()})
	}
	return e, err
}

// with returns the figures that the record would have with another time.
func (r FullRecord) with(field workday.Field, at, now time.Time) DayFigures {
	plan := r.Plan
	plan.Edits = append(slices.Clone(plan.Edits), workday.Edit{ID: 1 << 62, At: now, Field: field, New: &at})
	var events []workday.Event
	for _, e := range r.Events {
		if r.NotCounted[e.EventID] != Unmatched {
			events = append(events, e.event())
		}
	}
	computed := workday.Compute(plan, events, now)
	figures := DayFigures{WorkedMin: computed.WorkedMin}
	days := slices.Clone(r.premiumDays)
	for i := range days {
		if days[i].Date == r.Key().Date && days[i].Extra == r.Extra && computed.WorkedMin != nil {
			days[i].WorkedMin = *computed.WorkedMin
		}
	}
	workday.AddPremiums(days, r.today)
	for _, day := range days {
		if day.Date == r.Key().Date && day.Extra == r.Extra {
			figures.OvertimeMin = day.OvertimeMin
		}
	}
	return figures
}
