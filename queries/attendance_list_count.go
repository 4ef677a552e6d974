package queries

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"officeconsole/workday"
)

// AttendanceCounts says how many records of a date there are by the status that
// lists show.
type AttendanceCounts struct {
	ByStatus map[workday.Status]int
	Total    int
	At       time.Time // when they were counted, see countsAge
}

// Counts of more than countsKept records take some twenty milliseconds; they
// are remembered for countsAge.
const (
	countsKept = 10_000
	countsAge  = 5 * time.Second
)

// AttendanceCounts counts the records of a date that a person may see, in a
// department with all its descendants, or in all of them for 0. What is deleted
// does not count.
func (db *DB) AttendanceCounts(ctx context.Context, companyID int64, scope AttendanceScope, date workday.Date, departmentID int64) (AttendanceCounts, error) {
	counts := AttendanceCounts{ByStatus: map[workday.Status]int{}, At: db.now()}
	departments, branch, err := db.attendanceDepartments(ctx, companyID, scope, departmentID)
	if err != nil {
		return counts, err
	}
	everywhere := scope.Everybody && branch == nil
	if everywhere || len(departments) > 0 {
		err = db.countDepartments(ctx, companyID, date, everywhere, departments, &counts)
	}
	if err != nil || scope.Everybody {
		return counts, wrapCounts(err, date)
	}
	own, err := db.ownStatuses(ctx, ownStatusesParams{counts.At, companyID, scope.UserID, date.Time()})
	for _, row := range own {
		if (branch == nil || slices.Contains(branch, row.DepartmentID)) && !slices.Contains(departments, row.DepartmentID) {
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

func (c *AttendanceCounts) add(status string, records int) {
	c.ByStatus[workday.Status(status)] += records
	c.Total += records
}

func (db *DB) countDepartments(ctx context.Context, companyID int64, date workday.Date, everywhere bool, departments []int64, counts *AttendanceCounts) error {
	kept := db.attendanceCounts.of(companyID, date)
	if !everywhere && len(departments) <= fewDepartments && !kept.fresh(counts.At) {
		rows, err := New(db.plannedOnce()).statusCountsOfDepartments(ctx, statusCountsOfDepartmentsParams{counts.At, companyID, date.Time(), departments})
		for _, row := range rows {
			counts.add(row.Status, int(row.Records))
		}
		return err
	}
	rows, at, err := kept.read(counts.At, func() ([]statusCountsRow, error) {
		return New(freshlyPlanned{db.pool}).statusCounts(ctx, statusCountsParams{counts.At, companyID, date.Time()})
	})
	counts.At = at
	for _, row := range rows {
		if _, among := slices.BinarySearch(departments, row.DepartmentID); everywhere || among {
			counts.add(row.Status, int(row.Records))
		}
	}
	return err
}

// attendanceCounts remembers what was counted last on dates of companies.
type attendanceCounts struct {
	mutex sync.Mutex
	kept  map[attendanceCountsKey]*keptCounts
}

type attendanceCountsKey struct {
	companyID int64
	date      workday.Date
}

// keptCounts are those of a date. Who comes while it is being counted waits for
// the result.
type keptCounts struct {
	mutex sync.Mutex
	rows  []statusCountsRow // nil: none
	at    time.Time
}

// keptCountDates bounds the memory: a row for each department and status.
const keptCountDates = 64

func (c *attendanceCounts) of(companyID int64, date workday.Date) *keptCounts {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	key := attendanceCountsKey{companyID, date}
	kept := c.kept[key]
	if kept == nil {
		if c.kept == nil || len(c.kept) >= keptCountDates {
			c.kept = map[attendanceCountsKey]*keptCounts{}
		}
		kept = &keptCounts{}
		c.kept[key] = kept
	}
	return kept
}

func (k *keptCounts) fresh(now time.Time) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.freshly(now)
}

func (k *keptCounts) freshly(now time.Time) bool {
	age := now.Sub(k.at)
	return k.rows != nil && age >= 0 && age < countsAge
}

func (k *keptCounts) read(now time.Time, count func() ([]statusCountsRow, error)) ([]statusCountsRow, time.Time, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.freshly(now) {
		return k.rows, k.at, nil
	}
	rows, err := count()
	var records int64
	for _, row := range rows {
		records += row.Records
	}
	k.rows, k.at = nil, now
	if err == nil && records > countsKept {
		k.rows = rows
	}
	return rows, now, err
}
