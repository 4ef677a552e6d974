package attendance

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// attendanceStatement reads the next records of a part. There is a form of the
// statement for each index: by the names of a date, of each of a few
// departments, of a status, a device or edited records; by arrivals or worked
// times; and by users, after a search.
type attendanceStatement struct {
	*attendanceList
	attendancePart
	from     *attendancePosition // nil for the beginning of the part
	backward bool
	size     int

	near   int     // the number of records to search in; 0 without a search in records
	people []int64 // the users whose records are listed; nil for everybody
	until  int64   // the last of people by name if a search has found more; 0 for none
	args   []any
}

// run runs the statement. It also returns the number of records that were
// searched in.
func (s *attendanceStatement) run(ctx context.Context) ([]Row, int, error) {
	s.args = nil
	q := s.db.CustomPlan()
	if s.isGeneric() {
		q = s.db.GenericPlan()
	}
	rows, err := q.Query(ctx, s.text(), s.args...)
	if err != nil {
		return nil, 0, err
	}
	var r Row
	seen := 0
	fields := append(fieldsOf(&r.Record), &r.EmployeeID, &r.Hidden, &r.DepartmentName, &seen)
	listed := make([]Row, 0, s.size)
	_, err = pgx.ForEachRow(rows, fields, func() error {
		r.Record = r.AsOf(s.now)
		listed = append(listed, r)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return listed, seen, nil
}

// fieldsOf returns pointers to the fields of a row in the order of its columns,
// to scan into.
func fieldsOf[R any](row *R) []any {
	value := reflect.ValueOf(row).Elem()
	fields := make([]any, value.NumField(), value.NumField()+3)
	for i := range fields {
		fields[i] = value.Field(i).Addr().Interface()
	}
	return fields
}

// isGeneric reports whether one plan is the best for all arguments: reading an
// index in its order, or users one by one. Such a statement is planned once;
// limits are part of its text.
func (s *attendanceStatement) isGeneric() bool {
	oneWay := s.everywhere() || s.fewDepartments()
	return s.first == s.last && oneWay && s.near == 0 && len(s.people) <= fewPeople
}

// arg adds an argument and returns its placeholder.
func (s *attendanceStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

func (s *attendanceStatement) text() string {
	size, seen := s.size, "0"
	const ofUser = "from users u where u.company_id = r.company_id and u.id = r.user_id"
	employee := "coalesce((select u.employee_id " + ofUser + "), ''), exists (select " + ofUser + " and u.hidden_at is not null)"
	person := ""
	if s.near > 0 {
		size, seen = s.near, "(select count(*) from walk)"
		employee, person = "u.employee_id, u.hidden_at is not null", "join users u on u.company_id = r.company_id and u.id = r.user_id"
		one, two, three := s.Search.ThreePatterns()
		for _, pattern := range []string{one, two, three} {
			if pattern != "%" {
				person += " and u.search_text like " + s.arg(pattern, "text")
			}
		}
	}
	walk, order := s.dates(size)
	if s.near == 0 && s.DirectoryVersion != 0 { // nameRows adds the rest
		return fmt.Sprintf("with walk as (%s) select r.*, '', false, '', 0 from walk r order by %s limit %d", walk, order, s.size)
	}
	return fmt.Sprintf(`with walk as (%s)
select r.*, %s, coalesce(d.name, ''), %s
from walk r left join departments d on d.company_id = r.company_id and d.id = r.department_id %s order by %s limit %d`, walk, employee, seen, person, order, s.size)
}

// dates returns the statement that reads one date after another until there are
// enough records, and the order of its rows.
func (s *attendanceStatement) dates(size int) (walk, order string) {
	if s.first == s.last {
		date := s.arg(s.first.Time(), "date")
		return s.walk(func(of string) string { return of + ".work_date = " + date }, size), s.order("r")
	}
	start, step, order := s.last, "-", "r.work_date desc, "
	if s.backward {
		start, step, order = s.first, "+", "r.work_date, "
	}
	from, first, last := s.arg(start.Time(), "date"), s.arg(s.first.Time(), "date"), s.arg(s.last.Time(), "date")
	on := func(of string) string {
		return fmt.Sprintf("%[1]s.work_date = %[2]s %[3]s day.no and %[1]s.work_date between %[4]s and %[5]s", of, from, step, first, last)
	}
	return fmt.Sprintf("select r.* from generate_series(0, %s) as day (no) cross join lateral (%s) r limit %d",
		s.arg(int(s.last-s.first), "integer"), s.walk(on, size), size), order + s.order("r")
}

// walk returns the statement that reads the records of a date in order.
func (s *attendanceStatement) walk(on func(of string) string, size int) string {
	where := " from day_records r where " + on("r") + s.conditions()
	plain := "select r.*" + where
	limit := fmt.Sprintf(" order by %s limit %d", s.order("r"), size)
	switch {
	case s.people != nil && len(s.people) <= fewPeople:
		// "offset 0" keeps the planner from reading all records in the order of
		// the names instead.
		return "select r.* from (" + plain + s.scoped() + s.inStatus() + " offset 0) r" + limit
	case s.fewDepartments():
		status := s.inStatus()
		// The inner query reads names from the index alone; whole records are
		// read only for the rows that are listed.
		merged := fmt.Sprintf(`(select w.* from (
  select r.* from unnest(%s) as subtree (id) cross join lateral (select r.company_id, r.name, r.user_id, r.extra%s and r.department_id = subtree.id%s) r%s
) r join day_records w on w.company_id = r.company_id and w.user_id = r.user_id and w.extra = r.extra and %s order by %s)`,
			s.arg(s.departments, "bigint[]"), where+status, limit, limit, on("w"), s.order("w"))
		if s.scope.Everybody {
			return merged
		}
		own := s.own() + " and not r.department_id = any (" + s.arg(s.departments, "bigint[]") + ")"
		return "select r.* from (" + merged + " union all (" + plain + status + own + limit + ")) r" + limit
	case s.Status == workday.StatusNotDue:
		return fmt.Sprintf("select r.* from unnest(array['not_due', 'before']) as part (status) cross join lateral (%s) r%s",
			plain+s.scoped()+" and r.status = part.status and (part.status = 'not_due' or r.opens_at > "+s.arg(s.now, "timestamptz")+")"+limit, limit)
	}
	return plain + s.scoped() + s.inStatus() + limit
}

// fewDepartments reports whether to read the names of each department in order
// and merge them. Rare records are found faster by an index of their own.
func (s *attendanceStatement) fewDepartments() bool {
	frequent := []workday.Status{"", workday.StatusOnTime, workday.StatusHoliday, workday.StatusDayOff, workday.StatusWorking, workday.StatusBefore, workday.StatusNotDue}
	return !s.everywhere() && len(s.departments) > 0 && len(s.departments) <= directory.FewDepartments &&
		s.column() == "name" && s.people == nil && !s.Edited && !s.Uncounted && slices.Contains(frequent, s.Status)
}

func (l *attendanceList) everywhere() bool { return l.scope.Everybody && l.subtree == nil }

// scoped returns the condition on departments and scope.
func (s *attendanceStatement) scoped() string {
	switch {
	case s.everywhere():
		return ""
	case len(s.departments) == 0 && !s.scope.Everybody:
		return s.own()
	}
	within := "r.department_id = any (" + s.arg(append([]int64{}, s.departments...), "bigint[]") + ")"
	if s.scope.Everybody {
		return " and " + within
	}
	return " and (" + within + " or" + strings.TrimPrefix(s.own(), " and") + ")"
}

// own returns the condition for the reader's own records.
func (s *attendanceStatement) own() string {
	own := " and r.user_id = " + s.arg(s.scope.UserID, "bigint")
	if s.subtree != nil {
		own += " and r.department_id = any (" + s.arg(s.subtree, "bigint[]") + ")"
	}
	return own
}

// conditions returns the conditions of the filter, except for those on
// department and status.
func (s *attendanceStatement) conditions() string {
	where := " and r.company_id = " + s.arg(s.companyID, "bigint") + " and r.deleted_at is "
	if s.Deleted {
		where += "not "
	}
	where += "null"
	if s.Device != "" {
		where += " and r.device <> '' and r.device = " + s.arg(s.Device, "text")
	}
	if s.Edited {
		where += " and r.flags & 1024 <> 0"
	}
	if s.Uncounted {
		where += " and r.uncounted > 0"
	}
	if s.people != nil {
		where += " and r.user_id = any (" + s.arg(s.people, "bigint[]") + ")"
	}
	if column := s.column(); column != "name" && s.blanks {
		where += " and r." + column + " is null"
	} else if column != "name" {
		where += " and r." + column + " is not null"
	}
	if s.from != nil {
		where += s.beyond(*s.from)
	}
	if s.until != 0 {
		until := s.arg(s.until, "bigint")
		where += fmt.Sprintf(" and (r.name, r.user_id) <= ((select name from users where company_id = %s and id = %s), %s)", s.arg(s.companyID, "bigint"), until, until)
	}
	return where
}

// inStatus returns the condition on the status as it is shown at the present
// time.
func (s *attendanceStatement) inStatus() string {
	switch s.Status {
	case "":
		return ""
	case workday.StatusBefore:
		return " and r.status = 'before' and r.opens_at <= " + s.arg(s.now, "timestamptz")
	case workday.StatusNotDue:
		return " and (r.status = 'not_due' or r.status = 'before' and r.opens_at > " + s.arg(s.now, "timestamptz") + ")"
	}
	return " and r.status = " + s.arg(string(s.Status), "text")
}

// beyond returns the condition for records after a position or, backward,
// before it.
func (s *attendanceStatement) beyond(p attendancePosition) string {
	side := ">"
	if s.descending() {
		side = "<"
	}
	user, extra := s.arg(p.UserID, "bigint"), s.arg(p.Extra, "boolean")
	var value string
	switch {
	case s.blanks:
		return fmt.Sprintf(" and r.user_id %s= %s and (r.user_id, r.extra) %s (%s, %s)", side, user, side, user, extra)
	case s.column() == "arrival_at":
		value = s.arg(*p.ArrivalAt, "timestamptz")
	case s.column() == "worked_min":
		value = s.arg(*p.WorkedMin, "integer")
	default:
		value = s.arg(p.Name, "text")
	}
	return fmt.Sprintf(" and (r.%s, r.user_id, r.extra) %s (%s, %s, %s)", s.column(), side, value, user, extra)
}

// descending reports whether an index is read backwards. Records without a
// value to sort by are sorted by their ids, always ascending.
func (s *attendanceStatement) descending() bool {
	return s.backward != (s.Descending && !s.blanks)
}

func (s *attendanceStatement) order(of string) string {
	direction := ""
	if s.descending() {
		direction = " desc"
	}
	return fmt.Sprintf("%[1]s.%[2]s%[3]s, %[1]s.user_id%[3]s, %[1]s.extra%[3]s", of, s.column(), direction)
}
