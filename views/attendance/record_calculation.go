package attendance

import (
	"context"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/workday"
)

// A recordStep is a line of the explanation of a figure.
type recordStep struct {
	Label, How, Value string
	Sum               bool
}

// calculation explains the figures step by step. It uses the current data,
// which may differ from the stored figures of a locked month.
func (v RecordView) calculation(ctx context.Context) []recordStep {
	c := v.Record.Computed
	if c.Arrival == nil || c.WorkedMin == nil {
		if v.Record.Premium.BalanceMin == nil {
			return nil
		}
		return v.premiumSteps(ctx) // the overtime of a settlement period is often on a day off
	}
	steps := v.workSteps(ctx)
	worked := locales.T(ctx, "record.calc.rounding", "Minutes", locales.Number(ctx, int64(v.Record.Policy.RoundingMin)))
	steps = append(steps, recordStep{locales.T(ctx, "record.figure.worked"), worked, hours(*c.WorkedMin), true})
	if c.LateMin > 0 {
		from := c.Arrival.At.Truncate(time.Minute).Add(-time.Duration(c.LateMin) * time.Minute)
		grace := locales.Duration(ctx, v.Record.Policy.GraceInMin)
		how := locales.T(ctx, "record.calc.late", "Time", v.clock(ctx, from), "Grace", grace)
		if v.Record.Plan.IsSplit() {
			how = locales.T(ctx, "record.calc.late.split", "Hours", v.intervals(ctx, v.Record.Plan.Stints()), "Grace", grace)
		}
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.late"), how, hours(c.LateMin), false})
	}
	if c.EarlyMin > 0 {
		until := c.Departure.At.Truncate(time.Minute).Add(time.Duration(c.EarlyMin) * time.Minute)
		grace := locales.Duration(ctx, v.Record.Policy.GraceOutMin)
		how := locales.T(ctx, "record.calc.early", "Time", v.clock(ctx, until), "Grace", grace)
		if v.Record.Plan.IsSplit() {
			how = locales.T(ctx, "record.calc.early.split", "Hours", v.intervals(ctx, v.Record.Plan.Stints()), "Grace", grace)
		}
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.early"), how, hours(c.EarlyMin), false})
	}
	steps = append(steps, v.premiumSteps(ctx)...)
	if c.NightMin > 0 {
		night := v.Record.Policy.Night
		how := clockOfDay(night.From) + " – " + clockOfDay(night.To)
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.night"), how, hours(c.NightMin), false})
	}
	return steps
}

// premiumSteps explain overtime, holiday work and the balance of the settlement
// period, which depend on other days too.
func (v RecordView) premiumSteps(ctx context.Context) []recordStep {
	p, isHoliday := v.Record.Premium, v.Record.Computed.Type == workday.Holiday
	var steps []recordStep
	if isHoliday && v.Record.Computed.WorkedMin != nil {
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.holiday"), locales.T(ctx, "record.calc.holiday"), hours(p.HolidayMin), false})
		if p.HolidayOverMin > 0 {
			steps = append(steps, recordStep{locales.T(ctx, "record.figure.holiday_over"), locales.T(ctx, "record.calc.holiday_over"), hours(p.HolidayOverMin), false})
		}
	}
	if !isHoliday || p.BalanceMin != nil {
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.overtime"), v.overtimeRule(ctx), hours(p.OvertimeMin), false})
	}
	if p.BalanceMin != nil {
		steps = append(steps, recordStep{locales.T(ctx, "record.figure.balance"), locales.T(ctx, "record.calc.balance"), signedHours(*p.BalanceMin), false})
	}
	return steps
}

// signedHours writes a balance: "+3:20".
func signedHours(minutes int) string {
	if minutes < 0 {
		return "−" + hours(-minutes)
	}
	return "+" + hours(minutes)
}

