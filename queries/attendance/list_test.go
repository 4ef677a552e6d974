package attendance_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
	"officeconsole/workday"
)

// attendanceCrowd fills both companies with people and their records of three
// days. Their properties depend on the id, so that every combination of filters
// finds somebody.
func attendanceCrowd(t *testing.T, db *areas.Areas, people int) {
	t.Helper()
	queriestest.Exec(t, db, `insert into departments (company_id, parent_id, name, search_text)
		select 1, 3, '영업파트' || i, '영업파트' || i from generate_series(1, 70) i`)
	for i := range people {
		company, department := queriestest.Hanbit, []int64{queriestest.Sales, queriestest.Domestic, queriestest.Messenger, queriestest.Japan}[i%4]
		name := []string{"강민수", "김민수", "Anna Smith", "이철수", "佐藤"}[i%5]
		if i%11 == 0 {
			company, department = queriestest.Other, queriestest.OtherSales
		}
		email := fmt.Sprintf("p%d@crowd.example", i)
		text, grams := search.Key(name, email, fmt.Sprintf("C%04d", i))
		queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, employee_id, search_text, search_grams) values ($1, $2, $3, $4, $5, $6, $7)`,
			company, department, name, email, fmt.Sprintf("C%04d", i), text, grams)
	}
	queriestest.Exec(t, db, `update users set department_id = (select id from departments d where d.company_id = 1 and d.name = '영업파트' || (users.id % 70 + 1))
		where company_id = 1 and id > 1000 and id % 3 = 0`)
	queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, extra, name, department_id, policy_id, version_no, day_type, opens_at, closes_at,
			presence, status, flags, arrival_at, departure_at, worked_min, device, deleted_at)
		select u.company_id, u.id, day.date, extra, case when u.id % 13 = 0 then '개명' || u.id % 3 else u.name end, coalesce(u.department_id, 1), 2, 1, 'workday',
			day.date + case when u.id % 2 = 0 then interval '0 hours' else interval '10 hours' end, day.date + interval '20 hours',
			case s.status when 'before' then 'before' when 'not_due' then 'not_due' else 'left' end, s.status,
			case when u.id % 5 = 0 then 1024 else 0 end,
			case when u.id % 3 <> 0 then day.date + interval '1 minute' * (u.id % 7) end, null,
			case when u.id % 4 <> 0 then u.id % 6 * 60 end,
			(array['pc', 'mobile', '', 'web'])[u.id % 4 + 1],
			case when u.id % 17 = 0 then day.date + interval '20 hours' end
		from users u
		cross join (values ('2026-11-18'::date), ('2026-11-19'), ('2026-11-20')) day (date)
		cross join (values (false), (true)) x (extra)
		cross join lateral (select (array['on_time', 'late', 'before', 'absent', 'not_due', 'holiday'])[(u.id + extract(day from day.date)::int) % 6 + 1] as status) s
		where not u.bot and (not x.extra or u.id % 9 = 0)`)
	queriestest.Exec(t, db, `insert into user_history (company_id, user_id, department_id, name, until)
		select company_id, id, department_id, '개명' || id % 3, '2026-11-21' from users where id % 13 = 0 and not bot`)
	queriestest.Exec(t, db, `insert into attendance_edits (company_id, user_id, work_date, extra, at, editor_id, editor_name, field, reason)
		select company_id, user_id, work_date, extra, deleted_at, 1, '김서연', 'deleted', '중복' from day_records where deleted_at is not null`)
}

// naiveRecord has the columns of a record that filters and orders use.
type naiveRecord struct {
	attendance.Record
	search string
}

func allRecords(t *testing.T, db *areas.Areas) []naiveRecord {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), `select r.*, u.search_text from day_records r join users u on u.company_id = r.company_id and u.id = r.user_id
		where r.company_id = 1 order by r.name, r.user_id, r.extra`)
	if err != nil {
		t.Fatal(err)
	}
	type scanned struct {
		attendance.Record
		Search string
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[scanned])
	if err != nil {
		t.Fatal(err)
	}
	var records []naiveRecord
	for _, one := range all {
		records = append(records, naiveRecord{one.AsOf(db.Now()), one.Search})
	}
	return records
}

