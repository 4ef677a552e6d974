package queries

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"golang.org/x/sync/singleflight"

	"officeconsole/workday"
)

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

func everywhere(int64) bool { return true }

// weeks keeps who comes far in weeks. What is older than a minute is counted
// anew behind the back of who asks; what is older than ten minutes they wait for.
type weeks struct {
	kept   kept[weekKey, *countedWeek]
	counts singleflight.Group // by week
	turn   sync.Mutex         // one is counted at a time
}

type weekKey struct {
	companyID int64
	first     workday.Date
}

// countedWeek are those who will exceed the least of PeriodOvers, and what was
// made of them for readers.
type countedWeek struct {
	at     time.Time
	people []weekPerson // by id
	boards made[scopeKey, WeekBoard]
	over   made[weekOverKey, []DirectoryPlace]
}

type weekOverKey struct {
	scopeKey
	hours int
}

// scopeKey says whom somebody sees of a department.
type scopeKey struct {
	departmentID, directoryVersion, userID int64
	departments                            string
}

func (s AttendanceScope) key(p Person, departmentID int64) scopeKey {
	key := scopeKey{departmentID: departmentID, directoryVersion: p.DirectoryVersion}
	if !s.Everybody {
		key.userID, key.departments = s.UserID, fmt.Sprint(s.DepartmentIDs)
	}
	return key
}

const (
	weekKeeps  = time.Minute
	weekServes = 10 * time.Minute
	keptWeeks  = 8 // some megabytes each in a company of 100,000
)

// week finds who comes far in the week that begins on a date.
func (db *DB) week(ctx context.Context, p Person, first workday.Date) (*countedWeek, error) {
	key := weekKey{p.CompanyID, first}
	now := db.now()
	kept, _ := db.weeks.kept.of(key)
	age := weekServes
	if kept != nil && !now.Before(kept.at) {
		age = now.Sub(kept.at)
	}
	if age < weekKeeps {
		return kept, nil
	}
	counting := db.weeks.counts.DoChan(fmt.Sprint(key), func() (any, error) {
		if newer, _ := db.weeks.kept.of(key); newer != kept { // somebody else has counted it meanwhile
			return newer, nil
		}
		db.weeks.turn.Lock()
		defer db.weeks.turn.Unlock()
		counted := &countedWeek{at: now}
		var err error
		if counted.people, err = db.countWeek(context.WithoutCancel(ctx), p, first); err != nil {
			slog.WarnContext(ctx, "hours of a week were not counted", "week", first.String(), "err", err)
			return nil, fmt.Errorf("hours of the week of %s: %w", first, err)
		}
		db.weeks.kept.put(key, counted, keptWeeks)
		return counted, nil
	})
	if age < weekServes {
		return kept, nil
	}
	return awaited[*countedWeek](ctx, counting)
}

// countWeek reads the months of everybody, one after the other.
func (db *DB) countWeek(ctx context.Context, p Person, first workday.Date) ([]weekPerson, error) {
	s, err := db.schedule(ctx, p)
	if err != nil {
		return nil, err
	}
	all, err := db.trees.read(ctx, db, p)
	if err != nil {
		return nil, err
	}
	rows, err := db.pool.Query(ctx, `select user_id, month, department_id, days from attendance_months
		where company_id = $1 and month between $2 and $3 order by user_id`, p.CompanyID, monthOf(first).Time(), (first + 6).Time())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var people []weekPerson
	var later []scheduled
	var one weekPerson
	var begun workday.Date
	end := func() error {
		due := scheduled{userID: one.userID, from: max(begun+1, s.today), to: first + 6}
		if len(one.parts) == 0 {
			return nil
		}
		worked, left := one.within(everywhere)
		most, err := s.most(ctx, due.from, due.to)
		if err == nil && worked+left+most > PeriodOvers[0]*60 {
			due.lineage = all.lineage(one.parts[one.home].departmentID)
			people, later = append(people, one), append(later, due)
		}
		return err
	}
	var userID, departmentID int64
	var month time.Time
	var entries pgtype.DriverBytes
	var records []monthDay
	for rows.Next() {
		if err := rows.Scan(&userID, &month, &departmentID, &entries); err != nil {
			return nil, err
		}
		if userID != one.userID {
			if err := end(); err != nil {
				return nil, err
			}
			one, begun = weekPerson{userID: userID}, 0
		}
		if records, err = decodeDays(records[:0], entries, "", nil); err != nil {
			return nil, err
		}
		for i := range records {
			date := workday.DateOf(month) + workday.Date(records[i].Day) - 1
			if between(date, first, first+6) {
				part := one.add(departmentID, &records[i])
				if date >= begun {
					one.home, begun = part, date
				}
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := end(); err != nil {
		return nil, err
	}
	left, err := s.left(ctx, later)
	for i := range left {
		people[i].parts[people[i].home].leftMin += left[i]
	}
	return slices.Clip(slices.DeleteFunc(people, func(one weekPerson) bool {
		worked, left := one.within(everywhere)
		return worked+left <= PeriodOvers[0]*60
	})), err
}

// add adds a record to its part, and tells which that is.
func (w *weekPerson) add(departmentID int64, record *monthDay) (part int) {
	part = slices.IndexFunc(w.parts, func(p weekPart) bool { return p.departmentID == departmentID })
	if part < 0 {
		part = len(w.parts)
		w.parts = append(w.parts, weekPart{departmentID: departmentID})
	}
	w.parts[part].workedMin += max(0, int(record.WorkedMin))
	w.parts[part].leftMin += record.left()
	return part
}
