package queries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/workday"
)

// BeginDays gives everybody of every company the records of today and tomorrow,
// so that whoever does not come is on the lists too. Later changes of policies
// and departments reach the records of days that have not begun.
func (db *DB) BeginDays(ctx context.Context) error {
	companies, err := db.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		zone, zoneErr := time.LoadLocation(c.TimeZone)
		if zoneErr != nil {
			err = errors.Join(err, fmt.Errorf("company %d: %w", c.ID, zoneErr))
			continue
		}
		today := workday.DateOf(db.now().In(zone))
		for date := today; date <= today+1; date++ {
			if failed := db.beginDay(ctx, c, zone, date, date > today); failed != nil {
				err = errors.Join(err, fmt.Errorf("begin %s of company %d: %w", date, c.ID, failed))
			}
		}
	}
	return err
}

// beginStep is how many people get their records in one transaction, so that
// events do not wait for long.
const beginStep = 500

func (db *DB) beginDay(ctx context.Context, c Company, zone *time.Location, date workday.Date, ahead bool) error {
	opened, err := db.opening(ctx, openingParams{c.ID, date.Time()})
	if err == nil && opened == (openingRow{c.DirectoryVersion, c.PolicyVersion}) {
		return nil
	}
	if err != nil && !errors.Is(err, NotFound) {
		return err
	}
	b := &beginning{
		daily: daily{database: db, companyID: c.ID, version: c.PolicyVersion, zone: zone, timelines: map[int64]*timeline{}},
		date:  date, ahead: ahead, blank: map[[beginDays]*attendancePolicy]DayRecord{},
	}
	for after, more := int64(0), true; more; {
		err := db.inTx(ctx, func(q *Queries) error {
			after, more, err = b.step(ctx, q, after)
			return err
		})
		if err != nil {
			return err
		}
	}
	return db.noteOpening(ctx, noteOpeningParams{c.ID, date.Time(), c.DirectoryVersion, c.PolicyVersion})
}

// beginDays is how many dates around one its window depends on, see workday.Lay.
const beginDays = 4

// beginning gives the people of a company their records of a date.
type beginning struct {
	daily
	date  workday.Date
	ahead bool                                       // the date lies ahead
	blank map[[beginDays]*attendancePolicy]DayRecord // without events, by the policies of the dates
}

func (b *beginning) step(ctx context.Context, q *Queries, after int64) (last int64, more bool, err error) {
	if err := q.lockAttendance(ctx, b.companyID); err != nil {
		return after, false, err
	}
	people, err := q.openingPeople(ctx, openingPeopleParams{b.companyID, after, beginStep})
	if err != nil || len(people) == 0 {
		return after, false, err
	}
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	rows, err := q.recordsBetween(ctx, recordsBetweenParams{b.companyID, ids, b.date.Time(), b.date.Time()})
	if err != nil {
		return after, false, err
	}
	stored := make(map[int64]DayRecord, len(rows))
	for _, row := range rows {
		if !row.Extra {
			stored[row.UserID] = row
		}
	}
	grants, err := q.grantsBetween(ctx, grantsBetweenParams{b.companyID, ids, b.date.Time(), b.date.Time()})
	if err != nil {
		return after, false, err
	}
	leave := map[int64]workday.DayType{}
	for _, g := range grants {
		leave[g.UserID] = workday.DayType(g.Leave)
	}
	var put []DayRecord
	for _, p := range people {
		row, err := b.record(ctx, p, leave[p.ID])
		if err != nil {
			return after, false, err
		}
		old, there := stored[p.ID]
		row.DeletedAt = old.DeletedAt
		if !there || b.replaces(old, row) {
			put = append(put, row)
		}
	}
	return ids[len(ids)-1], len(people) == beginStep, b.writeRecords(ctx, q, put)
}

// replaces tells whether a record that was begun has to begin again. A day that
// has begun keeps its policy, of which only a newer version counts, and only
// for those who have not come (domain §3).
func (b *beginning) replaces(old, row DayRecord) bool {
	if old.ArrivalAt != nil || old.DepartureAt != nil || old.Edited() {
		return false
	}
	if b.ahead {
		return !sameRecord(old, row)
	}
	return old.PolicyID == row.PolicyID && old.VersionNo < row.VersionNo
}

func (b *beginning) record(ctx context.Context, p openingPeopleRow, leave workday.DayType) (DayRecord, error) {
	now := b.database.now()
	var versions [beginDays]*attendancePolicy
	var days []workday.Day
	for i := range versions {
		date := b.date - 1 + workday.Date(i)
		at := date.At(0, b.zone)
		if date == b.date && now.After(at) {
			at = now
		}
		version, err := b.policyAt(ctx, p.ID, p.Lineage, at)
		if err != nil {
			return DayRecord{}, err
		}
		versions[i] = version
		day := workday.Day{Date: date, Policy: version.Policy, Holiday: version.HolidayOn(date)}
		if date == b.date {
			day.Leave = leave
		}
		days = append(days, day)
	}
	row, made := b.blank[versions]
	if !made || leave != "" {
		r := records(workday.Lay(days), nil, now, func(on workday.Date) bool { return on == b.date })[0]
		row = stampRow(r.Record, b.companyID, RecordKey{Date: b.date}, versions[1])
		row.SettlesAt = r.settlesAt
		if leave == "" {
			b.blank[versions] = row
		}
	}
	row.UserID, row.Name, row.DepartmentID = p.ID, p.Name, p.DepartmentID
	return row, nil
}

// settleStep is how many records settle in one transaction.
const settleStep = 500

// SettleDays makes final what was open when the window of a day closed: who did
// not come was absent, who did not leave forgot it.
func (db *DB) SettleDays(ctx context.Context) error {
	var before settlingRow
	for {
		now := db.now()
		due, err := db.settling(ctx, settlingParams{&now, settleStep})
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
		ids = slices.Compact(ids) // a day and the extra one beside it may both be due
		if err := db.rederive(ctx, of.CompanyID, ids, workday.DateOf(of.WorkDate)); err != nil {
			return fmt.Errorf("settle %s of company %d: %w", of.WorkDate.Format(time.DateOnly), of.CompanyID, err)
		}
		before = of
	}
}

// rederive makes records of people around a date once more.
func (db *DB) rederive(ctx context.Context, companyID int64, ids []int64, date workday.Date) error {
	return db.inTx(ctx, func(q *Queries) error {
		d, err := db.derivation(ctx, q, companyID, ids)
		if err != nil {
			return err
		}
		return d.derive(ctx, ids, date)
	})
}

// RecomputeDays derives the records of a company from its facts once more, from
// one date to another, but for locked months. Where nothing was wrong, nothing
// changes (domain §6).
func (db *DB) RecomputeDays(ctx context.Context, companyID int64, first, last workday.Date) error {
	for after := int64(0); ; {
		people, err := db.openingPeople(ctx, openingPeopleParams{companyID, after, settleStep})
		if err != nil || len(people) == 0 {
			return err
		}
		ids := make([]int64, len(people))
		for i, p := range people {
			ids[i] = p.ID
		}
		for date := first; date <= last; date += 3 { // each with the dates beside it
			if err := db.rederive(ctx, companyID, ids, date+1); err != nil {
				return fmt.Errorf("recompute %s of company %d: %w", date, companyID, err)
			}
		}
		after = ids[len(ids)-1]
	}
}
