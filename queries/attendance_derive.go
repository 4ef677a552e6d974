package queries

import (
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/workday"
)

// A derivation makes the records of some people on some dates from their
// events, inside of a transaction that holds lockAttendance.
type derivation struct {
	policyResolver
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
	d := &derivation{policyResolver: db.policyResolver(q, companyID, 0, time.UTC), people: make(map[int64]clockPeopleRow, len(rows))}
	for _, row := range rows {
		d.people[row.ID] = row
		d.policyVersion = row.PolicyVersion
	}
	if len(rows) > 0 {
		d.zone, err = time.LoadLocation(rows[0].TimeZone)
	}
	return d, err
}

// derive makes the records of people on a date and on the dates beside it, to
// which what happened on the date may belong, after what was added to the facts.
func (d *derivation) derive(ctx context.Context, userIDs []int64, date workday.Date) error {
	return d.deriveBetween(ctx, userIDs, date-1, date+1, nil)
}

// deriveBetween makes the records of people from one date to another. A date
// without a record gets one where something happened or where wanted says so.
func (d *derivation) deriveBetween(ctx context.Context, userIDs []int64, first, last workday.Date, wanted map[RecordKey]bool) error {
	known, err := d.readDays(ctx, userIDs, first, last)
	if err != nil {
		return err
	}
	known.wanted = wanted
	return known.derive(ctx, d, userIDs, func(p *personDays) {
		for date := first; date <= last; date++ {
			p.dates = append(p.dates, date)
		}
	})
}

// deriveEvents makes those records of people around a date that events at some
// times, by person, may have changed.
func (d *derivation) deriveEvents(ctx context.Context, times map[int64][]time.Time, date workday.Date) error {
	userIDs := slices.Sorted(maps.Keys(times))
	known, err := d.readDays(ctx, userIDs, date-1, date+1)
	if err != nil {
		return err
	}
	return known.derive(ctx, d, userIDs, func(p *personDays) {
		for _, at := range times[p.userID] {
			p.dates = append(p.dates, workday.Touched(p.plans, at)...)
		}
		slices.Sort(p.dates)
		p.dates = slices.Compact(p.dates)
		p.dates = slices.DeleteFunc(p.dates, func(on workday.Date) bool { return !between(on, date-1, date+1) })
	})
}

// known is what is stored of people from a date to another, and around them.
type known struct {
	first, last workday.Date
	months      months                                 // of the dates, and of the weeks around them
	versions    map[policyVersionKey]*attendancePolicy // of the months
	policies    map[RecordKey]*attendancePolicy        // of days that have a record
	records     map[int64][]DayRecord
	events      map[int64][]workday.Event
	edits       map[RecordKey][]workday.Edit
	grants      map[RecordKey]AttendanceGrant
	locked      map[workday.Date]bool // by the first of the month
	wanted      map[RecordKey]bool
}

// A day's window depends on the day before it and the two behind it.
const (
	daysBefore = 1
	daysBehind = 2
)

// A week is too long from one of its days on because of those before it.
const daysAround = 6

// readDays reads all but the records and the events.
func (d *derivation) readDays(ctx context.Context, userIDs []int64, from, to workday.Date) (*known, error) {
	k := &known{
		first: from, last: to,
		edits: map[RecordKey][]workday.Edit{}, grants: map[RecordKey]AttendanceGrant{}, locked: map[workday.Date]bool{},
	}
	first, last := (from - daysBefore).Time(), (to + daysBehind).Time()
	edits, err := d.editsBetween(ctx, editsBetweenParams{d.companyID, userIDs, first, last})
	if err != nil {
		return nil, err
	}
	var deleted []int64
	for _, e := range edits {
		key := RecordKey{e.UserID, workday.DateOf(e.WorkDate), e.Extra}
		k.edits[key] = append(k.edits[key], e.edit())
		if e.Field == "deleted" {
			deleted = append(deleted, e.UserID)
		}
	}
	if err := k.readPolicies(ctx, d, userIDs, deleted); err != nil {
		return nil, err
	}
	grants, err := d.grantsBetween(ctx, grantsBetweenParams{d.companyID, userIDs, first, last})
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		k.grants[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = g
	}
	months, err := d.lockedMonths(ctx, lockedMonthsParams{d.companyID, monthOf(from - daysAround).Time(), (to + daysAround).Time()})
	for _, month := range months {
		k.locked[workday.DateOf(month)] = true
	}
	return k, err
}