// naive returns the keys of a list by filtering and sorting all records, which
// must be sorted by name already.
func naive(all []naiveRecord, scope attendance.RecordScope, subtree []int64, f attendance.Filter) []attendance.RecordKey {
	var chosen []naiveRecord
	for _, r := range all {
		date := workday.DateOf(r.WorkDate)
		if date >= f.First && date <= f.Last && scope.Sees(r.UserID, r.DepartmentID) && (subtree == nil || slices.Contains(subtree, r.DepartmentID)) &&
			(f.Status == "" || r.Status == string(f.Status)) && (f.Device == "" || r.Device == f.Device) &&
			(!f.Edited || r.Edited()) && f.Deleted == (r.DeletedAt != nil) && f.Search.Match(r.search) {
			chosen = append(chosen, r)
		}
	}
	slices.SortStableFunc(chosen, func(a, b naiveRecord) int {
		if byDate := b.WorkDate.Compare(a.WorkDate); byDate != 0 {
			return byDate
		}
		return compareBy(a, b, f)
	})
	if f.Order == attendance.ByName && f.Descending {
		slices.Reverse(chosen)
	}
	keys := []attendance.RecordKey{}
	for _, r := range chosen {
		keys = append(keys, r.Key())
	}
	return keys
}

func compareBy(a, b naiveRecord, f attendance.Filter) int {
	var none bool
	var order int
	switch f.Order {
	case attendance.ByArrival:
		none = a.ArrivalAt == nil && b.ArrivalAt == nil
		order = compareValues(a.ArrivalAt, b.ArrivalAt, f.Descending, time.Time.Compare)
	case attendance.ByWorked:
		none = a.WorkedMin == nil && b.WorkedMin == nil
		order = compareValues(a.WorkedMin, b.WorkedMin, f.Descending, cmp.Compare[int32])
	default:
		return 0
	}
	ids := cmp.Or(cmp.Compare(a.UserID, b.UserID), boolCompare(a.Extra, b.Extra))
	if f.Descending && !none {
		ids = -ids
	}
	return cmp.Or(order, ids)
}

