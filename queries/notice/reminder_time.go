package notice

import (
	"context"
	"maps"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/workday"
)

// nextTime is when a person is at work next; works is false for who never is.
type nextTime struct {
	at    time.Time
	works bool
}

// nextTimes returns when users are at work next, by their working attitude
// policies and their leave (workday.Policy.NextWorkingTime). Users who are gone
// since the statement before are missing.
func (s *Store) nextTimes(ctx context.Context, companyID int64, userIDs []int64, now time.Time) (map[int64]nextTime, error) {
	policies, err := s.policies.EffectiveOf(ctx, companyID, userIDs, string(settings.WorkingAttitude), now)
	if err != nil {
		return nil, err
	}
	types, err := s.typesOfDays(ctx, companyID, userIDs, now)
	if err != nil {
		return nil, err
	}
	hours := map[policy.VersionKey]*workday.Policy{}
	usual := map[policy.VersionKey]nextTime{} // everybody with a policy and without leave begins at the same time
	times := make(map[int64]nextTime, len(userIDs))
	for _, id := range userIDs {
		e, found := policies[id]
		if !found {
			continue
		}
		key := policy.VersionKey{PolicyID: e.PolicyID, No: e.VersionNo}
		if hours[key] == nil {
			if hours[key], err = workday.ReadPolicy(e.Settings.Complete()); err != nil {
				return nil, err
			}
			hours[key] = e.Holidays.Extend(hours[key])
			at, works := hours[key].NextWorkingTime(now, nil)
			usual[key] = nextTime{at, works}
		}
		times[id] = usual[key]
		of := types[id]
		maps.DeleteFunc(of, func(date workday.Date, of workday.DayType) bool { return of == hours[key].TypeOf(date) }) // weekends of most people
		if len(of) > 0 {
			at, works := hours[key].NextWorkingTime(now, of)
			times[id] = nextTime{at, works}
		}
	}
	return times, nil
}

// typesOfDays returns the days of users that are no workdays, or only in part.
func (s *Store) typesOfDays(ctx context.Context, companyID int64, userIDs []int64, now time.Time) (map[int64]map[workday.Date]workday.DayType, error) {
	yesterday := workday.DateOf(now.UTC()) - 1 // in every time zone
	rows, err := s.dayTypes(ctx, dayTypesParams{CompanyID: companyID, UserIds: userIDs, First: yesterday.Time()})
	types := map[int64]map[workday.Date]workday.DayType{}
	for _, row := range rows {
		if types[row.UserID] == nil {
			types[row.UserID] = map[workday.Date]workday.DayType{}
		}
		types[row.UserID][workday.DateOf(row.WorkDate)] = workday.DayType(row.DayType)
	}
	return types, err
}
