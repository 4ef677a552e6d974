package attendance

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"officeconsole/workday"
)

// derivation derives the records of some users on some dates from their events,
// in a transaction that holds lockAttendance, lockClockLane for people of a lane, or
// lockAttendanceShared for a step of a recomputation.
type derivation struct {
	policyResolver
	people   map[int64]clockPeopleRow
	former   map[int64][]formerUsersRow // the earliest first
	reopened reopened
	change   *policyChange // a change of policies that days follow, or nil
	derived  personMonths  // the months that deriveEvents has read and updated, with whole weeks around the events
	premiums premiumPass

	late map[knownEventsRow]lateChange // what deriveEvents or moveLate has found; see writeLate
}

// reopened is what is derived although its month is locked, because an administrator edits
// it: the records, and with them the premium time of the person's whole month.
type reopened struct {
	records map[RecordKey]bool
	months  map[monthKey]bool
}

func reopen(records map[RecordKey]bool) reopened {
	months := make(map[monthKey]bool, len(records))
	for key := range records {
		months[monthKey{key.UserID, monthOf(key.Date)}] = true
	}
	return reopened{records, months}
}

// derivation returns a derivation for people of a company. Bots and people of other
// companies are not among derivation.people.
func (s *Store) derivation(ctx context.Context, q *Queries, companyID int64, ids []int64) (*derivation, error) {
	if err := q.lockAttendance(ctx, companyID); err != nil {
		return nil, err
	}
	return s.unlockedDerivation(ctx, q, companyID, ids)
}

// unlockedDerivation returns a derivation without taking the lock: it may write only
// if the transaction holds lockAttendanceShared or lockClockLane.
func (s *Store) unlockedDerivation(ctx context.Context, q *Queries, companyID int64, ids []int64) (*derivation, error) {
	rows, err := q.clockPeople(ctx, clockPeopleParams{companyID, ids})
	if err != nil {
		return nil, err
	}
	former, err := q.formerUsers(ctx, formerUsersParams{companyID, ids})
	if err != nil {
		return nil, err
	}
	d := &derivation{
		policyResolver: s.policyResolver(q, companyID, 0, time.UTC),
		people:         make(map[int64]clockPeopleRow, len(rows)), former: map[int64][]formerUsersRow{},
	}
	for _, row := range former {
		d.former[row.UserID] = append(d.former[row.UserID], row)
	}
	for _, row := range rows {
		d.people[row.ID] = row
		d.policyVersion = row.PolicyVersion
	}
	if len(rows) > 0 {
		d.zone, err = time.LoadLocation(rows[0].TimeZone)
	}
	return d, err
}

// settlingIn is the time after which the directory is right about somebody who was added:
// it is often filled in steps, at first with everybody in the root.
const settlingIn = 24 * time.Hour

// personOn returns a user by the name and in the department of the beginning of a date
// (domain §3, §6); for a date before the user was added, of when they had settled in.
func (d *derivation) personOn(id int64, date workday.Date) clockPeopleRow {
	person := d.people[id]
	if len(d.former[id]) == 0 {
		return person
	}
	at := date.At(0, d.zone)
	if settled := person.CreatedAt.Add(settlingIn); at.Before(settled) {
		at = settled
	}
	for _, former := range d.former[id] {
		if former.Until.After(at) {
			person.Name, person.DepartmentID, person.Ancestors = former.Name, former.DepartmentID, former.Ancestors
			break
		}
	}
	return person
}

// derive derives the records of users on a date and on the dates before and
// after it, to which events of the date may belong.
func (d *derivation) derive(ctx context.Context, userIDs []int64, date workday.Date) error {
	return d.deriveBetween(ctx, userIDs, date-1, date+1, nil)
}

// deriveBetween derives the records of users from one date to another. A date
// without a record gets one if there are events, or if it is in wanted.
func (d *derivation) deriveBetween(ctx context.Context, userIDs []int64, first, last workday.Date, wanted map[RecordKey]bool) error {
	loaded, err := d.load(ctx, userIDs, first, last)
	if err != nil {
		return err
	}
	loaded.wanted = wanted
	for _, id := range userIDs {
		loaded.choose(id, first, last)
	}
	return loaded.derive(ctx)
}

// addedEvent is an event that has just been stored.
type addedEvent struct {
	id string
	at time.Time
}

