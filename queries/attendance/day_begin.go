package attendance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// BeginDays creates the records of today and tomorrow for everybody of every
// company, so that lists also contain whoever does not come; and those of up to
// daysMissed before, if it did not run on them. Later changes of policies and
// departments are applied to the records of days that have not begun, and whoever is
// hidden or deactivated has none from then on.
func (s *Store) BeginDays(ctx context.Context) error {
	companies, err := s.directory.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		zone, zoneErr := time.LoadLocation(c.TimeZone)
		if zoneErr != nil {
			err = errors.Join(err, fmt.Errorf("company %d: %w", c.ID, zoneErr))
			continue
		}
		today := workday.DateOf(s.db.Now().In(zone))
		last, failed := s.lastOpening(ctx, lastOpeningParams{Today: today.Time(), CompanyID: c.ID})
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("last day of company %d: %w", c.ID, failed))
			continue
		}
		begun := min(workday.DateOf(last), today+1)
		for date := max(min(begun+1, today), today-daysMissed); date <= today+1; date++ {
			if failed := s.beginDay(ctx, c, zone, date, today); failed != nil {
				err = errors.Join(err, fmt.Errorf("begin %s of company %d: %w", date, c.ID, failed))
			}
		}
		if begun > today {
			continue // and settled
		}
		if failed := s.settlePeriods(ctx, c.ID, zone, max(begun, today-daysMissed)-1, today-1); failed != nil {
			err = errors.Join(err, fmt.Errorf("settle periods of company %d: %w", c.ID, failed))
		}
	}
	return err
}

// daysMissed is the number of dates before today that BeginDays makes up for: those of
// which clock events are accepted.
const daysMissed = workday.Date(maxEventAge / (24 * time.Hour))

// beginStep is the number of users whose records are created in one
// transaction; larger ones would delay clock events.
const beginStep = 500

func (s *Store) beginDay(ctx context.Context, c directory.Company, zone *time.Location, date, today workday.Date) error {
	opened, err := s.opening(ctx, openingParams{c.ID, date.Time()})
	if err == nil && opened == (openingRow{c.DirectoryVersion, c.PolicyVersion}) {
		return nil
	}
	if err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	o := &dayOpener{
		policyResolver: s.policyResolver(nil, c.ID, c.PolicyVersion, zone),
		date:           date, ahead: date > today, missed: date < today, blank: map[[openDays]*recordPolicy]Record{},
	}
	for after, more := int64(0), true; more; {
		err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
			if err := q.lockAttendance(ctx, c.ID); err != nil {
				return err
			}
			o.Queries, o.Now = q, s.db.Now()
			after, more, err = o.step(ctx, after)
			return err
		})
		if err != nil {
			return err
		}
	}
	if o.locked[monthOf(date)] {
		return nil
	}
	if err := s.inTx(ctx, func(ctx context.Context, q *Queries) error { return q.dropBlank(ctx, c.ID, date) }); err != nil {
		return err
	}
	return s.noteOpening(ctx, noteOpeningParams{c.ID, date.Time(), c.DirectoryVersion, c.PolicyVersion})
}

// dropBlank deletes the records of a date of people who were hidden or deactivated before
// they began it: they would be absent.
func (q *Queries) dropBlank(ctx context.Context, companyID int64, date workday.Date) error {
	if err := q.lockAttendance(ctx, companyID); err != nil {
		return err
	}
	if locked, err := q.isMonthLocked(ctx, isMonthLockedParams{companyID, monthOf(date).Time()}); err != nil || locked {
		return err
	}
	ids, err := q.dropBlankRecords(ctx, dropBlankRecordsParams{companyID, date.Time()})
	if err != nil || len(ids) == 0 {
		return err
	}
	months, err := q.monthsOf(ctx, companyID, ids, date, date)
	if err != nil {
		return err
	}
	for _, id := range ids {
		months.remove(RecordKey{UserID: id, Date: date})
	}
	if err := q.putMonths(ctx, companyID, months); err != nil {
		return err
	}
	return q.noteRecords(ctx, companyID)
}

