package queries

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"officeconsole/workday"
)

// WeekBoard tells how many people a week's work takes beyond 48 and 52 hours:
// with what they worked so far and what their schedules still ask for.
type WeekBoard struct {
	At time.Time // when it was counted
	WeekCount
	Departments []WeekDepartment // those right below the department, with all theirs; the worst first, only with people
	More        int              // departments left out
}

// WeekCount counts people.
type WeekCount struct {
	Over48 int // will exceed 48 hours
	Over52 int // will exceed 52 hours
	Past52 int // have exceeded them already
}

// WeekDepartment counts the people of a department and of those below it.
type WeekDepartment struct {
	ID   int64
	Name string
	WeekCount
}

// boardRows is how many departments a board shows.
const boardRows = 20

// WeekBoard is the board of the week that begins on a date, for those whom
// somebody sees of a department; 0 is every department.
func (db *DB) WeekBoard(ctx context.Context, p Person, first workday.Date, departmentID int64) (WeekBoard, error) {
	const lower, upper = 48, 52
	scope, err := db.AttendanceScope(ctx, p)
	if err != nil {
		return WeekBoard{}, err
	}
	week, err := db.week(ctx, p, first, lower)
	if err != nil {
		return WeekBoard{}, err
	}
	all, err := db.trees.read(ctx, db, p)
	if err != nil {
		return WeekBoard{}, err
	}
	b := WeekBoard{At: week.at}
	branches := newBranches(all, scope, departmentID)
	rows := map[int64]*WeekDepartment{}
	for _, one := range week.people {
		b.count(one, func(id int64) bool { return branches.holds(scope, one.userID, id) }, lower, upper)
		for row := range branches.rowsOf(one) {
			if rows[row] == nil {
				rows[row] = &WeekDepartment{ID: row}
			}
			rows[row].count(one, func(id int64) bool { return branches.row[id] == row && scope.Sees(one.userID, id) }, lower, upper)
		}
	}
	for _, row := range rows {
		if row.Over48 > 0 {
			b.Departments = append(b.Departments, *row)
		}
	}
	slices.SortFunc(b.Departments, func(a, b WeekDepartment) int {
		for _, d := range []int{b.Past52 - a.Past52, b.Over52 - a.Over52, b.Over48 - a.Over48} {
			if d != 0 {
				return d
			}
		}
		return int(a.ID - b.ID)
	})
	if b.More = len(b.Departments) - boardRows; b.More > 0 {
		b.Departments = b.Departments[:boardRows]
	}
	b.More = max(0, b.More)
	return b, db.nameBoard(ctx, p.CompanyID, b.Departments)
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

func (db *DB) nameBoard(ctx context.Context, companyID int64, rows []WeekDepartment) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	departments, err := db.departmentsByID(ctx, departmentsByIDParams{companyID, ids})
	for _, d := range departments {
		for i := range rows {
			if rows[i].ID == d.ID {
				rows[i].Name = d.Name
			}
		}
	}
	return err
}

// branches say to which row of a board a department belongs.
type branches struct {
	row    map[int64]int64
	within map[int64]bool // the department asked for and all below it; nil for every department
}

// newBranches divides what somebody sees below a department, or at the top.
func newBranches(all tree, scope AttendanceScope, departmentID int64) branches {
	b := branches{row: map[int64]int64{}}
	if departmentID != 0 {
		b.within = map[int64]bool{}
	}
	for _, d := range all.departments {
		from := 0 // where what is asked for begins
		if departmentID != 0 {
			if from = slices.Index(d.Lineage, departmentID); from < 0 {
				continue
			}
			b.within[d.ID] = true
		}
		if !scope.Includes(d.ID) {
			continue
		}
		if departmentID == 0 {
			from = slices.IndexFunc(d.Lineage, scope.Includes)
		}
		if below := d.Lineage[from:]; len(below) > 1 {
			b.row[d.ID] = below[1]
		}
	}
	return b
}

// holds tells whether somebody's time in a department is counted at all.
func (b branches) holds(scope AttendanceScope, userID, departmentID int64) bool {
	return (b.within == nil || b.within[departmentID]) && scope.Sees(userID, departmentID)
}

// rowsOf are the rows that somebody's time belongs to; few belong to several.
func (b branches) rowsOf(one weekPerson) map[int64]bool {
	rows := map[int64]bool{}
	for _, part := range one.parts {
		if row := b.row[part.departmentID]; row != 0 {
			rows[row] = true
		}
	}
	return rows
}

// weekOver are the ids, ascending, of those who exceed hours in a week by what
// the reader sees of it, within a branch of departments; nil is every department.
func (db *DB) weekOver(ctx context.Context, p Person, scope AttendanceScope, branch []int64, first workday.Date, hours int) ([]int64, error) {
	week, err := db.week(ctx, p, first, hours)
	if err != nil {
		return nil, err
	}
	ids := []int64{}
	for _, one := range week.people {
		worked, left := one.within(func(id int64) bool {
			_, in := slices.BinarySearch(branch, id)
			return (branch == nil || in) && scope.Sees(one.userID, id)
		})
		if worked+left > hours*60 {
			ids = append(ids, one.userID)
		}
	}
	return ids, nil
}

