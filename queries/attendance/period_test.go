package attendance_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// loggedRecord is a record to be stored, from which the expected sums are computed.
type loggedRecord struct {
	user, department int64
	name             string
	date             workday.Date
	status           string
	flags            workday.Flags
	worked           int // -1 if it is unknown
	extra            bool
}

func logRecords(t *testing.T, db *areas.Areas, records []loggedRecord) {
	t.Helper()
	queriestest.Exec(t, db, "delete from day_records")
	for _, r := range records {
		dayType, presence := "workday", "left"
		var arrival, worked any
		switch r.status {
		case "absent":
			presence = "absent"
		case "leave":
			dayType = "leave"
		default:
			arrival = r.date.At(9*60, queriestest.Now.Location())
		}
		if r.worked >= 0 {
			worked = r.worked
		}
		queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, extra, name, department_id, policy_id, version_no, day_type, opens_at, closes_at,
			presence, status, flags, arrival_at, worked_min, overtime_min, required_min) values (1, $1, $2::date, $3, $4, $5, 2, 1, $6, $2::date, $2::date, $7, $8, $9, $10, $11, $12, 480)`,
			r.user, r.date.Time(), r.extra, r.name, r.department, dayType, presence, r.status, int(r.flags), arrival, worked, max(0, r.worked-480))
	}
	computeMonths(t, db)
}

// computeMonths computes the months of records that were inserted directly.
func computeMonths(t *testing.T, db *areas.Areas) {
	t.Helper()
	queriestest.MustComputeMonths(t, db, queriestest.Hanbit)
}

var statuses = []string{"on_time", "late", "early_leave", "late_and_early", "absent", "missing_departure", "leave", "holiday_work"}

// For every reader and filter, the pages list the people, in the order and with
// the sums, that adding up all records one by one gives. Some of the people had
// another name or department on the days.
func TestAttendancePeriodAddsUp(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	names := map[int64]string{
		queriestest.Admin: "김서연", queriestest.Employee: "이준호", queriestest.Viewer: "박지민", queriestest.Hidden: "정하윤",
		queriestest.Kim: "김철수", queriestest.Foreigner: "Olivia Martin", queriestest.Japanese: "佐藤ひろし",
	}
	// 김철수 was 강철수 of the messenger team until now.
	queriestest.Exec(t, db, "update users set name = '강철수', department_id = $1 where id = $2", queriestest.Messenger, queriestest.Kim)
	queriestest.Exec(t, db, "update users set name = '김철수', department_id = $1 where id = $2", queriestest.Domestic, queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1")
	below := map[int64][]int64{0: nil, queriestest.Sales: {2, 3, 4}, queriestest.Domestic: {3}, queriestest.Research: {5, 6}}
	first := workday.NewDate(2026, 11, 1)
	rapid.Check(t, func(rt *rapid.T) {
		var records []loggedRecord
		for _, user := range slices.Sorted(maps.Keys(names)) {
			for date := first; date < first+30; date++ {
				if rapid.IntRange(0, 5).Draw(rt, "there") > 0 {
					continue
				}
				r := loggedRecord{user, 0, names[user], date, rapid.SampledFrom(statuses).Draw(rt, "status"), 0, rapid.IntRange(0, 700).Draw(rt, "worked"), false}
				r.department = map[int64]int64{1: 1, 2: 6, 3: 2, 5: 5, 6: 3, 7: 4, 8: 7}[user]
				if user == queriestest.Kim && rapid.Bool().Draw(rt, "before") {
					r.department, r.name = queriestest.Messenger, "강철수"
				}
				if r.status == "missing_departure" {
					r.worked = -1
				}
				if rapid.IntRange(0, 9).Draw(rt, "edited") == 0 {
					r.flags = workday.FlagEdited
				}
				records = append(records, r)
				if rapid.IntRange(0, 9).Draw(rt, "extra") == 0 {
					r.extra, r.status, r.flags = true, "holiday_work", 0
					records = append(records, r)
				}
			}
		}
		logRecords(t, db, records)
		for _, reader := range []int64{queriestest.Admin, queriestest.Viewer, queriestest.Employee} {
			f := attendance.Filter{
				Unit: attendance.MonthUnit, First: first, Last: first + 29, Limit: rapid.IntRange(1, 4).Draw(rt, "size"),
				DepartmentIDs: rapid.SliceOfNDistinct(rapid.SampledFrom([]int64{queriestest.Sales, queriestest.Domestic, queriestest.Research}), 0, lists.MostDepartments, rapid.ID[int64]).Draw(rt, "departments"),
				Status:        rapid.SampledFrom(append([]workday.Status{"", "", ""}, attendance.PeriodStatuses...)).Draw(rt, "filter"),
				Edited:        rapid.IntRange(0, 3).Draw(rt, "only edited") == 0,
			}
			if rapid.Bool().Draw(rt, "week") {
				f.Unit, f.First, f.Last = attendance.WeekUnit, first+1, first+7
			}
			by := queriestest.Person(t, db, queriestest.Hanbit, reader)
			people := everyPage(rt, db, by, f)
			if got, want := periodTexts(people), naivePeriod(records, names, f, below, reader); !slices.Equal(got, want) {
				rt.Fatalf("reader %d, %+v:\n got %v\nwant %v", reader, f, got, want)
			}
			var sum attendance.PeriodTotals
			for _, p := range people {
				sum.Add(p.Totals)
			}
			if count, err := db.Attendance.PeriodCount(ctx, by, attendanceScopeOf(rt, db, by), f); err != nil || count.People != len(people) || count.Totals != sum {
				rt.Fatalf("reader %d, %+v: counted %+v, not %d people with %+v (%v)", reader, f, count, len(people), sum, err)
			}
			f.Order, f.Descending = rapid.SampledFrom(attendance.PeriodOrders).Draw(rt, "order"), rapid.Bool().Draw(rt, "descending")
			slices.SortStableFunc(people, func(a, b attendance.PersonPeriod) int {
				if f.Descending {
					a, b = b, a
				}
				return figure(a, f.Order) - figure(b, f.Order)
			})
			if got, want := periodTexts(everyPage(rt, db, by, f)), periodTexts(people); !slices.Equal(got, want) {
				rt.Fatalf("reader %d, %+v:\n got %v\nwant %v", reader, f, got, want)
			}
		}
	})
}

// everyPage returns the people of all pages of a period.
func everyPage(rt *rapid.T, db *areas.Areas, by directory.Person, f attendance.Filter) (people []attendance.PersonPeriod) {
	scope := attendanceScopeOf(rt, db, by)
	read := func(at *lists.Cursor) lists.Page[attendance.PersonPeriod] {
		f.Cursor = at
		page, err := db.Attendance.Period(rt.Context(), by, scope, f)
		if err != nil {
			rt.Fatal(err)
		}
		return page
	}
	page := read(nil)
	for pages := 0; ; pages++ {
		if page.First != len(people)+1 || (page.Previous != nil) != (pages > 0) || page.Next != nil && len(page.Rows) != f.Limit {
			rt.Fatalf("page %d from %d has %d rows and before it %v", pages, page.First, len(page.Rows), page.Previous)
		}
		people = append(people, page.Rows...)
		if page.Next == nil {
			break
		}
		page = read(page.Next)
	}
	for page.Previous != nil {
		last := page.First
		page = read(page.Previous)
		if page.First != last-f.Limit || !slices.Equal(periodTexts(page.Rows), periodTexts(people[page.First-1:last-1])) {
			rt.Fatalf("the page from %d is another on the way back: %v", page.First, periodTexts(page.Rows))
		}
	}
	return people
}

func attendanceScopeOf(t rapid.TB, db *areas.Areas, p directory.Person) attendance.RecordScope {
	t.Helper()
	scope, err := db.Attendance.RecordScope(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return scope
}

func periodTexts(people []attendance.PersonPeriod) (texts []string) {
	for _, p := range people {
		texts = append(texts, fmt.Sprintf("%d %+v", p.UserID, p.Totals))
	}
	return texts
}

func figure(p attendance.PersonPeriod, order attendance.Order) int {
	return map[attendance.Order]int{
		"days": p.Totals.Days, "worked": p.Totals.WorkedMin, "late": p.Totals.Late, "absent": p.Totals.Absent,
		"missing_departure": p.Totals.MissingArrival + p.Totals.MissingDeparture, "overtime": p.Totals.OvertimeMin, "longest_week": p.LongestWeek().WorkedMin,
	}[order]
}

// naivePeriod returns the expected list by adding up all records one by one.
func naivePeriod(records []loggedRecord, names map[int64]string, f attendance.Filter, below map[int64][]int64, reader int64) []string {
	sees := func(r loggedRecord) bool {
		switch {
		case len(f.DepartmentIDs) > 0 && !slices.ContainsFunc(f.DepartmentIDs, func(id int64) bool { return slices.Contains(below[id], r.department) }):
			return false
		case reader == queriestest.Viewer:
			return slices.Contains(below[queriestest.Sales], r.department) || r.user == reader
		}
		return reader == queriestest.Admin || r.user == reader
	}
	totals, there, fits, edited := map[int64]*attendance.PeriodTotals{}, map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, r := range records {
		if r.date < f.First || r.date > f.Last || !sees(r) {
			continue
		}
		if !there[r.user] {
			there[r.user], totals[r.user] = true, &attendance.PeriodTotals{}
		}
		sum := totals[r.user]
		if r.worked >= 0 {
			sum.WorkedMin += r.worked
		}
		sum.OvertimeMin += max(0, r.worked-480)
		if r.extra {
			continue
		}
		count := func(n *int, statuses ...string) {
			if slices.Contains(statuses, r.status) {
				*n++
			}
		}
		count(&sum.Late, "late", "late_and_early")
		count(&sum.EarlyLeave, "early_leave", "late_and_early")
		count(&sum.Absent, "absent")
		count(&sum.MissingDeparture, "missing_departure")
		count(&sum.Leave, "leave")
		edited[r.user] = edited[r.user] || r.flags != 0
		fits[r.user] = fits[r.user] || r.status == string(f.Status) || r.status == "late_and_early" && (f.Status == "late" || f.Status == "early_leave")
	}
	for user, sum := range totals {
		dates, known := map[workday.Date]bool{}, map[workday.Date]bool{}
		for _, r := range records {
			if r.user == user && r.date >= f.First && r.date <= f.Last && sees(r) && (r.extra || r.status != "absent" && r.status != "leave") {
				dates[r.date] = true
			}
		}
		for _, r := range records {
			if r.user == user && r.worked >= 0 && sees(r) && dates[r.date] {
				known[r.date] = true
			}
		}
		sum.Days, sum.WorkedDays = len(dates), len(known)
	}
	order := []int64{queriestest.Admin, queriestest.Kim, queriestest.Viewer, queriestest.Employee, queriestest.Hidden, queriestest.Japanese, queriestest.Foreigner}
	users := slices.SortedFunc(maps.Keys(there), func(a, b int64) int { return cmp.Compare(slices.Index(order, a), slices.Index(order, b)) })
	var list []string
	for _, user := range users {
		if (f.Status == "" || fits[user]) && (!f.Edited || edited[user]) {
			list = append(list, fmt.Sprintf("%d %+v", user, *totals[user]))
		}
	}
	return list
}

// The board of a week and the lists that it links to count the same people:
// those whose hours of work, with the hours still scheduled, exceed 48 or 52
// hours.
func TestWeekBoard(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	if err := db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	monday := workday.NewDate(2026, 11, 16)
	four := func(user int64, minutes int) {
		for date := monday; date < monday+4; date++ {
			queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status, arrival_at, worked_min, required_min)
				select company_id, id, $1::date, name, department_id, 2, 1, 'workday', $1::date, $1::date, 'left', 'on_time', $1::date, $2, 480 from users where id = $3`, date.Time(), minutes, user)
		}
	}
	four(queriestest.Kim, 11*60+1)     // 44:04 and a day of eight hours
	four(queriestest.Foreigner, 10*60) // 40:00 and a day of eight hours
	four(queriestest.Japanese, 10*60+1)
	four(queriestest.Employee, 13*60+1)
	computeMonths(t, db)
	counts := func(reader int64, department int64) string {
		t.Helper()
		by := queriestest.Person(t, db, queriestest.Hanbit, reader)
		b, err := db.Attendance.WeekBoard(t.Context(), by, attendanceScopeOf(t, db, by), monday, department)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(b.WeekCount)
		for _, d := range b.Departments {
			text += fmt.Sprintf(" %s %v", d.Name, d.WeekCount)
		}
		for i, hours := range []int{48, 52} {
			f := attendance.Filter{Unit: attendance.WeekUnit, First: monday, Last: monday + 6, DepartmentIDs: lists.OneDepartment(department), Over: hours, Limit: 9}
			people, err := db.Attendance.Period(t.Context(), by, attendanceScopeOf(t, db, by), f)
			if err != nil || len(people.Rows) != []int{b.Over48, b.Over52}[i] {
				t.Errorf("over %d: the list has %d people, the board %v: %v", hours, len(people.Rows), b.WeekCount, err)
			}
		}
		return text
	}
	for _, test := range []struct {
		reader, department int64
		want               string
	}{
		{queriestest.Admin, 0, "{3 2 1} 연구소 {1 1 1} 영업본부 {1 1 0} 일본지사 {1 0 0}"},
		{queriestest.Admin, queriestest.Sales, "{1 1 0} 국내영업팀 {1 1 0}"},
		{queriestest.Viewer, 0, "{1 1 0} 국내영업팀 {1 1 0}"},
		{queriestest.Employee, 0, "{1 1 1}"},
	} {
		if got := counts(test.reader, test.department); got != test.want {
			t.Errorf("reader %d, department %d: %s, not %s", test.reader, test.department, got, test.want)
		}
	}
	t.Run("leave that was granted is not worked", func(t *testing.T) {
		queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, $1, '2026-11-20', 'leave')", queriestest.Japanese)
		queriestest.Exec(t, db, "update day_records set day_type = 'leave', status = 'leave', presence = 'not_due' where user_id = $1 and work_date = '2026-11-20'", queriestest.Japanese)
		computeMonths(t, db)
		c.Advance(time.Hour)
		if got := counts(queriestest.Admin, queriestest.Japan); got != "{0 0 0}" {
			t.Errorf("with leave: %s", got)
		}
	})
	t.Run("what was counted is kept for a minute", func(t *testing.T) {
		queriestest.Exec(t, db, "delete from day_records where user_id = $1", queriestest.Kim)
		computeMonths(t, db)
		board := func() attendance.WeekBoard {
			by := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
			b, err := db.Attendance.WeekBoard(t.Context(), by, attendanceScopeOf(t, db, by), monday, 0)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		c.Advance(30 * time.Second)
		if b := board(); b.Over48 != 2 {
			t.Errorf("after half a minute: %v", b.WeekCount)
		}
		c.Advance(31 * time.Second)
		if b := board(); b.Over48 != 2 {
			t.Errorf("after a minute, it was waited for the count: %v", b.WeekCount)
		}
		db.Attendance.AwaitWeek(queriestest.Hanbit, monday)
		if b := board(); b.Over48 != 1 || !b.At.Equal(db.Now()) {
			t.Errorf("after a minute and more: %v at %s", b.WeekCount, b.At)
		}
	})
}
