package attendance

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// weekPerson is a user who will exceed the hours of a week.
type weekPerson struct {
	userID int64
	parts  []weekPart // one part for most users
	home   int        // the index of the last part
}

// weekPart is the worked time in a department; the remaining minutes are in the
// last part.
type weekPart struct {
	departmentID            int64
	workedMin, remainingMin int
}

func (w weekPerson) within(in func(departmentID int64) bool) (worked, left int) {
	for _, part := range w.parts {
		if in(part.departmentID) {
			worked, left = worked+part.workedMin, left+part.remainingMin
		}
	}
	return worked, left
}

func everywhere(int64) bool { return true }

// weekCache caches the users with long weeks, and the boards of readers that
// are computed from them. A count that is older than a minute is refreshed in
// the background; a caller who finds it older than ten minutes waits for the
// new count.
type weekCache struct {
	counted   *cache.Cache[weekKey, *countedWeek]
	boards    *cache.Cache[weekReader, weekBoard]
	over      *cache.Cache[weekOverKey, weekOver]
	forecasts *cache.Cache[weekKey, *countedForecast]
	views     *cache.Cache[forecastReader, forecastView]
	counts    atomic.Int64
}

type weekKey struct {
	companyID int64
	first     workday.Date
}

// weekReader is the key of what a reader sees of a week.
type weekReader struct {
	weekKey
	scopeKey
}

type weekBoard struct {
	WeekBoard
	count int64
}

type weekOver struct {
	people []lists.PersonKey
	count  int64
}

// countedWeek holds the users whose week will exceed the lowest of PeriodOvers.
type countedWeek struct {
	count  int64 // a number that no other count has
	at     time.Time
	people []weekPerson // sorted by id
}

type weekOverKey struct {
	weekReader
	hours int
}

// scopeKey identifies what a reader sees of the departments that they chose.
type scopeKey struct {
	directoryVersion, userID int64
	chosen, departments      string
}

func (s RecordScope) key(p directory.Person, chosen lists.DepartmentIDs) scopeKey {
	key := scopeKey{chosen: fmt.Sprint(chosen), directoryVersion: p.DirectoryVersion}
	if !s.Everybody {
		key.userID, key.departments = s.UserID, fmt.Sprint(s.DepartmentIDs)
	}
	return key
}

const (
	weekRefresh    = time.Minute
	weekTTL        = 10 * time.Minute
	maxWeeks       = 8 // some megabytes each in a company of 100,000
	maxWeekReaders = 128
)

func newWeekCache(now func() time.Time) *weekCache {
	return &weekCache{
		counted:   cache.New[weekKey](cache.Options[*countedWeek]{Name: "weeks", Size: maxWeeks, Now: now, TTL: weekTTL, RefreshAfter: weekRefresh}),
		boards:    cache.New[weekReader](cache.Options[weekBoard]{Name: "week_boards", Size: maxWeekReaders, Now: now}),
		over:      cache.New[weekOverKey](cache.Options[weekOver]{Name: "week_over", Size: maxWeekReaders, Now: now}),
		forecasts: cache.New[weekKey](cache.Options[*countedForecast]{Name: "week_forecasts", Size: maxWeeks, Now: now, TTL: weekTTL, RefreshAfter: weekRefresh}),
		views:     cache.New[forecastReader](cache.Options[forecastView]{Name: "week_forecast_views", Size: maxWeekReaders, Now: now}),
	}
}

// week returns the users with long weeks of the week that begins on a date.
func (s *Store) week(ctx context.Context, p directory.Person, first workday.Date) (*countedWeek, error) {
	return s.weeks.counted.Get(ctx, weekKey{p.CompanyID, first}, func(ctx context.Context) (*countedWeek, error) {
		counted := &countedWeek{count: s.weeks.counts.Add(1), at: s.db.Now()}
		var err error
		if counted.people, err = s.countWeek(ctx, p, first); err != nil {
			return nil, fmt.Errorf("hours of the week of %s: %w", first, err)
		}
		return counted, nil
	})
}

// countWeek reads the months of all users, one row after another.
func (store *Store) countWeek(ctx context.Context, p directory.Person, first workday.Date) ([]weekPerson, error) {
	s, err := store.schedule(ctx, p)
	if err != nil {
		return nil, err
	}
	all, err := store.policy.Tree(ctx, p)
	if err != nil {
		return nil, err
	}
	// The rows hold a connection until they are read, so everything else is
	// read before.
	policies, err := s.timeline(ctx, s.Now)
	if err != nil {
		return nil, err
	}
	var people []weekPerson
	var later []scheduled
	var one weekPerson
	var lastRecord workday.Date
	end := func() error {
		due := scheduled{userID: one.userID, from: max(lastRecord+1, s.today), to: first + 6}
		if len(one.parts) == 0 {
			return nil
		}
		worked, left := one.within(everywhere)
		most, err := s.most(policies, due.from, due.to)
		if err == nil && worked+left+most > PeriodOvers[0]*60 {
			due.ancestors = all.Ancestors(one.parts[one.home].departmentID)
			people, later = append(people, one), append(later, due)
		}
		return err
	}
	err = eachMonth(ctx, store.db.Pool(), monthsRead{p.CompanyID, nil, monthOf(first), first + 6}, func(row monthRead) error {
		if row.userID != one.userID {
			if err := end(); err != nil {
				return err
			}
			one, lastRecord = weekPerson{userID: row.userID}, 0
		}
		for i := range row.days {
			date := row.days[i].Date(row.month)
			if isBetween(date, first, first+6) {
				part := one.add(row.departmentID, &row.days[i])
				if date >= lastRecord {
					one.home, lastRecord = part, date
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := end(); err != nil {
		return nil, err
	}
	left, err := s.remaining(ctx, later)
	for i := range left {
		people[i].parts[people[i].home].remainingMin += left[i]
	}
	return slices.Clip(slices.DeleteFunc(people, func(one weekPerson) bool {
		worked, left := one.within(everywhere)
		return worked+left <= PeriodOvers[0]*60
	})), err
}

// add adds a record to its part and returns the index of the part.
func (w *weekPerson) add(departmentID int64, record *monthDay) (part int) {
	part = slices.IndexFunc(w.parts, func(p weekPart) bool { return p.departmentID == departmentID })
	if part < 0 {
		part = len(w.parts)
		w.parts = append(w.parts, weekPart{departmentID: departmentID})
	}
	w.parts[part].workedMin += max(0, int(record.WorkedMin))
	w.parts[part].remainingMin += record.remaining()
	return part
}
