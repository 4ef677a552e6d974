package attendance

import (
	"fmt"
	"strings"
	"testing"
	"time"

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

// A split day is shown with both stints, and what is late or early as a part of them.
func TestStintsAreShown(t *testing.T) {
	ctx := locales.NewContext(t.Context(), locales.English)
	policy := &workday.Policy{WorkType: workday.Fixed, Zone: time.UTC, GraceInMin: 5, GraceOutMin: 10, EarlyInMin: 240, DayCloseMin: 600, CountMode: workday.FirstLast}
	policy.Week[time.Monday] = workday.Shift{Kind: workday.ShiftWork, Start: 7 * 60, End: 11 * 60, Second: workday.Span{From: 17 * 60, To: 21 * 60}}
	policy.Week[time.Tuesday] = workday.Shift{Kind: workday.ShiftWork, Start: 9 * 60, End: 18 * 60}
	policy.Week[time.Wednesday] = workday.Shift{Kind: workday.ShiftWork, Start: 18 * 60, End: 22 * 60, Second: workday.Span{From: 60, To: 5 * 60}}
	monday := workday.DateOf(time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC))
	for _, test := range []struct {
		date        workday.Date
		schedule    string
		late, early string
	}{
		{monday, "Hours 07:00 – 11:00, 17:00 – 21:00", "Part of 07:00 – 11:00, 17:00 – 21:00 before arrival, grace 5 min 4:00", "Part of 07:00 – 11:00, 17:00 – 21:00 after departure, grace 10 min 4:00"},
		{monday + 1, "Hours 09:00 – 18:00", "From 09:00, grace 5 min 3:00", "Until 18:00, grace 10 min 2:00"},
		{monday + 2, "Hours 18:00 – 22:00, 01:00 next day – 05:00 next day", "", "Part of 18:00 – 22:00, 01:00 next day – 05:00 next day after departure, grace 10 min 8:00"},
	} {
		plan := workday.NewPlans([]workday.Day{{Date: test.date, Policy: policy}})[0]
		at := func(hour int) time.Time { return test.date.Time().Add(time.Duration(hour) * time.Hour) }
		v := RecordView{Record: attendance.FullRecord{
			Record: attendance.Record{WorkDate: test.date.Time(), DayType: string(plan.Type)}, Zone: time.UTC, Policy: policy, Plan: plan,
			Computed: workday.Compute(plan, []workday.Event{{ID: "1", Kind: workday.In, OccurredAt: at(12)}, {ID: "2", Kind: workday.Out, OccurredAt: at(16)}}, at(72)),
		}, Now: at(72)}
		if got := strings.Join(v.schedule(ctx), ", "); got != test.schedule {
			t.Errorf("%s: %q, not %q", test.date, got, test.schedule)
		}
		shown := map[string]string{}
		for _, s := range v.calculation(ctx) {
			shown[s.Label] = s.How + " " + s.Value
		}
		if shown["Late"] != test.late || shown["Left early"] != test.early {
			t.Errorf("%s: late %q, early %q", test.date, shown["Late"], shown["Left early"])
		}
		if got := (&DeskPeek{View: v}).schedule(ctx); got != test.schedule {
			t.Errorf("%s: the desk has %q", test.date, got)
		}
	}
}

func minutes(n int) *int { return &n }
