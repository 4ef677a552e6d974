package attendance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// ForecastRow is a person whose week is near its limit, expected to pass it or
// beyond it, with the time worked in the departments that the reader sees.
type ForecastRow struct {
	UserID         int64
	Name           string
	EmployeeID     string
	DepartmentID   int64 // the last one of the week
	DepartmentName string
	workday.Forecast
	ToldAt *time.Time // when the managers were told about the week; nil if they were not
}

// ForecastCount counts people by workday.ForecastLevel.
type ForecastCount struct{ Passed, Expected, Near int }

// ForecastDepartment counts the people of a department with its subtree.
type ForecastDepartment struct {
	ID   int64
	Name string
	ForecastCount
}

// ForecastFilter selects rows of the forecast of a week.
type ForecastFilter struct {
	First        workday.Date          // the first day of the week
	DepartmentID int64                 // a department with its subtree; 0 for all that the reader sees
	Level        workday.ForecastLevel // "" for every level
	Cursor       *lists.Cursor
	Limit        int
}

// WeekForecast is the forecast of a week as a reader sees it.
type WeekForecast struct {
	At            time.Time               // when it was computed, up to some minutes ago
	ForecastCount                         // of every level, whatever the filter's
	Departments   []ForecastDepartment    // the children of the department, each counted with its subtree; those with most people expected first, without empty ones
	More          int                     // the number of departments that are left out
	Page          lists.Page[ForecastRow] // the most urgent first, see compareUrgency
}

// ForecastLevels are the levels that a forecast can be filtered by, the most urgent
// first.
var ForecastLevels = []workday.ForecastLevel{workday.ForecastExpected, workday.ForecastPassed, workday.ForecastNear}

// compareUrgency orders those who are expected to pass the limit by when they do,
// then those who have passed it and those near it, each with the longest week first.
func compareUrgency(a, b ForecastRow) int {
	level := func(r ForecastRow) int { return slices.Index(ForecastLevels, r.Level()) }
	order := cmp.Compare(level(a), level(b))
	if order == 0 && a.Level() == workday.ForecastExpected {
		order = cmp.Or(cmp.Compare(a.PassesOn, b.PassesOn), a.PassesAt.Compare(b.PassesAt))
	}
	return cmp.Or(order, cmp.Compare(b.ProjectedMin-b.CapMin, a.ProjectedMin-a.CapMin), cmp.Compare(a.UserID, b.UserID))
}

func (c *ForecastCount) add(level workday.ForecastLevel) {
	switch level {
	case workday.ForecastPassed:
		c.Passed++
	case workday.ForecastExpected:
		c.Expected++
	case workday.ForecastNear:
		c.Near++
	}
}

// People returns the number of people of a level, "" for every level.
func (c ForecastCount) People(level workday.ForecastLevel) int {
	switch level {
	case workday.ForecastPassed:
		return c.Passed
	case workday.ForecastExpected:
		return c.Expected
	case workday.ForecastNear:
		return c.Near
	}
	return c.Passed + c.Expected + c.Near
}

// countedForecast is the forecast of a company's week, which a cache has.
type countedForecast struct {
	count            int64 // a number that no other count has
	at               time.Time
	directoryVersion int64
	people           []forecastPerson // the most urgent first
}

// WeekForecast returns a page of the people whose week is near its limit, and the
// counts of all of them: those in the subtree of a department whom the reader may
// see. It is computed for the whole company at most once a minute.
func (s *Store) WeekForecast(ctx context.Context, p directory.Person, scope RecordScope, f ForecastFilter) (WeekForecast, error) {
	list := "forecast " + f.First.String()
	if err := f.Cursor.CheckForward(list); err != nil {
		return WeekForecast{}, err
	}
	counted, err := s.countedForecast(ctx, p, f.First)
	if err != nil {
		return WeekForecast{}, err
	}
	v, err := s.forecastView(ctx, p, scope, f, counted)
	if err != nil {
		return WeekForecast{}, err
	}
	from := 0
	if !f.Cursor.IsStart() {
		from = slices.IndexFunc(v.listed, func(i int32) bool { return counted.people[i].UserID == f.Cursor.ID }) + 1
	}
	found := counted.rows(scope, v.listed[from:min(len(v.listed), from+f.Limit+1)])
	v.Page = lists.NewPage(found, f.Cursor, f.Limit, func(r ForecastRow) lists.Cursor { return lists.Cursor{List: list, ID: r.UserID} })
	v.Page.ForwardOnly(f.Cursor, f.Limit)
	v.Page.Total = len(v.listed)
	return v.WeekForecast, s.addTold(ctx, p.CompanyID, f.First, v.Page.Rows)
}

func (s *Store) countedForecast(ctx context.Context, p directory.Person, first workday.Date) (*countedForecast, error) {
	valid := func(c *countedForecast) bool { return c.directoryVersion == p.DirectoryVersion }
	return s.weeks.forecasts.GetValid(ctx, weekKey{p.CompanyID, first}, valid, func(ctx context.Context) (*countedForecast, error) {
		counted := &countedForecast{count: s.weeks.counts.Add(1), at: s.db.Now(), directoryVersion: p.DirectoryVersion}
		var err error
		if counted.people, err = s.forecasts(ctx, p, first, nil); err != nil {
			return nil, fmt.Errorf("forecast of the week of %s: %w", first, err)
		}
		return counted, nil
	})
}

