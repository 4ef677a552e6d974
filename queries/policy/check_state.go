package policy

import (
	"cmp"
	"context"
	"slices"
)

// CheckState is a check with whether it is true now.
type CheckState struct {
	Check
	Holds  bool
	Of     int // the people whom it is about
	People int // of them, those who break it: of Some, all of them or none
}

// CheckStates returns the checks of a company for a kind of policies with their states.
func (s *Store) CheckStates(ctx context.Context, companyID int64, kind string) ([]CheckState, error) {
	checks, err := s.Checks(ctx, companyID, kind)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	states, _, err := s.checkStates(ctx, companyID, checks)
	return states, err
}

// CheckPeople is who breaks a check now: by department, and some by name.
type CheckPeople struct {
	CheckState
	Departments []AffectedDepartment // the most affected, at most ten
	Names       []AffectedPerson     // at most MostCheckPeople
}

// MostCheckPeople is how many people who break a check are named.
const MostCheckPeople = 100

// CheckPeople returns who breaks a check now, or NotFound.
func (s *Store) CheckPeople(ctx context.Context, companyID int64, kind string, id int64) (CheckPeople, error) {
	check, err := s.Check(ctx, companyID, kind, id)
	if err != nil {
		return CheckPeople{}, err
	}
	states, breaking, err := s.checkStates(ctx, companyID, []Check{check})
	if err != nil {
		return CheckPeople{}, err
	}
	found := CheckPeople{CheckState: states[0]}
	people := map[int64]int{}
	for _, u := range breaking[0].units {
		people[u.departmentID] += u.people
	}
	rows, err := s.peopleByDepartment(ctx, companyID)
	if err != nil {
		return found, err
	}
	for _, row := range rows {
		if people[row.ID] > 0 {
			found.Departments = append(found.Departments, AffectedDepartment{row.ID, row.Name, people[row.ID]})
		}
	}
	slices.SortFunc(found.Departments, func(a, b AffectedDepartment) int {
		return cmp.Or(b.People-a.People, cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	found.Departments = found.Departments[:min(mostAffected, len(found.Departments))]
	found.Names, err = s.breakingPeople(ctx, companyID, breaking[0], MostCheckPeople)
	return found, err
}

// checkStates returns the states of checks of one kind, and who breaks each.
func (s *Store) checkStates(ctx context.Context, companyID int64, checks []Check) ([]CheckState, []breakers, error) {
	now := s.db.Now()
	timeline, err := s.ReadTimeline(ctx, companyID, checks[0].Kind, now)
	if err != nil {
		return nil, nil, err
	}
	singles := singlesOf(checks, timeline)
	units, err := s.checkUnits(ctx, companyID, singles)
	if err != nil {
		return nil, nil, err
	}
	t := checkTrial{checks: checks, verdicts: map[verdictKey]bool{}}
	states, breaking := make([]CheckState, len(checks)), make([]breakers, len(checks))
	for i, c := range checks {
		states[i].Check, breaking[i].singles = c, singles
	}
	for _, u := range units {
		span := timeline.spanOfUnit(u.userID, u.after, now)
		for i, c := range checks {
			if !c.covers(u.userID, u.after) {
				continue
			}
			states[i].Of += u.people
			if !t.holds(i, span, u.userID) {
				states[i].People += u.people
				breaking[i].units = append(breaking[i].units, u)
			}
		}
	}
	for i := range states {
		state := &states[i]
		state.Holds = state.People == 0
		if state.Quantifier == Some {
			state.Holds = state.People < state.Of
		}
		if state.Holds {
			state.People, breaking[i].units = 0, nil
		}
	}
	return states, breaking, nil
}
