package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// registerForecasts registers the forecasts of weeks and telling managers of them.
func (c *calls) registerForecasts(describe func(call) huma.Operation, path string) {
	huma.Register(c.api, describe(call{id: "week-forecast", path: path, errors: []int{http.StatusUnprocessableEntity},
		summary: "People whose week is near its limit", description: "Those whom the caller sees, the most urgent first: who is expected to pass weekly_cap_min of their policy, by when, then who has passed it, then who reaches weekly_warn_min. " +
			"The projection is the time worked, and for each day to come the required time with the person's habit of this month. It is up to some minutes old."}), c.weekForecast)
	huma.Register(c.api, describe(call{id: "tell-managers", method: http.MethodPost, path: path + "/notices", errors: []int{http.StatusUnprocessableEntity},
		summary: "Tell the managers of people about their week", description: "For those who may edit the people's attendance; others are left out, 404 if nobody is left; 403 api.forecast.read_only for callers who may edit nobody's of those whom they see. The messenger gets attendance.weekly_forecast, once a week for each person. It cannot be undone."}), c.tellManagers)
}

type forecastInput struct {
	OwnPath
	Date         string `query:"date" format:"date" doc:"Any day of the week, which has begun. Without it today, as the company has it."`
	DepartmentID int64  `query:"department_id" minimum:"1" doc:"With those below it. 404 where the caller does not see it."`
	Level        string `query:"level" enum:"expected,passed,near"`
	Limit        int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor       cursor `query:"cursor" doc:"next_cursor of the page before, of the same week."`
}

// forecastRow is a person whose week is near its limit.
type forecastRow struct {
	User          attendanceUser `json:"user"`
	Department    departmentName `json:"department" doc:"The last one of the week."`
	Level         string         `json:"level" enum:"expected,passed,near"`
	WorkedMin     int            `json:"worked_min" doc:"Until now, including the presence of somebody who is at work."`
	ProjectedMin  int            `json:"projected_min" doc:"At the end of the week."`
	HabitMin      int            `json:"habit_min" doc:"What a day to come has beyond the required time."`
	LimitMin      int            `json:"limit_min"`
	WarnMin       int            `json:"warn_min"`
	PassesOn      *string        `json:"passes_on" format:"date" doc:"The work date on which the week passes the limit; null if it does not."`
	PassesAt      *time.Time     `json:"passes_at" doc:"The last minute within the limit; null without passes_on, and where the times of the day are not known."`
	LastDeparture *time.Time     `json:"last_departure" doc:"The last departure today that keeps the limit; null where there is none."`
	ToldAt        *time.Time     `json:"told_at" doc:"When the managers were told about the week; null if they were not."`
}

// forecastCounts counts the people of each level, whatever the filter's.
type forecastCounts struct {
	Expected int `json:"expected"`
	Passed   int `json:"passed"`
	Near     int `json:"near"`
}

type forecastOutput struct {
	Body struct {
		Data        []forecastRow        `json:"data" nullable:"false"`
		Meta        meta                 `json:"meta"`
		At          time.Time            `json:"at" doc:"When it was computed."`
		Counts      forecastCounts       `json:"counts"`
		Departments []forecastDepartment `json:"departments" nullable:"false" doc:"The departments below the chosen one, each with those below it; at most 20, those with most people expected first."`
	}
}

type forecastDepartment struct {
	Department departmentName `json:"department"`
	Counts     forecastCounts `json:"counts"`
}

