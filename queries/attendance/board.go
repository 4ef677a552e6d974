package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// WeekBoard counts the people whose week will exceed 48 and 52 hours: the time
// that they have worked so far plus what their schedules still require.
type WeekBoard struct {
	At time.Time // when it was counted
	WeekCount
	Departments []WeekDepartment // the children of the department, each counted with its subtree; those with most people over 52 hours first, without empty ones
	More        int              // the number of departments that are left out
}

// WeekCount counts people.
type WeekCount struct {
	Over48 int // expected to exceed 48 hours
	Over52 int // expected to exceed 52 hours
	Past52 int // have exceeded 52 hours already
}

// WeekDepartment counts the people of a department with its subtree.
type WeekDepartment struct {
	ID   int64
	Name string
	WeekCount
}

// boardRows is the maximum number of departments on a board.
const boardRows = 20

// WeekBoard returns the board of the week that begins on first: the people in
// the subtree of a department whom the reader may see, or all of those for
// departmentID 0.
func (s *Store) WeekBoard(ctx context.Context, p directory.Person, scope RecordScope, first workday.Date, departmentID int64) (WeekBoard, error) {
	week, err := s.week(ctx, p, first)
	if err != nil {
		return WeekBoard{}, err
	}
	all, err := s.policy.Tree(ctx, p)
	if err != nil {
		return WeekBoard{}, err
	}
	reader := weekReader{weekKey{p.CompanyID, first}, scope.key(p, lists.OneDepartment(departmentID))}
	valid := func(b weekBoard) bool { return b.count == week.count }
	board, err := s.weeks.boards.GetValid(ctx, reader, valid, func(context.Context) (weekBoard, error) {
		return weekBoard{week.board(all, scope, departmentID), week.count}, nil
	})
	return board.WeekBoard, err
}

// board counts the people whom a scope includes.
func (w *countedWeek) board(all policy.Tree, scope RecordScope, departmentID int64) WeekBoard {
	const lower, upper = 48, 52
	b := WeekBoard{At: w.at}
	assigned := newRowAssignment(all, scope, departmentID)
	rows := map[int64]*WeekDepartment{}
	for _, one := range w.people {
		if worked, left := one.within(everywhere); worked+left <= lower*60 {
			continue
		}
		b.count(one, func(id int64) bool { return assigned.counts(scope, one.userID, id) }, lower, upper)
		for row := range assigned.rowsOf(one) {
			if rows[row] == nil {
				rows[row] = &WeekDepartment{ID: row}
			}
			rows[row].count(one, func(id int64) bool { return assigned.row[id] == row && scope.Sees(one.userID, id) }, lower, upper)
		}
	}
	for _, row := range rows {
		if row.Over48 > 0 {
			b.Departments = append(b.Departments, *row)
		}
	}
	slices.SortFunc(b.Departments, func(a, b WeekDepartment) int {
		return cmp.Or(b.Past52-a.Past52, b.Over52-a.Over52, b.Over48-a.Over48, cmp.Compare(a.ID, b.ID))
	})
	if b.More = len(b.Departments) - boardRows; b.More > 0 {
		b.Departments = b.Departments[:boardRows]
	}
	b.More = max(0, b.More)
	for i := range b.Departments {
		if d := all.Department(b.Departments[i].ID); d != nil {
			b.Departments[i].Name = d.Name
		}
	}
	return b
}

func (c *WeekCount) count(one weekPerson, in func(departmentID int64) bool, lower, upper int) {
	worked, left := one.within(in)
	if worked+left > lower*60 {
		c.Over48++
	}
	if worked+left > upper*60 {
		c.Over52++
	}
	if worked > upper*60 {
		c.Past52++
	}
}

// rowAssignment assigns departments to the rows of a board.
type rowAssignment struct {
	row    map[int64]int64 // the id of the department whose row it is, by department id
	within map[int64]bool  // the ids of the subtree that was chosen; nil for every department
}

// newRowAssignment divides the departments that a reader sees: one row for each child
// of departmentID with its subtree, or of the topmost departments for 0.
func newRowAssignment(all policy.Tree, scope RecordScope, departmentID int64) rowAssignment {
	b := rowAssignment{row: map[int64]int64{}}
	if departmentID != 0 {
		b.within = map[int64]bool{}
	}
	for _, d := range all.Departments {
		from := 0 // the index of the chosen department among the ancestors
		if departmentID != 0 {
			if from = slices.Index(d.Ancestors, departmentID); from < 0 {
				continue
			}
			b.within[d.ID] = true
		}
		if !scope.Includes(d.ID) {
			continue
		}
		if departmentID == 0 {
			from = slices.IndexFunc(d.Ancestors, scope.Includes)
		}
		if below := d.Ancestors[from:]; len(below) > 1 {
			b.row[d.ID] = below[1]
		}
	}
	return b
}

// counts reports whether the time of a user in a department counts at all.
func (b rowAssignment) counts(scope RecordScope, userID, departmentID int64) bool {
	return (b.within == nil || b.within[departmentID]) && scope.Sees(userID, departmentID)
}

// rowsOf returns the rows that count a user's time: more than one for a user who
// worked in several departments that week.
func (b rowAssignment) rowsOf(one weekPerson) map[int64]bool {
	rows := map[int64]bool{}
	for _, part := range one.parts {
		if row := b.row[part.departmentID]; row != 0 {
			rows[row] = true
		}
	}
	return rows
}

// weekOver returns by name the people whose week exceeds the hours of a filter,
// counting only the time that the reader may see. subtree limits the
// departments; nil for every department.
func (s *Store) weekOver(ctx context.Context, p directory.Person, scope RecordScope, f Filter, subtree []int64) ([]lists.PersonKey, error) {
	week, err := s.week(ctx, p, f.First)
	if err != nil {
		return nil, err
	}
	key := weekOverKey{weekReader{weekKey{p.CompanyID, f.First}, scope.key(p, f.DepartmentIDs)}, f.Over}
	valid := func(over weekOver) bool { return over.count == week.count }
	over, err := s.weeks.over.GetValid(ctx, key, valid, func(ctx context.Context) (weekOver, error) {
		var ids []int64
		for _, one := range week.people {
			worked, left := one.within(func(id int64) bool {
				_, in := slices.BinarySearch(subtree, id)
				return (subtree == nil || in) && scope.Sees(one.userID, id)
			})
			if worked+left > f.Over*60 {
				ids = append(ids, one.userID)
			}
		}
		people, err := s.inOrder(ctx, p.CompanyID, ids, lists.PersonKey{})
		return weekOver{people, week.count}, err
	})
	return over.people, err
}

// inOrder returns the people with the given ids in the order of their names,
// only those after a key.
func (s *Store) inOrder(ctx context.Context, companyID int64, ids []int64, after lists.PersonKey) ([]lists.PersonKey, error) {
	rows, err := s.peopleInOrder(ctx, peopleInOrderParams{companyID, ids, after.Name, after.ID})
	names := make([]lists.PersonKey, len(rows))
	for i, row := range rows {
		names[i] = lists.PersonKey(row)
	}
	return names, err
}
