package attendance

import (
	"context"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// schedule computes the required minutes of people on days without records.
type schedule struct {
	policyResolver
	today        workday.Date
	requiredMins map[scheduledDay]int
	maximums     map[[2]workday.Date]int
}

type scheduledDay struct {
	policy *recordPolicy
	date   workday.Date
	leave  workday.DayType
}

func (s *Store) schedule(ctx context.Context, p directory.Person) (*schedule, error) {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return nil, err
	}
	return &schedule{
		policyResolver: s.policyResolver(s.Queries, p.CompanyID, p.PolicyVersion, zone),
		today:          workday.DateOf(s.db.Now().In(zone)),
		requiredMins:   map[scheduledDay]int{},
		maximums:       map[[2]workday.Date]int{},
	}, nil
}

// scheduled is a user with dates to compute.
type scheduled struct {
	userID    int64
	ancestors []int64
	from, to  workday.Date
}

// remaining returns the required minutes of each user on the dates, less their
// leave.
func (s *schedule) remaining(ctx context.Context, people []scheduled) ([]int, error) {
	if len(people) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(people))
	first, last := people[0].from, people[0].to
	for i, p := range people {
		ids[i] = p.userID
		first, last = min(first, p.from), max(last, p.to)
	}
	leave, err := s.leave(ctx, ids, first, last)
	if err != nil {
		return nil, err
	}
	left := make([]int, len(people))
	for i, p := range people {
		if left[i], err = s.requiredOf(ctx, p, leave); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// leave returns the leave of users from one date to another.
func (s *schedule) leave(ctx context.Context, ids []int64, first, last workday.Date) (map[RecordKey]workday.DayType, error) {
	leave := map[RecordKey]workday.DayType{}
	if first > last {
		return leave, nil
	}
	grants, err := s.grantsBetween(ctx, grantsBetweenParams{s.CompanyID, ids, first.Time(), last.Time()})
	for _, g := range grants {
		leave[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = workday.DayType(g.Leave)
	}
	return leave, err
}

// requiredOf returns the required minutes of a user on the dates.
func (s *schedule) requiredOf(ctx context.Context, p scheduled, leave map[RecordKey]workday.DayType) (int, error) {
	sum := 0
	for date := p.from; date <= p.to; date++ {
		policy, err := s.policy(ctx, p.userID, p.ancestors, date)
		if err != nil {
			return 0, err
		}
		sum += s.required(policy, date, leave[RecordKey{UserID: p.userID, Date: date}])
	}
	return sum, nil
}

func (s *schedule) required(policy *recordPolicy, date workday.Date, leave workday.DayType) int {
	key := scheduledDay{policy, date, leave}
	minutes, known := s.requiredMins[key]
	if !known {
		day := workday.Records([]workday.Day{{Date: date, Policy: policy.Policy, Holiday: policy.HolidayOn(date), Leave: leave}}, nil, date.Time())[0]
		if day.Type.IsWorkday() {
			minutes = day.RequiredMin
		}
		s.requiredMins[key] = minutes
	}
	return minutes
}

// most returns the highest number of minutes that any policy of a timeline
// requires from one date to another.
func (s *schedule) most(t *policy.Timeline, from, to workday.Date) (int, error) {
	if sum, known := s.maximums[[2]workday.Date{from, to}]; known {
		return sum, nil
	}
	sum := 0
	for date := from; date <= to; date++ {
		most := 0
		for _, version := range t.Spans() {
			policy, err := s.policies.with(t).get(version)
			if err != nil {
				return 0, err
			}
			most = max(most, s.required(policy, date, ""))
		}
		sum += most
	}
	s.maximums[[2]workday.Date{from, to}] = sum
	return sum, nil
}

// addRemaining adds the required minutes of users on days without records until
// the end of the listed week, if that is the current week.
func (r *periodReader) addRemaining(ctx context.Context, found []PersonPeriod) error {
	s, err := r.schedule(ctx, r.reader)
	end := r.filter.Last
	if err != nil || end-r.filter.First != 6 || end < s.today || r.filter.First > s.today {
		return err
	}
	people := make([]scheduled, len(found))
	for i, p := range found {
		people[i] = scheduled{p.UserID, r.tree.Ancestors(p.DepartmentID), max(p.lastRecord+1, s.today), end}
	}
	left, err := s.remaining(ctx, people)
	for i := range left {
		found[i].RemainingMin += left[i]
	}
	return err
}

// AddDaysOff sets the type and the holiday of the later days without records
// on which the policies of the users require no work.
func (s *Store) AddDaysOff(ctx context.Context, p directory.Person, people []PersonPeriod) error {
	plan, err := s.schedule(ctx, p)
	if err != nil || len(people) == 0 || people[0].Days[len(people[0].Days)-1].Date < plan.today {
		return err
	}
	tree, err := s.policy.Tree(ctx, p)
	if err != nil {
		return err
	}
	for i := range people {
		one := &people[i]
		ancestors := tree.Ancestors(one.DepartmentID)
		for j := range one.Days {
			d := &one.Days[j]
			if d.Status != "" || d.Date < max(plan.today, one.lastRecord) {
				continue
			}
			policy, err := plan.policy(ctx, one.UserID, ancestors, d.Date)
			if err != nil {
				return err
			}
			if kind := policy.TypeOf(d.Date); kind.IsDayOff() {
				d.Type, d.Holiday = kind, policy.HolidayOn(d.Date)
			}
		}
	}
	return nil
}

// AddLimits sets the weekly limits of users: by the policy that applies to them now,
// and in a period that is over by that of their latest record in it.
func (s *Store) AddLimits(ctx context.Context, p directory.Person, people []PersonPeriod) error {
	plan, err := s.schedule(ctx, p)
	if err != nil || len(people) == 0 {
		return err
	}
	tree, err := s.policy.Tree(ctx, p)
	if err != nil {
		return err
	}
	recorded := map[int64]*recordPolicy{}
	if days := people[0].Days; days[len(days)-1].Date < plan.today {
		if recorded, err = plan.policiesOfLatest(ctx, people); err != nil {
			return err
		}
	}
	for i := range people {
		one := &people[i]
		inForce := recorded[one.UserID]
		if inForce == nil {
			if inForce, err = plan.policyAt(ctx, one.UserID, tree.Ancestors(one.DepartmentID), plan.Now); err != nil {
				return err
			}
		}
		one.CapMin, one.WarnMin = inForce.WeeklyCapMin, inForce.WeeklyWarnMin
	}
	return nil
}

// policiesOfLatest returns the policies of the latest records of users in a period.
func (s *schedule) policiesOfLatest(ctx context.Context, people []PersonPeriod) (map[int64]*recordPolicy, error) {
	days := people[0].Days
	arg := versionsOfDaysParams{CompanyID: s.CompanyID, First: days[0].Date.Time(), Last: days[len(days)-1].Date.Time()}
	for i := range people {
		arg.UserIds, arg.Days = append(arg.UserIds, people[i].UserID), append(arg.Days, people[i].latest.Time())
	}
	rows, err := s.versionsOfDays(ctx, arg)
	if err != nil {
		return nil, err
	}
	keys := map[policy.VersionKey]bool{}
	for _, row := range rows {
		keys[policy.VersionKey{PolicyID: row.PolicyID, No: row.VersionNo}] = true
	}
	versions, err := s.versions(ctx, keys)
	found := make(map[int64]*recordPolicy, len(rows))
	for _, row := range rows {
		found[row.UserID] = versions[policy.VersionKey{PolicyID: row.PolicyID, No: row.VersionNo}]
	}
	return found, err
}

// plan sets the planned hours of a user on today and later days.
func (r *periodReader) plan(ctx context.Context, p *PersonPeriod) error {
	s, err := r.schedule(ctx, r.reader)
	if err != nil {
		return err
	}
	from := max(s.today, r.filter.First)
	leave, err := s.leave(ctx, []int64{p.UserID}, from, r.filter.Last)
	if err != nil {
		return err
	}
	for date := from; date <= r.filter.Last; date++ {
		policy, err := s.policy(ctx, p.UserID, r.tree.Ancestors(p.DepartmentID), date)
		if err != nil {
			return err
		}
		plan := workday.NewPlans([]workday.Day{{
			Date: date, Policy: policy.Policy, Holiday: policy.HolidayOn(date), Leave: leave[RecordKey{UserID: p.UserID, Date: date}],
		}})[0]
		d := &p.Days[date-r.filter.First]
		if date > p.lastRecord {
			d.Type, d.Holiday = plan.Type, plan.Holiday
		}
		d.Planned = plan.Stints()
	}
	return nil
}
