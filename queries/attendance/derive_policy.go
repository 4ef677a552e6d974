package attendance

import (
	"context"
	"fmt"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// policyChange is a change of policies for dates that have records already. Days
// keep the version of their record otherwise (domain §3).
type policyChange struct {
	first    workday.Date   // the first date that changes
	policies map[int64]bool // only days that follow one of these, before or after, change
	timeline *policy.Timeline
	version  func(*policy.Span) (*recordPolicy, error)
}

func newPolicyChange(first workday.Date, policyIDs []int64, timeline *policy.Timeline) *policyChange {
	c := &policyChange{first: first, policies: make(map[int64]bool, len(policyIDs)), timeline: timeline}
	for _, id := range policyIDs {
		c.policies[id] = true
	}
	return c
}

// followChange gives the days the policies that apply by the change of the
// derivation, if there is one, and marks the dates whose records may differ by it.
// Those in locked months stay as they are.
func (l *loadedDays) followChange(ctx context.Context) error {
	c := l.change
	if c == nil {
		return nil
	}
	departments, err := l.departmentsOfDays(ctx)
	if err != nil {
		return err
	}
	for _, id := range l.userIDs {
		p := l.days[id]
		changed := make([]bool, len(p.days))
		for i := range p.days {
			date := p.days[i].Date
			if date < c.first || l.isLocked(RecordKey{UserID: id, Date: date}) {
				continue
			}
			ancestors := departments.ancestors[departments.ofDay[RecordKey{UserID: id, Date: date}]]
			if ancestors == nil {
				ancestors = l.personOn(id, date).Ancestors
			}
			at := date.At(0, l.zone)
			span := c.timeline.Resolve(id, ancestors, at)
			if span == nil {
				return fmt.Errorf("no working attitude policy applies to %d at %s", id, at)
			}
			before := p.policies[i]
			if before != nil && !c.policies[before.policyID] && !c.policies[span.PolicyID] {
				continue
			}
			if p.policies[i], err = c.version(span); err != nil {
				return err
			}
			changed[i] = before == nil || before.policyID != span.PolicyID || before.no != span.No
		}
		p.choose(l.first, l.last, changed)
	}
	return nil
}

// choose marks the dates whose windows depend on a day that has changed.
func (p *personDays) choose(first, last workday.Date, changed []bool) {
	for i, differs := range changed {
		if !differs {
			continue
		}
		for date := p.first + workday.Date(i) - daysBehind; date <= p.first+workday.Date(i)+daysBefore; date++ {
			if isBetween(date, first, last) {
				p.derived[date-p.first] = true
			}
		}
	}
}

// dayDepartments are the departments of days with records, and the ancestors of
// these as they are now.
type dayDepartments struct {
	ofDay     map[RecordKey]int64
	ancestors map[int64][]int64
}

func (l *loadedDays) departmentsOfDays(ctx context.Context) (dayDepartments, error) {
	d := dayDepartments{ofDay: map[RecordKey]int64{}, ancestors: map[int64][]int64{}}
	for key, parts := range l.months {
		for _, month := range parts {
			d.ancestors[month.departmentID] = nil
			for i := range month.days {
				if day := &month.days[i]; !day.Extra {
					d.ofDay[RecordKey{UserID: key.userID, Date: day.Date(key.month)}] = month.departmentID
				}
			}
		}
	}
	arg := departmentAncestorsParams{CompanyID: l.CompanyID}
	for id := range d.ancestors {
		arg.Ids = append(arg.Ids, id)
	}
	rows, err := l.departmentAncestors(ctx, arg)
	for _, row := range rows {
		d.ancestors[row.ID] = row.Ancestors
	}
	return d, err
}

// deriveChange derives the records of users from one date to another by a change,
// a month at a time, and adds how they differ to sums. It writes them unless dry: then
// all dates are derived at once, because a week or settlement period of two months
// depends on what would have been written of the first one.
func (d *derivation) deriveChange(ctx context.Context, userIDs []int64, first, last workday.Date, sums *RecordSums, dry bool) error {
	for begin, end := first, last; begin <= last; begin = end + 1 {
		if !dry {
			end = min(last, lastOfMonth(begin))
		}
		loaded, err := d.load(ctx, userIDs, begin, end)
		if err != nil {
			return err
		}
		c, err := loaded.compute(ctx)
		if err != nil {
			return err
		}
		sums.add(loaded, c)
		if dry {
			continue
		}
		if err := loaded.writeFollowing(ctx, c); err != nil {
			return err
		}
		if err := loaded.moveLate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// writeFollowing writes changed records. Most of them only follow another version,
// which is less to write.
func (l *loadedDays) writeFollowing(ctx context.Context, c *changedRecords) error {
	arg := followVersionsParams{CompanyID: l.CompanyID, First: l.first.Time(), Last: l.last.Time()}
	put := c.put[:0]
	for _, row := range c.put {
		old := l.days[row.UserID].stored(row.Key())
		if old == nil || !sameRecord(*old, row.following(old)) {
			put = append(put, row)
			continue
		}
		arg.UserIds, arg.WorkDates, arg.Extras = append(arg.UserIds, row.UserID), append(arg.WorkDates, row.WorkDate), append(arg.Extras, row.Extra)
		arg.PolicyIds, arg.Nos = append(arg.PolicyIds, row.PolicyID), append(arg.Nos, row.VersionNo)
	}
	c.put = put
	if len(arg.Nos) > 0 {
		if err := l.followVersions(ctx, arg); err != nil {
			return fmt.Errorf("set the versions of records: %w", err)
		}
	}
	return c.write(ctx, l.Queries, l.CompanyID)
}

// following returns the record with the policy version of another one.
func (r Record) following(other *Record) Record {
	r.PolicyID, r.VersionNo = other.PolicyID, other.VersionNo
	return r
}

// RecordSums are how records differ from those before: how many of how many people,
// and by how many minutes in sum. Records that only follow another version do not
// differ.
type RecordSums struct {
	Records, People int

	// New minutes less old ones. HolidayMin is work on holidays up to eight hours a date,
	// HolidayOverMin beyond; OvertimeMin has neither.
	WorkedMin, OvertimeMin, HolidayMin, HolidayOverMin, NightMin, LateMin, EarlyMin int64

	days     int                // the days that were computed
	counted  map[int64]bool     // the people who are counted
	premiums map[RecordKey]bool // the records that are counted for their premium time
}

// add adds the differences of computed records.
func (s *RecordSums) add(l *loadedDays, c *changedRecords) {
	if s.counted == nil {
		s.counted, s.premiums = map[int64]bool{}, map[RecordKey]bool{}
	}
	count := func(userID int64) {
		s.Records++
		if !s.counted[userID] {
			s.People++
			s.counted[userID] = true
		}
	}
	for i := range c.put {
		row := &c.put[i]
		old := l.days[row.UserID].stored(row.Key())
		if row.DeletedAt != nil || old != nil && sameResult(old, row) {
			continue
		}
		if !s.premiums[row.Key()] {
			count(row.UserID)
		}
		s.addMinutes(row, 1)
		s.addMinutes(old, -1)
	}
	for i, id := range c.gone.UserIds {
		old := l.days[id].stored(RecordKey{id, workday.DateOf(c.gone.WorkDates[i]), true})
		if old.DeletedAt == nil {
			count(id)
			s.addMinutes(old, -1)
		}
	}
	for _, p := range c.premiums {
		if !s.premiums[p.key] { // of two months, the second one may mark or derive it again
			s.premiums[p.key] = true
			count(p.key.UserID)
		}
		s.OvertimeMin += int64(p.after.OvertimeMin - p.before.OvertimeMin)
		s.HolidayMin += int64(p.after.HolidayMin - p.before.HolidayMin)
		s.HolidayOverMin += int64(p.after.HolidayOverMin - p.before.HolidayOverMin)
	}
	for _, p := range l.days {
		for _, derived := range p.derived {
			if derived {
				s.days++
			}
		}
	}
}

func (s *RecordSums) addMinutes(r *Record, sign int64) {
	if r == nil {
		return
	}
	if r.WorkedMin != nil {
		s.WorkedMin += sign * int64(*r.WorkedMin)
	}
	s.OvertimeMin += sign * int64(r.OvertimeMin)
	s.HolidayMin += sign * int64(r.HolidayMin)
	s.HolidayOverMin += sign * int64(r.HolidayOverMin)
	s.NightMin += sign * int64(r.NightMin)
	s.LateMin += sign * int64(r.LateMin)
	s.EarlyMin += sign * int64(r.EarlyMin)
}

// sameResult reports whether two records say the same about the day.
func sameResult(a, b *Record) bool {
	result := func(r *Record) Record {
		return Record{
			DayType: r.DayType, Holiday: r.Holiday, Presence: r.Presence, Status: r.Status, Flags: r.Flags,
			BreakMin: r.BreakMin, OvertimeMin: r.OvertimeMin, HolidayMin: r.HolidayMin, HolidayOverMin: r.HolidayOverMin, NightMin: r.NightMin, LateMin: r.LateMin, EarlyMin: r.EarlyMin, RequiredMin: r.RequiredMin,
		}
	}
	return result(a) == result(b) && sameMinutes(a.WorkedMin, b.WorkedMin) && sameMinutes(a.BalanceMin, b.BalanceMin)
}
