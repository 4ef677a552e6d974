package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// attendanceDays returns the number of days of attendance that the usual
// company has.
func (b *bench) attendanceDays() int {
	if b.full {
		return 365
	}
	return 30
}

// The small company that pages are compared with.
const (
	smallPeople = 1_000
	smallDays   = 30
)

const (
	attendanceRounds = 5
	attendanceRound  = time.Second
)

// logPages are the attendance pages to load. {date} and {month} are those of a
// workday, the cursors point to the middle of their lists, and the users of
// {department} fill a page.
var logPages = []struct{ name, path string }{
	{"day", "day?date={date}"},
	{"day, a later page", "day?date={date}&cursor={day_cursor}"},
	{"day, a department with all below", "day?date={date}&department_id={department}"},
	{"day, late", "day?date={date}&status=late"},
	{"day, missing departure", "day?date={date}&status=missing_departure"},
	{"day, mobile", "day?date={date}&device=mobile"},
	{"day, edited", "day?date={date}&edited=1"},
	{"day, search", "day?date={date}&q=%EA%B9%80%EB%AF%BC"},
	{"day, by working time", "day?date={date}&sort=-worked"},
	{"week", "week?date={date}"},
	{"week, a later page", "week?date={date}&cursor={week_cursor}"},
	{"week, over 48 hours", "week?date={date}&over=48"},
	{"month", "month?month={month}"},
	{"month, a later page", "month?month={month}&cursor={month_cursor}"},
	{"month, a department with all below", "month?month={month}&department_id={department}"},
	{"month, absent", "month?month={month}&status=absent"},
}

// attendanceLoad compares the attendance pages with the floor of the policy
// list, and with the same page of a small company.
func attendanceLoad(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, size)
	if err != nil {
		return err
	}
	policies, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer policies.close()
	bare, err := newFloor(ctx, database, policies.db)
	if err != nil {
		return err
	}
	defer bare.close()
	var sites []attendanceSite
	for _, c := range []struct{ people, days int }{{size, b.attendanceDays()}, {smallPeople, smallDays}} {
		database, err := b.server.withAttendance(ctx, c.people, c.days)
		if err != nil {
			return err
		}
		s, err := newConsole(ctx, database)
		if err != nil {
			return err
		}
		defer s.close()
		choice, err := placeholders(ctx, s.db)
		if err != nil {
			return err
		}
		sites = append(sites, attendanceSite{s, choice})
	}
	b.table.head(fmt.Sprintf("Attendance, %s people and %d days, 50 people a page, %d connections", thousands(size), b.attendanceDays(), connections))
	for _, page := range logPages {
		if err := attendancePage(ctx, b, bare, sites, benchPage{name: page.name, path: "/logs/workingattitude/" + page.path}); err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
	}
	return nil
}

// attendanceSite is a console with the values for the placeholders of paths.
type attendanceSite struct {
	*site
	choice *strings.Replacer
}

func attendancePage(ctx context.Context, b *bench, bare *site, sites []attendanceSite, page benchPage) error {
	var rate, p99, grown spread
	var large outcome
	for i := range attendanceRounds + 1 {
		floor, err := bare.load(ctx, policiesPath, connections, attendanceRound)
		if err != nil {
			return err
		}
		var took [2]outcome
		for j, s := range sites {
			if took[j], err = s.load(ctx, s.choice.Replace(page.path), connections, attendanceRound); err != nil {
				return err
			}
		}
		if i == 0 {
			continue // warm-up
		}
		large = took[0]
		rate, p99 = append(rate, took[0].perSecond/floor.perSecond), append(p99, float64(took[0].p99)/float64(floor.p99))
		grown = append(grown, took[1].perSecond/took[0].perSecond)
	}
	b.table.row(page.name+": requests per second, relative to the floor", "≥ 0.50", rate.String())
	b.table.row(page.name+": p99, relative to the floor", "≤ 3", p99.String())
	b.table.row(page.name+fmt.Sprintf(": time, relative to %s people", thousands(smallPeople)), "≤ 1.5", grown.String())
	b.table.row(page.name+": requests per second, p50, bytes", "", fmt.Sprintf("%.0f, %.1f ms, %d", large.perSecond, milliseconds(large.p50), large.bytes))
	return nil
}

// placeholders returns the values for the placeholders of logPages: the latest
// workday before today, and cursors in the middle of the lists.
func placeholders(ctx context.Context, db *areas.Areas) (*strings.Replacer, error) {
	var date time.Time
	var user int64
	var name string
	err := db.Pool().QueryRow(ctx, `select work_date from day_records where company_id = 1 and work_date between now() - interval '9 days' and now() - interval '36 hours'
		and day_type = 'workday' group by work_date order by count(*) desc, work_date desc limit 1`).Scan(&date)
	if err != nil {
		return nil, err
	}
	err = db.Pool().QueryRow(ctx, `select user_id, name from day_records where company_id = 1 and work_date = $1 and not extra order by name, user_id
		offset (select count(*) / 2 from day_records where company_id = 1 and work_date = $1) limit 1`, date).Scan(&user, &name)
	if err != nil {
		return nil, err
	}
	department, err := departmentOf(ctx, db, 2*pageSize)
	key := attendance.RecordKey{UserID: user, Date: workday.DateOf(date)}
	day := lists.Cursor{List: string(attendance.DayUnit), Value: key.String()}
	week := lists.Cursor{List: string(attendance.WeekUnit), Value: name, ID: user}
	month := lists.Cursor{List: string(attendance.MonthUnit), Value: name, ID: user}
	return strings.NewReplacer("{date}", date.Format(time.DateOnly), "{month}", date.Format("2006-01"), "{department}", fmt.Sprint(department),
		"{day_cursor}", day.String(), "{week_cursor}", week.String(), "{month_cursor}", month.String()), err
}
