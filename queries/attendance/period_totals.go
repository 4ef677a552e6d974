package attendance

import "officeconsole/workday"

// PeriodTotals are sums over the days of a period.
type PeriodTotals struct {
	Days             int // days with an arrival
	Late             int
	EarlyLeave       int
	Absent           int
	MissingDeparture int
	Leave            int // whole days of leave
	WorkedMin        int
	OvertimeMin      int
	NightMin         int
}

// Add adds the totals of another user.
func (t *PeriodTotals) Add(o PeriodTotals) {
	t.Days += o.Days
	t.Late += o.Late
	t.EarlyLeave += o.EarlyLeave
	t.Absent += o.Absent
	t.MissingDeparture += o.MissingDeparture
	t.Leave += o.Leave
	t.WorkedMin += o.WorkedMin
	t.OvertimeMin += o.OvertimeMin
	t.NightMin += o.NightMin
}

func (t *PeriodTotals) count(d *PeriodDay) {
	if d.Arrived {
		t.Days++
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
	case workday.StatusLeave:
		t.Leave++
	}
	if d.WorkedMin != nil {
		t.WorkedMin += *d.WorkedMin
	}
	t.OvertimeMin += d.OvertimeMin
	t.NightMin += d.NightMin
}
