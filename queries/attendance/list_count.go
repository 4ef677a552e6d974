package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// StatusCounts is the number of records of a date by the status that lists
// show.
type StatusCounts struct {
	ByStatus map[workday.Status]int
	Total    int
	At       time.Time // when they were counted, see countsAge
}

// Counting more than cachedCounts records takes about twenty milliseconds, so
// such counts are cached for countsAge. Fewer are counted again after
// fewCountsAge, and after every change of attendance.
const (
	cachedCounts = 10_000
	countsAge    = 5 * time.Second
	fewCountsAge = time.Second
)

// StatusCounts counts the records of a date that a scope includes, in the
// chosen departments. Deleted records do not count.
func (s *Store) StatusCounts(ctx context.Context, reader directory.Person, scope RecordScope, date workday.Date, chosen lists.DepartmentIDs) (StatusCounts, error) {
	counts := StatusCounts{ByStatus: map[workday.Status]int{}, At: s.db.Now()}
	departments, subtree, err := s.attendanceDepartments(ctx, reader, scope, chosen)
	if err != nil {
		return counts, err
	}
	everywhere := scope.Everybody && subtree == nil
	if everywhere || len(departments) > 0 {
		err = s.countDepartments(ctx, reader.CompanyID, date, everywhere, departments, &counts)
	}
	if err != nil || scope.Everybody {
		return counts, wrapCounts(err, date)
	}
	own, err := s.ownStatuses(ctx, ownStatusesParams{counts.At, reader.CompanyID, scope.UserID, date.Time()})
	for _, row := range own {
		if (subtree == nil || slices.Contains(subtree, row.DepartmentID)) && !slices.Contains(departments, row.DepartmentID) {
			counts.add(row.Status, 1)
		}
	}
	return counts, wrapCounts(err, date)
}

func wrapCounts(err error, date workday.Date) error {
	if err != nil {
		return fmt.Errorf("count attendance of %s: %w", date, err)
	}
	return nil
}

func (c *StatusCounts) add(status string, records int) {
	c.ByStatus[workday.Status(status)] += records
	c.Total += records
}

func (s *Store) countDepartments(ctx context.Context, companyID int64, date workday.Date, everywhere bool, departments []int64, counts *StatusCounts) error {
	key := countsKey{companyID, date, !everywhere}
	writes, version := s.writes.Load(), s.db.Version(companyID, cache.Attendance)
	valid := func(c dateCounts) bool {
		return c.areMany() || c.writes == writes && c.version == version && counts.At.Sub(c.at) < fewCountsAge
	}
	_, cached := s.dateCounts.Peek(key)
	if !everywhere && len(departments) <= directory.FewDepartments && !cached {
		rows, err := New(s.db.GenericPlan()).statusCountsOfDepartments(ctx, statusCountsOfDepartmentsParams{counts.At, companyID, date.Time(), departments})
		for _, row := range rows {
			counts.add(row.Status, int(row.Records))
		}
		return err
	}
	counted, err := s.dateCounts.GetValid(ctx, key, valid, func(ctx context.Context) (dateCounts, error) {
		rows, err := s.countDate(ctx, key, counts.At)
		return dateCounts{rows, counts.At, writes, version}, err
	})
	if err != nil {
		return err
	}
	counts.At = counted.at
	for _, row := range counted.rows {
		if _, among := slices.BinarySearch(departments, row.DepartmentID); everywhere || among {
			counts.add(row.Status, int(row.Records))
		}
	}
	return nil
}

// countDate counts all records of a date, with the department 0 unless the key
// asks for departments.
func (s *Store) countDate(ctx context.Context, key countsKey, now time.Time) ([]statusCountsRow, error) {
	q := New(s.db.GenericPlan())
	if key.byDepartment {
		return q.statusCounts(ctx, statusCountsParams{now, key.companyID, key.date.Time()})
	}
	rows, err := q.statusCountsOfCompany(ctx, statusCountsOfCompanyParams{now, key.companyID, key.date.Time()})
	var counts []statusCountsRow
	for _, row := range rows {
		if row.NotDue > 0 {
			counts = append(counts, statusCountsRow{Status: string(workday.StatusNotDue), Records: row.NotDue})
		}
		if row.Records > row.NotDue {
			counts = append(counts, statusCountsRow{Status: row.Status, Records: row.Records - row.NotDue})
		}
	}
	return counts, err
}

type countsKey struct {
	companyID    int64
	date         workday.Date
	byDepartment bool
}

// dateCounts are the counts of a date of the whole company.
type dateCounts struct {
	rows    []statusCountsRow
	at      time.Time
	writes  int64 // Store.writes before they were counted
	version int64 // of attendance, by which changes of other processes are known
}

// areMany reports whether counting takes so long that the counts may be late.
func (c dateCounts) areMany() bool {
	var records int64
	for _, row := range c.rows {
		records += row.Records
	}
	return records > cachedCounts
}

// maxCountedDates is the size of the cache. A value has a row for each
// department and status.
const maxCountedDates = 64

func newDateCounts(now func() time.Time) *cache.Cache[countsKey, dateCounts] {
	return cache.New[countsKey](cache.Options[dateCounts]{
		Name: "attendance_counts", Size: maxCountedDates, Now: now, TTL: countsAge,
	})
}
