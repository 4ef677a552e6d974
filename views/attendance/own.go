package attendance

import (
	"context"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// openDepartments is the greatest number of departments that are shown
// without opening the list.
const openDepartments = 5

// of is the period of one person. If the reader sees nobody else, the
// addresses have no id of the person.
func (p Period) of(one attendance.PersonPeriod) Period {
	if !p.OwnOnly {
		p.userID = one.UserID
	}
	return p
}

// ownHeading is the heading of one person's page.
func (p Period) ownHeading(ctx context.Context, one attendance.PersonPeriod) string {
	own := one.UserID == p.Frame.Person.ID
	switch {
	case own && p.isMonth():
		return locales.T(ctx, "period.own.month")
	case own:
		return locales.T(ctx, "period.own.week")
	case p.isMonth():
		return locales.T(ctx, "period.of.month", "Name", one.Name)
	}
	return locales.T(ctx, "period.of.week", "Name", one.Name)
}

// corrections counts the days with a pending correction request.
func corrections(one attendance.PersonPeriod) int {
	n := 0
	for _, d := range one.Days {
		if d.Correction {
			n++
		}
	}
	return n
}

// plannedWord says what a day without a record will be; "" for a workday.
func plannedWord(ctx context.Context, d attendance.PeriodDay) string {
	switch {
	case d.Type == "" || d.Type == workday.Workday:
		return ""
	case d.Holiday != "":
		return holidayName(ctx, d.Holiday)
	}
	return dayTypeWord(ctx, string(d.Type))
}

// A totalCount is a count of days with its name and the message of its unit.
type totalCount struct {
	text  string
	count int
	unit  string
}

func totalCounts(ctx context.Context, t attendance.PeriodTotals) []totalCount {
	status := func(s workday.Status) string { return locales.T(ctx, "record.status."+string(s)) }
	return []totalCount{
		{locales.T(ctx, "period.column.count"), t.Days, "period.days"},
		{status(workday.StatusLate), t.Late, "period.times"},
		{status(workday.StatusEarlyLeave), t.EarlyLeave, "period.times"},
		{status(workday.StatusAbsent), t.Absent, "period.days"},
		{status(workday.StatusMissingDeparture), t.MissingDeparture, "period.times"},
		{status(workday.StatusMissingArrival), t.MissingArrival, "period.times"},
		{status(workday.StatusLeave), t.Leave, "period.days"},
	}
}

// weekdays are the days that head the columns of a calendar.
func (p Period) weekdays() []time.Time {
	days := make([]time.Time, 7)
	for i := range days {
		days[i] = (workday.WeekOf(p.First, p.Start) + workday.Date(i)).Time()
	}
	return days
}

// ofWeek are the days of a week. Those outside the month have no date.
func (p Period) ofWeek(one attendance.PersonPeriod, week int) []attendance.PeriodDay {
	days := make([]attendance.PeriodDay, 7)
	for i := range days {
		date := one.Weeks[week].First + workday.Date(i)
		if p.First <= date && date <= p.Last {
			days[i] = one.Days[date-p.First]
		}
	}
	return days
}

// times says when the person came and left, or when work is scheduled:
// "08:51 – 18:03". A missing departure is "08:51 – ?".
func (p Period) times(ctx context.Context, d attendance.PeriodDay) string {
	r := d.Record
	clock := func(t *time.Time) string { return locales.Time(ctx, t.In(p.Frame.Zone())) }
	switch {
	case r == nil:
		return p.planned(ctx, d)
	case r.ArrivalAt != nil && r.DepartureAt != nil:
		return clock(r.ArrivalAt) + " – " + clock(r.DepartureAt)
	case r.ArrivalAt != nil && r.Presence == string(workday.PresenceWorking):
		return clock(r.ArrivalAt) + " – " + locales.T(ctx, "period.now")
	case r.ArrivalAt != nil:
		return clock(r.ArrivalAt) + " – ?"
	case r.DepartureAt != nil:
		return "? – " + clock(r.DepartureAt)
	case d.Status != workday.StatusBefore && d.Status != workday.StatusNotDue:
		return ""
	case d.Planned != nil:
		return p.planned(ctx, d)
	case r.StartsAt != nil && r.EndsAt != nil: // a night that began yesterday
		return clock(r.StartsAt) + " – " + clock(r.EndsAt)
	}
	return ""
}

// planned says when work is scheduled: "07:00 – 11:00, 17:00 – 21:00".
func (p Period) planned(ctx context.Context, d attendance.PeriodDay) string {
	hours := make([]string, len(d.Planned))
	for i, stint := range d.Planned {
		hours[i] = locales.Time(ctx, stint.From.In(p.Frame.Zone())) + " – " + locales.Time(ctx, stint.To.In(p.Frame.Zone()))
	}
	return strings.Join(hours, ", ")
}

// dayHours is the time worked on a day, "–" if it is unknown.
func dayHours(d attendance.PeriodDay) string {
	if d.WorkedMin == nil || *d.WorkedMin == 0 && !d.Arrived {
		return "–"
	}
	return hours(*d.WorkedMin)
}
