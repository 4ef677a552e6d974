package queries

import (
	"context"
	"maps"
	"time"

	"officeconsole/workday"
)

// A derivation makes the records of some people on some dates from their
// events, inside of a transaction that holds lockAttendance.
type derivation struct {
	*Queries
	daily
	now      time.Time
	people   map[int64]clockPeopleRow
	reopened map[RecordKey]bool // records that are derived although their month is locked
}

// derivation begins one for people of a company. Bots and people of other
// companies are not among derivation.people.
func (db *DB) derivation(ctx context.Context, q *Queries, companyID int64, ids []int64) (*derivation, error) {
	if err := q.lockAttendance(ctx, companyID); err != nil {
		return nil, err
	}
	return db.unlockedDerivation(ctx, q, companyID, ids)
}

// unlockedDerivation is one that only reads.
func (db *DB) unlockedDerivation(ctx context.Context, q *Queries, companyID int64, ids []int64) (*derivation, error) {
	rows, err := q.clockPeople(ctx, clockPeopleParams{companyID, ids})
	if err != nil {
		return nil, err
	}
	d := &derivation{
		Queries: q, now: db.now().Truncate(time.Microsecond), people: make(map[int64]clockPeopleRow, len(rows)),
		daily: daily{database: db, companyID: companyID, zone: time.UTC, timelines: map[int64]*timeline{}},
	}
	for _, row := range rows {
		d.people[row.ID] = row
		d.version = row.PolicyVersion
	}
	if len(rows) > 0 {
		d.zone, err = time.LoadLocation(rows[0].TimeZone)
	}
	return d, err
}

// A day's window depends on its neighbours, and what is too much in a week on
// the whole week: to derive a date and those beside it, this many days around
// it are read.
const daysAround = 7

// derive makes the records of people on a date and on the dates beside it, to
// which what happened on the date may belong, after what was added to the facts.
func (d *derivation) derive(ctx context.Context, userIDs []int64, date workday.Date) error {
	return d.deriveBetween(ctx, userIDs, date-1, date+1, nil)
}

// deriveBetween makes the records of people from one date to another. A date
// without a record gets one where something happened or where wanted says so.
func (d *derivation) deriveBetween(ctx context.Context, userIDs []int64, first, last workday.Date, wanted map[RecordKey]bool) error {
	known, err := d.read(ctx, userIDs, first, last)
	if err != nil {
		return err
	}
	known.wanted = wanted
	var changed []DayRecord
	drop := dropExtraRecordsParams{CompanyID: d.companyID}
	for _, id := range userIDs {
		records, gone, err := known.derive(ctx, d, id, first, last)
		if err != nil {
			return err
		}
		changed = append(changed, records...)
		for _, key := range gone {
			drop.UserIds, drop.WorkDates = append(drop.UserIds, key.UserID), append(drop.WorkDates, key.Date.Time())
		}
	}
	if len(drop.UserIds) > 0 {
		if err := d.dropExtraRecords(ctx, drop); err != nil {
			return err
		}
	}
	return d.putRecords(ctx, changed)
}

// known is what is stored of people around a date.
type known struct {
	records  map[int64][]DayRecord
	events   map[int64][]workday.Event
	edits    map[RecordKey][]workday.Edit
	grants   map[RecordKey]AttendanceGrant
	policies map[policyVersionKey]*attendancePolicy
	locked   map[workday.Date]bool // by the first of the month
	wanted   map[RecordKey]bool
}

func (d *derivation) read(ctx context.Context, userIDs []int64, from, to workday.Date) (*known, error) {
	k := &known{records: map[int64][]DayRecord{}, edits: map[RecordKey][]workday.Edit{}, grants: map[RecordKey]AttendanceGrant{}, locked: map[workday.Date]bool{}}
	first, last := (from - daysAround).Time(), (to + daysAround).Time()
	rows, err := d.recordsBetween(ctx, recordsBetweenParams{d.companyID, userIDs, first, last})
	if err != nil {
		return nil, err
	}
	versions := map[policyVersionKey]bool{}
	for _, row := range rows {
		k.records[row.UserID] = append(k.records[row.UserID], row)
		versions[row.version()] = true
	}
	if k.policies, err = d.database.attendancePolicies.read(ctx, d.Queries, d.companyID, versions); err != nil {
		return nil, err
	}
	// Windows reach at most a day and a half beyond their dates, in any zone.
	events, err := d.eventsBetween(ctx, eventsBetweenParams{d.companyID, userIDs, (from - 3).Time(), (to + 4).Time()})
	if err != nil {
		return nil, err
	}
	k.events = eventsByUser(events)
	edits, err := d.editsBetween(ctx, editsBetweenParams{d.companyID, userIDs, first, last})
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		key := RecordKey{e.UserID, workday.DateOf(e.WorkDate), e.Extra}
		k.edits[key] = append(k.edits[key], e.edit())
	}
	grants, err := d.grantsBetween(ctx, grantsBetweenParams{d.companyID, userIDs, first, last})
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		k.grants[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = g
	}
	months, err := d.lockedMonths(ctx, lockedMonthsParams{d.companyID, monthOf(from - daysAround).Time(), last})
	for _, month := range months {
		k.locked[workday.DateOf(month)] = true
	}
	return k, err
}

