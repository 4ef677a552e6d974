package attendance

import (
	"context"
	"fmt"
	"slices"

	"officeconsole/workday"
)

// choose marks the dates of a user whose records are to be derived.
func (l *loadedDays) choose(userID int64, first, last workday.Date) {
	p := l.days[userID]
	for date := first; date <= last; date++ {
		p.derived[date-p.first] = true
	}
}

// chooseAffected marks the dates of a user whose records new events change.
func (l *loadedDays) chooseAffected(userID int64, isNew func(workday.Event) bool) {
	p := l.days[userID]
	affected, begun := workday.AffectedDates(p.plans, p.events, isNew)
	for _, date := range affected {
		if isBetween(date, l.first, l.last) {
			p.derived[date-p.first] = true
		}
	}
	for _, date := range begun {
		if isBetween(date, l.first, l.last) {
			p.derived[date-p.first] = true
			l.wanted[RecordKey{UserID: userID, Date: date}] = true
		}
	}
}

func (p *personDays) derives(on workday.Date) bool { return p.derived[on-p.first] }

func (p *personDays) policyOn(on workday.Date) *recordPolicy { return p.policies[on-p.first] }

// derive derives the marked records and writes those that have changed.
func (l *loadedDays) derive(ctx context.Context) error {
	c, err := l.compute(ctx)
	if err != nil {
		return err
	}
	return c.write(ctx, l.Queries, l.CompanyID)
}

// compute derives the marked records and returns those that have changed.
func (l *loadedDays) compute(ctx context.Context) (*changedRecords, error) {
	if err := l.readFacts(ctx); err != nil {
		return nil, err
	}
	if err := l.readLate(ctx); err != nil {
		return nil, err
	}
	c := &changedRecords{months: l.months, put: make([]Record, 0, len(l.userIDs))}
	for _, id := range l.userIDs {
		l.derivePerson(l.days[id], c)
	}
	return c, nil
}

// eventsOfRecord returns the events of a record; those of the date that belong to
// none are with the main record.
func eventsOfRecord(day workday.DayEvents, extra bool) []workday.Event {
	if extra {
		return day.ExtraEvents
	}
	return slices.Concat(day.Events, day.Unmatched)
}

// changedRecords are records to be written. The months already include them.
type changedRecords struct {
	months personMonths
	put    []Record
	gone   dropExtraRecordsParams
	marked markRecordsParams
	locked markUncountedParams // of locked months

	premiums []premiumChange // of the marked records
}

// premiumChange is a record of which only the premium time changes.
type premiumChange struct {
	key           RecordKey
	before, after premium
}

// derivePerson adds the records of a user that differ from the stored ones, and
// the extra records that no longer exist.
func (l *loadedDays) derivePerson(p *personDays, c *changedRecords) {
	var derived []Record
	computed, late := l.computePerson(p)
	for _, r := range computed {
		key := RecordKey{p.userID, r.Date, r.Extra}
		old := p.stored(key)
		began := r.Arrival != nil || r.Departure != nil || r.Flags != 0 || len(r.Uncounted)+len(r.Unmatched) > 0 || r.Type == workday.Leave
		if l.isLocked(key) || !began && old == nil && !l.wanted[key] {
			continue
		}
		person, policy := l.personOn(p.userID, r.Date), p.policyOn(r.Date)
		row := newRecord(r.Record, l.CompanyID, key, policy)
		row.Uncounted += late[key]
		row.Name, row.DepartmentID, row.SettlesAt = person.Name, person.DepartmentID, r.SettlesAt
		if old != nil {
			row.Name, row.DepartmentID, row.DeletedAt = old.Name, old.DepartmentID, old.DeletedAt
			if row.DeletedAt == nil {
				row.setPremium(old.premium(), workday.Flags(old.Flags)) // until the premium time is computed
			}
		}
		derived = append(derived, row)
		c.months.put(&row)
		l.versions[row.version()] = policy
	}
	l.countLate(p, computed, late, c)
	find := func(key RecordKey) int {
		return slices.IndexFunc(derived, func(r Record) bool { return r.Extra == key.Extra && r.Key() == key })
	}
	for i := range p.records {
		key := p.records[i].Key()
		if key.Extra && p.derives(key.Date) && !l.isLocked(key) && find(key) < 0 {
			c.gone.UserIds, c.gone.WorkDates = append(c.gone.UserIds, key.UserID), append(c.gone.WorkDates, key.Date.Time())
			c.months.remove(key)
		}
	}
	l.addPremiums(p, c, func(key RecordKey, day *monthDay) bool {
		i := find(key)
		if i >= 0 {
			derived[i].setPremium(day.premium, day.Flags)
		}
		return i >= 0
	})
	for _, row := range derived {
		if old := p.stored(row.Key()); old == nil || !sameRecord(*old, row) {
			c.put = append(c.put, row)
		}
	}
}

