package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// PeriodStatuses are the statuses that a period can be filtered by. Late and
// leaving early each include records that are both.
var PeriodStatuses = []workday.Status{
	workday.StatusLate, workday.StatusEarlyLeave, workday.StatusAbsent, workday.StatusMissingDeparture, workday.StatusMissingArrival, workday.StatusLeave, workday.StatusHolidayWork,
}

// PeriodOvers are the weekly hours that people can be filtered by.
var PeriodOvers = []int{40, 48, 52}

func (f Filter) statuses() []string {
	switch f.Status {
	case "":
		return nil
	case workday.StatusLate, workday.StatusEarlyLeave:
		return []string{string(f.Status), string(workday.StatusLateAndEarly)}
	}
	return []string{string(f.Status)}
}

// PersonPeriod is a user and the days of a period.
type PersonPeriod struct {
	UserID         int64
	Name           string
	EmployeeID     string
	Hidden         bool
	DepartmentID   int64 // the last department in the period
	DepartmentName string
	Days           []PeriodDay // one for each date, ascending
	Weeks          []PeriodWeek
	Totals         PeriodTotals
	RemainingMin   int // the required minutes that are not worked yet, if the period is the current week

	// CapMin and WarnMin are Policy.WeeklyCapMin and WeeklyWarnMin, see AddLimits. They
	// are only set by Own and AddLimits.
	CapMin, WarnMin int

	lastRecord workday.Date // the date of the latest record
	latest     workday.Date // the date of the latest record in the period
	shown      bool         // whether there is a record in the period
}

// PeriodDay is a date of a period. Without a record Status is "".
type PeriodDay struct {
	Date        workday.Date
	Key         RecordKey      // the record that a click opens
	Status      workday.Status // of that record
	Type        workday.DayType
	Holiday     string
	WorkedMin   *int // nil while unknown; includes the extra record
	OvertimeMin int
	NightMin    int
	Flags       workday.Flags

	HolidayMin, HolidayOverMin int
	BalanceMin                 *int // nil without a settlement period, and before the day is over
	Arrived                    bool

	// The following fields are only set by Own.
	Correction bool               // a request waits for its decision
	Record     *Record            // the record of Key
	Planned    []workday.Interval // the required hours of today and later days, two of a split day
}

// Edited reports whether the arrival or departure was edited.
func (d PeriodDay) Edited() bool { return d.Flags.Has(workday.FlagEdited) }

// Half reports whether half of the day is leave.
func (d PeriodDay) Half() bool { return d.Type == workday.HalfLeaveAM || d.Type == workday.HalfLeavePM }

// PeriodWeek is a whole week that overlaps with the period.
type PeriodWeek struct {
	First     workday.Date
	WorkedMin int
}

// LongestWeek returns the week with the most work among those that overlap with
// the period.
func (p PersonPeriod) LongestWeek() PeriodWeek {
	return slices.MaxFunc(p.Weeks, func(a, b PeriodWeek) int { return a.WorkedMin - b.WorkedMin })
}

// WeekStart returns the day on which weeks begin by the default policy of the
// company.
func (store *Store) WeekStart(ctx context.Context, p directory.Person) (time.Weekday, error) {
	inForce, err := store.defaultPolicy(ctx, p)
	if err != nil || inForce == nil {
		return time.Monday, err
	}
	return inForce.WeekStart, nil
}

// Period lists users by name with their days of the filter's dates, as far as
// the scope includes them. Users without a record are left out.
func (s *Store) Period(ctx context.Context, p directory.Person, scope RecordScope, f Filter) (lists.Page[PersonPeriod], error) {
	page := lists.Page[PersonPeriod]{}
	if err := f.Cursor.CheckForward(f.list()); err != nil {
		return page, err
	}
	after := f.Cursor.Name()
	if after.ID != 0 && after.Name == "" { // the cursors of a trail have no name
		behind, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: p.CompanyID, ID: after.ID})
		if err != nil {
			return page, fmt.Errorf("cursor at person %d: %w", after.ID, err)
		}
		after.Name = behind.Name
	}
	found, err := s.periodPage(ctx, p, scope, f, after)
	if err != nil {
		return page, err
	}
	page = lists.NewPage(found, f.Cursor, f.Limit, func(one PersonPeriod) lists.Cursor {
		return lists.Cursor{List: f.list(), Value: one.Name, ID: one.UserID}
	})
	page.ForwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// periodPage reads the users after a key, one more than the limit if there are