func (r DayRecord) version() policyVersionKey { return policyVersionKey{r.PolicyID, r.VersionNo} }

func (e AttendanceEdit) edit() workday.Edit {
	edit := workday.Edit{ID: e.ID, At: e.At, Field: workday.Field(e.Field), Old: e.OldAt, New: e.NewAt, Reason: e.Reason}
	if e.EditorID != nil {
		edit.EditorID = *e.EditorID
	}
	return edit
}

func monthOf(d workday.Date) workday.Date {
	year, month, _ := d.Time().Date()
	return workday.NewDate(year, month, 1)
}

// day is what is known of a person's date besides the events.
func (k *known) day(ctx context.Context, d *derivation, userID int64, date workday.Date, row *DayRecord) (workday.Day, *attendancePolicy, error) {
	var p *attendancePolicy
	if row != nil {
		p = k.policies[row.version()]
	} else {
		var err error
		if p, err = d.policy(ctx, userID, d.people[userID].Lineage, date); err != nil {
			return workday.Day{}, nil, err
		}
		k.policies[policyVersionKey{p.policyID, p.no}] = p
	}
	key := RecordKey{UserID: userID, Date: date}
	grant := k.grants[key]
	return workday.Day{
		Date: date, Policy: p.Policy, Holiday: p.HolidayOn(date), Leave: workday.DayType(grant.Leave),
		ApprovedMin: int(grant.OvertimeMin), Edits: k.edits[key], BesideEdits: k.edits[RecordKey{userID, date, true}],
	}, p, nil
}

// stays tells whether a record is as its month was locked.
func (k *known) stays(d *derivation, key RecordKey) bool {
	return k.locked[monthOf(key.Date)] && !d.reopened[key]
}

// derive gives the records of a person that are not as they are stored, and
// the extra ones that are no more.
func (k *known) derive(ctx context.Context, d *derivation, userID int64, first, last workday.Date) (changed []DayRecord, gone []RecordKey, err error) {
	stored := make(map[RecordKey]DayRecord, len(k.records[userID]))
	for _, row := range k.records[userID] {
		stored[row.Key()] = row
	}
	var days []workday.Day
	versions := map[workday.Date]*attendancePolicy{}
	for on := first - 1; on <= last+2; on++ {
		row, there := stored[RecordKey{UserID: userID, Date: on}]
		day, p, err := k.day(ctx, d, userID, on, pointer(row, there))
		if err != nil {
			return nil, nil, err
		}
		versions[on] = p
		days = append(days, day)
	}
	next := maps.Clone(stored)
	for key := range next {
		if key.Extra && between(key.Date, first, last) && !k.stays(d, key) {
			delete(next, key)
		}
	}
	for _, r := range records(days, k.events[userID], d.now) {
		key := RecordKey{userID, r.Date, r.Extra}
		old, there := stored[key]
		began := r.Arrival != nil || r.Departure != nil || r.Flags != 0 || r.Type == workday.Leave || there || k.wanted[key]
		if !between(r.Date, first, last) || !began || k.stays(d, key) {
			continue
		}
		person := d.people[userID]
		row := stampRow(r.Record, d.companyID, key, versions[r.Date])
		row.Name, row.DepartmentID, row.SettlesAt = person.Name, person.DepartmentID, r.settlesAt
		if there {
			row.Name, row.DepartmentID, row.DeletedAt = old.Name, old.DepartmentID, old.DeletedAt
		}
		next[key] = row
	}
	start := versions[first].WeekStart
	for week := workday.WeekOf(first, start); week <= last; week += 7 {
		k.markWeek(next, userID, week)
	}
	for key, row := range next {
		if old, there := stored[key]; (!there || !sameRecord(old, row)) && !k.stays(d, key) {
			changed = append(changed, row)
		}
	}
	for key := range stored {
		if _, still := next[key]; !still {
			gone = append(gone, key)
		}
	}
	return changed, gone, nil
}

func pointer(row DayRecord, there bool) *DayRecord {
	if !there {
		return nil
	}
	return &row
}

func between(d, first, last workday.Date) bool { return first <= d && d <= last }

// markWeek sets over_week on the records of a week from the day on which the
// limit of its policy was exceeded.
func (k *known) markWeek(all map[RecordKey]DayRecord, userID int64, first workday.Date) {
	worked := 0
	for date := first; date < first+7; date++ {
		for _, key := range []RecordKey{{userID, date, false}, {userID, date, true}} {
			row, there := all[key]
			if !there || row.DeletedAt != nil {
				continue
			}
			if row.WorkedMin != nil {
				worked += int(*row.WorkedMin)
			}
			flags := workday.Flags(row.Flags) &^ workday.FlagOverWeek
			if limit := k.policies[row.version()].WeeklyCapMin; limit > 0 && worked > limit && row.ArrivalAt != nil {
				flags |= workday.FlagOverWeek
			}
			row.Flags = int32(flags)
			all[key] = row
		}
	}
}
