package attendance

import "officeconsole/workday"

// PeriodTotals are sums over the days of a period.
type PeriodTotals struct {
	Days             int // days with an arrival
	Late             int
	EarlyLeave       int
	Absent           int
	MissingDeparture int
	MissingArrival   int
	Leave            int // whole days of leave
	WorkedDays       int // days with an arrival and a known time worked
	WorkedMin        int
	OvertimeMin      int
	NightMin         int
	HolidayMin       int // on holidays, up to eight hours a date
	HolidayOverMin   int // and beyond

	// BalanceMin is the balance of the settlement period that the last of the
	// days with one belongs to; nil without any. Totals of several people have
	// none.
	BalanceMin *int
}

// AverageMin is the average time worked on a day, in whole minutes; 0 without
// any. Days on which it is unknown, such as those with a missing departure, do
// not count.
func (t PeriodTotals) AverageMin() int {
	if t.WorkedDays == 0 {
		return 0
	}
	return (t.WorkedMin + t.WorkedDays/2) / t.WorkedDays
}

// Add adds the totals of another user.
func (t *PeriodTotals) Add(o PeriodTotals) {
	t.Days += o.Days
	t.Late += o.Late
	t.EarlyLeave += o.EarlyLeave
	t.Absent += o.Absent
	t.MissingDeparture += o.MissingDeparture
	t.MissingArrival += o.MissingArrival
	t.Leave += o.Leave
	t.WorkedDays += o.WorkedDays
	t.WorkedMin += o.WorkedMin
	t.OvertimeMin += o.OvertimeMin
	t.NightMin += o.NightMin
	t.HolidayMin += o.HolidayMin
	t.HolidayOverMin += o.HolidayOverMin
}

func (t *PeriodTotals) count(d *PeriodDay) {
	if d.Arrived {
		t.Days++
		if d.WorkedMin != nil {
			t.WorkedDays++
		}
	}
	switch d.Status {
	case workday.StatusLate:
		t.Late++
	case workday.StatusEarlyLeave:
		t.EarlyLeave++
	case workday.StatusLateAndEarly:
		t.Late, t.EarlyLeave = t.Late+1, t.EarlyLeave+1
	case workday.StatusAbsent:
		t.Absent++
	case workday.StatusMissingDeparture:
		t.MissingDeparture++
	case workday.StatusMissingArrival:
		t.MissingArrival++
	case workday.StatusLeave:
		t.Leave++
	}
	if d.WorkedMin != nil {
		t.WorkedMin += *d.WorkedMin
	}
	t.OvertimeMin += d.OvertimeMin
	t.NightMin += d.NightMin
	t.HolidayMin += d.HolidayMin
	t.HolidayOverMin += d.HolidayOverMin
	if d.BalanceMin != nil {
		t.BalanceMin = d.BalanceMin
	}
}
