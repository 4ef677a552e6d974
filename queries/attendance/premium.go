package attendance

import (
	"slices"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// premiumPass computes the premium time of users' records from their months,
// which hold whole weeks and settlement periods.
type premiumPass struct {
	months   personMonths
	policies map[policy.VersionKey]*recordPolicy
	approved map[RecordKey]int // approved overtime by user and date

	isPaid func(RecordKey) bool // nil if no month is locked

	// mark receives a record whose premium time changes, as it was and as it becomes,
	// and reports whether it may.
	mark func(key RecordKey, old, day *monthDay) bool

	today workday.Date // in the company's time zone

	days    []workday.PremiumDay // reused
	entries []premiumEntry
}

type premiumEntry struct {
	month *personMonth
	at    int
}

// premiumFlags are the flags that follow from premium time.
const premiumFlags = workday.FlagOvertime | workday.FlagOverWeek

// run computes the records of a user from one date to another, and the last one before
// them: they decide whether a settlement period ends with it.
func (p *premiumPass) run(userID int64, from, to workday.Date) {
	p.collect(userID, from, to)
	workday.AddPremiums(p.days, p.today)
	before := p.lastBefore(from)
	for i, entry := range p.entries {
		computed := &p.days[i]
		if i != before && !isBetween(computed.Date, from, to) {
			continue
		}
		old := &entry.month.days[entry.at]
		day := *old
		day.setPremium(&computed.Premium)
		if i == before { // its week, which may begin before the collected days, has not changed
			day.Flags = day.Flags&^workday.FlagOverWeek | old.Flags&workday.FlagOverWeek
		}
		if day != *old && p.mark(RecordKey{userID, computed.Date, computed.Extra}, old, &day) {
			*old, entry.month.changed = day, true
		}
	}
}

// lastBefore returns the index of the last record before a date, or -1 if its overtime
// cannot depend on later ones: without a settlement period, or with one that is not
// collected whole because it ended long before the date.
func (p *premiumPass) lastBefore(date workday.Date) int {
	before := len(p.days) - 1
	for before >= 0 && p.days[before].Date >= date {
		before--
	}
	if before < 0 {
		return -1
	}
	day := &p.days[before]
	if first, isPeriod := day.Policy.SettledFrom(day.Date); !isPeriod || first < monthOf(date-daysAround) {
		return -1
	}
	return before
}

// collect sets the records that the premium time of the dates depends on. Whether one of
// the last dates ends a week depends on those behind it, in the next month, too.
func (p *premiumPass) collect(userID int64, from, to workday.Date) {
	p.days, p.entries = p.days[:0], p.entries[:0]
	for month := monthOf(from - daysAround); month <= to+daysAround; month = lastOfMonth(month) + 1 {
		parts := p.months[monthKey{userID, month}]
		begin := len(p.entries)
		for _, part := range parts {
			for at := range part.days {
				p.entries = append(p.entries, premiumEntry{part, at})
			}
		}
		if len(parts) > 1 {
			slices.SortFunc(p.entries[begin:], func(a, b premiumEntry) int {
				x, y := &a.month.days[a.at], &b.month.days[b.at]
				return x.order(y.Day, y.Extra)
			})
		}
		for _, entry := range p.entries[begin:] {
			day := &entry.month.days[entry.at]
			date := day.Date(month)
			one := workday.PremiumDay{
				Date: date, Extra: day.Extra, Type: day.Type(), Policy: p.policyOf(day.version),
				WorkedMin: max(0, int(day.WorkedMin)), RequiredMin: int(day.RequiredMin), ApprovedMin: p.approved[RecordKey{UserID: userID, Date: date}],
			}
			if p.isPaid != nil && p.isPaid(RecordKey{UserID: userID, Date: date}) {
				one.PaidMin = int(day.OvertimeMin)
			}
			p.days = append(p.days, one)
		}
	}
}

// noPolicy is that of a version which is not stored.
var noPolicy = &workday.Policy{Settlement: workday.SettlementDay}

func (p *premiumPass) policyOf(version policy.VersionKey) *workday.Policy {
	if found := p.policies[version]; found != nil {
		return found.Policy
	}
	return noPolicy
}

func (d *monthDay) setPremium(p *workday.Premium) {
	d.premium = premium{OvertimeMin: int32(p.OvertimeMin), HolidayMin: int16(p.HolidayMin), HolidayOverMin: int16(p.HolidayOverMin)}
	if p.BalanceMin != nil {
		d.HasBalance, d.BalanceMin = true, int32(*p.BalanceMin)
	}
	d.Flags &^= premiumFlags
	if p.OvertimeMin > 0 {
		d.Flags |= workday.FlagOvertime
	}
	if p.OverWeek && d.Arrived {
		d.Flags |= workday.FlagOverWeek
	}
}

// setPremium sets what premiumPass computes.
func (r *Record) setPremium(p premium, flags workday.Flags) {
	r.OvertimeMin, r.HolidayMin, r.HolidayOverMin, r.BalanceMin = p.OvertimeMin, int32(p.HolidayMin), int32(p.HolidayOverMin), nil
	if p.HasBalance {
		r.BalanceMin = &p.BalanceMin
	}
	r.Flags = r.Flags&^int32(premiumFlags) | int32(flags&premiumFlags)
}

func (r *Record) premium() premium {
	p := premium{OvertimeMin: r.OvertimeMin, HolidayMin: int16(r.HolidayMin), HolidayOverMin: int16(r.HolidayOverMin)}
	if r.BalanceMin != nil {
		p.HasBalance, p.BalanceMin = true, *r.BalanceMin
	}
	return p
}

// lastDependent returns the last date whose premium time depends on a date: in
// the same week or settlement period.
func lastDependent(date workday.Date) workday.Date { return max(date+6, lastOfMonth(date)) }

// add adds a record whose premium time is to be stored.
func (m *markRecordsParams) add(key RecordKey, day *monthDay) {
	m.UserIds, m.WorkDates, m.Extras = append(m.UserIds, key.UserID), append(m.WorkDates, key.Date.Time()), append(m.Extras, key.Extra)
	m.Flags, m.OvertimeMins = append(m.Flags, int32(day.Flags)), append(m.OvertimeMins, day.OvertimeMin)
	m.HolidayMins, m.HolidayOverMins = append(m.HolidayMins, int32(day.HolidayMin)), append(m.HolidayOverMins, int32(day.HolidayOverMin))
	m.HasBalances, m.BalanceMins = append(m.HasBalances, day.HasBalance), append(m.BalanceMins, day.BalanceMin)
}