// workSteps are the working times that count, and the breaks that are
// deducted.
func (v RecordView) workSteps(ctx context.Context) []recordStep {
	c := v.Record.Computed
	var steps []recordStep
	for _, s := range c.Work {
		steps = append(steps, recordStep{locales.T(ctx, "record.calc.work"), v.interval(ctx, s), hours(minutesOf(s)), false})
	}
	if v.Record.Policy.BreakMode == workday.BreaksStatutory {
		if c.BreakMin > 0 {
			steps = append(steps, recordStep{locales.T(ctx, "record.calc.break"), locales.T(ctx, "record.calc.statutory"), deducted(c.BreakMin), false})
		}
		return steps
	}
	for _, s := range c.Breaks {
		steps = append(steps, recordStep{locales.T(ctx, "record.calc.break"), v.interval(ctx, s), deducted(minutesOf(s)), false})
	}
	return steps
}

// interval writes a time span.
func (v RecordView) interval(ctx context.Context, s workday.Interval) string {
	return v.clock(ctx, s.From) + " – " + v.clock(ctx, s.To)
}

// intervals writes time spans: "07:00 – 11:00, 17:00 – 21:00".
func (v RecordView) intervals(ctx context.Context, all []workday.Interval) string {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = v.interval(ctx, s)
	}
	return strings.Join(texts, ", ")
}

// deducted writes a duration that is subtracted.
func deducted(minutes int) string { return "−" + hours(minutes) }

func minutesOf(s workday.Interval) int { return int(s.To.Sub(s.From).Minutes()) }

// clockOfDay writes a minute of the day: "22:00".
func clockOfDay(minute int) string {
	return time.Date(2000, 1, 1, 0, minute, 0, 0, time.UTC).Format("15:04")
}

// overtimeRule says what the policy counts as overtime.
func (v RecordView) overtimeRule(ctx context.Context) string {
	p := v.Record.Premium
	switch {
	case v.Record.Policy.Overtime == workday.OvertimeNone:
		return locales.T(ctx, "record.calc.overtime.none")
	case p.EndsPeriod && v.Record.Policy.Overtime == workday.OvertimeApproved:
		return locales.T(ctx, "record.calc.overtime.period_approved")
	case p.EndsPeriod && p.PeriodPaidMin > 0:
		return locales.T(ctx, "record.calc.overtime.paid", "Paid", hours(p.PeriodPaidMin))
	case v.Record.Policy.Overtime == workday.OvertimeApproved && v.Record.Grant.OvertimeMin == 0:
		return locales.T(ctx, "record.calc.overtime.unapproved")
	case v.Record.Policy.Overtime == workday.OvertimeApproved:
		return locales.T(ctx, "record.calc.overtime.approved", "Approved", locales.Duration(ctx, int(v.Record.Grant.OvertimeMin)))
	case p.EndsPeriod:
		return locales.T(ctx, "record.calc.overtime.period")
	case p.BalanceMin != nil:
		return locales.T(ctx, "record.calc.overtime.later")
	case p.WeeklyOverMin > 0:
		return locales.T(ctx, "record.calc.overtime.weekly", "Limit", hours(v.Record.Policy.WeeklyOvertimeAfterMin), "Daily", hours(p.DailyOverMin), "Weekly", hours(p.WeeklyOverMin))
	}
	return locales.T(ctx, "record.calc.overtime", "Worked", hours(*v.Record.Computed.WorkedMin), "Required", hours(v.Record.Computed.RequiredMin))
}

// notCounted says why there is no calculation of the date's own work, or "".
func (v RecordView) notCounted(ctx context.Context) string {
	switch c := v.Record.Computed; {
	case c.Arrival != nil && c.WorkedMin != nil:
		return ""
	case c.Arrival != nil && v.Record.Plan.HasClosed(v.Now):
		return locales.T(ctx, "record.calc.no_departure")
	case c.Arrival != nil:
		return locales.T(ctx, "record.calc.open")
	case c.Departure != nil:
		return locales.T(ctx, "record.calc.missing_arrival")
	case v.Record.Premium.BalanceMin != nil:
		return "" // that of the settlement period follows
	}
	return locales.T(ctx, "record.calc.no_arrival")
}
