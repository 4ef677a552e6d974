package attendance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/workday"
)

// deskStatement reads the items of the desk: one part for each kind, each along its own
// index and no further than most items. The dates are read one after another, because
// the indexes begin with them.
type deskStatement struct {
	companyID   int64
	scope       RecordScope
	filter      DeskFilter
	departments []int64 // of the filter that the scope includes; nil for every department
	own         bool    // also the reader's own items
	kinds       []DeskKind
	keys        []DeskKey // only these; nil for all
	size        int       // the number of items of a kind that are returned, except for filter.Unfolded
	most        int       // the number of items of a kind that are read

	args []any
}

// deskRow is an item with the number of items of its kind, at most most.
type deskRow struct {
	DeskItem
	total int
}

// statements are the pool or a transaction.
type statements interface {
	Query(context.Context, string, ...any) (pgx.Rows, error)
}

func (s *deskStatement) run(ctx context.Context, db statements) ([]deskRow, error) {
	text := s.text()
	rows, err := db.Query(ctx, text, s.args...)
	if err != nil {
		return nil, err
	}
	var all []deskRow
	var r deskRow
	var kind string
	var date time.Time
	fields := []any{
		&kind, &r.UserID, &date, &r.Extra, &r.Name, &r.DepartmentID, &r.Device, &r.Status, &r.Flags, &r.Uncounted,
		&r.ArrivalAt, &r.DepartureAt, &r.StartsAt, &r.EndsAt, &r.OpensAt, &r.ClosesAt,
		&r.CorrectionID, &r.AskedArrivalAt, &r.AskedDepartureAt, &r.Reason, &r.Code, &r.EventKind, &r.Attempts, &r.At,
		&r.Department, &r.LastEditID, &r.Locked, &r.total,
	}
	_, err = pgx.ForEachRow(rows, fields, func() error {
		r.Kind, r.Date = DeskKind(kind), workday.DateOf(date)
		all = append(all, r)
		return nil
	})
	return all, err
}

