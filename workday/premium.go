package workday

// Premium is the premium time of a record in minutes (domain §6). NightMin of
// the record lies across it.
type Premium struct {
	HolidayMin     int // work on a holiday up to eight hours a date (Labour Standards Act, Article 56)
	HolidayOverMin int // and beyond
	OvertimeMin    int // what the policy recognizes of the next three

	DailyOverMin  int // beyond the required time of the date
	WeeklyOverMin int // regular time beyond Policy.WeeklyOvertimeAfterMin
	PeriodOverMin int // beyond the required time of the settlement period and PeriodPaidMin, on its last record
	PeriodPaidMin int // PremiumDay.PaidMin of the settlement period's earlier records
	EndsPeriod    bool

	// BalanceMin is the work of the settlement period until the end of the
	// date, less the required time; nil without a settlement period.
	BalanceMin *int

	OverWeek bool // the work of the week until then exceeds Policy.WeeklyCapMin
}

// PremiumDay is what the premium time of a record depends on, and its result.
type PremiumDay struct {
	Date        Date
	Extra       bool
	Type        DayType
	Policy      *Policy
	WorkedMin   int // 0 while unknown
	RequiredMin int
	ApprovedMin int // approved overtime of the date
	PaidMin     int // overtime that does not change any more, because the month is locked
	Premium
}

// holidayMin is the work on a holiday that has the lower premium.
const holidayMin = 8 * 60

// premiumDay returns the record as AddPremiums needs it.
func (r *Record) premiumDay(p *Plan) PremiumDay {
	day := PremiumDay{Date: r.Date, Extra: r.Extra, Type: r.Type, Policy: p.Policy, RequiredMin: r.RequiredMin, ApprovedMin: p.ApprovedMin}
	if r.WorkedMin != nil {
		day.WorkedMin = *r.WorkedMin
	}
	return day
}

// SetPremium sets the premium time and its flags.
func (r *Record) SetPremium(p Premium) {
	r.Premium = p
	r.Flags &^= FlagOvertime | FlagOverWeek
	r.Flags.set(FlagOvertime, p.OvertimeMin > 0)
	r.Flags.set(FlagOverWeek, p.OverWeek && r.Arrival != nil)
}

// AddPremiums sets the premium time of one person's records, which are in order
// of their dates, each before its extra record. It is right from the first date
// on whose week and settlement period are complete. A settlement period of which
// somebody has no record on the last date, because they left or the record was
// deleted, ends with the last record that there is, once its last date is before today.
// What earlier records of the period have paid is taken off, but never taken back.
//
// Holiday work is apart from the hours of the week and of settlement periods.
// Work on a day off is regular time like that of a workday: only what exceeds
// the required time of a day, or the threshold of the week, is overtime (Labour
// Standards Act, Articles 50, 52, 53 and 56; Japan's Articles 32, 32-3 and 37).
func AddPremiums(days []PremiumDay, today Date) {
	var date dateSum
	var week weekSum
	var period periodSum
	for i := range days {
		d := &days[i]
		if i == 0 || d.Date != days[i-1].Date {
			date = dateSum{approved: max(0, d.ApprovedMin)}
		}
		d.Premium = Premium{}
		week.begin(d)
		period.begin(d)
		if d.Type == Holiday {
			d.HolidayMin = min(d.WorkedMin, max(0, holidayMin-date.worked))
			d.HolidayOverMin = d.WorkedMin - d.HolidayMin
		} else if !d.Policy.Settlement.isPeriod() {
			d.DailyOverMin = min(d.WorkedMin, max(0, date.worked+d.WorkedMin-d.RequiredMin))
			d.WeeklyOverMin = week.add(d.WorkedMin-d.DailyOverMin, d.Policy.WeeklyOvertimeAfterMin)
		}
		date.worked += d.WorkedMin
		if d.Policy.Settlement.isPeriod() {
			period.add(d)
			d.PeriodPaidMin = period.paid
			if d.EndsPeriod = period.endsWith(d, days[i+1:], today); d.EndsPeriod {
				d.PeriodOverMin = max(0, *d.BalanceMin-period.paid)
			}
		}
		week.worked += d.WorkedMin
		d.OverWeek = d.Policy.WeeklyCapMin > 0 && week.worked > d.Policy.WeeklyCapMin
		d.OvertimeMin = d.recognized(&date.approved, max(0, period.approved-period.paid))
		period.paid += d.PaidMin
	}
}

