package attendance

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// loadedDays is what is stored about users from one date to another, and on the
// dates around these that their records depend on.
type loadedDays struct {
	*derivation
	first, last workday.Date
	userIDs     []int64
	days        map[int64]*personDays
	months      personMonths                        // those of the dates and of the whole weeks around them
	versions    map[policy.VersionKey]*recordPolicy // the versions that the months refer to
	locked      map[workday.Date]time.Time          // when months were locked, by their first day
	approved    map[RecordKey]int                   // approved overtime by user and date, of the months
	wanted      map[RecordKey]bool                  // records to create even without events
	isNew       map[int64]map[string]bool           // the events that have just been stored, by user and id
	storedLate  map[knownEventsRow]RecordKey        // the records of late events; see readLate

	read period // of the events that are read
}

// personDays are the days of a user. days, policies, plans and derived have an
// item for each date.
type personDays struct {
	userID   int64
	first    workday.Date
	days     []workday.Day
	policies []*recordPolicy
	plans    []workday.Plan
	derived  []bool   // whether the records of the date are derived
	records  []Record // as they are stored
	events   []workday.Event
}

// The events of a day depend on the windows of the days before it, to which an
// arrival 24 hours earlier may belong, and on the starts of those after it.
const (
	daysBefore = 3
	daysBehind = 3
)

// daysAround is more than the days by which two dates of the same week differ.
const daysAround = 7

