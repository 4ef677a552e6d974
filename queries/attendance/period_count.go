package attendance

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
)

// The orders of a period's users, besides those by name and by worked time.
const (
	ByDays     Order = "days"
	ByLate     Order = "late"
	ByAbsent   Order = "absent"
	ByMissing  Order = "missing_departure" // or arrival
	ByOvertime Order = "overtime"
	ByHoliday  Order = "holiday"
	ByNight    Order = "night"
	ByLongest  Order = "longest_week"
)

// PeriodOrders are the orders of a period's users other than by name. Users who
// are equal in an order are sorted by name.
var PeriodOrders = []Order{
	ByDays, ByWorked, ByLate, ByAbsent, ByMissing, ByOvertime, ByHoliday, ByNight, ByLongest,
}

// figure returns the number that an order sorts by.
func (p PersonPeriod) figure(order Order) int {
	switch order {
	case ByDays:
		return p.Totals.Days
	case ByWorked:
		return p.Totals.WorkedMin
	case ByLate:
		return p.Totals.Late
	case ByAbsent:
		return p.Totals.Absent
	case ByMissing:
		return p.Totals.MissingArrival + p.Totals.MissingDeparture
	case ByOvertime:
		return p.Totals.OvertimeMin
	case ByHoliday:
		return p.Totals.HolidayMin + p.Totals.HolidayOverMin
	case ByNight:
		return p.Totals.NightMin
	case ByLongest:
		return p.LongestWeek().WorkedMin
	}
	return 0
}

// PeriodCount is the totals of all users whom a filter chooses.
type PeriodCount struct {
	People int
	Totals PeriodTotals
	At     time.Time // when it was counted; up to a minute ago for many users
}

// PeriodCount returns the totals of all users whom a filter chooses, whatever
// its cursor, limit and order.
func (s *Store) PeriodCount(ctx context.Context, p directory.Person, scope RecordScope, f Filter) (PeriodCount, error) {
	c, err := s.countedPeriod(ctx, p, scope, f)
	if err != nil {
		return PeriodCount{}, err
	}
	return c.PeriodCount, nil
}

type countedPeriod struct {
	PeriodCount
	ids    []int64                            // user ids, by name
	orders map[attendanceOrder]func() []int64 // the ids in other orders, each sorted once
}

type attendanceOrder struct {
	order      Order
	descending bool
}

const (
	periodStep = 1000 // users counted at once
	periodMany = 2000 // the number of users from which a count is cached
	periodTTL  = time.Minute
	maxPeriods = 4 // four megabytes each in a company of 100,000
)

func newPeriodCache(now func() time.Time) *cache.Cache[string, *countedPeriod] {
	return cache.New[string](cache.Options[*countedPeriod]{
		Name: "periods", Size: maxPeriods, Now: now, TTL: periodTTL, Keep: func(c *countedPeriod) bool { return c.People >= periodMany },
	})
}

// countedPeriod counts the users whom a filter chooses, which takes some
// seconds for 100,000 users.
func (s *Store) countedPeriod(ctx context.Context, p directory.Person, scope RecordScope, f Filter) (*countedPeriod, error) {
	f.Order, f.Descending, f.Cursor, f.Foreign, f.Limit = "", false, nil, nil, periodStep
	key := fmt.Sprintf("%d %#v %#v", p.CompanyID, scope.key(p, f.DepartmentIDs), f)
	return s.periods.Get(ctx, key, func(ctx context.Context) (*countedPeriod, error) { return s.countPeriod(ctx, p, scope, f) })
}

func (s *Store) countPeriod(ctx context.Context, p directory.Person, scope RecordScope, f Filter) (*countedPeriod, error) {
	c := &countedPeriod{PeriodCount: PeriodCount{At: s.db.Now()}}
	figures := map[Order][]int32{} // by the index of ids
	for {
		page, err := s.Period(ctx, p, scope, f)
		if err != nil {
			return nil, err
		}
		people := page.Rows
		for i := range people {
			c.Totals.Add(people[i].Totals)
			c.ids = append(c.ids, people[i].UserID)
			for _, order := range PeriodOrders {
				figures[order] = append(figures[order], int32(people[i].figure(order)))
			}
		}
		if page.Next == nil {
			break
		}
		f.Cursor = page.Next
	}
	c.People = len(c.ids)
	c.orders = make(map[attendanceOrder]func() []int64, 2*len(PeriodOrders))
	for _, order := range PeriodOrders {
		for _, descending := range []bool{false, true} {
			c.orders[attendanceOrder{order, descending}] = sync.OnceValue(func() []int64 { return inOrderOf(c.ids, figures[order], descending) })
		}
	}
	return c, nil
}

// inOrderOf sorts ids by their figures, and is stable.
func inOrderOf(ids []int64, figures []int32, descending bool) []int64 {
	places := make([]int, len(ids))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		if descending {
			a, b = b, a
		}
		return int(figures[a] - figures[b])
	})
	sorted := make([]int64, len(places))
	for i, place := range places {
		sorted[i] = ids[place]
	}
	return sorted
}

// periodInOrder returns the users after the cursor in an order other than by
// name. Users whose figures have changed since they were counted keep their
// position.
func (s *Store) periodInOrder(ctx context.Context, p directory.Person, scope RecordScope, f Filter, after int64) ([]PersonPeriod, error) {
	c, err := s.countedPeriod(ctx, p, scope, f)
	if err != nil {
		return nil, err
	}
	ids := c.orders[attendanceOrder{f.Order, f.Descending}]()
	r, err := s.periodReader(ctx, p, scope, f)
	if err != nil {
		return nil, err
	}
	ids = ids[slices.Index(ids, after)+1:]
	var found []PersonPeriod
	for len(ids) > 0 && len(found) <= f.Limit {
		some := ids[:min(len(ids), f.Limit+1-len(found))]
		ids = ids[len(some):]
		people, err := r.people(ctx, periodPeopleParams{Ids: some, Size: int32(len(some))})
		if err != nil {
			return nil, err
		}
		rows, err := r.read(ctx, people)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(rows, func(a, b PersonPeriod) int { return slices.Index(some, a.UserID) - slices.Index(some, b.UserID) })
		found = append(found, rows...)
	}
	return found, r.addRemaining(ctx, found)
}
