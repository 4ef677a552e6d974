package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/workday"
)

type attendanceInput struct {
	OwnPath
	Unit          string  `query:"unit" enum:"day,week,month" default:"day"`
	Date          string  `query:"date" format:"date" doc:"Any day of the week or month. Without it today, as the company has it."`
	DepartmentIDs []int64 `query:"department_id,explode" maxItems:"3" doc:"Up to three, each with those below it; where people were on the day. 404 where the caller does not see one."`
	Status        string  `query:"status" enum:"leave,missing_departure,missing_arrival,holiday_work,holiday,day_off,absent,late_and_early,late,early_leave,working,before,on_time,not_due" doc:"Of a week or month: people with at least one such day, which can be late, early_leave, absent, missing_departure, missing_arrival, leave or holiday_work."`
	Q             string  `query:"q" doc:"At most three keywords of at least two characters, all of which must occur in name, email or employee id."`
	Device        string  `query:"device" enum:"pc,web,mobile,mobile_web" doc:"Of a day: the platform of the arrival."`
	Edited        bool    `query:"edited" doc:"Only records whose arrival or departure somebody edited; of a week or month: people with at least one."`
	Over          int     `query:"over" minimum:"40" maximum:"52" doc:"40, 48 or 52. Of a week: people who worked more hours than this, or will have if they work on as their schedule says."`
	Sort          string  `query:"sort" enum:"name,-name,arrival,-arrival,worked,-worked,days,-days,late,-late,absent,-absent,missing_departure,-missing_departure,overtime,-overtime,holiday,-holiday,night,-night,longest_week,-longest_week" doc:"With - the other way round. Of a day: name, arrival or worked; records without an arrival, or without a known worked time, come last. Of a week or month: name, not the other way round, or any figure but the arrival, missing_departure with missing arrivals; where they are many, by figures of up to a minute ago."`
	Limit         int     `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor        cursor  `query:"cursor" doc:"next_cursor of the page before, of the same unit, date and sort."`
}

// AttendanceFigures are the results of a day's record. It is exported because
// huma ignores unexported embedded structs.
type AttendanceFigures struct {
	WorkDate    string     `json:"work_date" format:"date"`
	ArrivalAt   *time.Time `json:"arrival_at"`
	DepartureAt *time.Time `json:"departure_at"`
	WorkedMin   *int32     `json:"worked_min" doc:"Null while it is not known, as without a departure."`
	BreakMin    int32      `json:"break_min"`
	OvertimeMin int32      `json:"overtime_min" doc:"Of the day and of the week together, or of the settlement period on its last day. Work on holidays is apart."`

	HolidayMin     int32  `json:"holiday_min" doc:"Work on a holiday up to eight hours."`
	HolidayOverMin int32  `json:"holiday_over_min" doc:"Work on a holiday beyond eight hours."`
	NightMin       int32  `json:"night_min" doc:"Work at night, which lies across the others."`
	BalanceMin     *int32 `json:"balance_min" doc:"Work less required time of the settlement period until the date; null without such a period, and before the day is over."`
	Uncounted      int32  `json:"uncounted_events" doc:"How many events of the record and of its date have no part in the figures."`

	LateMin  int32    `json:"late_min" doc:"From the start, not from the end of grace, without the time between two stints."`
	EarlyMin int32    `json:"early_min" doc:"Until the end, without the time between two stints."`
	DayType  string   `json:"day_type" enum:"workday,day_off,holiday,leave,half_leave_am,half_leave_pm"`
	Presence string   `json:"presence" enum:"not_due,before,working,left,absent,missing_departure,missing_arrival"`
	Flags    []string `json:"flags" nullable:"false" doc:"late, early_leave, overtime, night, holiday_work, short_hours, outside, unproven, mock, clock_skew, edited, auto_closed, over_week, device_new, past_close."`
	Status   string   `json:"status" enum:"leave,missing_departure,missing_arrival,holiday_work,holiday,day_off,absent,late_and_early,late,early_leave,working,before,on_time,not_due" doc:"The one word for the day."`
	Device   string   `json:"device" doc:"The platform of the arrival; empty without one."`
	Place    string   `json:"place" doc:"Name of the workplace of the arrival; empty elsewhere."`
	Edited   bool     `json:"edited" doc:"Whether somebody edited arrival or departure."`
}

func newFigures(r attendance.Record) AttendanceFigures {
	return AttendanceFigures{
		WorkDate: workday.DateOf(r.WorkDate).String(), ArrivalAt: inUTC(r.ArrivalAt), DepartureAt: inUTC(r.DepartureAt),
		WorkedMin: r.WorkedMin, BreakMin: r.BreakMin, OvertimeMin: r.OvertimeMin, LateMin: r.LateMin, EarlyMin: r.EarlyMin,
		HolidayMin: r.HolidayMin, HolidayOverMin: r.HolidayOverMin, NightMin: r.NightMin, BalanceMin: r.BalanceMin, Uncounted: r.Uncounted,
		DayType: r.DayType, Presence: r.Presence, Flags: r.FlagNames(), Status: r.Status, Device: r.Device, Place: r.Place, Edited: r.Edited(),
	}
}

type attendanceUser struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	EmployeeID string `json:"employee_id"`
}

// attendanceDay is a record in the list of a day.
type attendanceDay struct {
	RecordID   string         `json:"record_id"`
	User       attendanceUser `json:"user" doc:"By the name of that day."`
	Department departmentName `json:"department" doc:"Of that day."`
	AttendanceFigures
}

// attendancePeriod is a user in the list of a week or month.
type attendancePeriod struct {
	User       attendanceUser        `json:"user"`
	Department departmentName        `json:"department" doc:"The last one of the period."`
	Days       []attendancePeriodDay `json:"days" nullable:"false" doc:"One for each date of the period, in order."`
	Totals     attendanceTotals      `json:"totals"`
}

type attendancePeriodDay struct {
	WorkDate  string  `json:"work_date" format:"date"`
	Status    *string `json:"status" doc:"Null where there is no record."`
	WorkedMin *int    `json:"worked_min" doc:"Null while it is not known."`
}

type attendanceTotals struct {
	Days             int `json:"days" doc:"With an arrival."`
	Late             int `json:"late" doc:"Days, as absent and missing_departure."`
	Absent           int `json:"absent"`
	MissingDeparture int `json:"missing_departure"`
	MissingArrival   int `json:"missing_arrival"`
	WorkedMin        int `json:"worked_min"`
	OvertimeMin      int `json:"overtime_min"`
	HolidayMin       int `json:"holiday_min"`
	HolidayOverMin   int `json:"holiday_over_min"`
	NightMin         int `json:"night_min"`

	BalanceMin *int `json:"balance_min" doc:"At the last day of the period that has one; null without a settlement period."`
}

func newAttendancePeriod(p attendance.PersonPeriod) attendancePeriod {
	t := p.Totals
	out := attendancePeriod{
		User: attendanceUser{p.UserID, p.Name, p.EmployeeID}, Department: departmentName{p.DepartmentID, p.DepartmentName},
		Days: make([]attendancePeriodDay, len(p.Days)),
		Totals: attendanceTotals{
			t.Days, t.Late, t.Absent, t.MissingDeparture, t.MissingArrival, t.WorkedMin, t.OvertimeMin, t.HolidayMin, t.HolidayOverMin, t.NightMin, t.BalanceMin,
		},
	}
	for i, d := range p.Days {
		out.Days[i] = attendancePeriodDay{WorkDate: d.Date.String(), WorkedMin: d.WorkedMin}
		if d.Status != "" {
			status := string(d.Status)
			out.Days[i].Status = &status
		}
	}
	return out
}

// attendanceRow is an attendanceDay or an attendancePeriod.
type attendanceRow struct{ of any }

// MarshalJSON writes the row that it holds.
func (r attendanceRow) MarshalJSON() ([]byte, error) { return json.Marshal(r.of) }

// Schema describes both kinds of rows.
func (attendanceRow) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[attendanceDay](), true, ""), r.Schema(reflect.TypeFor[attendancePeriod](), true, ""),
	}}
}

type attendanceOutput struct{ Body list[attendanceRow] }

// attendance lists the records of a day, or users with those of a period.
func (c *calls) attendance(ctx context.Context, in *attendanceInput) (*attendanceOutput, error) {
	filter, err := c.attendanceFilter(ctx, attendance.Unit(in.Unit), in.Date, url.Values{
		"department_id": idWords(in.DepartmentIDs...), "status": {in.Status}, "q": {in.Q}, "device": {in.Device}, "edited": {flagWord(in.Edited)},
		"over": {numberWord(in.Over)}, "sort": {in.Sort}, "cursor": {in.Cursor.String()},
	})
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	who := callerOf(ctx).Person
	scope, err := c.db.Attendance.RecordScope(ctx, who)
	if err != nil {
		return nil, err
	}
	if err := c.checkDepartments(ctx, scope, filter.DepartmentIDs); err != nil {
		return nil, err
	}
	if filter.Unit.OfPeople() {
		page, err := c.db.Attendance.Period(ctx, who, scope, filter)
		if err != nil {
			return nil, err
		}
		if !scope.OwnOnly() {
			c.noteRead(ctx, audit.Read{Kind: audit.ReadKind(filter.Unit), Query: filter.Values(), Rows: len(page.Rows)})
		}
		return &attendanceOutput{listed(page, func(p attendance.PersonPeriod) attendanceRow { return attendanceRow{newAttendancePeriod(p)} }).searched(ctx, in.Q)}, nil
	}
	page, err := c.db.Attendance.Day(ctx, who, scope, filter)
	if err != nil {
		return nil, err
	}
	if !scope.OwnOnly() {
		c.noteRead(ctx, audit.Read{Kind: audit.ReadDay, Query: filter.Values(), Rows: len(page.Rows)})
	}
	return &attendanceOutput{listed(page, newAttendanceDay).searched(ctx, in.Q)}, nil
}

func newAttendanceDay(row attendance.Row) attendanceRow {
	return attendanceRow{attendanceDay{
		row.Key().String(), attendanceUser{row.UserID, row.Name, row.EmployeeID}, departmentName{row.DepartmentID, row.DepartmentName}, newFigures(row.Record),
	}}
}

// attendanceFilter reads the client's filter with the parameters of the list's
// page. It returns an error for a filter that the list does not have.
func (c *calls) attendanceFilter(ctx context.Context, unit attendance.Unit, date string, query url.Values) (attendance.Filter, error) {
	none := attendance.Filter{Unit: unit}
	today, err := c.today(ctx)
	if err != nil {
		return none, err
	}
	start, err := c.db.Attendance.WeekStart(ctx, callerOf(ctx).Person)
	if err != nil {
		return none, err
	}
	day, err := dateIn("date", date, today)
	if err != nil {
		return none, err
	}
	query.Set("date", day.String())
	query.Set("month", day.Time().Format("2006-01"))
	filter, err := attendance.ReadFilter(query, unit, attendance.Calendar{Today: today, WeekStart: start})
	refused := queries.FieldErrors{}
	if errors.As(err, &refused) || err == nil {
		for _, name := range filter.Foreign {
			refused[name] = "api.field.invalid"
		}
	}
	if len(refused) > 0 {
		return filter, refused
	}
	return filter, err
}

// idWord and the functions below write URL parameters; "" for the zero value.
func idWord(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// idWords returns the words of ids, as a URL has a parameter for each.
func idWords(ids ...int64) []string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatInt(id, 10) // 0 is refused
	}
	return words
}

func numberWord(number int) string { return idWord(int64(number)) }

func flagWord(flag bool) string {
	if flag {
		return "1"
	}
	return ""
}
