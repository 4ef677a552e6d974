-- deskGrounds returns what suggests the missing time of records: when the person used
-- the messenger last, or first, within a time, and the median departure of the others
-- of the department on the date, if there are at least three, and what the person asks
-- for. Each is one time or none.
-- name: deskGrounds :many
select k.no::integer as no,
  array(
    select a.at from (
      select e.at from access_events e
      where e.company_id = @company_id and e.user_id = k.user_id and e.at > k.since and e.at < k.until
        and e.at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz and e.kind in ('login', 'logout', 'proved', 'password_changed') and e.result = 'ok'
      union all
      select f.saved_at from saved_files f
      where f.company_id = @company_id and f.user_id = k.user_id and f.platform = any (array['pc', 'web', 'mobile', 'mobile_web']) and f.saved_at > k.since and f.saved_at < k.until
        and f.saved_at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz
    ) a order by case when k.is_last then a.at end desc, a.at limit 1
  )::timestamptz[] as activity,
  array(
    select percentile_disc(0.5) within group (order by r.departure_at) from day_records r
    where k.is_last and r.company_id = @company_id and r.work_date = k.work_date and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and r.department_id = k.department_id and r.user_id <> k.user_id
      and not r.extra and r.departure_at is not null and r.deleted_at is null
    having count(*) >= 3
  )::timestamptz[] as median,
  array(
    select case when k.is_last then c.departure_at else c.arrival_at end from attendance_corrections c
    where c.company_id = @company_id and c.user_id = k.user_id and c.work_date = k.work_date and not c.extra and c.status = 'pending'
      and case when k.is_last then c.departure_at else c.arrival_at end is not null
  )::timestamptz[] as requested
from (
  select unnest(@nos::integer[]) as no, unnest(@user_ids::bigint[]) as user_id, unnest(@work_dates::date[]) as work_date, unnest(@department_ids::bigint[]) as department_id,
    unnest(@sinces::timestamptz[]) as since, unnest(@untils::timestamptz[]) as until, unnest(@is_lasts::boolean[]) as is_last
) k;

-- teamDepartures returns the departures of the others of a department on a date, in order.
-- name: teamDepartures :many
select departure_at::timestamptz from day_records
where company_id = @company_id and work_date = @work_date and department_id = @department_id and user_id <> @user_id and not extra and departure_at is not null and deleted_at is null
order by departure_at limit @most;

-- missingDays counts the dates of a person from one to another whose arrival or departure
-- is missing.
-- name: missingDays :one
select count(*) from day_records
where company_id = @company_id and user_id = @user_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and status in ('missing_departure', 'missing_arrival') and deleted_at is null;

-- noteRefusals counts refused clock events.
-- name: noteRefusals :exec
insert into clock_refusals (company_id, work_date, user_id, kind, code, attempts, last_at, platform)
select @company_id, f.work_date, f.user_id, f.kind, f.code, f.attempts, f.last_at, f.platform
from (
  select unnest(@work_dates::date[]) as work_date, unnest(@user_ids::bigint[]) as user_id, unnest(@kinds::text[]) as kind, unnest(@codes::text[]) as code,
    unnest(@attempts::integer[]) as attempts, unnest(@last_ats::timestamptz[]) as last_at, unnest(@platforms::text[]) as platform
) f
on conflict (company_id, work_date, user_id, kind, code) do update
set attempts = clock_refusals.attempts + excluded.attempts, last_at = greatest(clock_refusals.last_at, excluded.last_at), platform = excluded.platform;

-- deleteRefusals deletes the refused clock events before a date.
-- name: deleteRefusals :exec
delete from clock_refusals f using companies c where f.company_id = c.id and f.work_date < @before;

-- name: refusalsOf :many
select * from clock_refusals where company_id = @company_id and user_id = @user_id and work_date = @work_date order by last_at;