// computePerson computes the records of the marked dates, of locked months only those that
// somebody edits or that have late events, and counts the late events of each record.
func (l *loadedDays) computePerson(p *personDays) (all []computedRecord, late map[RecordKey]int32) {
	all = computeRecords(p.plans, p.events, l.Now, func(on workday.Date) bool { return p.derives(on) && !l.isLockedMonth(on) })
	if !l.derivesLocked(p) {
		return all, nil
	}
	counted, late := l.withoutLate(p)
	ofLocked := computeRecords(p.plans, counted, l.Now, func(on workday.Date) bool {
		isLate := late[RecordKey{p.userID, on, false}]+late[RecordKey{p.userID, on, true}] > 0
		return p.derives(on) && (isLate || l.isReopened(p.userID, on))
	})
	return append(all, ofLocked...), late
}

// addPremiums computes the premium time of the derived records and of those that
// depend on them. derived takes that of records that are derived; of the others
// only the premium time is written.
func (l *loadedDays) addPremiums(p *personDays, c *changedRecords, derived func(RecordKey, *monthDay) bool) {
	first := slices.Index(p.derived, true)
	if first < 0 {
		return
	}
	last := len(p.derived) - 1
	for !p.derived[last] {
		last--
	}
	l.premiums.months, l.premiums.policies, l.premiums.approved, l.premiums.today = c.months, l.versions, l.approved, l.today()
	l.premiums.isPaid = l.isPaid
	l.premiums.mark = func(key RecordKey, old, day *monthDay) bool {
		switch {
		case derived(key, day):
		case l.isPaid(key):
			return false // until it is unlocked
		default:
			c.marked.add(key, day)
			c.premiums = append(c.premiums, premiumChange{key, old.premium, day.premium})
		}
		return true
	}
	l.premiums.run(p.userID, p.first+workday.Date(first), lastDependent(p.first+workday.Date(last)))
}

// derivesLocked reports whether a marked date is in a locked month.
func (l *loadedDays) derivesLocked(p *personDays) bool {
	if len(l.locked) == 0 {
		return false
	}
	for i, derives := range p.derived {
		if derives && l.isLockedMonth(p.first+workday.Date(i)) {
			return true
		}
	}
	return false
}

// withoutLate returns the events of a person without the late ones of locked months, and
// the number of these that each record shows.
func (l *loadedDays) withoutLate(p *personDays) (counted []workday.Event, late map[RecordKey]int32) {
	late = map[RecordKey]int32{}
	ids := map[string]bool{}
	for date, day := range workday.Assign(p.plans, p.events) {
		if !l.isLockedMonth(date) {
			continue
		}
		for _, extra := range []bool{false, true} {
			for _, e := range eventsOfRecord(day, extra) {
				if l.isLate(p.userID, e, date) {
					late[l.shownBy(p, RecordKey{p.userID, date, extra})]++
					ids[e.ID] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(p.events), func(e workday.Event) bool { return ids[e.ID] }), late
}

// countLate counts the late events of records in locked months as events that do not
// count, beside those that do not count anyway.
func (l *loadedDays) countLate(p *personDays, computed []computedRecord, late map[RecordKey]int32, c *changedRecords) {
	uncounted := map[RecordKey]int32{}
	for _, r := range computed {
		uncounted[RecordKey{p.userID, r.Date, r.Extra}] = int32(len(r.Uncounted) + len(r.Unmatched))
	}
	for i := range p.records {
		old := &p.records[i]
		key := old.Key()
		if n := uncounted[key] + late[key]; p.derives(key.Date) && l.isLocked(key) && late[key] > 0 && n != old.Uncounted {
			m := &c.locked
			m.UserIds, m.WorkDates = append(m.UserIds, key.UserID), append(m.WorkDates, key.Date.Time())
			m.Extras, m.Uncounted = append(m.Extras, key.Extra), append(m.Uncounted, n)
		}
	}
}

func (c *changedRecords) write(ctx context.Context, q *Queries, companyID int64) error {
	if len(c.gone.UserIds) > 0 {
		c.gone.CompanyID = companyID
		c.gone.First, c.gone.Last = boundsOf(c.gone.WorkDates)
		if err := q.dropExtraRecords(ctx, c.gone); err != nil {
			return err
		}
	}
	if err := q.putRecords(ctx, c.put); err != nil {
		return err
	}
	if len(c.marked.UserIds) > 0 {
		c.marked.CompanyID = companyID
		c.marked.First, c.marked.Last = boundsOf(c.marked.WorkDates)
		if err := q.markRecords(ctx, c.marked); err != nil {
			return fmt.Errorf("write premium time: %w", err)
		}
	}
	if len(c.locked.UserIds) > 0 {
		c.locked.CompanyID = companyID
		c.locked.First, c.locked.Last = boundsOf(c.locked.WorkDates)
		if err := q.markUncounted(ctx, c.locked); err != nil {
			return fmt.Errorf("count events of locked months: %w", err)
		}
	}
	return q.putMonths(ctx, companyID, c.months)
}
