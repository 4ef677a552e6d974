package attendance

import (
	"context"
	"errors"
	"fmt"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Records are computed again in steps of that many users and days, each in a
// transaction of its own; larger ones would delay clock events.
const (
	outdatedUsers = 100
	outdatedDays  = 31
)

// RecomputeDays derives the records of a company from its clock events and
// edits again, from one date to another, except for locked months. It changes
// nothing where the stored records are correct (domain §6).
func (s *Store) RecomputeDays(ctx context.Context, companyID int64, first, last workday.Date) error {
	return s.recompute(ctx, companyID, first, last, 0, func(int64) error { return nil })
}

// RecomputeOutdated computes the records again that were computed by earlier
// rules, before the holidays of their company were changed, or that did not
// follow the days before them because of a lock. A run that is interrupted goes on with the next users.
func (s *Store) RecomputeOutdated(ctx context.Context) error {
	for {
		due, err := s.nextOutdated(ctx)
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.recompute(ctx, due.CompanyID, workday.DateOf(due.First), workday.DateOf(due.Last), due.AfterUserID, func(after int64) error {
			return s.noteOutdated(ctx, noteOutdatedParams{after, due.CompanyID, due.ID})
		})
		if err != nil {
			return err
		}
		if err := s.endOutdated(ctx, endOutdatedParams{due.CompanyID, due.ID}); err != nil {
			return err
		}
	}
}

// recompute derives the records of the users after one of them, and calls note
// with the last user of each step.
func (s *Store) recompute(ctx context.Context, companyID int64, first, last workday.Date, after int64, note func(after int64) error) error {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	for {
		people, err := s.outdatedPeople(ctx, outdatedPeopleParams{companyID, after, outdatedUsers})
		if err != nil || len(people) == 0 {
			return err
		}
		for date := first; date <= last; date += outdatedDays {
			err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
				d, err := s.derivation(ctx, q, companyID, people)
				if err != nil {
					return err
				}
				return d.deriveBetween(ctx, people, date, min(last, date+outdatedDays-1), nil)
			})
			if err != nil {
				return fmt.Errorf("recompute %s of company %d: %w", date, companyID, err)
			}
		}
		after = people[len(people)-1]
		if err := note(after); err != nil {
			return err
		}
	}
}