// openDays is the number of dates around a date that its window depends on, see
// workday.NewPlans.
const openDays = 4

// dayOpener creates the records of a date for users of a company.
type dayOpener struct {
	policyResolver // reads within the transaction
	date           workday.Date
	ahead, missed  bool                               // the date is in the future, or over
	blank          map[[openDays]*recordPolicy]Record // records without events, by the policies of the dates around
	locked         map[workday.Date]bool              // the locked months around the date, by their first day
}

// readLocks reads the locks of the months that the week of the date lies in.
func (o *dayOpener) readLocks(ctx context.Context) error {
	locks, err := o.locksBetween(ctx, locksBetweenParams{o.CompanyID, monthOf(o.date - daysAround).Time(), (o.date + daysAround).Time()})
	o.locked = make(map[workday.Date]bool, len(locks))
	for _, lock := range locks {
		o.locked[workday.DateOf(lock.Month)] = true
	}
	return err
}

func (o *dayOpener) step(ctx context.Context, after int64) (last int64, more bool, err error) {
	if err := o.readLocks(ctx); err != nil || o.locked[monthOf(o.date)] {
		return after, false, err
	}
	people, err := o.openingPeople(ctx, openingPeopleParams{o.CompanyID, after, beginStep})
	if err != nil || len(people) == 0 {
		return after, false, err
	}
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	rows, err := o.recordsBetween(ctx, recordsBetweenParams{o.CompanyID, ids, o.date.Time(), o.date.Time()})
	if err != nil {
		return after, false, err
	}
	stored := make(map[int64]Record, len(rows))
	for _, row := range rows {
		if !row.Extra {
			stored[row.UserID] = row
		}
	}
	grants, err := o.grantsBetween(ctx, grantsBetweenParams{o.CompanyID, ids, o.date.Time(), o.date.Time()})
	if err != nil {
		return after, false, err
	}
	leave := map[int64]workday.DayType{}
	for _, g := range grants {
		leave[g.UserID] = workday.DayType(g.Leave)
	}
	var put []Record
	for _, p := range people {
		if o.missed && !p.CreatedAt.Before((o.date+1).At(0, o.zone)) {
			continue // was added later
		}
		row, err := o.record(ctx, p, leave[p.ID])
		if err != nil {
			return after, false, err
		}
		old, there := stored[p.ID]
		row.DeletedAt = old.DeletedAt
		if there {
			row.setPremium(old.premium(), workday.Flags(old.Flags))
			row.Uncounted = old.Uncounted
		}
		if !there || o.replaces(old, row) {
			put = append(put, row)
		}
	}
	if err := o.writeRecords(ctx, put); err != nil {
		return after, false, err
	}
	return ids[len(ids)-1], len(people) == beginStep, o.settle(ctx, put)
}