// load reads what the plans of the days depend on, but no events or records.
func (d *derivation) load(ctx context.Context, userIDs []int64, first, last workday.Date) (*loadedDays, error) {
	l := &loadedDays{derivation: d, first: first, last: last, userIDs: userIDs, days: make(map[int64]*personDays, len(userIDs))}
	count := int(last + daysBehind - (first - daysBefore) + 1)
	people := make([]personDays, len(userIDs))
	days, policies, derived := make([]workday.Day, count*len(userIDs)), make([]*recordPolicy, count*len(userIDs)), make([]bool, count*len(userIDs))
	for n, id := range userIDs {
		from, to := n*count, (n+1)*count
		p := &people[n]
		*p = personDays{userID: id, first: first - daysBefore, days: days[from:to:to], policies: policies[from:to:to], derived: derived[from:to:to]}
		for i := range p.days {
			p.days[i].Date = p.first + workday.Date(i)
		}
		l.days[id] = p
	}
	deleted, err := l.readEdits(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.readPolicies(ctx, deleted); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{l.readGrants, l.readLocks, l.followChange, l.resolvePolicies, l.readActivities} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	l.layOut()
	return l, nil
}

// loadFacts reads everything that records depend on, with the records and
// events of the span's own dates.
func (d *derivation) loadFacts(ctx context.Context, span recordSpan) (*loadedDays, error) {
	l, err := d.load(ctx, span.userIDs(), span.first-1, span.last+1)
	if err != nil {
		return nil, err
	}
	for _, key := range span.keys {
		l.choose(key.UserID, key.Date, key.Date)
	}
	if err := l.readFacts(ctx); err != nil {
		return nil, err
	}
	return l, l.readLate(ctx)
}

func (p *personDays) day(on workday.Date) *workday.Day { return &p.days[on-p.first] }

func (p *personDays) plan(on workday.Date) *workday.Plan { return &p.plans[on-p.first] }

func (p *personDays) setPolicy(on workday.Date, policy *recordPolicy) {
	p.policies[on-p.first] = policy
}

// readEdits reads the edits, and returns the users of whom a record may be
// deleted.
func (l *loadedDays) readEdits(ctx context.Context) (deleted []int64, err error) {
	edits, err := l.editsBetween(ctx, editsBetweenParams{l.CompanyID, l.userIDs, (l.first - daysBefore).Time(), (l.last + daysBehind).Time()})
	for _, e := range edits {
		day := l.days[e.UserID].day(workday.DateOf(e.WorkDate))
		if e.Extra {
			day.ExtraEdits = append(day.ExtraEdits, e.edit())
		} else {
			day.Edits = append(day.Edits, e.edit())
		}
		if e.Field == "deleted" {
			deleted = append(deleted, e.UserID)
		}
	}
	return deleted, err
}

func (e Edit) edit() workday.Edit {
	edit := workday.Edit{ID: e.ID, At: e.At, Field: workday.Field(e.Field), Old: e.OldAt, New: e.NewAt, Reason: e.Reason}
	if e.EditorID != nil {
		edit.EditorID = *e.EditorID
	}
	return edit
}

func (l *loadedDays) readGrants(ctx context.Context) error {
	l.approved = map[RecordKey]int{}
	grants, err := l.grantsBetween(ctx, grantsBetweenParams{l.CompanyID, l.userIDs, monthOf(l.first - daysAround).Time(), lastOfMonth(l.last + daysAround).Time()})
	for _, g := range grants {
		date := workday.DateOf(g.WorkDate)
		if isBetween(date, l.first-daysBefore, l.last+daysBehind) {
			day := l.days[g.UserID].day(date)
			day.Leave, day.ApprovedMin = workday.DayType(g.Leave), int(g.OvertimeMin)
		}
		if g.OvertimeMin > 0 {
			l.approved[RecordKey{UserID: g.UserID, Date: date}] = int(g.OvertimeMin)
		}
	}
	return err
}

func (l *loadedDays) readLocks(ctx context.Context) error {
	months, err := l.locksBetween(ctx, locksBetweenParams{l.CompanyID, monthOf(l.first - daysAround).Time(), lastOfMonth(l.last + daysAround).Time()})
	l.locked = make(map[workday.Date]time.Time, len(months))
	for _, row := range months {
		l.locked[workday.DateOf(row.Month)] = row.LockedAt
	}
	return err
}

// readPolicies reads the months, which contain the policy versions of the days.
// Months leave out deleted records, so the records of the users in deleted are
// read themselves.
func (l *loadedDays) readPolicies(ctx context.Context, deleted []int64) error {
	var err error
	if l.months, err = l.monthsOf(ctx, l.CompanyID, l.userIDs, l.first-daysAround, lastDependent(l.last)+daysAround); err != nil {
		return err
	}
	first, last := l.first-daysBefore, l.last+daysBehind
	var rows []versionsOfRow
	if len(deleted) > 0 {
		if rows, err = l.versionsOf(ctx, versionsOfParams{l.CompanyID, deleted, first.Time(), last.Time()}); err != nil {
			return err
		}
	}
	versions := l.months.versions()
	for _, row := range rows {
		versions[policy.VersionKey{PolicyID: row.PolicyID, No: row.VersionNo}] = true
	}
	if l.versions, err = l.policyResolver.versions(ctx, versions); err != nil {
		return err
	}
	for _, row := range rows {
		l.days[row.UserID].setPolicy(workday.DateOf(row.WorkDate), l.versions[policy.VersionKey{PolicyID: row.PolicyID, No: row.VersionNo}])
	}
	for key, parts := range l.months {
		for _, month := range parts {
			for i := range month.days {
				day := &month.days[i]
				if on := day.Date(key.month); !day.Extra && isBetween(on, first, last) {
					l.days[key.userID].setPolicy(on, l.versions[day.version])
				}
			}
		}
	}
	return nil
}

// resolvePolicies finds the policies of the days: those of their records or, without a
// record, those that apply on the dates.
func (l *loadedDays) resolvePolicies(ctx context.Context) error {
	for _, id := range l.userIDs {
		p := l.days[id]
		for i := range p.days {
			day := &p.days[i]
			if p.policies[i] == nil {
				var err error
				if p.policies[i], err = l.policy(ctx, id, l.personOn(id, day.Date).Ancestors, day.Date); err != nil {
					return err
				}
			}
			day.Policy, day.Holiday = p.policies[i].Policy, p.policies[i].HolidayOn(day.Date)
		}
	}
	return nil
}

// layOut computes the windows of the days. Plans are only read, so people with the same
// policies share them unless a day has something of their own.
func (l *loadedDays) layOut() {
	shared := map[*recordPolicy]*personDays{} // a user of whom others share the plans, by the policy of the first day
	for _, id := range l.userIDs {
		p := l.days[id]
		other := shared[p.policies[0]]
		switch {
		case slices.ContainsFunc(p.days, workday.Day.IsPersonal):
			p.plans = workday.NewPlans(p.days)
		case other != nil && slices.Equal(other.policies, p.policies):
			p.plans = other.plans
		default:
			p.plans = workday.NewPlans(p.days)
			shared[p.policies[0]] = p
		}
	}
}

func (l *loadedDays) isLockedMonth(date workday.Date) bool {
	return len(l.locked) > 0 && !l.locked[monthOf(date)].IsZero()
}

// readFacts reads the records of the marked dates, and their events unless they
// are read already. A batch reads thousands of rows: they are not collected first.
func (l *loadedDays) readFacts(ctx context.Context) error {
	from, to := l.last, l.first
	var needed period
	for _, p := range l.days {
		for i := range p.plans {
			if !p.derived[i] {
				continue
			}
			plan := &p.plans[i]
			from, to = min(from, plan.Date), max(to, plan.Date)
			needed.include(plan.Since(), plan.Until())
		}
	}
	if from > to {
		return nil
	}
	rows, err := l.db.Query(ctx, recordsBetween, l.CompanyID, l.userIDs, from.Time(), to.Time())
	if err != nil {
		return err
	}
	var row Record
	if _, err := pgx.ForEachRow(rows, fieldsOf(&row), func() error {
		p := l.days[row.UserID]
		p.records = append(p.records, row)
		return nil
	}); err != nil {
		return err
	}
	if l.read.contains(needed) {
		return nil
	}
	return l.readEvents(ctx, needed)
}

// countedEvents reads, in no order, what records are computed from: of eventsBetween,
// the columns that event needs.
const countedEvents = `
select e.user_id, e.event_id, e.kind, e.occurred_at, e.sent_at, e.received_at, e.offline, e.platform,
  e.lat, e.lng, e.accuracy_m, e.place, e.proof, e.mock, e.outside, e.device_new
from clock_events e
where e.company_id = $1 and e.user_id = any ($2::bigint[]) and e.at >= $3 and e.at < $4
  and (e.import_id is null or e.import_id not in (select i.id from attendance_imports i where i.company_id = $1 and i.reverted_at is not null))`

// usualEvents are the arrivals and departures of the days that an event depends on.
const usualEvents = 8

// readEvents reads the events of a period.
func (l *loadedDays) readEvents(ctx context.Context, needed period) error {
	for _, p := range l.days {
		p.events = p.events[:0]
	}
	l.read = needed
	rows, err := l.db.Query(ctx, countedEvents, l.CompanyID, l.userIDs, needed.since, needed.until)
	if err != nil {
		return err
	}
	var e ClockEvent
	columns := []any{
		&e.UserID, &e.EventID, &e.Kind, &e.OccurredAt, &e.SentAt, &e.ReceivedAt, &e.Offline, &e.Platform,
		&e.Lat, &e.Lng, &e.AccuracyM, &e.Place, &e.Proof, &e.Mock, &e.Outside, &e.DeviceNew,
	}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		p := l.days[e.UserID]
		if p.events == nil {
			p.events = make([]workday.Event, 0, usualEvents)
		}
		p.events = append(p.events, e.event())
		return nil
	})
	return err
}

// stored returns a record as it is stored, or nil.
func (p *personDays) stored(key RecordKey) *Record {
	for i := range p.records {
		if row := &p.records[i]; row.Extra == key.Extra && row.Key() == key {
			return row
		}
	}
	return nil
}

func (r *Record) version() policy.VersionKey {
	return policy.VersionKey{PolicyID: r.PolicyID, No: r.VersionNo}
}

// isLocked reports whether a record must stay as it is because its month is
// locked.
func (l *loadedDays) isLocked(key RecordKey) bool {
	return l.isLockedMonth(key.Date) && !l.reopened.records[key]
}

// isPaid reports whether the premium time of a record must stay as it is: its month is
// locked, and no record of the person in it is edited.
func (l *loadedDays) isPaid(key RecordKey) bool {
	return l.isLockedMonth(key.Date) && !l.isReopened(key.UserID, key.Date)
}

// isReopened reports whether the month of a date is locked, and records of the person in it
// are edited.
func (l *loadedDays) isReopened(userID int64, date workday.Date) bool {
	return l.isLockedMonth(date) && l.reopened.months[monthKey{userID, monthOf(date)}]
}