// more.
func (s *Store) periodPage(ctx context.Context, p directory.Person, scope RecordScope, f Filter, after lists.PersonKey) ([]PersonPeriod, error) {
	size := f.Limit + 1
	if f.Order != "" {
		return s.periodInOrder(ctx, p, scope, f, after.ID)
	}
	r, err := s.periodReader(ctx, p, scope, f)
	if err != nil || r.nobody {
		return nil, err
	}
	var found []PersonPeriod
	for end := false; len(found) < size && !end; {
		var people []periodPeopleRow
		if people, after, end, err = r.next(ctx, after); err != nil {
			return nil, fmt.Errorf("people of a period: %w", err)
		}
		for len(people) > 0 && len(found) < size {
			some := people[:min(len(people), size-len(found)+withoutRecord)]
			people = people[len(some):]
			rows, err := r.read(ctx, some)
			if err != nil {
				return nil, fmt.Errorf("records of a period: %w", err)
			}
			found = append(found, rows...)
		}
		if len(found) == 0 && !end {
			begun, err := s.anyRecord(ctx, anyRecordParams{p.CompanyID, f.First.Time(), f.Last.Time()})
			if err != nil || !begun {
				return nil, err
			}
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	found = found[:min(len(found), size)]
	return found, r.addRemaining(ctx, found)
}

// Own returns the days of one user in a period, as far as the scope includes
// them; NotFound for a user outside of the scope.
func (s *Store) Own(ctx context.Context, p directory.Person, scope RecordScope, userID int64, first, last workday.Date) (PersonPeriod, error) {
	r, err := s.periodReader(ctx, p, scope, Filter{First: first, Last: last})
	if err != nil {
		return PersonPeriod{}, err
	}
	people, err := r.people(ctx, periodPeopleParams{Ids: []int64{userID}, Size: 1})
	if err != nil {
		return PersonPeriod{}, err
	}
	if len(people) == 0 || people[0].DepartmentID == 0 { // a bot
		return PersonPeriod{}, fmt.Errorf("person %d: %w", userID, queries.NotFound)
	}
	found, err := r.read(ctx, people)
	if err != nil {
		return PersonPeriod{}, err
	}
	if len(found) == 0 {
		if !r.scope.Sees(userID, people[0].DepartmentID) {
			return PersonPeriod{}, fmt.Errorf("person %d: %w", userID, queries.NotFound)
		}
		found = []PersonPeriod{r.person(people[0], make([]PeriodDay, last-first+1))}
	}
	if err := r.addRemaining(ctx, found); err != nil {
		return PersonPeriod{}, err
	}
	if err := s.AddLimits(ctx, p, found); err != nil {
		return PersonPeriod{}, err
	}
	return found[0], r.addDetails(ctx, &found[0])
}

// addDetails sets the fields of days that lists do not show.
func (r *periodReader) addDetails(ctx context.Context, p *PersonPeriod) error {
	first, last := r.filter.First.Time(), r.filter.Last.Time()
	rows, err := r.recordsBetween(ctx, recordsBetweenParams{r.reader.CompanyID, []int64{p.UserID}, first, last})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if d := &p.Days[workday.DateOf(row.WorkDate)-r.filter.First]; d.Key == row.Key() {
			d.Record = &row
		}
	}
	dates, err := r.datesToCorrect(ctx, datesToCorrectParams{r.reader.CompanyID, p.UserID, first, last})
	if err != nil {
		return err
	}
	for _, date := range dates {
		if d := &p.Days[workday.DateOf(date)-r.filter.First]; d.Record != nil {
			d.Correction = true
		}
	}
	return r.plan(ctx, p)
}

// periodReader reads a period on behalf of a reader.
type periodReader struct {
	*Store
	generic *Queries // runs statements by generic plans
	reader  directory.Person
	scope   RecordScope
	filter  Filter
	start   time.Weekday
	now     time.Time
	tree    policy.Tree

	subtree []int64           // the departments of the filter with those below, ascending; nil for every department
	within  []int64           // those of them that the reader sees, ascending; nil for every department
	over    []lists.PersonKey // the users who exceed the hours of the filter, by name
	nobody  bool              // true if the list is empty for sure
	stepped int               // the number of batches read so far
}

func (s *Store) periodReader(ctx context.Context, p directory.Person, scope RecordScope, f Filter) (*periodReader, error) {
	var err error
	r := &periodReader{Store: s, generic: New(s.db.GenericPlan()), reader: p, scope: scope, filter: f, now: s.db.Now()}
	if r.tree, err = s.policy.Tree(ctx, p); err != nil {
		return nil, err
	}
	if r.start, err = s.WeekStart(ctx, p); err != nil {
		return nil, err
	}
	if !scope.Everybody {
		r.within = append([]int64{}, scope.DepartmentIDs...)
	}
	if len(f.DepartmentIDs) > 0 {
		r.subtree = r.tree.SubtreeIDs(f.DepartmentIDs...)
		r.within = slices.DeleteFunc(slices.Clone(r.subtree), func(id int64) bool { return !scope.Includes(id) })
		r.nobody = len(r.subtree) == 0
	}
	if f.Over != 0 {
		if r.over, err = s.weekOver(ctx, p, scope, f, r.subtree); err != nil {
			return nil, err
		}
		r.nobody = r.nobody || len(r.over) == 0
	}
	return r, nil
}