// arg adds an argument and returns its placeholder.
func (s *deskStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

func (s *deskStatement) text() string {
	s.args = nil
	company := s.arg(s.companyID, "bigint")
	var parts []string
	for i, kind := range s.kinds {
		parts = append(parts, fmt.Sprintf("(select '%s' as kind, %d as no, p.* from (%s) p)", kind, i, s.part(kind, company)))
	}
	return fmt.Sprintf(`with item as (%s), ranked as (
  select i.*, row_number() over (partition by i.no order by i.work_date desc, i.name, i.user_id, i.extra) as at_no, count(*) over (partition by i.no) as total from item i
)
select i.kind, i.user_id, i.work_date, i.extra, i.name, i.department_id, i.device, i.status, i.flags, i.uncounted,
  i.arrival_at, i.departure_at, i.starts_at, i.ends_at, i.opens_at, i.closes_at,
  i.correction_id, i.asked_arrival_at, i.asked_departure_at, i.reason, i.code, i.event_kind, i.attempts, i.last_at,
  coalesce(d.name, ''),
  coalesce((select max(e.id) from attendance_edits e where e.company_id = %[2]s and e.user_id = i.user_id and e.work_date = i.work_date and e.extra = i.extra and e.undone_at is null), 0),
  exists (select from attendance_locks l where l.company_id = %[2]s and l.month = date_trunc('month', i.work_date)::date),
  i.total
from ranked i left join departments d on d.company_id = %[2]s and d.id = i.department_id
where i.at_no <= case when i.kind = %[3]s then %[4]d else %[5]d end
order by i.no, i.at_no`, strings.Join(parts, "\nunion all "), company, s.arg(string(s.filter.Unfolded), "text"), s.most, s.size)
}

// The columns of a part that come from its record, with and without a record.
const (
	deskRecord   = "r.device, r.status, r.flags, r.uncounted, r.arrival_at, r.departure_at, r.starts_at, r.ends_at, r.opens_at, r.closes_at"
	noDeskRecord = "coalesce(r.status, '') as status, coalesce(r.flags, 0) as flags, coalesce(r.uncounted, 0) as uncounted, r.arrival_at, r.departure_at, r.starts_at, r.ends_at, r.opens_at, r.closes_at"
	noCorrection = "0::bigint as correction_id, null::timestamptz as asked_arrival_at, null::timestamptz as asked_departure_at, '' as reason"
	noRefusal    = "'' as code, '' as event_kind, 0 as attempts"
)

func (s *deskStatement) part(kind DeskKind, company string) string {
	switch kind {
	case DeskCorrection:
		return s.corrections(company)
	case DeskRefused:
		return s.refusals(company)
	}
	return s.records(kind, company)
}

// records is the part of a kind of which the record of a date itself tells.
func (s *deskStatement) records(kind DeskKind, company string) string {
	return fmt.Sprintf(`select r.user_id, r.work_date, r.extra, r.name, r.department_id, %s, %s, %s, null::timestamptz as last_at
from unnest(%s) as day (date) cross join lateral (
  select r.* from day_records r join users u on u.company_id = r.company_id and u.id = r.user_id and u.hidden_at is null%s
  where r.company_id = %s and r.work_date = day.date and %s and r.deleted_at is null and %s%s and not exists (select from attendance_reviews v
    where v.company_id = r.company_id and v.user_id = r.user_id and v.work_date = r.work_date and v.kind = '%s' and v.extra = r.extra and v.undone_at is null
      and v.arrival_at is not distinct from r.arrival_at and v.departure_at is not distinct from r.departure_at and v.flags = r.flags & %d and v.uncounted = r.uncounted)
  order by r.name, r.user_id, r.extra limit %[12]d
) r limit %[12]d`, deskRecord, noCorrection, noRefusal, s.dates(), s.matching(), company, s.inMonths("r.work_date"), s.isOf(kind), s.scoped("r.user_id", "r.department_id"), kind, deskFlags, s.most)
}

// isOf is the condition that a record is an item of a kind.
func (s *deskStatement) isOf(kind DeskKind) string {
	switch kind {
	case DeskMissingDeparture:
		return "r.status = 'missing_departure'"
	case DeskMissingArrival:
		return "r.status = 'missing_arrival'"
	case DeskUncounted:
		return "r.uncounted > 0 and r.status not in ('missing_departure', 'missing_arrival')"
	}
	// A reason explains work outside, but not a position that was made up. Offset 0
	// looks the events of each record up: the planner might otherwise join all
	// unproven events of the company, once for each date.
	return fmt.Sprintf(`r.flags & %d <> 0 and exists (select from clock_events e
    where e.company_id = r.company_id and e.user_id = r.user_id and e.kind in ('in', 'out') and (e.mock or e.proof = 'none' and e.reason = '')
      and e.at between coalesce(r.arrival_at, r.departure_at) and coalesce(r.departure_at, r.arrival_at)
      and e.at between timestamptz '%s UTC' and timestamptz '%s UTC' offset 0)`, deskFlags, s.firstOfMonths()-daysAround, s.lastOfMonths()+daysAround)
}

// corrections are the pending requests, whatever their date. Nobody decides their own.
func (s *deskStatement) corrections(company string) string {
	return fmt.Sprintf(`select c.user_id, c.work_date, c.extra, u.name, c.department_id, coalesce(r.device, '') as device, %s,
  c.id as correction_id, c.arrival_at as asked_arrival_at, c.departure_at as asked_departure_at, c.reason, %s, c.created_at as last_at
from attendance_corrections c
join users u on u.company_id = c.company_id and u.id = c.user_id and u.hidden_at is null%s
left join day_records r on r.company_id = c.company_id and r.user_id = c.user_id and r.work_date = c.work_date and r.extra = c.extra
where c.company_id = %s and c.status = 'pending'%s order by c.id limit %d`, noDeskRecord, noRefusal, s.matching(), company, s.scoped("c.user_id", "c.department_id"), s.most)
}

// refusals has one item for a person and date.
func (s *deskStatement) refusals(company string) string {
	const read = 10 // the rows of refusals that are read for each item
	return fmt.Sprintf(`select f.user_id, f.work_date, false as extra, u.name, coalesce(r.department_id, u.department_id) as department_id, f.device, %s, %s,
  f.code, f.event_kind, f.attempts, f.last_at
from (
  select f.user_id, f.work_date, sum(f.attempts)::integer as attempts, max(f.last_at) as last_at, (array_agg(f.code order by f.last_at desc))[1] as code,
    (array_agg(f.kind order by f.last_at desc))[1] as event_kind, (array_agg(f.platform order by f.last_at desc))[1] as device
  from (select f.* from clock_refusals f where f.company_id = %[3]s and %[4]s%[5]s order by f.work_date desc, f.user_id desc limit %[6]d) f
  group by f.user_id, f.work_date
) f
join users u on u.company_id = %[3]s and u.id = f.user_id and u.hidden_at is null%[7]s
left join day_records r on r.company_id = %[3]s and r.user_id = f.user_id and r.work_date = f.work_date and %[8]s and not r.extra
where not exists (select from attendance_reviews v
    where v.company_id = %[3]s and v.user_id = f.user_id and v.work_date = f.work_date and v.kind = 'refused' and v.undone_at is null and v.refused_at = f.last_at)%[9]s
order by f.work_date desc, u.name, f.user_id limit %[10]d`,
		noDeskRecord, noCorrection, company, s.ofDates("f.work_date"), s.ofKeys("f.user_id"), read*s.most, s.matching(), s.inMonths("r.work_date"),
		s.scoped("f.user_id", "coalesce(r.department_id, u.department_id)"), s.most)
}

// ofDates is the condition that a date is one of the desk.
func (s *deskStatement) ofDates(date string) string {
	return date + " between " + s.arg(s.filter.First.Time(), "date") + " and " + s.arg(s.filter.Last.Time(), "date")
}

// inMonths is the condition that a date is in a month of the desk, for what another
// condition reads by its date. The months are in the text and not arguments: PostgreSQL,
// which plans the statement once for all arguments, leaves out the partitions of other
// months only then.
func (s *deskStatement) inMonths(date string) string {
	return fmt.Sprintf("%s between date '%s' and date '%s'", date, s.firstOfMonths(), s.lastOfMonths())
}

func (s *deskStatement) firstOfMonths() workday.Date { return monthOf(s.filter.First) }
func (s *deskStatement) lastOfMonths() workday.Date  { return lastOfMonth(s.filter.Last) }

// dates are the work dates, the latest first.
func (s *deskStatement) dates() string {
	var dates []time.Time
	for date := s.filter.Last; date >= s.filter.First; date-- {
		dates = append(dates, date.Time())
	}
	return s.arg(dates, "date[]")
}

// matching is the condition of the search on a user.
func (s *deskStatement) matching() string {
	where := ""
	one, two, three := s.filter.Search.ThreePatterns()
	for _, pattern := range []string{one, two, three} {
		if pattern != "%" {
			where += " and u.search_text like " + s.arg(pattern, "text")
		}
	}
	return where
}

// scoped is the condition on the person and the department of an item.
func (s *deskStatement) scoped(user, department string) string {
	where := s.ofKeys(user)
	within := func() string { return department + " = any (" + s.arg(s.departments, "bigint[]") + ")" }
	self := func() string { return s.arg(s.scope.UserID, "bigint") }
	switch {
	case !s.own && s.departments != nil:
		return where + " and " + within() + " and " + user + " <> " + self()
	case !s.own:
		return where + " and " + user + " <> " + self()
	case s.departments != nil:
		return where + " and (" + within() + " or " + user + " = " + self() + ")"
	}
	return where
}

// ofKeys is the condition on the person of an item if only some items are read.
func (s *deskStatement) ofKeys(user string) string {
	if s.keys == nil {
		return ""
	}
	ids := make([]int64, len(s.keys))
	for i, key := range s.keys {
		ids[i] = key.UserID
	}
	return " and " + user + " = any (" + s.arg(ids, "bigint[]") + ")"
}