func compareValues[V any](a, b *V, descending bool, compare func(a, b V) int) int {
	switch {
	case a == nil || b == nil:
		return -boolCompare(a != nil, b != nil)
	case descending:
		return compare(*b, *a)
	}
	return compare(*a, *b)
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// walkPages reads all pages of a list forward, and checks that reading them
// backward gives the same keys.
func walkPages(rt *rapid.T, f attendance.Filter, read func(attendance.Filter) lists.Page[attendance.Row]) []attendance.RecordKey {
	var pages [][]attendance.RecordKey
	var back []*lists.Cursor
	for rows := 0; ; {
		page := read(f)
		keys := []attendance.RecordKey{}
		for _, row := range page.Rows {
			keys = append(keys, row.Key())
		}
		if (page.Previous != nil) != (len(pages) > 0) || page.First != rows+1 {
			rt.Fatalf("page %d from %d has earlier ones: %v", len(pages), page.First, page.Previous)
		}
		pages, back = append(pages, keys), append(back, page.Previous)
		rows += len(keys)
		if page.Next == nil {
			break
		}
		if len(keys) != f.Limit {
			rt.Fatalf("%d rows on a page that is not the last", len(keys))
		}
		f.Cursor = page.Next
	}
	for i := len(pages) - 1; i > 0; i-- {
		f.Cursor = back[i]
		page := read(f)
		keys := []attendance.RecordKey{}
		for _, row := range page.Rows {
			keys = append(keys, row.Key())
		}
		if !slices.Equal(keys, pages[i-1]) || page.Next == nil || (page.Previous != nil) != (i > 1) || page.First != (i-1)*f.Limit+1 {
			rt.Fatalf("back to page %d: %v, not %v; earlier %v", i-1, keys, pages[i-1], page.Previous)
		}
	}
	return slices.Concat(pages...)
}

func drawFilter(rt *rapid.T) attendance.Filter {
	search, err := lists.ParseSearch(rapid.SampledFrom([]string{"", "", "", "민수", "C00", "anna", "crowd", "p1 민수", "zz"}).Draw(rt, "search"))
	if err != nil {
		rt.Fatal(err)
	}
	return attendance.Filter{
		DepartmentIDs: rapid.SliceOfNDistinct(rapid.SampledFrom([]int64{queriestest.Root, queriestest.Sales, queriestest.Domestic, queriestest.Messenger, queriestest.OtherSales}), 0, lists.MostDepartments, rapid.ID[int64]).Draw(rt, "departments"),
		Status:        rapid.SampledFrom([]workday.Status{"", "", workday.StatusOnTime, workday.StatusLate, workday.StatusBefore, workday.StatusNotDue, workday.StatusLeave}).Draw(rt, "status"),
		Device:        rapid.SampledFrom([]string{"", "", "pc", "web", "mobile_web"}).Draw(rt, "device"),
		Edited:        rapid.IntRange(0, 3).Draw(rt, "edited") == 0, Deleted: rapid.IntRange(0, 5).Draw(rt, "deleted") == 0,
		Search: search, Order: rapid.SampledFrom(attendance.Orders).Draw(rt, "order"), Descending: rapid.Bool().Draw(rt, "descending"),
		Limit: rapid.SampledFrom([]int{6, 20, 100}).Draw(rt, "limit"),
	}
}

func TestAttendanceListsAgainstAModel(t *testing.T) {
	db := queriestest.New(t)
	attendanceCrowd(t, db, 90)
	all := allRecords(t, db)
	subtrees := map[int64][]int64{}
	subtree := func(f attendance.Filter) (all []int64) { // nil for every department
		for _, id := range f.DepartmentIDs {
			all = append(append(all, subtrees[id]...), 0) // 0 is no department
		}
		return all
	}
	for _, id := range []int64{queriestest.Root, queriestest.Sales, queriestest.Domestic, queriestest.Messenger, queriestest.OtherSales} {
		subtrees[id] = []int64{}
		rows, err := db.Pool().Query(t.Context(), "select id from departments where company_id = 1 and ancestors @> array[$1::bigint]", id)
		if err == nil {
			subtrees[id], err = pgx.CollectRows(rows, pgx.RowTo[int64])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	scopes := map[int64]attendance.RecordScope{}
	for _, id := range []int64{queriestest.Admin, queriestest.Viewer, queriestest.Employee} {
		person, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: id})
		if err == nil {
			scopes[id], err = db.Attendance.RecordScope(t.Context(), person)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	scopes[queriestest.Kim] = attendance.RecordScope{Scope: directory.Scope{DepartmentIDs: []int64{queriestest.Messenger}}, UserID: queriestest.Kim}
	nonEmpty := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFilter(rt)
		scope := scopes[rapid.SampledFrom(slices.Sorted(maps.Keys(scopes))).Draw(rt, "who")]
		first, last := workday.NewDate(2026, 11, 20), workday.NewDate(2026, 11, 20)
		log := rapid.Bool().Draw(rt, "log")
		if log {
			first = workday.NewDate(2026, 11, 20-rapid.IntRange(0, 3).Draw(rt, "days"))
			f.Order, f.Descending = attendance.ByName, false
		}
		f.First, f.Last = first, last
		want := naive(all, scope, subtree(f), f)
		got := walkPages(rt, f, func(f attendance.Filter) lists.Page[attendance.Row] {
			var page lists.Page[attendance.Row]
			var err error
			if log {
				page, err = db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, f)
			} else {
				page, err = db.Attendance.Day(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, f)
			}
			if err != nil {
				rt.Fatal(err)
			}
			return page
		})
		if !slices.Equal(got, want) {
			rt.Fatalf("%v\nnot %v", got, want)
		}
		if len(want) > 0 {
			nonEmpty++
		}
		counts, err := db.Attendance.StatusCounts(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), scope, last, f.DepartmentIDs)
		if err != nil {
			rt.Fatal(err)
		}
		plain := attendance.Filter{First: last, Last: last, DepartmentIDs: f.DepartmentIDs, Status: f.Status}
		total := counts.Total
		if f.Status != "" {
			total = counts.ByStatus[f.Status]
		}
		if rows := naive(all, scope, subtree(f), plain); len(rows) != total {
			rt.Fatalf("%d counted, not %d", total, len(rows))
		}
	})
	if nonEmpty < 5 {
		t.Errorf("only %d lists had rows", nonEmpty)
	}
}

func TestAttendanceCursors(t *testing.T) {
	db := queriestest.New(t)
	attendanceCrowd(t, db, 10)
	day := workday.NewDate(2026, 11, 20)
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	own := attendance.RecordScope{UserID: queriestest.Employee}
	for name, c := range map[string]struct {
		scope attendance.RecordScope
		key   attendance.RecordKey
		want  error
	}{
		"of the list":               {everything, attendance.RecordKey{UserID: queriestest.Kim, Date: day}, nil},
		"of another date":           {everything, attendance.RecordKey{UserID: queriestest.Kim, Date: day - 1}, queries.NotFound},
		"of nobody":                 {everything, attendance.RecordKey{UserID: 999, Date: day}, queries.NotFound},
		"out of the scope":          {own, attendance.RecordKey{UserID: queriestest.Kim, Date: day}, queries.NotFound},
		"of who is elsewhere":       {everything, attendance.RecordKey{UserID: queriestest.OtherKim, Date: day}, queries.NotFound},
		"an extra one that is gone": {everything, attendance.RecordKey{UserID: queriestest.Kim, Date: day, Extra: true}, nil},
	} {
		if _, err := db.Attendance.Day(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), c.scope, attendance.Filter{First: day, Cursor: &lists.Cursor{List: "day", Value: c.key.String()}, Limit: 5}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, attendance.Filter{First: day - attendance.LogDays, Last: day, Limit: 5}); err != queries.Invalid("attendance.log.period") {
		t.Errorf("too long a period: %v", err)
	}
	if _, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, attendance.Filter{First: day, Last: day - 1, Limit: 5}); err != queries.Invalid("attendance.log.period") {
		t.Errorf("a period that ends before it begins: %v", err)
	}
}