// weekPerson is somebody who will exceed the hours of a week.
type weekPerson struct {
	userID int64
	parts  []weekPart // one for most people
	home   int        // the part that was the last one
}

// weekPart is the time in a department; what is left belongs to the last one.
type weekPart struct {
	departmentID       int64
	workedMin, leftMin int
}

func (w weekPerson) within(in func(departmentID int64) bool) (worked, left int) {
	for _, part := range w.parts {
		if in(part.departmentID) {
			worked, left = worked+part.workedMin, left+part.leftMin
		}
	}
	return worked, left
}

// weeks keeps who exceeds the hours of weeks, for a minute.
type weeks struct {
	mutex sync.Mutex
	kept  map[weekKey]*keptWeek
}

type weekKey struct {
	companyID int64
	first     workday.Date
	hours     int
}

type keptWeek struct {
	counting sync.Mutex // held while it is counted anew
	at       time.Time
	people   []weekPerson // by id
}

const (
	weekKeeps = time.Minute
	keptWeeks = 16 // some megabytes each in a company of 100,000
)

// week finds who exceeds so many hours in the week that begins on a date. What
// was counted a minute ago is counted again; who asks meanwhile gets the old.
func (db *DB) week(ctx context.Context, p Person, first workday.Date, hours int) (keptWeek, error) {
	key := weekKey{p.CompanyID, first, hours}
	w := &db.weeks
	w.mutex.Lock()
	kept := w.kept[key]
	if kept == nil {
		if w.kept == nil || len(w.kept) >= keptWeeks {
			w.kept = map[weekKey]*keptWeek{}
		}
		kept = &keptWeek{}
		w.kept[key] = kept
	}
	now := db.now()
	at, people := kept.at, kept.people
	w.mutex.Unlock()
	fresh := func() bool { return !at.IsZero() && now.Sub(at) < weekKeeps && !now.Before(at) }
	if fresh() {
		return keptWeek{at: at, people: people}, nil
	}
	if at.IsZero() {
		kept.counting.Lock()
	} else if !kept.counting.TryLock() {
		return keptWeek{at: at, people: people}, nil
	}
	defer kept.counting.Unlock()
	w.mutex.Lock()
	at, people = kept.at, kept.people
	w.mutex.Unlock()
	if fresh() { // somebody else has counted it meanwhile
		return keptWeek{at: at, people: people}, nil
	}
	people, err := db.countWeek(ctx, p, first, hours)
	if err != nil {
		return keptWeek{}, fmt.Errorf("hours of the week of %s: %w", first, err)
	}
	w.mutex.Lock()
	kept.at, kept.people = now, people
	w.mutex.Unlock()
	return keptWeek{at: now, people: people}, nil
}

func (db *DB) countWeek(ctx context.Context, p Person, first workday.Date, hours int) ([]weekPerson, error) {
	s, err := db.schedule(ctx, p)
	if err != nil {
		return nil, err
	}
	arg, err := s.candidates(ctx, first, hours)
	if err != nil {
		return nil, err
	}
	rows, err := New(freshlyPlanned{db.pool}).weekHours(ctx, arg)
	if err != nil {
		return nil, err
	}
	lineages, err := db.lineages(ctx, p)
	if err != nil {
		return nil, err
	}
	var people []weekPerson
	var later []scheduled
	for len(rows) > 0 {
		one := weekPerson{userID: rows[0].UserID}
		var begun workday.Date
		one.parts = make([]weekPart, 0, 1)
		for same := rows[0].UserID; len(rows) > 0 && rows[0].UserID == same; rows = rows[1:] {
			one.parts = append(one.parts, weekPart{rows[0].DepartmentID, int(rows[0].WorkedMin), int(rows[0].LeftMin)})
			if date := workday.DateOf(rows[0].LastDate); len(one.parts) == 1 || date > begun {
				one.home, begun = len(one.parts)-1, date
			}
		}
		due := scheduled{userID: one.userID, lineage: lineages[one.parts[one.home].departmentID], from: max(begun+1, s.today), to: first + 6}
		least, err := s.due(ctx, due, nil)
		if err != nil {
			return nil, err
		}
		if worked, left := one.within(everywhere); worked+left+least > hours*60 {
			people, later = append(people, one), append(later, due)
		}
	}
	left, err := s.left(ctx, later)
	for i, one := range people {
		one.parts[one.home].leftMin += left[i]
	}
	return slices.DeleteFunc(people, func(one weekPerson) bool {
		worked, left := one.within(everywhere)
		return worked+left <= hours*60
	}), err
}

func everywhere(int64) bool { return true }
