package attendance

import (
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/views/viewstest"
	"officeconsole/workday"
)

func TestRowsEscapeEveryValue(t *testing.T) {
	now := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
	worked, arrival, longest := int32(481), now, []attendance.PeriodWeek{{WorkedMin: 1}}
	record := attendance.Row{
		Record: attendance.Record{
			UserID: 8, WorkDate: now.AddDate(0, 0, -1), Extra: true, Name: viewstest.Hostile, Status: viewstest.Hostile, Flags: int32(workday.FlagEdited | workday.FlagOvertime),
			ArrivalAt: &arrival, WorkedMin: &worked, Device: viewstest.Hostile, Place: viewstest.Hostile,
		},
		EmployeeID: viewstest.Hostile, DepartmentName: viewstest.Hostile,
	}
	f := views.Frame{Path: "/logs/workingattitude/day?q=" + viewstest.Hostile, Now: now}
	viewstest.CheckEscaped(t, "day", dayRows(DayList{Frame: f, Page: lists.Page[attendance.Row]{Rows: []attendance.Row{record}}}), 6)
	viewstest.CheckEscaped(t, "month", monthRows(Period{Frame: f, Choice: Choice{Filter: attendance.Filter{Unit: attendance.MonthUnit}}, Page: lists.Page[attendance.PersonPeriod]{Rows: []attendance.PersonPeriod{{Name: viewstest.Hostile, DepartmentName: viewstest.Hostile, Weeks: longest}}}}), 4)
}
