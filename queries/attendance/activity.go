package attendance

import (
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Activity is the messenger's notice that a user was active.
type Activity struct {
	UserID int64
	At     time.Time
}

// TakeActivities stores when users of a company were last active, of the dates whose
// policy takes that as the departure of who does not clock out; of other dates nothing
// is stored. It derives the records of dates that are over. An unknown user and a time
// that is missing, too old or in the future are refused by themselves.
func (s *Store) TakeActivities(ctx context.Context, companyID int64, activities []Activity) ([]ClockResult, error) {
	if len(activities) > ClockBatch {
		return nil, queries.Invalid("event.too_many")
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]ClockResult, error) {
		var userIDs []int64
		for _, a := range activities {
			userIDs = append(userIDs, a.UserID)
		}
		d, err := s.derivation(ctx, q, companyID, userIDs)
		if err != nil {
			return nil, err
		}
		results := make([]ClockResult, len(activities))
		accepted := map[int64][]time.Time{}
		for i, a := range activities {
			if results[i] = d.judgeActivity(a); results[i].Status == ClockAccepted {
				accepted[a.UserID] = append(accepted[a.UserID], a.At)
			}
		}
		return results, d.takeActivities(ctx, accepted)
	})
}

func (d *derivation) judgeActivity(a Activity) ClockResult {
	person, known := d.people[a.UserID]
	refused := ""
	switch {
	case !known:
		refused = refusedUser
	case person.HiddenAt != nil:
		refused = refusedHidden
	case a.At.IsZero():
		refused = refusedTime
	case a.At.Before(d.Now.Add(-maxEventAge)):
		refused = refusedPast
	case a.At.After(d.Now.Add(maxActivityLead)):
		refused = refusedFuture
	default:
		return ClockResult{Status: ClockAccepted}
	}
	return ClockResult{Status: ClockRefused, Code: refused}
}

// maxActivityLead is how far the clock of the messenger may be ahead.
const maxActivityLead = 5 * time.Minute

// takeActivities stores the last activity of each date, by the user.
func (d *derivation) takeActivities(ctx context.Context, activities map[int64][]time.Time) error {
	if len(activities) == 0 {
		return nil
	}
	first, last := boundsOf(slices.Concat(slices.Collect(maps.Values(activities))...))
	loaded, err := d.load(ctx, slices.Sorted(maps.Keys(activities)), workday.DateOf(first.In(d.zone)), workday.DateOf(last.In(d.zone)))
	if err != nil {
		return err
	}
	latest := map[RecordKey]time.Time{}
	for userID, times := range activities {
		for _, at := range times {
			if date, found := loaded.days[userID].activeOn(at); found {
				key := RecordKey{UserID: userID, Date: date}
				latest[key] = later(latest[key], at)
			}
		}
	}
	row := putActivitiesParams{CompanyID: d.CompanyID}
	for key, at := range latest {
		row.UserIds, row.WorkDates, row.Ats = append(row.UserIds, key.UserID), append(row.WorkDates, key.Date.Time()), append(row.Ats, at)
	}
	stored, err := d.putActivities(ctx, row)
	if err != nil {
		return err
	}
	var over []RecordKey
	for _, row := range stored {
		key := RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}
		if loaded.days[key.UserID].plan(key.Date).Close.Before(d.Now) {
			over = append(over, key)
		}
	}
	for _, span := range spansOf(over) {
		facts, err := d.loadFacts(ctx, span)
		if err != nil {
			return err
		}
		if err := facts.derive(ctx); err != nil {
			return err
		}
	}
	if len(over) == 0 {
		return nil
	}
	return d.noteRecords(ctx, d.CompanyID)
}

// readActivities reads when the users were last active, if that is the departure of any
// of them.
func (l *loadedDays) readActivities(ctx context.Context) error {
	var userIDs []int64
	for _, p := range l.days {
		if slices.ContainsFunc(p.policies, func(p *recordPolicy) bool { return p.MissingDeparture == workday.MissingLastActivity }) {
			userIDs = append(userIDs, p.userID)
		}
	}
	if len(userIDs) == 0 {
		return nil
	}
	rows, err := l.activitiesBetween(ctx, activitiesBetweenParams{l.CompanyID, userIDs, (l.first - daysBefore).Time(), (l.last + daysBehind).Time()})
	for _, row := range rows {
		l.days[row.UserID].day(workday.DateOf(row.WorkDate)).LastActivity = row.At
	}
	return err
}

// activeOn returns the date whose window a time lies in, if the last activity of the date
// may be its departure.
func (p *personDays) activeOn(at time.Time) (date workday.Date, found bool) {
	for i := range p.plans {
		plan := &p.plans[i]
		if plan.Policy.MissingDeparture == workday.MissingLastActivity && !at.Before(plan.Open) && !at.After(plan.Close) {
			date, found = plan.Date, true
		}
	}
	return date, found
}
