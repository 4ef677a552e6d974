package attendance

import (
	"context"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// ForgetWeeks empties the caches of counted weeks.
func (s *Store) ForgetWeeks() {
	s.weeks.counted.Purge()
	s.weeks.forecasts.Purge()
}

// AwaitWeek waits until the count of a week has finished.
func (s *Store) AwaitWeek(companyID int64, first workday.Date) {
	s.weeks.counted.Wait(weekKey{companyID, first})
}

// WaitingClockCalls returns how many calls wait until an earlier one has stored its events.
func (s *Store) WaitingClockCalls(companyID int64) int {
	s.clockQueue.mu.Lock()
	defer s.clockQueue.mu.Unlock()
	calls := 0
	for number := range clockLanes {
		calls += len(s.clockQueue.waiting[clockLane{companyID, number}])
	}
	return calls
}

// RecomputeAtMost sets the number of people that one transaction recomputes.
func (s *Store) RecomputeAtMost(people int) { s.mostRecomputed = people }

// RecomputeAtOnce sets the number of transactions that recompute at the same time.
func (s *Store) RecomputeAtOnce(transactions int) { s.recomputedAtOnce = transactions }

// PreviewPastOf is PreviewPast with another limit.
func (s *Store) PreviewPastOf(ctx context.Context, companyID int64, change policy.PastChange, mostDays int) (PastPreview, error) {
	return s.previewPast(ctx, companyID, change, mostDays)
}

// StatementsAbout are statements about records and events of a date that are in a list of
// keys or on the desk, by name.
func StatementsAbout(companyID, userID int64, date workday.Date) map[string]func(context.Context, *Queries) error {
	users, dates, extras := []int64{userID}, []time.Time{date.Time()}, []bool{false}
	first, last := boundsOf(dates)
	zero := []int32{0}
	return map[string]func(context.Context, *Queries) error{
		"markRecords": func(ctx context.Context, q *Queries) error {
			return q.markRecords(ctx, markRecordsParams{companyID, first, last, users, dates, extras, zero, zero, zero, zero, extras, zero})
		},
		"markUncounted": func(ctx context.Context, q *Queries) error {
			return q.markUncounted(ctx, markUncountedParams{CompanyID: companyID, First: first, Last: last, UserIds: users, WorkDates: dates, Extras: extras, Uncounted: zero})
		},
		"dropExtraRecords": func(ctx context.Context, q *Queries) error {
			return q.dropExtraRecords(ctx, dropExtraRecordsParams{CompanyID: companyID, First: first, Last: last, UserIds: users, WorkDates: dates})
		},
		"dropRecords": func(ctx context.Context, q *Queries) error {
			return q.dropRecords(ctx, dropRecordsParams{CompanyID: companyID, First: first, Last: last, UserIds: users, WorkDates: dates})
		},
		"recordsOfKeys": func(ctx context.Context, q *Queries) error {
			_, err := q.recordsOfKeys(ctx, recordsOfKeysParams{CompanyID: companyID, First: first, Last: last, UserIds: users, WorkDates: dates, Extras: extras})
			return err
		},
		"insertReviews": func(ctx context.Context, q *Queries) error {
			_, err := q.insertReviews(ctx, insertReviewsParams{
				CompanyID: companyID, SetID: 1, At: date.Time(), First: first, Last: last, UserIds: users, WorkDates: dates, Extras: extras,
				Kinds: []string{string(DeskUnproven)}, Decisions: []string{string(KeepAsIs)}, DepartmentIds: []int64{1}, CorrectionIds: []int64{0},
			})
			return err
		},
		"erasePositions": func(ctx context.Context, q *Queries) error {
			_, err := q.erasePositions(ctx, erasePositionsParams{CompanyID: companyID, First: first, Last: last, UserIds: users, Ats: dates, EventIds: []string{"x"}})
			return err
		},
		"deskGrounds": func(ctx context.Context, q *Queries) error {
			_, err := q.deskGrounds(ctx, deskGroundsParams{
				CompanyID: companyID, First: first, Last: last, Since: first, Until: last,
				Nos: []int32{1}, UserIds: users, WorkDates: dates, DepartmentIds: []int64{1}, Sinces: dates, Untils: dates, IsLasts: extras,
			})
			return err
		},
		"desk": func(ctx context.Context, q *Queries) error {
			desk := &deskStatement{companyID: companyID, filter: DeskFilter{First: date, Last: date}, kinds: []DeskKind{DeskMissingDeparture, DeskMissingArrival, DeskUnproven, DeskRefused, DeskUncounted}, size: 5, most: 5}
			_, err := desk.run(ctx, q.db)
			return err
		},
	}
}
