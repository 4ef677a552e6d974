package workday

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// example is a worked example of a rule: some days of one person, with the line
// that each record gives. docs/attendance.md shows them.
type example struct {
	id     string
	policy []func(*Policy)
	days   []string // "2026-11-16: in 09:00, out 18:00", or only the date
	want   []string // see exampleLine
}

func japan(p *Policy) { p.Zone, p.Calendar = zone("Asia/Tokyo"), CalendarJP }

func settled(s Settlement) func(*Policy) { return func(p *Policy) { p.Settlement = s } }

func splitDay(p *Policy) {
	for d := time.Monday; d <= time.Friday; d++ {
		p.Week[d] = shift("08:00-11:00")
		p.Week[d].Second = span("12:45-16:30")
	}
	p.BreakMode, p.RequiredMin = BreaksNone, 405
}

// evening has two stints of four hours with six hours between them.
func evening(p *Policy) {
	setWeek(p, "07:00-11:00")
	for d := time.Monday; d <= time.Friday; d++ {
		p.Week[d].Second = span("17:00-21:00")
	}
}

// sixDays are six days of 8:24 each.
var sixDays = []string{
	"2026-11-16: in 09:00, out 18:24", "2026-11-17: in 09:00, out 18:24", "2026-11-18: in 09:00, out 18:24",
	"2026-11-19: in 09:00, out 18:24", "2026-11-20: in 09:00, out 18:24", "2026-11-21: in 09:00, out 18:24",
}