// settle computes the balances of new records that belong to a settlement
// period, the last of which has its overtime.
func (o *dayOpener) settle(ctx context.Context, put []Record) error {
	var ids []int64
	for i := range put {
		if put[i].BalanceMin != nil {
			ids = append(ids, put[i].UserID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	first, last := o.date-daysAround, lastOfMonth(o.date)
	months, err := o.monthsOf(ctx, o.CompanyID, ids, first, o.date+daysAround)
	if err != nil {
		return err
	}
	var marked markRecordsParams
	isPaid := func(key RecordKey) bool { return o.locked[monthOf(key.Date)] }
	pass := premiumPass{months: months, approved: map[RecordKey]int{}, today: o.today(), isPaid: isPaid, mark: func(key RecordKey, _, day *monthDay) bool {
		if isPaid(key) {
			return false
		}
		marked.add(key, day)
		return true
	}}
	if pass.policies, err = o.versions(ctx, months.versions()); err != nil {
		return err
	}
	grants, err := o.grantsBetween(ctx, grantsBetweenParams{o.CompanyID, ids, monthOf(first).Time(), last.Time()})
	if err != nil {
		return err
	}
	for _, g := range grants {
		pass.approved[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = int(g.OvertimeMin)
	}
	for _, id := range ids {
		pass.run(id, o.date, o.date)
	}
	if marked.CompanyID = o.CompanyID; len(marked.UserIds) > 0 {
		marked.First, marked.Last = boundsOf(marked.WorkDates)
		if err := o.markRecords(ctx, marked); err != nil {
			return err
		}
	}
	return o.putMonths(ctx, o.CompanyID, months)
}

// replaces reports whether a record is created anew because its policy or
// department has changed. A day that has begun keeps its policy, except for
// newer versions of it while the user has not arrived (domain §3).
func (o *dayOpener) replaces(old, row Record) bool {
	if old.ArrivalAt != nil || old.DepartureAt != nil || old.Edited() {
		return false
	}
	if o.ahead {
		return !sameRecord(old, row)
	}
	return old.PolicyID == row.PolicyID && old.VersionNo < row.VersionNo
}

func (o *dayOpener) record(ctx context.Context, p openingPeopleRow, leave workday.DayType) (Record, error) {
	var versions [openDays]*recordPolicy
	var days []workday.Day
	for i := range versions {
		date := o.date - 1 + workday.Date(i)
		at := date.At(0, o.zone)
		switch {
		case date == o.date && o.missed:
			at = (date + 1).At(0, o.zone).Add(-time.Microsecond)
		case date == o.date && o.Now.After(at):
			at = o.Now
		}
		version, err := o.policyAt(ctx, p.ID, p.Ancestors, at)
		if err != nil {
			return Record{}, err
		}
		versions[i] = version
		day := workday.Day{Date: date, Policy: version.Policy, Holiday: version.HolidayOn(date)}
		if date == o.date {
			day.Leave = leave
		}
		days = append(days, day)
	}
	row, made := o.blank[versions]
	if !made || leave != "" {
		r := computeRecords(workday.NewPlans(days), nil, o.Now, func(on workday.Date) bool { return on == o.date })[0]
		row = newRecord(r.Record, o.CompanyID, RecordKey{Date: o.date}, versions[1])
		row.SettlesAt = r.SettlesAt
		if leave == "" {
			o.blank[versions] = row
		}
	}
	row.UserID, row.Name, row.DepartmentID = p.ID, p.Name, p.DepartmentID
	return row, nil
}

// settleStep is the number of records that are settled in one transaction.
const settleStep = 500

// SettleDays derives records again once the window of their day has closed:
// then a user who did not arrive was absent, and one who did not leave has a
// missing departure.
func (s *Store) SettleDays(ctx context.Context) error {
	var before settlingRow
	for {
		now := s.db.Now()
		due, err := s.settling(ctx, settlingParams{&now, settleStep})
		if err != nil || len(due) == 0 {
			return err
		}
		of := due[0]
		if of == before {
			return fmt.Errorf("record of %d on %s of company %d does not settle", of.UserID, of.WorkDate.Format(time.DateOnly), of.CompanyID)
		}
		var ids []int64
		for _, row := range due {
			if row.CompanyID == of.CompanyID && row.WorkDate.Equal(of.WorkDate) {
				ids = append(ids, row.UserID)
			}
		}
		ids = slices.Compact(ids) // both records of a day may be due
		if err := s.rederive(ctx, of.CompanyID, ids, workday.DateOf(of.WorkDate)); err != nil {
			return fmt.Errorf("settle %s of company %d: %w", of.WorkDate.Format(time.DateOnly), of.CompanyID, err)
		}
		before = of
	}
}

// rederive derives the records of users around a date again.
func (s *Store) rederive(ctx context.Context, companyID int64, ids []int64, date workday.Date) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		d, err := s.derivation(ctx, q, companyID, ids)
		if err != nil {
			return err
		}
		return d.derive(ctx, ids, date)
	})
}