// recognized returns the overtime that the policy recognizes. approved is what
// remains of the approval of the date, periodApproved what remains of those of the
// settlement period.
func (d *PremiumDay) recognized(approved *int, periodApproved int) int {
	over := d.DailyOverMin + d.WeeklyOverMin
	switch d.Policy.Overtime {
	case OvertimeAutomatic:
		return over + d.PeriodOverMin
	case OvertimeApproved:
		over = min(over, *approved)
		*approved -= over
		return over + min(d.PeriodOverMin, periodApproved)
	}
	return 0
}

// dateSum is the work of a date, with its extra record.
type dateSum struct{ worked, approved int }

// weekSum is the work of a week so far.
type weekSum struct {
	first           Date
	started         bool
	worked, regular int
}

func (w *weekSum) begin(d *PremiumDay) {
	if first := WeekOf(d.Date, d.Policy.WeekStart); !w.started || first != w.first {
		*w = weekSum{first: first, started: true}
	}
}

// add adds regular time and returns the part of it that is beyond a threshold.
func (w *weekSum) add(regular, threshold int) int {
	before := max(0, w.regular-threshold)
	w.regular += regular
	return max(0, w.regular-threshold) - before
}

// periodSum is a settlement period so far.
type periodSum struct {
	settlement                 Settlement
	first                      Date
	worked, required, approved int
	paid                       int
}

func (s Settlement) isPeriod() bool { return s == SettlementWeek || s == SettlementMonth }

// SettledFrom returns the first date of the settlement period of a date. isPeriod is false
// if every day is settled by itself.
func (p *Policy) SettledFrom(d Date) (first Date, isPeriod bool) {
	if !p.Settlement.isPeriod() {
		return d, false
	}
	return p.firstOf(d), true
}

// firstOf returns the first date of the settlement period of a date.
func (p *Policy) firstOf(d Date) Date {
	if p.Settlement == SettlementWeek {
		return WeekOf(d, p.WeekStart)
	}
	year, month, _ := d.Time().Date()
	return NewDate(year, month, 1)
}

// lastOf returns the last date of the settlement period of a date.
func (p *Policy) lastOf(d Date) Date {
	first := p.firstOf(d)
	if p.Settlement == SettlementWeek {
		return first + 6
	}
	year, month, _ := first.Time().Date()
	return NewDate(year, month+1, 1) - 1
}

func (s *periodSum) includes(d *PremiumDay) bool {
	return d.Policy.Settlement == s.settlement && d.Policy.firstOf(d.Date) == s.first
}

func (s *periodSum) begin(d *PremiumDay) {
	if d.Policy.Settlement.isPeriod() && !s.includes(d) {
		*s = periodSum{settlement: d.Policy.Settlement, first: d.Policy.firstOf(d.Date)}
	} else if !d.Policy.Settlement.isPeriod() {
		*s = periodSum{}
	}
}

// endsWith reports whether a record is the last one of the period: on its last
// date, on the date before the policy begins to settle otherwise, or the last
// before today of a period that is over.
func (s *periodSum) endsWith(d *PremiumDay, following []PremiumDay, today Date) bool {
	if len(following) > 0 {
		switch next := &following[0]; {
		case next.Date == d.Date || s.includes(next):
			return false
		case next.Date == d.Date+1:
			return true
		}
	}
	last := d.Policy.lastOf(d.Date)
	return d.Date == last || last < today
}

// add adds a record.
func (s *periodSum) add(d *PremiumDay) {
	if d.Type != Holiday {
		s.worked += d.WorkedMin
	}
	if d.Type.IsWorkday() && !d.Extra {
		s.required += d.RequiredMin
	}
	if !d.Extra {
		s.approved += max(0, d.ApprovedMin)
	}
	balance := s.worked - s.required
	d.BalanceMin = &balance
}