var examples = []example{
	{id: "six_days", days: sixDays, want: []string{
		"2026-11-16 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-17 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-18 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-19 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-20 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-21 day_off 09:00-18:24 worked 8:24 overtime 8:24 = daily 0:24 + weekly 8:00",
		"sum worked 50:24 overtime 10:24",
	}},
	{id: "day_off_in_a_short_week", days: []string{"2026-11-19: in 09:00, out 18:00", "2026-11-21: in 10:00, out 15:00"}, want: []string{
		"2026-11-19 on_time 09:00-18:00 worked 8:00",
		"2026-11-21 day_off 10:00-15:00 worked 4:00",
		"sum worked 12:00",
	}},
	{id: "ten_hours_on_a_holiday", days: []string{"2026-10-09: in 09:00, out 20:00"}, want: []string{
		"2026-10-09 holiday_work 09:00-20:00 worked 10:00 holiday 8:00 + 2:00",
		"sum worked 10:00 holiday 8:00 + 2:00",
	}},
	{id: "weekly_holiday_is_not_overtime", days: append(slices.Clone(sixDays[:5]), "2026-11-22: in 10:00, out 14:00"), want: []string{
		"2026-11-16 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-17 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-18 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-19 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-20 on_time 09:00-18:24 worked 8:24 overtime 0:24 = daily 0:24 + weekly 0:00",
		"2026-11-22 holiday_work 10:00-14:00 worked 3:00 holiday 3:00 + 0:00",
		"sum worked 45:00 overtime 2:00 holiday 3:00 + 0:00",
	}},
	{id: "night_past_the_close", days: []string{"2026-11-16: in 09:00, out 04:30+1", "2026-11-17"}, want: []string{
		"2026-11-16 on_time 09:00-04:30+1 worked 18:30 overtime 10:30 = daily 10:30 + weekly 0:00 night 6:30 [overtime,night,past_close]",
		"2026-11-17 absent …-… worked 0:00",
		"sum worked 18:30 overtime 10:30 night 6:30",
	}},
	{id: "saturday_night", days: []string{"2026-11-21: in 22:00, out 07:00+1", "2026-11-22"}, want: []string{
		"2026-11-21 day_off 22:00-07:00+1 worked 9:00 overtime 1:00 = daily 1:00 + weekly 0:00 night 8:00 [overtime,night,past_close]",
		"2026-11-22 holiday …-… worked 0:00",
		"sum worked 9:00 overtime 1:00 night 8:00",
	}},
	{id: "second_stint", policy: []func(*Policy){splitDay}, days: []string{"2026-11-16: in 08:00, out 11:00, in 12:45, out 16:30"}, want: []string{
		"2026-11-16 on_time 08:00-16:30 worked 6:45",
		"sum worked 6:45",
	}},
	{id: "missed_stints", policy: []func(*Policy){evening}, days: []string{
		"2026-11-16: in 07:00, out 11:00", "2026-11-17: in 16:40, out 21:00", "2026-11-18: in 12:00, out 16:00", "2026-11-19: in 07:00, out 20:00",
	}, want: []string{
		"2026-11-16 early_leave 07:00-11:00 worked 4:00 left early 4:00",
		"2026-11-17 late 16:40-21:00 worked 4:00 late 4:00",
		"2026-11-18 late_and_early 12:00-16:00 worked 0:00 late 4:00 left early 4:00",
		"2026-11-19 early_leave 07:00-20:00 worked 7:00 left early 1:00",
		"sum worked 15:00",
	}},
	{id: "second_stint_past_the_close", policy: []func(*Policy){func(p *Policy) {
		setWeek(p, "08:00-11:00")
		p.DayCloseMin = 180
		p.BreakMode = BreaksNone
		p.RequiredMin = 180
	}},
		days: []string{"2026-11-16: in 08:00, out 11:00, in 12:45, out 16:30"}, want: []string{
			"2026-11-16 on_time 08:00-16:30 worked 8:30 overtime 5:30 = daily 5:30 + weekly 0:00 [overtime,past_close]",
			"sum worked 8:30 overtime 5:30",
		}},
	{id: "departure_only", days: []string{"2026-11-16: out 18:00", "2026-11-21: in 10:00", "2026-11-22: in 10:00"}, want: []string{
		"2026-11-16 missing_arrival …-18:00 worked –",
		"2026-11-21 missing_departure 10:00-… worked –",
		"2026-11-22 missing_departure 10:00-… worked –",
		"sum worked 0:00",
	}},
	{id: "pairs_without_the_last_departure", policy: []func(*Policy){pairs}, days: []string{"2026-11-16: in 09:00, out 12:00, in 13:00"}, want: []string{
		"2026-11-16 missing_departure 09:00-… worked 3:00 uncounted in 13:00",
		"sum worked 3:00",
	}},
	{id: "pairs_without_the_first_departure", policy: []func(*Policy){pairs, evening}, days: []string{"2026-11-16: in 07:00, in 17:00, out 21:00"}, want: []string{
		"2026-11-16 on_time 07:00-21:00 worked 4:00 uncounted in 07:00",
		"sum worked 4:00",
	}},
	{id: "settled_by_the_week", policy: []func(*Policy){flexible, settled(SettlementWeek)}, days: []string{
		"2026-11-16: in 09:00, out 20:00", "2026-11-17: in 09:00, out 16:00", "2026-11-18: in 09:00, out 21:00", "2026-11-19: in 10:00, out 16:30", "2026-11-20: in 08:00, out 19:30", "2026-11-21", "2026-11-22",
	}, want: []string{
		"2026-11-16 on_time 09:00-20:00 worked 10:00 balance +2:00",
		"2026-11-17 on_time 09:00-16:00 worked 6:00 balance +0:00",
		"2026-11-18 on_time 09:00-21:00 worked 11:00 balance +3:00",
		"2026-11-19 on_time 10:00-16:30 worked 5:30 balance +0:30",
		"2026-11-20 on_time 08:00-19:30 worked 10:30 balance +3:00",
		"2026-11-21 day_off …-… worked 0:00 balance +3:00",
		"2026-11-22 holiday …-… worked 0:00 overtime 3:00 balance +3:00",
		"sum worked 43:00 overtime 3:00",
	}},
	{id: "japan", policy: []func(*Policy){japan}, days: []string{"2026-11-23: in 22:00, out 23:00", "2026-11-24: in 09:00, out 23:30"}, want: []string{
		"2026-11-23 holiday_work 22:00-23:00 worked 1:00 holiday 1:00 + 0:00 night 1:00",
		"2026-11-24 on_time 09:00-23:30 worked 13:30 overtime 5:30 = daily 5:30 + weekly 0:00 night 1:30",
		"sum worked 14:30 overtime 5:30 holiday 1:00 + 0:00 night 2:30",
	}},
}

