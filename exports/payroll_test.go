package exports_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// randomRecords stores a record of every kind for people of Hanbit on dates of October
// and November, in departments that change.
func randomRecords(t *testing.T, db *areas.Areas, random *rand.Rand) {
	t.Helper()
	statuses := []string{"on_time", "late", "early_leave", "late_and_early", "absent", "missing_arrival", "missing_departure", "leave", "holiday_work", "holiday", "day_off", "working", "not_due"}
	types := []string{"workday", "day_off", "holiday", "half_leave_am", "half_leave_pm"}
	departments := []int64{queriestest.Root, queriestest.Sales, queriestest.Domestic}
	for _, user := range []int64{queriestest.Admin, queriestest.Employee, queriestest.Kim, queriestest.Manager, queriestest.Hidden} {
		for date := workday.NewDate(2026, 9, 28); date <= workday.NewDate(2026, 12, 2); date++ {
			for _, extra := range []bool{false, true} {
				if random.IntN(10) < 2 || extra && random.IntN(10) < 8 {
					continue
				}
				minutes := func(most int) any { return random.IntN(most) }
				var worked, balance, arrival any
				if random.IntN(5) > 0 {
					worked, arrival = random.IntN(900), date.Time()
				}
				if random.IntN(4) == 0 {
					balance = random.IntN(600) - 300
				}
				queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, extra, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status,
					arrival_at, worked_min, overtime_min, holiday_min, holiday_over_min, night_min, late_min, early_min, balance_min, deleted_at)
					select company_id, id, $1::date, $2, name, $3, 2, 1, $4, $1::date, $1::date + 1, 'left', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 from users where company_id = 1 and id = $16`,
					date.Time(), extra, departments[random.IntN(3)], types[random.IntN(len(types))], statuses[random.IntN(len(statuses))], arrival, worked,
					minutes(200), minutes(480), minutes(100), minutes(300), minutes(60), minutes(60), balance, []any{nil, nil, nil, nil, date.Time()}[random.IntN(5)], user)
			}
		}
	}
	// Who was in a department is found by the history.
	queriestest.Exec(t, db, `insert into user_history (company_id, user_id, until, name, department_id)
		select distinct r.company_id, r.user_id, '2026-12-03'::timestamptz + r.department_id * interval '1 second', r.name, r.department_id from day_records r where r.company_id = 1`)
	queriestest.MustComputeMonths(t, db, queriestest.Hanbit)
}

// payrollRows returns the rows of a workbook, as numbers where a cell is one.
func payrollRows(t *testing.T, db *areas.Areas, who int64, r exports.PayrollRequest) (heads []string, rows [][]string) {
	t.Helper()
	var file bytes.Buffer
	if _, err := exports.Write(t.Context(), &file, db, reader(t, db, who), r, exports.Options{}); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	all, err := book.GetRows("Payroll", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func payrollOf(t *testing.T, first, last workday.Date, departmentID int64) exports.PayrollRequest {
	t.Helper()
	filter, err := attendance.NewPayrollFilter(first, last, departmentID)
	if err != nil {
		t.Fatal(err)
	}
	return exports.PayrollRequest{PayrollFilter: filter, List: exports.PayrollList, Format: exports.XLSX, Locale: locales.English}
}

// What payroll adds up of the file equals the sum of the records that the reader may
// see, added up by the database; so does the last row of the file.
func TestPayrollSums(t *testing.T) {
	db := queriestest.New(t)
	seed := uint64(20261120)
	randomRecords(t, db, rand.New(rand.NewPCG(seed, 1)))
	queriestest.Exec(t, db, "insert into attendance_locks (company_id, month, locked_at) values (1, '2026-10-01', now())")
	for name, c := range map[string]struct {
		who, department int64
		seen            string
	}{
		"everybody":    {queriestest.Admin, 0, "true"},
		"a department": {queriestest.Admin, queriestest.Sales, fmt.Sprintf("department_id in (select id from departments where company_id = 1 and %d = any (ancestors))", queriestest.Sales)},
		"of a manager": {queriestest.Manager, 0, fmt.Sprintf("(user_id = %d or department_id in (select id from departments where company_id = 1 and %d = any (ancestors)))", queriestest.Manager, queriestest.Sales)},
	} {
		t.Run(name, func(t *testing.T) {
			heads, rows := payrollRows(t, db, c.who, payrollOf(t, workday.NewDate(2026, 10, 5), workday.NewDate(2026, 11, 20), c.department))
			where := " from day_records where company_id = 1 and deleted_at is null and work_date between '2026-10-01' and '2026-11-30' and " + c.seen
			people, last := rows[:len(rows)-1], rows[len(rows)-1]
			if n := queriestest.LookUp(t, db, "select count(*) from (select distinct user_id, date_trunc('month', work_date)"+where+") r"); n != fmt.Sprint(len(people)) || len(people) < 4 {
				t.Fatalf("%d rows of people and months, not %s", len(people), n)
			}
			for head, column := range map[string]string{
				"Worked": "worked_min", "Overtime": "overtime_min", "Holiday (to 8 h)": "holiday_min", "Holiday (over 8 h)": "holiday_over_min", "Night": "night_min",
				"Late by": "case when status in ('late', 'late_and_early') then late_min else 0 end", "Left early by": "case when status in ('early_leave', 'late_and_early') then early_min else 0 end",
				"Regular": "coalesce(worked_min, 0) - overtime_min - holiday_min - holiday_over_min",
			} {
				at := indexOf(heads, head)
				want := queriestest.LookUp(t, db, "select sum("+column+")"+where)
				if got := fmt.Sprint(sumOf(t, people, at)); got != want {
					t.Errorf("%s: the rows have %s minutes, the records %s", head, got, want)
				}
				if got := fmt.Sprint(minutesIn(t, last[at])); got != want {
					t.Errorf("%s: the last row has %s minutes, the records %s", head, got, want)
				}
			}
			// Each day with a record counts once, by the record of the date itself where there
			// is one beside it, unless only the other one has to be repaired.
			days := 0
			for at := indexOf(heads, "On time"); at <= indexOf(heads, "Not over yet"); at++ {
				n := 0
				for _, row := range people {
					n += numberIn(t, row[at])
				}
				if n != numberIn(t, last[at]) {
					t.Errorf("%s: the rows have %d days, the last row %s", heads[at], n, last[at])
				}
				days += n
			}
			if want := queriestest.LookUp(t, db, "select count(*) from (select distinct user_id, work_date"+where+") r"); fmt.Sprint(days) != want {
				t.Errorf("%d days are in the file, %s in the records", days, want)
			}
			own := "select distinct on (user_id, work_date) user_id, work_date, status, day_type" + where + " order by user_id, work_date, case when status in ('missing_arrival', 'missing_departure') then 2 when not extra and status in ('late', 'early_leave', 'late_and_early', 'absent') then 2 else 0 end + case when extra then 0 else 1 end desc"
			arrived := "select user_id, work_date" + where + " group by user_id, work_date having bool_or(arrival_at is not null)"
			for head, status := range map[string]string{"Absent": "absent", "Missing departure": "missing_departure", "Late and left early": "late_and_early"} {
				query := "select count(*) from (" + own + ") r where status = '" + status + "'"
				if status != "missing_departure" {
					query += " and not (day_type = 'day_off' and exists (select from (" + arrived + ") a where a.user_id = r.user_id and a.work_date = r.work_date))"
				}
				if want := queriestest.LookUp(t, db, query); last[indexOf(heads, head)] != want {
					t.Errorf("%s: %s days, not %s", head, last[indexOf(heads, head)], want)
				}
			}
			if want := queriestest.LookUp(t, db, "select count(*) from ("+arrived+") r"); last[indexOf(heads, "Days worked")] != want {
				t.Errorf("%s days worked, not %s", last[indexOf(heads, "Days worked")], want)
			}
			for _, row := range people {
				month, _ := excelize.ExcelDateToTime(float64(numberIn(t, row[0])), false)
				if want := map[string]string{"2026-10": "Locked", "2026-11": "Not locked"}[month.Format("2006-01")]; row[6] != want {
					t.Errorf("%s of %s is %s", row[2], month, row[6])
				}
			}
		})
	}
}

func indexOf(heads []string, head string) int {
	for i, h := range heads {
		if h == head {
			return i
		}
	}
	panic("no column " + head)
}

func numberIn(t *testing.T, cell string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(cell, &n); err != nil {
		t.Fatalf("%q is no number: %v", cell, err)
	}
	return n
}

// minutesIn returns the minutes of a duration: a number of days, or a text if it is
// negative.
func minutesIn(t *testing.T, cell string) int {
	t.Helper()
	if text, negative := strings.CutPrefix(cell, "−"); negative {
		var hours, minutes int
		if _, err := fmt.Sscanf(text, "%d:%d", &hours, &minutes); err != nil {
			t.Fatalf("%q: %v", cell, err)
		}
		return -hours*60 - minutes
	}
	var days float64
	if _, err := fmt.Sscan(cell, &days); err != nil {
		t.Fatalf("%q is no duration: %v", cell, err)
	}
	return int(math.Round(days * 24 * 60))
}

func sumOf(t *testing.T, rows [][]string, column int) (sum int) {
	t.Helper()
	for _, row := range rows {
		sum += minutesIn(t, row[column])
	}
	return sum
}
