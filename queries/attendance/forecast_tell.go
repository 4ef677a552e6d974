package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// noticeForecast is the kind of a notice to managers about a week.
const noticeForecast = "week_forecast"

// MostTold is the maximum number of people about whom managers are told at once.
const MostTold = 500

// WeeklyForecast is the message to the messenger that managers are to be told about
// the week of people.
type WeeklyForecast struct {
	Week   string               `json:"week"` // its first day
	People []WeeklyForecastUser `json:"people"`
}

// WeeklyForecastUser is a person of the message.
type WeeklyForecastUser struct {
	UserID        int64      `json:"user_id"`
	ManagerIDs    []int64    `json:"manager_ids"`
	Level         string     `json:"level"` // a workday.ForecastLevel
	WorkedMin     int        `json:"worked_min"`
	ProjectedMin  int        `json:"projected_min"`
	LimitMin      int        `json:"limit_min"`
	PassesAt      *time.Time `json:"passes_at"`
	LastDeparture *time.Time `json:"last_departure"`
}

// ManagersTold is what came of telling managers.
type ManagersTold struct {
	People    []ToldPerson // about whom managers were told now
	Already   int          // the number of people whose managers were told about the week before
	Unmanaged []string     // the names of the people without a manager
}

// ToldPerson is a person about whom managers were told.
type ToldPerson struct {
	UserID   int64
	Name     string
	Managers []string // by name
}

// TellManagers tells those who may edit the attendance of people that their week is
// near its limit, except the reader and the people themselves: about each person once
// a week. It is for those who may edit the people's attendance; others, and people
// whose week is not near the limit any more, are left out. It is NotFound if
// nobody is left. What was published cannot be taken back.
func (s *Store) TellManagers(ctx context.Context, by queries.Actor, p directory.Person, first workday.Date, userIDs []int64) (ManagersTold, error) {
	scope, err := s.RecordScope(ctx, p)
	if err != nil {
		return ManagersTold{}, err
	}
	if len(userIDs) > MostTold {
		return ManagersTold{}, queries.Invalid("forecast.tell.many")
	}
	counted, err := s.countedForecast(ctx, p, first)
	if err != nil {
		return ManagersTold{}, err
	}
	v, err := s.forecastView(ctx, p, scope, ForecastFilter{First: first}, counted)
	if err != nil {
		return ManagersTold{}, err
	}
	var told []int32
	for _, i := range v.listed {
		if r := &counted.people[i]; slices.Contains(userIDs, r.UserID) && scope.Edits(r.UserID, r.DepartmentID) {
			told = append(told, i)
		}
	}
	rows := counted.rows(scope, told)
	if len(rows) == 0 {
		return ManagersTold{}, fmt.Errorf("forecasts of %d people: %w", len(userIDs), queries.NotFound)
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (ManagersTold, error) {
		return q.tellManagers(ctx, by, first, rows, s.db.Now())
	})
}

// manager is somebody who may edit a person's attendance.
type manager struct {
	id   int64
	name string
}

func (q *Queries) tellManagers(ctx context.Context, by queries.Actor, first workday.Date, rows []ForecastRow, now time.Time) (ManagersTold, error) {
	var told ManagersTold
	managers, err := q.managersOfRows(ctx, by, rows)
	if err != nil {
		return told, err
	}
	arg := insertNoticesParams{CompanyID: by.CompanyID, Now: now}
	for _, r := range rows {
		if len(managers[r.UserID]) == 0 {
			told.Unmanaged = append(told.Unmanaged, r.Name)
			continue
		}
		arg.Days, arg.UserIds, arg.Kinds = append(arg.Days, first.Time()), append(arg.UserIds, r.UserID), append(arg.Kinds, noticeForecast)
	}
	if len(arg.UserIds) == 0 {
		return told, nil
	}
	stored, err := q.insertNotices(ctx, arg)
	if err != nil {
		return told, err
	}
	told.Already = len(arg.UserIds) - len(stored)
	var changes []queries.Change
	message := WeeklyForecast{Week: first.String()}
	for _, r := range rows {
		if !slices.ContainsFunc(stored, func(n insertNoticesRow) bool { return n.UserID == r.UserID }) {
			continue
		}
		one := ToldPerson{UserID: r.UserID, Name: r.Name}
		user := r.message()
		for _, m := range managers[r.UserID] {
			one.Managers, user.ManagerIDs = append(one.Managers, m.name), append(user.ManagerIDs, m.id)
		}
		told.People, changes = append(told.People, one), append(changes, one.change(r, first))
		message.People = append(message.People, user)
	}
	if len(message.People) == 0 {
		return told, nil
	}
	if err := queries.New(q.db).RecordChanges(ctx, by, now, changes); err != nil {
		return told, err
	}
	return told, queries.New(q.db).Publish(ctx, by.CompanyID, now, "attendance.weekly_forecast", message)
}

// managersOfRows returns the managers by the ids of the people, without who tells
// them and the people themselves.
func (q *Queries) managersOfRows(ctx context.Context, by queries.Actor, rows []ForecastRow) (map[int64][]manager, error) {
	var ids []int64
	for _, r := range rows {
		ids = append(ids, r.DepartmentID)
	}
	slices.Sort(ids)
	found, err := q.managersOf(ctx, managersOfParams{CompanyID: by.CompanyID, DepartmentIds: slices.Compact(ids), EditRole: directory.RoleCommute})
	if err != nil {
		return nil, fmt.Errorf("managers: %w", err)
	}
	managers := map[int64][]manager{}
	for _, r := range rows {
		for _, m := range found {
			if m.DepartmentID == r.DepartmentID && m.ID != r.UserID && m.ID != by.UserID {
				managers[r.UserID] = append(managers[r.UserID], manager{m.ID, m.Name})
			}
		}
	}
	return managers, nil
}

func (r ForecastRow) message() WeeklyForecastUser {
	return WeeklyForecastUser{
		UserID: r.UserID, Level: string(r.Level()), WorkedMin: r.WorkedMin, ProjectedMin: r.ProjectedMin, LimitMin: r.CapMin,
		PassesAt: timeOrNil(r.PassesAt.UTC()), LastDeparture: timeOrNil(r.LastDeparture.UTC()),
	}
}

// change returns the entry of the change log.
func (p ToldPerson) change(r ForecastRow, first workday.Date) queries.Change {
	return queries.Change{
		Action: "attendance.forecast_told", ObjectType: "attendance_week", ObjectID: p.UserID, ObjectName: p.Name + " " + first.String(),
		New: map[string]any{"managers": p.Managers, "worked_so_far_min": r.WorkedMin, "projected_min": r.ProjectedMin, "limit_min": r.CapMin},
	}
}