// records returns the records of an example's dates, with their premium time.
func (e example) records() []Record {
	policy := officePolicy()
	policy.Calendar, policy.WeekStart = CalendarKR, time.Monday
	for _, change := range e.policy {
		change(policy)
	}
	var clocked []Event
	wanted := map[Date]bool{}
	var first, last Date
	for i, line := range e.days {
		day, text, _ := strings.Cut(line, ": ")
		d := date(day)
		if i == 0 {
			first = d
		}
		wanted[d], last = true, d
		for _, one := range events(d, policy.Zone, text) {
			one.ID = fmt.Sprint(d, one.ID)
			clocked = append(clocked, one)
		}
	}
	first = WeekOf(first, time.Monday)
	var days []Day
	for d := first - 3; d <= last+3; d++ {
		days = append(days, Day{Date: d, Policy: policy, Holiday: policy.HolidayOn(d)})
	}
	plans := NewPlans(days)
	var all []Record
	var premiums []PremiumDay
	for _, r := range Records(days, clocked, last.At(10*dayMinutes, policy.Zone)) {
		if r.Date < first {
			continue
		}
		all = append(all, r)
		premiums = append(premiums, r.premiumDay(&plans[r.Date-plans[0].Date]))
	}
	AddPremiums(premiums, last+10)
	for i := range all {
		all[i].SetPremium(premiums[i].Premium)
	}
	return slices.DeleteFunc(all, func(r Record) bool { return !wanted[r.Date] })
}

func hourText(minutes int) string { return fmt.Sprintf("%d:%02d", minutes/60, minutes%60) }

// exampleLine returns a record in one line, without zero figures.
func exampleLine(r Record, z *time.Location) string {
	parts := []string{r.Date.String(), string(r.Status), timeText(r, r.Arrival, z) + "-" + timeText(r, r.Departure, z)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if r.WorkedMin == nil {
		add("worked –")
	} else {
		add("worked %s", hourText(*r.WorkedMin))
	}
	if r.OvertimeMin > 0 {
		add("overtime %s", hourText(r.OvertimeMin))
		if r.PeriodOverMin == 0 {
			add("= daily %s + weekly %s", hourText(r.DailyOverMin), hourText(r.WeeklyOverMin))
		}
	}
	if r.HolidayMin > 0 {
		add("holiday %s + %s", hourText(r.HolidayMin), hourText(r.HolidayOverMin))
	}
	if r.NightMin > 0 {
		add("night %s", hourText(r.NightMin))
	}
	if r.LateMin > 0 {
		add("late %s", hourText(r.LateMin))
	}
	if r.EarlyMin > 0 {
		add("left early %s", hourText(r.EarlyMin))
	}
	if r.BalanceMin != nil {
		add("balance +%s", hourText(*r.BalanceMin))
	}
	if r.Flags.Has(FlagPastClose) {
		add("[%s]", r.Flags)
	}
	for _, e := range r.Uncounted {
		add("uncounted %s %s", e.Kind, e.OccurredAt.In(z).Format("15:04"))
	}
	return strings.Join(parts, " ")
}

func exampleSum(all []Record) string {
	var worked, overtime, holiday, beyond, night int
	for _, r := range all {
		worked, overtime, night = worked+value(r.WorkedMin), overtime+r.OvertimeMin, night+r.NightMin
		holiday, beyond = holiday+r.HolidayMin, beyond+r.HolidayOverMin
	}
	text := "sum worked " + hourText(worked)
	if overtime > 0 {
		text += " overtime " + hourText(overtime)
	}
	if holiday > 0 {
		text += " holiday " + hourText(holiday) + " + " + hourText(beyond)
	}
	if night > 0 {
		text += " night " + hourText(night)
	}
	return text
}

func TestExamples(t *testing.T) {
	for _, e := range examples {
		t.Run(e.id, func(t *testing.T) {
			policy := officePolicy()
			for _, change := range e.policy {
				change(policy)
			}
			records := e.records()
			var got []string
			for _, r := range records {
				got = append(got, exampleLine(r, policy.Zone))
			}
			got = append(got, exampleSum(records))
			if !slices.Equal(got, e.want) {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(e.want, "\n     "))
			}
		})
	}
}

