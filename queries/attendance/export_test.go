package attendance

import (
	"context"

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
