package attendance

import (
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

// Row is a record as lists show it: as it is now.
type Row struct {
	Record
	EmployeeID     string // "" for a user who is no longer in the directory
	Hidden         bool   // whether the user is hidden now
	DepartmentName string
	Edits          []Edit // of LogUnit, the latest first
}

// Day lists the records of the filter's date that a scope includes. A cursor at
// a record outside of the scope is NotFound.
func (s *Store) Day(ctx context.Context, reader directory.Person, scope RecordScope, f Filter) (lists.Page[Row], error) {
	f.Unit, f.Last = DayUnit, f.First
	l, err := s.attendanceList(ctx, reader, scope, f)
	if err != nil {
		return lists.Page[Row]{}, err
	}
	parts := []attendancePart{{first: f.First, last: f.First}}
	if l.column() != "name" {
		parts = append(parts, attendancePart{first: f.First, last: f.First, blanks: true})
	}
	page, err := l.page(ctx, parts)
	if err != nil {
		return page, fmt.Errorf("attendance of %s: %w", f.First, err)
	}
	return page, nil
}

// LogDays is the maximum number of days of a log.
const LogDays = 92

// Log lists the records of the filter's dates that a scope includes, with their
// edits: the latest date first, each date by name.
func (s *Store) Log(ctx context.Context, reader directory.Person, scope RecordScope, f Filter) (lists.Page[Row], error) {
	first, last := f.First, f.Last
	if last < first || last-first >= LogDays {
		return lists.Page[Row]{}, queries.Invalid("attendance.log.period")
	}
	f.Unit, f.Order, f.Descending = LogUnit, ByName, false
	l, err := s.attendanceList(ctx, reader, scope, f)
	if err != nil {
		return lists.Page[Row]{}, err
	}
	parts := []attendancePart{{first: first, last: last}}
	if l.at != nil {
		on := l.at.date
		parts = []attendancePart{{first: on + 1, last: last}, {first: on, last: on}, {first: first, last: on - 1}}
	}
	page, err := l.page(ctx, parts)
	if err == nil {
		err = l.addEdits(ctx, page.Rows)
	}
	if err != nil {
		return page, fmt.Errorf("attendance from %s to %s: %w", first, last, err)
	}
	return page, nil
}

// Records returns records by their keys, also deleted ones, with their edits:
// the latest date first, each date by name. A key without a record or outside
// of the scope is NotFound.
func (s *Store) Records(ctx context.Context, companyID int64, scope RecordScope, keys []RecordKey) ([]Row, error) {
	asked, wanted := recordsOfKeysParams{CompanyID: companyID}, map[RecordKey]bool{}
	for _, key := range keys {
		if !wanted[key] {
			asked.UserIds, asked.WorkDates, asked.Extras = append(asked.UserIds, key.UserID), append(asked.WorkDates, key.Date.Time()), append(asked.Extras, key.Extra)
		}
		wanted[key] = true
	}
	asked.First, asked.Last = boundsOf(asked.WorkDates)
	found, err := s.recordsOfKeys(ctx, asked)
	if err != nil {
		return nil, fmt.Errorf("records by keys: %w", err)
	}
	rows := make([]Row, 0, len(found))
	for _, one := range found {
		if scope.Sees(one.Record.UserID, one.Record.DepartmentID) {
			rows = append(rows, Row{Record: one.Record.AsOf(s.db.Now()), EmployeeID: one.EmployeeID, Hidden: one.Hidden, DepartmentName: one.DepartmentName})
		}
	}
	if len(rows) != len(wanted) {
		return nil, fmt.Errorf("%d records by keys: %w", len(wanted)-len(rows), queries.NotFound)
	}
	return rows, (&attendanceList{Store: s, companyID: companyID}).addEdits(ctx, rows)
}

// HolidayOn returns the holiday of a date by the default working attitude
// policy that is in force, "" for none: see workday.Policy.HolidayOn.
func (s *Store) HolidayOn(ctx context.Context, p directory.Person, date workday.Date) (string, error) {
	inForce, err := s.defaultPolicy(ctx, p)
	if err != nil || inForce == nil {
		return "", err
	}
	return inForce.HolidayOn(date), nil
}

// DaysOff returns a function that reports whether a date requires no work by the
// default working attitude policy that is in force.
func (s *Store) DaysOff(ctx context.Context, p directory.Person) (func(workday.Date) bool, error) {
	inForce, err := s.defaultPolicy(ctx, p)
	if err != nil || inForce == nil {
		return nil, err
	}
	return func(date workday.Date) bool { return inForce.TypeOf(date) != workday.Workday }, nil
}

// defaultPolicy returns the default working attitude policy that is in force, or nil.
func (s *Store) defaultPolicy(ctx context.Context, p directory.Person) (*recordPolicy, error) {
	t, err := s.policy.Timeline(ctx, policy.TimelineRequest{CompanyID: p.CompanyID, Kind: "workingattitude", PolicyVersion: p.PolicyVersion, At: s.db.Now()})
	if err != nil {
		return nil, fmt.Errorf("default policy of company %d: %w", p.CompanyID, err)
	}
	inForce := t.DefaultInForce(s.db.Now())
	if inForce == nil {
		return nil, nil
	}
	return s.policies.with(t).get(inForce)
}

// attendanceList reads a list of records.
type attendanceList struct {
	*Store
	Filter
	companyID   int64
	scope       RecordScope
	now         time.Time
	departments []int64             // the departments of the filter that the scope includes; unused when everything is listed
	subtree     []int64             // the departments of the filter; nil for every department
	at          *attendancePosition // the position of the cursor; nil on the first page
	found       []int64             // the users who match the search, once looked is true
	looked      bool
}

// attendancePosition holds what a record is sorted by in each order.
type attendancePosition struct {
	recordPlaceRow
	date workday.Date
}

// attendancePart is a part of a list that one statement reads: dates, the
// latest first or, in an order other than by name, the records of a date that
// have a value to sort by, or those that have none.
type attendancePart struct {
	first, last workday.Date
	blanks      bool
}

func (s *Store) attendanceList(ctx context.Context, reader directory.Person, scope RecordScope, f Filter) (*attendanceList, error) {
	l := &attendanceList{Store: s, Filter: f, companyID: reader.CompanyID, scope: scope, now: s.db.Now()}
	var err error
	if l.departments, l.subtree, err = s.attendanceDepartments(ctx, reader, scope, f.DepartmentIDs); err != nil {
		return nil, err
	}
	if f.Cursor.IsStart() {
		return l, nil
	}
	key, err := f.cursorKey()
	if err != nil {
		return nil, err
	}
	row, err := s.recordPlace(ctx, recordPlaceParams{reader.CompanyID, key.UserID, key.Date.Time(), key.Extra})
	if err == nil && !scope.Sees(row.UserID, row.DepartmentID) {
		err = queries.NotFound
	}
	if err != nil {
		return nil, fmt.Errorf("cursor at %s: %w", key, err)
	}
	l.at = &attendancePosition{row, key.Date}
	return l, nil
}

// attendanceDepartments returns the departments of some subtrees that are in a
// scope, and all of these subtrees, which is nil without ids; both ascending.
func (s *Store) attendanceDepartments(ctx context.Context, reader directory.Person, scope RecordScope, ids lists.DepartmentIDs) (seen, subtree []int64, err error) {
	if len(ids) == 0 {
		return scope.DepartmentIDs, nil, nil
	}
	tree, err := s.policy.Tree(ctx, reader)
	if err != nil {
		return nil, nil, err
	}
	subtree = tree.SubtreeIDs(ids...)
	return slices.DeleteFunc(slices.Clone(subtree), func(id int64) bool { return !scope.Includes(id) }), subtree, nil
}

// page reads the parts, beginning at the cursor, until the page is full.
func (l *attendanceList) page(ctx context.Context, parts []attendancePart) (lists.Page[Row], error) {
	backward := l.Cursor.IsBackward()
	if backward {
		slices.Reverse(parts)
	}
	at := 0
	if l.at != nil {
		at = slices.IndexFunc(parts, l.holdsCursor)
	}
	var rows []Row
	for i := at; i < len(parts) && len(rows) <= l.Limit; i++ {
		if parts[i].last < parts[i].first {
			continue
		}
		s := attendanceStatement{attendanceList: l, attendancePart: parts[i], backward: backward, size: l.Limit + 1 - len(rows)}
		if l.at != nil && i == at {
			s.from = l.at
		}
		more, err := s.read(ctx)
		if err != nil {
			return lists.Page[Row]{}, err
		}
		if rows == nil {
			rows = more
		} else {
			rows = append(rows, more...)
		}
	}
	page := lists.NewPage(rows, l.Cursor, l.Limit, l.cursor)
	return page, l.nameRows(ctx, page.Rows)
}

// holdsCursor reports whether the record of the cursor is in a part.
func (l *attendanceList) holdsCursor(p attendancePart) bool {
	if !isBetween(l.at.date, p.first, p.last) {
		return false
	}
	switch l.column() {
	case "arrival_at":
		return p.blanks == (l.at.ArrivalAt == nil)
	case "worked_min":
		return p.blanks == (l.at.WorkedMin == nil)
	}
	return true
}

// column returns the column to sort by, before user_id and extra.
func (l *attendanceList) column() string {
	switch l.Order {
	case ByArrival:
		return "arrival_at"
	case ByWorked:
		return "worked_min"
	}
	return "name"
}

// addEdits sets the edits of rows.
func (l *attendanceList) addEdits(ctx context.Context, rows []Row) error {
	byKey := make(map[RecordKey]*Row, len(rows))
	asked := editsOfRecordsParams{CompanyID: l.companyID}
	for i := range rows {
		key := rows[i].Key()
		byKey[key] = &rows[i]
		asked.UserIds, asked.WorkDates = append(asked.UserIds, key.UserID), append(asked.WorkDates, key.Date.Time())
	}
	edits, err := l.editsOfRecords(ctx, asked)
	for _, e := range edits {
		if row := byKey[RecordKey{e.UserID, workday.DateOf(e.WorkDate), e.Extra}]; row != nil {
			row.Edits = append(row.Edits, e)
		}
	}
	return err
}