// An extra record belongs to the figures of its date: its work adds to that of
// the day.
func TestExtraRecordsShareTheDate(t *testing.T) {
	p := officePolicy()
	p.Overtime = OvertimeApproved
	d := date("2026-11-16")
	days := []PremiumDay{
		{Date: d, Type: Workday, Policy: p, WorkedMin: 540, RequiredMin: 480, ApprovedMin: 100},
		{Date: d, Extra: true, Type: DayOff, Policy: p, WorkedMin: 90, RequiredMin: 480, ApprovedMin: 100},
	}
	AddPremiums(days, 0)
	if days[0].DailyOverMin != 60 || days[1].DailyOverMin != 90 || days[0].OvertimeMin != 60 || days[1].OvertimeMin != 40 {
		t.Errorf("%+v", days)
	}
}

// A month that is settled ends with its last day, with the last record before today if
// that lies before it, and with the day before the policy settles otherwise.
func TestSettlementOfAMonth(t *testing.T) {
	byMonth, byDay := officePolicy(), officePolicy()
	byMonth.WorkType, byMonth.Settlement = Flexible, SettlementMonth
	month := func(until Date) (days []PremiumDay) {
		for d := date("2026-11-01"); d <= date("2026-11-30"); d++ {
			day := PremiumDay{Date: d, Type: Workday, Policy: byMonth, WorkedMin: 490, RequiredMin: 480}
			if d > until {
				day.Policy = byDay
			}
			days = append(days, day)
		}
		AddPremiums(days, 0)
		return days
	}
	all := month(date("2026-11-30"))
	if last := all[29]; last.PeriodOverMin != 300 || last.OvertimeMin != 300 || *last.BalanceMin != 300 || all[28].OvertimeMin != 0 || *all[9].BalanceMin != 100 {
		t.Errorf("%+v", last)
	}
	for today, want := range map[string]int{"2026-11-30": 0, "2026-12-01": 280} {
		left := all[:28]
		if AddPremiums(left, date(today)); left[27].PeriodOverMin != want || left[26].PeriodOverMin != 0 {
			t.Errorf("no record on the last two dates, on %s: %+v", today, left[27])
		}
	}
	all = month(date("2026-11-10"))
	if tenth := all[9]; tenth.PeriodOverMin != 100 || all[10].BalanceMin != nil || all[10].DailyOverMin != 10 {
		t.Errorf("%+v, then %+v", tenth, all[10])
	}
}

// What a locked month has paid of a settlement period is taken off its overtime, once.
func TestSettlementOfLockedRecords(t *testing.T) {
	week := officePolicy()
	week.WorkType, week.Settlement, week.WeekStart = Flexible, SettlementWeek, time.Monday
	for _, c := range []struct {
		overtime            OvertimeMode
		approved, paid, add int
		over, recognized    int
	}{
		{OvertimeAutomatic, 0, 300, 180, 180, 180},
		{OvertimeAutomatic, 0, 300, -60, 0, 0},
		{OvertimeApproved, 400, 300, 180, 180, 100},
		{OvertimeApproved, 200, 300, 180, 180, 0},
	} {
		policy := *week
		policy.Overtime = c.overtime
		var days []PremiumDay
		for d := date("2026-10-26"); d <= date("2026-11-01"); d++ { // from Monday to Sunday
			days = append(days, PremiumDay{Date: d, Type: Workday, Policy: &policy, WorkedMin: 480, RequiredMin: 480})
		}
		days[2].WorkedMin, days[2].ApprovedMin = 480+300, c.approved
		days[5].PaidMin = c.paid
		days[6].WorkedMin += c.add
		AddPremiums(days, 0)
		if last := days[6]; last.PeriodOverMin != c.over || last.OvertimeMin != c.recognized || *last.BalanceMin != 300+c.add || days[5].EndsPeriod || !last.EndsPeriod {
			t.Errorf("%+v: %+v", c, last)
		}
		// The locked record itself explains what it has paid.
		if AddPremiums(days[:6], date("2026-11-02")); days[5].PeriodOverMin != 300 {
			t.Errorf("%+v: alone %+v", c, days[5])
		}
	}
}