func (c *calls) weekForecast(ctx context.Context, in *forecastInput) (*forecastOutput, error) {
	caller := callerOf(ctx)
	scope, err := c.db.Attendance.RecordScope(ctx, caller.Person)
	if err != nil {
		return nil, err
	}
	f := attendance.ForecastFilter{DepartmentID: in.DepartmentID, Level: workday.ForecastLevel(in.Level), Limit: in.Limit, Cursor: in.Cursor.Cursor}
	if f.First, err = c.weekOf(ctx, in.Date); err != nil {
		return nil, err
	}
	week, err := c.db.Attendance.WeekForecast(ctx, caller.Person, scope, f)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadWeek, Query: attendance.Filter{Unit: attendance.WeekUnit, First: f.First, DepartmentIDs: lists.OneDepartment(f.DepartmentID)}.Values(), Rows: len(week.Page.Rows)})
	out := &forecastOutput{}
	out.Body.At, out.Body.Counts = week.At.UTC(), newForecastCounts(week.ForecastCount)
	out.Body.Data, out.Body.Meta, out.Body.Departments = make([]forecastRow, len(week.Page.Rows)), metaOf(week.Page.Next), []forecastDepartment{}
	for i, row := range week.Page.Rows {
		out.Body.Data[i] = newForecastRow(row)
	}
	for _, d := range week.Departments {
		out.Body.Departments = append(out.Body.Departments, forecastDepartment{departmentName{d.ID, d.Name}, newForecastCounts(d.ForecastCount)})
	}
	return out, nil
}

func newForecastCounts(n attendance.ForecastCount) forecastCounts {
	return forecastCounts{Expected: n.Expected, Passed: n.Passed, Near: n.Near}
}

func newForecastRow(r attendance.ForecastRow) forecastRow {
	row := forecastRow{
		User: attendanceUser{r.UserID, r.Name, r.EmployeeID}, Department: departmentName{r.DepartmentID, r.DepartmentName}, Level: string(r.Level()),
		WorkedMin: r.WorkedMin, ProjectedMin: r.ProjectedMin, HabitMin: r.HabitMin, LimitMin: r.CapMin, WarnMin: r.WarnMin, ToldAt: inUTC(r.ToldAt),
	}
	if r.PassesOn != 0 {
		on := r.PassesOn.String()
		row.PassesOn = &on
	}
	if !r.PassesAt.IsZero() {
		row.PassesAt = inUTC(&r.PassesAt)
	}
	if !r.LastDeparture.IsZero() {
		row.LastDeparture = inUTC(&r.LastDeparture)
	}
	return row
}

// weekOf returns the first day of the week of a date, which has begun; of the current
// one for "".
func (c *calls) weekOf(ctx context.Context, text string) (workday.Date, error) {
	today, err := c.today(ctx)
	if err != nil {
		return 0, err
	}
	start, err := c.db.Attendance.WeekStart(ctx, callerOf(ctx).Person)
	if err != nil {
		return 0, err
	}
	date, err := dateIn("date", text, today)
	first := workday.WeekOf(date, start)
	if err == nil && first > today {
		err = queries.FieldErrors{"date": "api.field.invalid"}
	}
	return first, err
}

type tellManagersInput struct {
	OwnPath
	Body struct {
		UserIDs []int64 `json:"user_ids" minItems:"1" maxItems:"500" doc:"People of the current week's forecast."`
	}
}

type toldManagersOutput struct {
	Body struct {
		Told      []toldPerson `json:"told" nullable:"false" doc:"About whom managers were told now."`
		Already   int          `json:"already" doc:"How many people's managers were told about the week before."`
		Unmanaged []string     `json:"unmanaged" nullable:"false" doc:"The names of those whose attendance nobody else may edit."`
	}
}

type toldPerson struct {
	UserID   int64    `json:"user_id"`
	Name     string   `json:"name"`
	Managers []string `json:"managers" nullable:"false" doc:"Their names."`
}

func (c *calls) tellManagers(ctx context.Context, in *tellManagersInput) (*toldManagersOutput, error) {
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	if !scope.OwnOnly() && !scope.EditsAnybody() { // sees people's forecasts, so they are not unknown
		return nil, refusal{http.StatusForbidden, "api.forecast.read_only"}
	}
	first, err := c.weekOf(ctx, "")
	if err != nil {
		return nil, err
	}
	told, err := c.db.Attendance.TellManagers(ctx, actor(ctx), callerOf(ctx).Person, first, in.Body.UserIDs)
	if err != nil {
		return nil, err
	}
	out := &toldManagersOutput{}
	out.Body.Told, out.Body.Already, out.Body.Unmanaged = []toldPerson{}, told.Already, append([]string{}, told.Unmanaged...)
	for _, p := range told.People {
		out.Body.Told = append(out.Body.Told, toldPerson{p.UserID, p.Name, p.Managers})
	}
	return out, nil
}