// readPolicies reads the months, which say what policies the days go by. Deleted
// records are in no month: those of some people are read themselves.
func (k *known) readPolicies(ctx context.Context, d *derivation, userIDs, deleted []int64) error {
	var err error
	if k.months, err = d.monthsOf(ctx, d.companyID, userIDs, k.first-daysAround, k.last+daysAround); err != nil {
		return err
	}
	first, last := k.first-daysBefore, k.last+daysBehind
	var rows []versionsOfRow
	if len(deleted) > 0 {
		if rows, err = d.versionsOf(ctx, versionsOfParams{d.companyID, deleted, first.Time(), last.Time()}); err != nil {
			return err
		}
	}
	versions := k.months.versions()
	for _, row := range rows {
		versions[policyVersionKey{row.PolicyID, row.VersionNo}] = true
	}
	if k.versions, err = d.policies.read(ctx, d.Queries, d.companyID, versions); err != nil {
		return err
	}
	k.policies = make(map[RecordKey]*attendancePolicy, len(userIDs)*int(last-first+1))
	for _, row := range rows {
		k.policies[RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}] = k.versions[policyVersionKey{row.PolicyID, row.VersionNo}]
	}
	for key, parts := range k.months {
		for _, month := range parts {
			for i := range month.days {
				day := &month.days[i]
				if on := key.month + workday.Date(day.Day) - 1; !day.Extra && between(on, first, last) {
					k.policies[RecordKey{UserID: key.userID, Date: on}] = k.versions[day.version]
				}
			}
		}
	}
	return nil
}

// read reads all of the days from one date to another.
func (d *derivation) read(ctx context.Context, userIDs []int64, from, to workday.Date) (*known, error) {
	k, err := d.readDays(ctx, userIDs, from, to)
	if err != nil {
		return nil, err
	}
	if err := k.readRecords(ctx, d, userIDs, from, to); err != nil {
		return nil, err
	}
	// Windows reach at most a day and a half beyond their dates, in any zone.
	return k, k.readEvents(ctx, d, userIDs, (from - 3).Time(), (to + 4).Time())
}

func (k *known) readRecords(ctx context.Context, d *derivation, userIDs []int64, from, to workday.Date) error {
	rows, err := d.recordsBetween(ctx, recordsBetweenParams{d.companyID, userIDs, from.Time(), to.Time()})
	k.records = make(map[int64][]DayRecord, len(userIDs))
	for i := range rows {
		k.records[rows[i].UserID] = append(k.records[rows[i].UserID], rows[i])
	}
	return err
}

func (k *known) readEvents(ctx context.Context, d *derivation, userIDs []int64, since, until time.Time) error {
	events, err := d.eventsBetween(ctx, eventsBetweenParams{d.companyID, userIDs, since, until})
	k.events = eventsByUser(events)
	return err
}

func (r *DayRecord) version() policyVersionKey { return policyVersionKey{r.PolicyID, r.VersionNo} }

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
func (k *known) day(ctx context.Context, d *derivation, userID int64, date workday.Date) (workday.Day, *attendancePolicy, error) {
	key := RecordKey{UserID: userID, Date: date}
	p := k.policies[key]
	if p == nil {
		var err error
		if p, err = d.policy(ctx, userID, d.people[userID].Lineage, date); err != nil {
			return workday.Day{}, nil, err
		}
	}
	grant := k.grants[key]
	return workday.Day{
		Date: date, Policy: p.Policy, Holiday: p.HolidayOn(date), Leave: workday.DayType(grant.Leave),
		ApprovedMin: int(grant.OvertimeMin), Edits: k.edits[key], BesideEdits: k.edits[RecordKey{userID, date, true}],
	}, p, nil
}

// stored is a record as it is stored, or nil.
func (k *known) stored(key RecordKey) *DayRecord {
	for i := range k.records[key.UserID] {
		if row := &k.records[key.UserID][i]; row.Extra == key.Extra && row.Key() == key {
			return row
		}
	}
	return nil
}

// stays tells whether a record is as its month was locked.
func (k *known) stays(d *derivation, key RecordKey) bool {
	return k.locked[monthOf(key.Date)] && !d.reopened[key]
}

func between(d, first, last workday.Date) bool { return first <= d && d <= last }
