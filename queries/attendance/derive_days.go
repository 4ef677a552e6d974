package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/workday"
)

// choose marks the dates of a user whose records are to be derived.
func (l *loadedDays) choose(userID int64, first, last workday.Date) {
	p := l.days[userID]
	for date := first; date <= last; date++ {
		p.derived[date-p.first] = true
	}
}

// chooseTouched marks those of a user's date and its two neighbors whose
// records the events of the date may have changed.
func (l *loadedDays) chooseTouched(key RecordKey, times []time.Time) {
	p := l.days[key.UserID]
	plans := p.plans[key.Date-2-p.first : key.Date+4-p.first] // the three dates, each with its neighbors
	for _, at := range times {
		for _, date := range workday.AffectedDates(plans, at) {
			if isBetween(date, key.Date-1, key.Date+1) {
				p.derived[date-p.first] = true
			}
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
	c := &changedRecords{months: l.months}
	for _, id := range l.userIDs {
		l.derivePerson(l.days[id], c)
	}
	return c, nil
}

// changedRecords are records to be written. The months already include them.
type changedRecords struct {
	months personMonths
	put    []Record
	gone   dropExtraRecordsParams
	marked markRecordsParams
}

// derivePerson adds the records of a user that differ from the stored ones, and
// the extra records that no longer exist.
func (l *loadedDays) derivePerson(p *personDays, c *changedRecords) {
	var derived []Record
	for _, r := range computeRecords(p.plans, p.events, l.Now, p.derives) {
		key := RecordKey{p.userID, r.Date, r.Extra}
		old := p.stored(key)
		began := r.Arrival != nil || r.Departure != nil || r.Flags != 0 || r.Type == workday.Leave || old != nil || l.wanted[key]
		if !began || l.isLocked(key) {
			continue
		}
		person, policy := l.people[p.userID], p.policyOn(r.Date)
		row := newRecord(r.Record, l.CompanyID, key, policy)
		row.Name, row.DepartmentID, row.SettlesAt = person.Name, person.DepartmentID, r.SettlesAt
		if old != nil {
			row.Name, row.DepartmentID, row.DeletedAt = old.Name, old.DepartmentID, old.DeletedAt
			if row.DeletedAt == nil {
				row.Flags |= old.Flags & int32(workday.FlagOverWeek) // until markWeek
			}
		}
		derived = append(derived, row)
		c.months.put(&row)
		l.versions[row.version()] = policy
	}
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
	l.markWeeks(p, c, func(key RecordKey, flags workday.Flags) bool {
		i := find(key)
		if i >= 0 {
			derived[i].Flags = int32(flags)
		}
		return i >= 0
	})
	for _, row := range derived {
		if old := p.stored(row.Key()); old == nil || !sameRecord(*old, row) {
			c.put = append(c.put, row)
		}
	}
}

// markWeeks sets FlagOverWeek in the weeks of the dates. derived takes the
// flags of records that are derived; of the others only the flags are written.
func (l *loadedDays) markWeeks(p *personDays, c *changedRecords, derived func(RecordKey, workday.Flags) bool) {
	start := p.policyOn(l.first).WeekStart
	for week := workday.WeekOf(p.first, start); week < p.first+workday.Date(len(p.derived)); week += 7 {
		from, to := max(0, int(week-p.first)), min(len(p.derived), int(week+7-p.first))
		if !slices.Contains(p.derived[from:to], true) {
			continue
		}
		c.months.markWeek(p.userID, week, l.versions, func(key RecordKey, flags workday.Flags) bool {
			switch {
			case derived(key, flags):
			case l.isLocked(key):
				return false
			default:
				m := &c.marked
				m.UserIds, m.WorkDates = append(m.UserIds, key.UserID), append(m.WorkDates, key.Date.Time())
				m.Extras, m.Flags = append(m.Extras, key.Extra), append(m.Flags, int32(flags))
			}
			return true
		})
	}
}

func (c *changedRecords) write(ctx context.Context, q *Queries, companyID int64) error {
	if len(c.gone.UserIds) > 0 {
		c.gone.CompanyID = companyID
		if err := q.dropExtraRecords(ctx, c.gone); err != nil {
			return err
		}
	}
	if err := q.putRecords(ctx, c.put); err != nil {
		return err
	}
	if len(c.marked.UserIds) > 0 {
		c.marked.CompanyID = companyID
		if err := q.markRecords(ctx, c.marked); err != nil {
			return fmt.Errorf("mark records of long weeks: %w", err)
		}
	}
	return q.putMonths(ctx, companyID, c.months)
}
