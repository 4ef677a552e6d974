package attendance

import (
	"context"
	"time"

	"officeconsole/workday"
)

// WorkState is what a user is doing at the moment, as far as records say it.
type WorkState string

// The states of work. Users without a record have none.
const (
	Working    WorkState = "working"
	WorkingOut WorkState = "outside" // at work, not at a place of the policy
	BeforeWork WorkState = "before"  // has not arrived on a day of work
	AfterWork  WorkState = "left"
	OnLeave    WorkState = "leave"
	DayOff     WorkState = "day_off"
)

// WorkStates lists all states.
var WorkStates = []WorkState{Working, WorkingOut, BeforeWork, AfterWork, OnLeave, DayOff}

// CurrentWork is the state of a user, and when the work of the day begins; nil
// if the day has no such time.
type CurrentWork struct {
	State    WorkState
	StartsAt *time.Time
}

// CurrentWork returns the states of users by their ids. Those without a record are
// missing.
func (s *Store) CurrentWork(ctx context.Context, companyID int64, userIDs []int64) (map[int64]CurrentWork, error) {
	now := s.db.Now()
	today := workday.DateOf(now.UTC())
	// A shift of the day before yesterday can still be open, and in the east it is
	// tomorrow already.
	rows, err := s.currentRecords(ctx, currentRecordsParams{
		CompanyID: companyID, UserIds: userIDs, First: (today - 2).Time(), Last: (today + 2).Time(), Now: now,
	})
	states := make(map[int64]CurrentWork, len(rows))
	for _, row := range rows {
		if state := row.state(); state != "" {
			states[row.UserID] = CurrentWork{state, row.StartsAt}
		}
	}
	return states, err
}

// state returns "" for a day that requires no presence.
func (r currentRecordsRow) state() WorkState {
	switch dayType := workday.DayType(r.DayType); {
	case r.Presence == string(workday.PresenceWorking) && workday.Flags(r.Flags).Has(workday.FlagOutside):
		return WorkingOut
	case r.Presence == string(workday.PresenceWorking):
		return Working
	case r.Presence == string(workday.PresenceLeft):
		return AfterWork
	case dayType == workday.Leave:
		return OnLeave
	case dayType.IsDayOff():
		return DayOff
	case r.Presence == string(workday.PresenceBefore):
		return BeforeWork
	}
	return ""
}