// deriveEvents derives the records that new events change. added holds the
// events by the user and date. It returns those that do not count because the
// month of their record is locked.
func (d *derivation) deriveEvents(ctx context.Context, added map[RecordKey][]addedEvent) (locked map[knownEventsRow]bool, err error) {
	locked, d.derived, d.late = map[knownEventsRow]bool{}, personMonths{}, map[knownEventsRow]lateChange{}
	for _, span := range spansOf(slices.Collect(maps.Keys(added))) {
		loaded, err := d.load(ctx, span.userIDs(), span.first-2, span.last+1)
		if err != nil {
			return nil, err
		}
		// The owners of the events depend on those around them. Usually they are
		// the records of the same dates, so what these depend on is read too.
		var needed period
		loaded.wanted = map[RecordKey]bool{}
		isNew := map[int64]map[string]bool{}
		for _, key := range span.keys {
			if isNew[key.UserID] == nil {
				isNew[key.UserID] = make(map[string]bool, len(added[key]))
			}
			plan := loaded.days[key.UserID].plan(key.Date)
			needed.include(plan.Since(), plan.Until())
			for _, e := range added[key] {
				isNew[key.UserID][e.id] = true
				needed.include(e.at.Add(-workday.MaxPresence), e.at.Add(workday.MaxPresence+1))
			}
		}
		if err := loaded.readEvents(ctx, needed); err != nil {
			return nil, err
		}
		loaded.isNew = isNew
		for userID, ids := range isNew {
			loaded.chooseAffected(userID, func(e workday.Event) bool { return ids[e.ID] })
		}
		if err := loaded.derive(ctx); err != nil {
			return nil, err
		}
		for userID, ids := range isNew {
			loaded.findLate(userID, ids, locked)
		}
		maps.Copy(d.derived, loaded.months)
	}
	return locked, nil
}

// period is the time since ≤ t < until; both are zero for none.
type period struct{ since, until time.Time }

// include extends the period to contain another one.
func (p *period) include(since, until time.Time) {
	if p.since.IsZero() || since.Before(p.since) {
		p.since = since
	}
	if until.After(p.until) {
		p.until = until
	}
}

// contains reports whether another period lies within this one.
func (p period) contains(other period) bool {
	return !other.since.Before(p.since) && !other.until.After(p.until)
}

// deriveEdited derives edited records and those on the dates around them. Each
// edited key gets a record, and locked months do not protect theirs.
func (d *derivation) deriveEdited(ctx context.Context, edited map[RecordKey]bool) error {
	d.reopened = reopen(edited)
	for _, span := range spansOf(slices.Collect(maps.Keys(edited))) {
		loaded, err := d.load(ctx, span.userIDs(), span.first-1, span.last+1)
		if err != nil {
			return err
		}
		loaded.wanted = edited
		for _, key := range span.keys {
			loaded.choose(key.UserID, key.Date-1, key.Date+1)
		}
		if err := loaded.derive(ctx); err != nil {
			return err
		}
		if err := loaded.moveLate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// recordSpan is a set of records whose dates are close together, so that what
// they depend on is read at once.
type recordSpan struct {
	first, last workday.Date
	keys        []RecordKey // by date and person
}

const (
	// spanGap is the distance up to which two dates depend on common dates.
	spanGap = 3
	// spanDays is the maximum number of days of users that are read at once for
	// several dates.
	spanDays = 20_000
)

// spansOf groups records into spans, the earliest first.
func spansOf(keys []RecordKey) []recordSpan {
	slices.SortFunc(keys, func(a, b RecordKey) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.UserID, b.UserID))
	})
	var spans []recordSpan
	users := map[int64]bool{}
	for i, key := range keys {
		if i == 0 || key.Date > keys[i-1].Date+spanGap || key.Date > keys[i-1].Date && len(users)*int(key.Date-spans[len(spans)-1].first+1) > spanDays {
			spans = append(spans, recordSpan{first: key.Date})
			clear(users)
		}
		span := &spans[len(spans)-1]
		span.last, span.keys, users[key.UserID] = key.Date, append(span.keys, key), true
	}
	return spans
}

// spanOf returns the span of a single record.
func spanOf(key RecordKey) recordSpan {
	return recordSpan{first: key.Date, last: key.Date, keys: []RecordKey{key}}
}

// userIDs returns the users of the span, ascending.
func (s recordSpan) userIDs() []int64 {
	ids := make([]int64, len(s.keys))
	for i, key := range s.keys {
		ids[i] = key.UserID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func monthOf(d workday.Date) workday.Date {
	year, month, _ := d.Time().Date()
	return workday.NewDate(year, month, 1)
}

func isBetween(d, first, last workday.Date) bool { return first <= d && d <= last }
