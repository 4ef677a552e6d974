-- putLateEvents stores events of locked months, or of which record they are if they are stored.
-- name: putLateEvents :exec
insert into late_clock_events (company_id, user_id, work_date, extra, department_id, at, event_id, kind, received_at)
select @company_id, e.user_id, e.work_date, e.extra, e.department_id, e.at, e.event_id, e.kind, e.received_at
from (
  select unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@extras::boolean[]) as extra, unnest(@department_ids::bigint[]) as department_id,
    unnest(@ats::timestamptz[]) as at, unnest(@event_ids::text[]) as event_id, unnest(@kinds::text[]) as kind, unnest(@received_ats::timestamptz[]) as received_at
) e
on conflict (company_id, user_id, at, event_id) do update
set work_date = excluded.work_date, extra = excluded.extra, department_id = excluded.department_id;

-- dropLateEvents deletes events that belong to a record of another month now.
-- name: dropLateEvents :exec
delete from late_clock_events l
using (select unnest(@user_ids::bigint[]) as user_id, unnest(@ats::timestamptz[]) as at, unnest(@event_ids::text[]) as event_id) e
where l.company_id = @company_id and l.user_id = e.user_id and l.at = e.at and l.event_id = e.event_id;

-- dropLateEventsBetween deletes the events of a month that is not locked any more.
-- name: dropLateEventsBetween :exec
delete from late_clock_events where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- lateEventIDs returns which events of a user do not count because of a locked month.
-- name: lateEventIDs :many
select event_id from late_clock_events
where company_id = @company_id and user_id = @user_id and at between sqlc.arg(first)::timestamptz and sqlc.arg(last)::timestamptz;

-- lateEventsOf returns of which records events of users are that do not count.
-- name: lateEventsOf :many
select user_id, work_date, extra, event_id from late_clock_events
where company_id = @company_id and user_id = any (@user_ids::bigint[]) and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- lateUsers returns the users of whom clock events of some days were received
-- from a time on, or count for none of some dates.
-- name: lateUsers :many
select e.user_id from clock_events e
where e.company_id = @company_id and e.at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz and e.received_at >= @received_since
union
select l.user_id from late_clock_events l
where l.company_id = @company_id and l.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
order by user_id;

-- lateEventsBefore returns the events of a month that are before one in the list, the
-- latest date first.
-- name: lateEventsBefore :many
select l.id, l.user_id, u.name, u.employee_id, (u.hidden_at is not null)::boolean as hidden, l.department_id, coalesce(d.name, '')::text as department_name,
  l.work_date, l.extra, l.at, l.event_id, l.kind, l.received_at
from late_clock_events l
join users u on u.company_id = l.company_id and u.id = l.user_id
left join departments d on d.company_id = l.company_id and d.id = l.department_id
where l.company_id = @company_id and l.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and (l.work_date, l.id) < (sqlc.arg(before_date)::date, sqlc.arg(before_id)::bigint)
order by l.work_date desc, l.id desc limit @size;

-- lateEventsAfter returns those that are after one, the earliest first.
-- name: lateEventsAfter :many
select l.id, l.user_id, u.name, u.employee_id, (u.hidden_at is not null)::boolean as hidden, l.department_id, coalesce(d.name, '')::text as department_name,
  l.work_date, l.extra, l.at, l.event_id, l.kind, l.received_at
from late_clock_events l
join users u on u.company_id = l.company_id and u.id = l.user_id
left join departments d on d.company_id = l.company_id and d.id = l.department_id
where l.company_id = @company_id and l.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and (l.work_date, l.id) > (sqlc.arg(after_date)::date, sqlc.arg(after_id)::bigint)
order by l.work_date, l.id limit @size;