// forecastView is what a reader sees of a forecast, without a page of it.
type forecastView struct {
	WeekForecast
	count  int64   // of the countedForecast
	listed []int32 // the indexes of the people of the filter's level, the most urgent first
}

// forecastReader is the key of what a reader sees of a forecast.
type forecastReader struct {
	weekReader
	level workday.ForecastLevel
}

func (s *Store) forecastView(ctx context.Context, p directory.Person, scope RecordScope, f ForecastFilter, counted *countedForecast) (forecastView, error) {
	tree, err := s.policy.Tree(ctx, p)
	if err != nil {
		return forecastView{}, err
	}
	if f.DepartmentID != 0 && (tree.Department(f.DepartmentID) == nil || !scope.Includes(f.DepartmentID)) {
		return forecastView{}, fmt.Errorf("department %d: %w", f.DepartmentID, queries.NotFound)
	}
	reader := forecastReader{weekReader{weekKey{p.CompanyID, f.First}, scope.key(p, lists.OneDepartment(f.DepartmentID))}, f.Level}
	valid := func(v forecastView) bool { return v.count == counted.count }
	v, err := s.weeks.views.GetValid(ctx, reader, valid, func(context.Context) (forecastView, error) {
		return counted.view(tree, scope, f), nil
	})
	if err == nil && !valid(v) { // filled by a caller at the same time, for another count
		v = counted.view(tree, scope, f)
	}
	return v, err
}

// view counts and lists the people whom a scope includes.
func (c *countedForecast) view(tree policy.Tree, scope RecordScope, f ForecastFilter) forecastView {
	v := forecastView{WeekForecast: WeekForecast{At: c.at}, count: c.count}
	assigned := newRowAssignment(tree, scope, f.DepartmentID)
	departments := map[int64]*ForecastDepartment{}
	inPart := map[int32]ForecastRow{} // the rows of those whose week the reader sees a part of
	for i := range c.people {
		one := &c.people[i]
		if !assigned.counts(scope, one.UserID, one.DepartmentID) {
			continue
		}
		row, whole := one.seenBy(scope)
		level := row.Level()
		if level == "" {
			continue
		}
		if !whole {
			inPart[int32(i)] = row
		}
		v.add(level)
		if id := assigned.row[one.DepartmentID]; id != 0 {
			if departments[id] == nil {
				departments[id] = &ForecastDepartment{ID: id}
				if d := tree.Department(id); d != nil {
					departments[id].Name = d.Name
				}
			}
			departments[id].add(level)
		}
		if f.Level == "" || f.Level == level {
			v.listed = append(v.listed, int32(i))
		}
	}
	if len(inPart) > 0 {
		seen := func(i int32) ForecastRow {
			if row, found := inPart[i]; found {
				return row
			}
			return c.people[i].ForecastRow
		}
		slices.SortFunc(v.listed, func(a, b int32) int { return compareUrgency(seen(a), seen(b)) })
	}
	for _, d := range departments {
		v.Departments = append(v.Departments, *d)
	}
	slices.SortFunc(v.Departments, func(a, b ForecastDepartment) int {
		return cmp.Or(b.Expected-a.Expected, b.Passed-a.Passed, b.Near-a.Near, cmp.Compare(a.ID, b.ID))
	})
	if v.More = max(0, len(v.Departments)-boardRows); v.More > 0 {
		v.Departments = v.Departments[:boardRows]
	}
	return v
}

// rows returns what a scope includes of the people with the indexes.
func (c *countedForecast) rows(scope RecordScope, indexes []int32) []ForecastRow {
	rows := make([]ForecastRow, len(indexes))
	for n, i := range indexes {
		rows[n], _ = c.people[i].seenBy(scope)
	}
	return rows
}

// seenBy returns the row with the records that a scope includes, and whether these
// are all of them.
func (one *forecastPerson) seenBy(scope RecordScope) (row ForecastRow, whole bool) {
	row = one.ForecastRow
	unseen := func(r forecastRecord) bool { return !scope.Sees(one.UserID, r.departmentID) }
	if !slices.ContainsFunc(one.records, unseen) {
		return row, true
	}
	w := one.week
	w.Days = nil
	for i, d := range one.week.Days {
		if i >= len(one.records) || !unseen(one.records[i]) {
			w.Days = append(w.Days, d)
		}
	}
	row.Forecast = w.Forecast()
	return row, false
}

// OwnForecast returns the forecast of a person's own current week, nil below
// workday.ForecastNear.
func (s *Store) OwnForecast(ctx context.Context, p directory.Person, first workday.Date) (*workday.Forecast, error) {
	found, err := s.forecasts(ctx, p, first, []int64{p.ID})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0].Forecast, nil
}

// addTold sets when the managers of people were told.
func (s *Store) addTold(ctx context.Context, companyID int64, first workday.Date, rows []ForecastRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].UserID
	}
	told, err := s.noticesOf(ctx, noticesOfParams{companyID, first.Time(), noticeForecast, ids})
	for _, n := range told {
		rows[slices.Index(ids, n.UserID)].ToldAt = &n.NoticedAt
	}
	return err
}