func TestAttendanceLogHasEdits(t *testing.T) {
	db := queriestest.New(t)
	attendanceCrowd(t, db, 40)
	queriestest.Exec(t, db, `insert into attendance_edits (company_id, user_id, work_date, extra, at, editor_id, editor_name, field, new_at, reason) values
		(1, 6, '2026-11-19', false, '2026-11-19 20:00+09', 4, '최유진', 'arrival', '2026-11-19 09:00+09', '태깅 누락'),
		(1, 6, '2026-11-19', true, '2026-11-19 20:00+09', 4, '최유진', 'arrival', '2026-11-19 09:00+09', '다른 기록'),
		(1, 6, '2026-11-19', false, '2026-11-20 09:00+09', 1, '김서연', 'departure', '2026-11-19 18:00+09', '퇴근 누락')`)
	day := workday.NewDate(2026, 11, 20)
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	page, err := db.Attendance.Log(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, attendance.Filter{First: day - 2, Last: day, Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	var edits []string
	for _, row := range page.Rows {
		for _, e := range row.Edits {
			edits = append(edits, fmt.Sprint(row.Key(), " ", e.EditorName, " ", e.Field, " ", e.Reason))
		}
	}
	if got := strings.Join(edits, ", "); got != "6-2026-11-19 김서연 departure 퇴근 누락, 6-2026-11-19 최유진 arrival 태깅 누락" {
		t.Error(got)
	}
}

// Until the window of their day opens, users are counted as not due, in a
// company as in a department.
func TestAttendanceCountsOfRecordsThatAreNotDue(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	day := workday.DateOf(clock.Now())
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	queriestest.Exec(t, db, "delete from day_records where work_date = $1", day.Time())
	for i, r := range []struct {
		status string
		opens  time.Duration
	}{{"before", time.Hour}, {"before", 2 * time.Hour}, {"before", -time.Hour}, {"not_due", time.Hour}, {"late", time.Hour}} {
		queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status)
			values (1, $1, $2, '사람', $3, 2, 1, 'workday', $4, $4, 'before', $5)`, 5001+i, day.Time(), queriestest.Sales, clock.Now().Add(r.opens), r.status)
	}
	want := map[workday.Status]int{workday.StatusNotDue: 3, workday.StatusBefore: 1, workday.StatusLate: 1}
	for _, department := range []int64{0, queriestest.Sales} {
		counts, err := db.Attendance.StatusCounts(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, day, lists.OneDepartment(department))
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(counts.ByStatus, want) || counts.Total != 5 {
			t.Errorf("department %d: %v, %d in total", department, counts.ByStatus, counts.Total)
		}
	}
}

// Counts of many records are cached for some seconds; At is the time at which
// they were counted.
func TestAttendanceCountsAreCached(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	everything := attendance.RecordScope{Scope: directory.Scope{Everybody: true}, UserID: queriestest.Admin}
	day := workday.NewDate(2026, 11, 20)
	fill := func(from, to int) {
		queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status)
			select 1, i, '2026-11-20', '사람', $3, 2, 1, 'workday', '2026-11-20', '2026-11-21', 'absent', 'absent' from generate_series($1::int, $2::int) i`, from, to, queriestest.Sales)
	}
	count := func() attendance.StatusCounts {
		counts, err := db.Attendance.StatusCounts(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), everything, day, nil)
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	for _, c := range []struct {
		from, to, want int
		after          time.Duration
	}{{5001, 15000, 10000, 0}, {15001, 15001, 10001, time.Second}, {15002, 15002, 10001, 4 * time.Second}, {15003, 15003, 10003, time.Second}} {
		clock.Advance(c.after)
		fill(c.from, c.to)
		counts := count()
		if counts.Total != c.want || counts.ByStatus[workday.StatusAbsent] != c.want {
			t.Errorf("%d records counted, not %d", counts.Total, c.want)
		}
		if stale := !counts.At.Equal(clock.Now()); stale != (c.want != c.to-5000) {
			t.Errorf("%d as of %s", c.to, counts.At)
		}
	}
}
