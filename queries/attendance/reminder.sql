-- remindingVersions returns the versions whose people are reminded to clock, of every
-- company.
-- name: remindingVersions :many
select v.company_id, v.policy_id, v.no
from policy_versions v join policies p on p.company_id = v.company_id and p.id = v.policy_id and p.kind = 'workingattitude'
where (v.settings ->> 'remind_in' is not null or v.settings ->> 'remind_out' is not null)
order by v.company_id, v.policy_id, v.no;

-- dueArrivals returns whose work begins soon and who has not arrived, by the versions
-- of their records. A reminder is due some minutes before the latest arrival that is
-- on time, which is late_min after the start.
-- name: dueArrivals :many
select r.user_id, r.work_date, (r.starts_at + v.late_min * interval '1 minute')::timestamptz as at
from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::int[]) as no, unnest(@remind_mins::int[]) as remind_min, unnest(@late_mins::int[]) as late_min) v
join day_records r on r.policy_id = v.policy_id and r.version_no = v.no
join users u on u.company_id = r.company_id and u.id = r.user_id
where r.company_id = @company_id and r.starts_at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz
  and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
  and r.arrival_at is null and r.departure_at is null and r.deleted_at is null and not r.extra
  and r.day_type in ('workday', 'half_leave_am', 'half_leave_pm') and u.hidden_at is null
  and r.starts_at + (v.late_min - v.remind_min) * interval '1 minute' > sqlc.arg(oldest)::timestamptz
  and r.starts_at + (v.late_min - v.remind_min) * interval '1 minute' <= sqlc.arg(now)::timestamptz
  and not exists (select from clock_notices n where n.company_id = r.company_id and n.day = r.work_date and n.user_id = r.user_id and n.kind = 'remind_in')
order by r.work_date, at, r.user_id
limit @size;

-- dueDepartures returns whose work has ended and who has not left. Flexible work, which
-- has late_min, ends as much earlier or later than for the latest arrival on time as the
-- person arrived, but not before the core time.
-- name: dueDepartures :many
select d.user_id, d.work_date, d.at
from (
  select r.user_id, r.work_date, r.company_id, v.remind_min,
    case when v.flexible then greatest(r.ends_at + (greatest(r.arrival_at, r.starts_at) - r.starts_at) - v.late_min * interval '1 minute', r.starts_at + v.core_min * interval '1 minute')
    else r.ends_at end::timestamptz as at
  from (select unnest(@policy_ids::bigint[]) as policy_id, unnest(@nos::int[]) as no, unnest(@remind_mins::int[]) as remind_min, unnest(@late_mins::int[]) as late_min,
    unnest(@core_mins::int[]) as core_min, unnest(@flexible::bool[]) as flexible) v
  join day_records r on r.policy_id = v.policy_id and r.version_no = v.no
  where r.company_id = @company_id and r.ends_at between sqlc.arg(since)::timestamptz and sqlc.arg(until)::timestamptz
    and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    and r.arrival_at is not null and r.departure_at is null and r.deleted_at is null and not r.extra
    and r.day_type in ('workday', 'half_leave_am', 'half_leave_pm')
) d
join users u on u.company_id = d.company_id and u.id = d.user_id
where u.hidden_at is null
  and d.at + d.remind_min * interval '1 minute' > sqlc.arg(oldest)::timestamptz and d.at + d.remind_min * interval '1 minute' <= sqlc.arg(now)::timestamptz
  and not exists (select from clock_notices n where n.company_id = d.company_id and n.day = d.work_date and n.user_id = d.user_id and n.kind = 'remind_out')
order by d.work_date, d.at, d.user_id
limit @size;

-- name: deleteNotices :exec
delete from clock_notices n using companies c where n.company_id = c.id and n.day < @before;
