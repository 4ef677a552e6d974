package demo

import (
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// demoSchedule says which version of a policy counts for whom when.
type demoSchedule struct {
	*policy.Timeline
	policies *attendance.RecordPolicies
	zone     *time.Location
	turns    map[workday.Date]bool // the dates with which another version may begin
}

func (s *demoSchedule) findTurns() {
	for _, span := range s.Spans() {
		for _, turn := range []*time.Time{&span.EffectiveFrom, span.Until} {
			if turn != nil {
				date := workday.DateOf(turn.In(s.zone))
				s.turns[date], s.turns[date+1] = true, true
			}
		}
	}
}

// duties are the dates of a person with the policies that count on them.
func (s *demoSchedule) duties(userID int64, lineage []int64, first, last workday.Date) ([]Duty, []*attendance.RecordPolicy, error) {
	duties, versions := make([]Duty, 0, last-first+1), make([]*attendance.RecordPolicy, 0, last-first+1)
	var version *attendance.RecordPolicy
	for date := first; date <= last; date++ {
		if version == nil || s.turns[date] {
			counts := s.Resolve(userID, lineage, date.At(0, s.zone))
			if counts == nil { // before the company's first version: the first one
				counts = s.FirstDefault()
			}
			var err error
			if version, err = s.policies.Of(counts); err != nil {
				return nil, nil, err
			}
		}
		duties = append(duties, Duty{Day: workday.Day{Date: date, Policy: version.Policy, Holiday: version.HolidayOn(date)}, Clocking: version.Clocking})
		versions = append(versions, version)
	}
	return duties, versions, nil
}
