package attendance

import "officeconsole/workday"

// ForgetWeeks forgets who was counted in weeks.
func (s *Store) ForgetWeeks() { s.weeks.counted.Purge() }

// AwaitWeek waits until nobody counts a week any more.
func (s *Store) AwaitWeek(companyID int64, first workday.Date) {
	s.weeks.counted.Wait(weekKey{companyID, first})
}
