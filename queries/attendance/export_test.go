package attendance

import "officeconsole/workday"

// ForgetWeeks empties the cache of counted weeks.
func (s *Store) ForgetWeeks() { s.weeks.counted.Purge() }

// AwaitWeek waits until the count of a week has finished.
func (s *Store) AwaitWeek(companyID int64, first workday.Date) {
	s.weeks.counted.Wait(weekKey{companyID, first})
}

// WaitingClockCalls returns how many calls wait until an earlier one has stored its events.
func (s *Store) WaitingClockCalls(companyID int64) int {
	s.clockQueue.mu.Lock()
	defer s.clockQueue.mu.Unlock()
	return len(s.clockQueue.waiting[companyID])
}
