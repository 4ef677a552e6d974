package attendance

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// The overtime of a settlement period is explained on its last day, on which often nobody
// works.
func TestSettledOvertimeIsExplained(t *testing.T) {
	ctx := locales.NewContext(t.Context(), locales.English)
	for _, test := range []struct {
		typ     workday.DayType
		mode    workday.OvertimeMode
		premium workday.Premium
		want    string
	}{
		{workday.DayOff, workday.OvertimeAutomatic, workday.Premium{}, ""},
		{workday.DayOff, workday.OvertimeAutomatic, workday.Premium{BalanceMin: new(int)}, "Overtime: Computed on the last day of the settlement period 0:00, Balance: +0:00"},
		{workday.DayOff, workday.OvertimeAutomatic, workday.Premium{EndsPeriod: true, PeriodOverMin: 180, OvertimeMin: 180, BalanceMin: minutes(180)}, "Overtime: Worked − due in the settlement period 3:00, Balance: +3:00"},
		{workday.Holiday, workday.OvertimeAutomatic, workday.Premium{EndsPeriod: true, PeriodOverMin: 60, OvertimeMin: 60, PeriodPaidMin: 120, BalanceMin: minutes(180)}, "Overtime: Worked − due in the settlement period, less 2:00 in a locked month 1:00, Balance: +3:00"},
		{workday.DayOff, workday.OvertimeApproved, workday.Premium{EndsPeriod: true, PeriodOverMin: 60, OvertimeMin: 30, BalanceMin: minutes(60)}, "Overtime: Worked − due in the settlement period, up to what was approved in it 0:30, Balance: +1:00"},
	} {
		v := RecordView{Record: attendance.FullRecord{Computed: workday.Record{Type: test.typ}, Policy: &workday.Policy{Overtime: test.mode}, Premium: test.premium}}
		var steps []string
		for _, s := range v.calculation(ctx) {
			how := s.How + " "
			if s.Label == "Balance" {
				how = ""
			}
			steps = append(steps, fmt.Sprintf("%s: %s%s", s.Label, how, s.Value))
		}
		if got := strings.Join(steps, ", "); got != test.want || (v.notCounted(ctx) == "") == (test.want == "") {
			t.Errorf("%s: %q (%q)", test.typ, got, v.notCounted(ctx))
		}
	}
}

func minutes(n int) *int { return &n }
