package queries

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/workday"
)

// personDays are the days of a person, some of whose records are derived.
type personDays struct {
	userID   int64
	first    workday.Date // of plans
	plans    []workday.Plan
	versions []*attendancePolicy // of the plans
	dates    []workday.Date      // whose records are derived, in order
}

func (k *known) layOut(ctx context.Context, d *derivation, userID int64) (*personDays, error) {
	p := &personDays{userID: userID, first: k.first - daysBefore}
	count := int(k.last + daysBehind - p.first + 1)
	days := make([]workday.Day, 0, count)
	p.versions = make([]*attendancePolicy, 0, count)
	for on := p.first; on <= k.last+daysBehind; on++ {
		day, version, err := k.day(ctx, d, userID, on)
		if err != nil {
			return nil, err
		}
		days, p.versions = append(days, day), append(p.versions, version)
	}
	p.plans = workday.Lay(days)
	return p, nil
}

func (p *personDays) version(on workday.Date) *attendancePolicy { return p.versions[on-p.first] }

func (p *personDays) derives(on workday.Date) bool {
	_, found := slices.BinarySearch(p.dates, on)
	return found
}

// derive makes the records of people on the dates that choose sets, and writes
// what has changed.
func (k *known) derive(ctx context.Context, d *derivation, userIDs []int64, choose func(*personDays)) error {
	var people []*personDays
	from, to := k.last, k.first
	var since, until time.Time
	for _, id := range userIDs {
		p, err := k.layOut(ctx, d, id)
		if err != nil {
			return err
		}
		choose(p)
		for _, on := range p.dates {
			from, to = min(from, on), max(to, on)
			plan := &p.plans[on-p.first]
			if at := plan.Since(); since.IsZero() || at.Before(since) {
				since = at
			}
			if at := plan.Until(); at.After(until) {
				until = at
			}
		}
		people = append(people, p)
	}
	if err := k.readRecords(ctx, d, userIDs, from, to); err != nil {
		return err
	}
	if err := k.readEvents(ctx, d, userIDs, since, until); err != nil {
		return err
	}
	c := &changedRecords{months: k.months}
	for _, p := range people {
		k.derivePerson(d, p, c)
	}
	return c.write(ctx, d)
}

// changedRecords are records on their way into the tables, which months have
// already.
type changedRecords struct {
	months months
	put    []DayRecord
	gone   dropExtraRecordsParams
	marked markRecordsParams
}

// derivePerson adds the records of a person that are not as they are stored, and
// the extra ones that are no more.
func (k *known) derivePerson(d *derivation, p *personDays, c *changedRecords) {
	var made []DayRecord
	for _, r := range records(p.plans, k.events[p.userID], d.now, p.derives) {
		key := RecordKey{p.userID, r.Date, r.Extra}
		old := k.stored(key)
		began := r.Arrival != nil || r.Departure != nil || r.Flags != 0 || r.Type == workday.Leave || old != nil || k.wanted[key]
		if !began || k.stays(d, key) {
			continue
		}
		person, version := d.people[p.userID], p.version(r.Date)
		row := stampRow(r.Record, d.companyID, key, version)
		row.Name, row.DepartmentID, row.SettlesAt = person.Name, person.DepartmentID, r.settlesAt
		if old != nil {
			row.Name, row.DepartmentID, row.DeletedAt = old.Name, old.DepartmentID, old.DeletedAt
			if row.DeletedAt == nil {
				row.Flags |= old.Flags & int32(workday.FlagOverWeek) // until markWeek
			}
		}
		made = append(made, row)
		c.months.put(&row)
		k.versions[row.version()] = version
	}
	isMade := func(key RecordKey) int {
		return slices.IndexFunc(made, func(r DayRecord) bool { return r.Extra == key.Extra && r.Key() == key })
	}
	for i := range k.records[p.userID] {
		key := k.records[p.userID][i].Key()
		if key.Extra && p.derives(key.Date) && !k.stays(d, key) && isMade(key) < 0 {
			c.gone.UserIds, c.gone.WorkDates = append(c.gone.UserIds, key.UserID), append(c.gone.WorkDates, key.Date.Time())
			c.months.remove(key)
		}
	}
	k.markWeeks(d, p, c, func(key RecordKey, flags workday.Flags) bool {
		if i := isMade(key); i >= 0 {
			made[i].Flags = int32(flags)
			return true
		}
		return false
	})
	for _, row := range made {
		if old := k.stored(row.Key()); old == nil || !sameRecord(*old, row) {
			c.put = append(c.put, row)
		}
	}
}

// markWeeks marks the records of the weeks of the dates. made takes the flags of
// those that are derived; of others only the flags are written.
func (k *known) markWeeks(d *derivation, p *personDays, c *changedRecords, made func(RecordKey, workday.Flags) bool) {
	if len(p.dates) == 0 {
		return
	}
	start := p.version(k.first).WeekStart
	for week := workday.WeekOf(p.dates[0], start); week <= p.dates[len(p.dates)-1]; week += 7 {
		c.months.markWeek(p.userID, week, k.versions, func(key RecordKey, flags workday.Flags) bool {
			switch {
			case made(key, flags):
			case k.stays(d, key):
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

func (c *changedRecords) write(ctx context.Context, d *derivation) error {
	if len(c.gone.UserIds) > 0 {
		c.gone.CompanyID = d.companyID
		if err := d.dropExtraRecords(ctx, c.gone); err != nil {
			return err
		}
	}
	if err := d.putRecords(ctx, c.put); err != nil {
		return err
	}
	if len(c.marked.UserIds) > 0 {
		c.marked.CompanyID = d.companyID
		if err := d.markRecords(ctx, c.marked); err != nil {
			return fmt.Errorf("mark records of long weeks: %w", err)
		}
	}
	return d.putMonths(ctx, d.companyID, c.months)
}
