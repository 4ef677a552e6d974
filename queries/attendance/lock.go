package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// LockedMonth is a month whose records only administrators can edit.
type LockedMonth struct {
	Month    workday.Date // its first day
	LockedAt time.Time
	ByName   string // "" if the user is no longer in the directory

	LateEvents int // clock events that were received since and do not count, up to MaxMonthSize+1
	LatePeople int // the people of these
}

// LockedMonths returns the locked months of a company, the latest first.
func (s *Store) LockedMonths(ctx context.Context, companyID int64) ([]LockedMonth, error) {
	rows, err := s.allLocks(ctx, allLocksParams{CompanyID: companyID, Most: MaxMonthSize + 1})
	if err != nil {
		return nil, fmt.Errorf("locked months: %w", err)
	}
	months := make([]LockedMonth, len(rows))
	for i, row := range rows {
		months[i] = LockedMonth{workday.DateOf(row.Month), row.LockedAt, row.LockedByName, int(row.Events), int(row.People)}
	}
	return months, nil
}

// LockMonth locks the records of the month of a date. It is for administrators.
// It refuses a month that is not over, in which a record can still change by itself,
// or whose records are being computed again; a month that is locked already is a
// Conflict.
func (s *Store) LockMonth(ctx context.Context, by queries.Actor, date workday.Date) error {
	if err := s.SettleDays(ctx); err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		month := monthOf(date)
		if err := q.checkLockable(ctx, by, month, s.db.Now()); err != nil {
			return err
		}
		now := s.db.Now() // behind the lock: what was received while waiting for it counts
		n, err := q.lockMonth(ctx, lockMonthParams{by.CompanyID, month.Time(), now, queries.OrNil(by.UserID)})
		if err != nil {
			return err
		}
		if n == 0 {
			return queries.Conflict("record.lock.already")
		}
		return queries.New(q.db).RecordChange(ctx, by, now, lockChange("attendance.locked", month, ""))
	})
}

// CheckLockMonth returns why LockMonth would refuse the month of a date.
func (s *Store) CheckLockMonth(ctx context.Context, by queries.Actor, date workday.Date) error {
	if err := s.SettleDays(ctx); err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		month := monthOf(date)
		if err := q.checkLockable(ctx, by, month, s.db.Now()); err != nil {
			return err
		}
		if locked, err := q.isMonthLocked(ctx, isMonthLockedParams{by.CompanyID, month.Time()}); err != nil || !locked {
			return err
		}
		return queries.Conflict("record.lock.already")
	})
}

// checkLockable takes the lock of the company's attendance and refuses a month
// that cannot be locked yet.
func (q *Queries) checkLockable(ctx context.Context, by queries.Actor, month workday.Date, now time.Time) error {
	if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
		return err
	}
	company, err := directory.New(q.db).Company(ctx, by.CompanyID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil {
		return err
	}
	last := lastOfMonth(month)
	if workday.DateOf(now.In(zone)) <= last {
		return queries.Invalid("record.lock.not_over")
	}
	if open, err := q.unsettled(ctx, unsettledParams{by.CompanyID, month.Time(), last.Time()}); err != nil {
		return err
	} else if open {
		return queries.Invalid("record.lock.open")
	}
	if busy, err := q.recomputing(ctx, recomputingParams{CompanyID: by.CompanyID, Until: (last + windowReach).Time()}); err != nil {
		return err
	} else if busy {
		return queries.Invalid("record.lock.recomputing")
	}
	return nil
}

// MaxMonthSize is the greatest number of records, people, requests or events of a month
// that are counted.
const MaxMonthSize = 10_000

// MonthSize counts the records of the month of a date, their people and the requests for
// corrections that wait, each up to MaxMonthSize+1.
func (s *Store) MonthSize(ctx context.Context, companyID int64, date workday.Date) (records, people, requests int, err error) {
	month := monthOf(date)
	size, err := s.monthSize(ctx, monthSizeParams{CompanyID: companyID, First: month.Time(), Last: lastOfMonth(month).Time(), Most: MaxMonthSize + 1})
	return int(size.Records), int(size.People), int(size.Requests), err
}

// UnlockMonth unlocks the month of a date, with a reason of 1 to 200
// characters, and computes the records of the users of whom clock events were
// received since the lock. RecomputeOutdated then computes the overtime of the
// first week, which depends on days before the month, and the records of the last
// days, whose events depend on the hours of the days after the month. Both may have
// changed meanwhile. A month that is not locked is NotFound.
func (s *Store) UnlockMonth(ctx context.Context, by queries.Actor, date workday.Date, reason string) error {
	if refusal := checkReason(&reason); refusal != "" {
		return queries.FieldErrors{"reason": refusal}
	}
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		month := monthOf(date)
		if err := q.lockAttendance(ctx, by.CompanyID); err != nil {
			return err
		}
		lockedAt, err := q.unlockMonth(ctx, unlockMonthParams{by.CompanyID, month.Time()})
		if err != nil {
			return err
		}
		if err := s.countLateEvents(ctx, q, by.CompanyID, month, lockedAt); err != nil {
			return fmt.Errorf("count the events of %s: %w", month, err)
		}
		last := lastOfMonth(month)
		for _, days := range [][2]workday.Date{{month, month + 6}, {last + 1 - windowReach, last}} {
			if err := policy.New(q.db).OutdateRecords(ctx, policy.OutdateRecordsParams{CompanyID: by.CompanyID, First: days[0].Time(), Last: days[1].Time()}); err != nil {
				return err
			}
		}
		return queries.New(q.db).RecordChange(ctx, by, s.db.Now(), lockChange("attendance.unlocked", month, reason))
	})
}

// countLateEvents derives the records of a month of the users of whom events were
// received after it was locked.
func (s *Store) countLateEvents(ctx context.Context, q *Queries, companyID int64, month workday.Date, lockedAt time.Time) error {
	last := lastOfMonth(month)
	late, err := q.lateUsers(ctx, lateUsersParams{companyID, (month - 1).Time(), (last + 3).Time(), lockedAt, month.Time(), last.Time()})
	if err != nil {
		return err
	}
	if err := q.dropLateEventsBetween(ctx, dropLateEventsBetweenParams{companyID, month.Time(), last.Time()}); err != nil {
		return err
	}
	for ids := range slices.Chunk(late, outdatedUsers) {
		d, err := s.derivation(ctx, q, companyID, ids)
		if err != nil {
			return err
		}
		people := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { _, known := d.people[id]; return !known })
		if err := d.deriveBetween(ctx, people, month, last, nil); err != nil {
			return err
		}
	}
	return nil
}

// MonthID is the object id of a month in the change log, as 202611.
func MonthID(month workday.Date) int64 {
	year, number, _ := month.Time().Date()
	return int64(year*100 + int(number))
}

// lockChange returns the entry of the change log.
func lockChange(action string, month workday.Date, reason string) queries.Change {
	c := queries.Change{Action: action, ObjectType: "attendance_month", ObjectID: MonthID(month), ObjectName: month.Time().Format("2006-01")}
	if reason != "" {
		c.New = map[string]string{"reason": reason}
	}
	return c
}

func lastOfMonth(month workday.Date) workday.Date {
	year, number, _ := month.Time().Date()
	return workday.NewDate(year, number+1, 1) - 1
}
