package attendance

import (
	"context"

	"officeconsole/workday"
)

// planKey identifies the plan of a date: by the policies of the date and the dates
// around it.
type planKey struct {
	date     workday.Date
	policies [daysBefore + 1 + daysBehind]*recordPolicy
}

// mostPlans is the number of plans that are remembered.
const mostPlans = 10_000

// plan returns the plan of a user's date, as it is without leave.
func (im *importer) plan(ctx context.Context, key RecordKey) (workday.Plan, error) {
	which, days := planKey{date: key.Date}, make([]workday.Day, daysBefore+1+daysBehind)
	for i := range days {
		date := key.Date - daysBefore + workday.Date(i)
		policy, err := im.policy(ctx, key.UserID, im.derivation.personOn(key.UserID, date).Ancestors, date)
		if err != nil {
			return workday.Plan{}, err
		}
		which.policies[i] = policy
		days[i] = workday.Day{Date: date, Policy: policy.Policy, Holiday: policy.HolidayOn(date)}
	}
	if plan, known := im.plans[which]; known {
		return plan, nil
	}
	if im.plans == nil || len(im.plans) >= mostPlans {
		im.plans = map[planKey]workday.Plan{}
	}
	im.plans[which] = workday.NewPlans(days)[daysBefore]
	return im.plans[which], nil
}

// earlyHour is the hour from which a time certainly belongs to its own date, unless its
// person works at night.
const earlyHour = 6

// hasEarlyTime reports whether a time may belong to another day.
func (d *clockedDay) hasEarlyTime() bool {
	isEarly := func(t cellTime) bool {
		return t != 0 && (t.onClock().Hour() < earlyHour || t.date() != d.date())
	}
	return isEarly(d.arrival) || isEarly(d.departure)
}

// refusesWindow returns which time does not belong to its day, and why: a departure
// that is earlier than its arrival means the next morning only for who works until
// then, and otherwise is a mistake; and an arrival in the window of another day would
// change that one's record. A departure belongs to its arrival.
func (im *importer) refusesWindow(ctx context.Context, day *clockedDay) (column, reason string, err error) {
	if !day.hasEarlyTime() {
		return "", "", nil
	}
	plan, err := im.plan(ctx, im.key(day))
	if err != nil {
		return "", "", err
	}
	arrival, departure := day.arrival.atOrNil(im.zone), day.departure.atOrNil(im.zone)
	switch {
	case day.isOvernight && !im.options.Overnight && !crossesMidnight(plan):
		if day.departure.onClock().Equal(day.arrival.nextDay().onClock()) {
			return "departure", "import.attendance.same_time", nil
		}
		return "departure", "import.attendance.overnight", nil
	case plan.Check(arrival, nil) == workday.ErrOutside:
		return "arrival", "import.attendance.outside", nil
	case plan.Check(arrival, departure) == workday.ErrOutside:
		return "departure", "import.attendance.outside", nil
	}
	return "", "", nil
}

// crossesMidnight reports whether the hours of a day, or on a day off those of the week,
// end on the next day. Free work has no hours that could tell.
func crossesMidnight(plan workday.Plan) bool {
	if !plan.End.IsZero() {
		return plan.End.After((plan.Date + 1).At(0, plan.Policy.Zone))
	}
	if plan.Policy.WorkType == workday.Free {
		return true
	}
	for _, shift := range plan.Policy.Week {
		if shift.Kind == workday.ShiftWork && shift.EndNextDay {
			return true
		}
	}
	return false
}
