-- name: lockedMonths :many
select month from attendance_locks where company_id = @company_id and month between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- name: locksBetween :many
select month, locked_at from attendance_locks where company_id = @company_id and month between sqlc.arg(first)::date and sqlc.arg(last)::date;

-- unsettled reports whether a record of a month can still change by itself.
-- name: unsettled :one
select exists (
  select from day_records
  where company_id = @company_id and work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and settles_at is not null);

-- name: isMonthLocked :one
select exists (select from attendance_locks l where l.company_id = @company_id and l.month = @month);

-- monthSize counts records, people and requests that wait up to a maximum, so that it
-- never reads the whole month of a large company.
-- name: monthSize :one
select
  (select count(*) from (
    select 1 from day_records d
    where d.company_id = @company_id and d.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    limit sqlc.arg(most)::integer) r)::bigint as records,
  (select count(*) from (
    select distinct e.user_id from day_records e
    where e.company_id = @company_id and e.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    limit sqlc.arg(most)::integer) p)::bigint as people,
  (select count(*) from (
    select 1 from attendance_corrections c join users u on u.company_id = c.company_id and u.id = c.user_id and u.hidden_at is null
    where c.company_id = @company_id and c.status = 'pending' and c.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date
    limit sqlc.arg(most)::integer) q)::bigint as requests;

-- name: lockMonth :execrows
insert into attendance_locks (company_id, month, locked_at, locked_by) values (@company_id, @month, @locked_at, @locked_by)
on conflict do nothing;

-- name: unlockMonth :one
delete from attendance_locks where company_id = @company_id and month = @month returning locked_at;

-- allLocks returns the locked months of a company, the latest first. The name
-- of a user who is no longer in the directory is empty. Of a month, at most @most
-- events that were received after it was locked are counted.
-- name: allLocks :many
select l.month, l.locked_at, coalesce(u.name, '')::text as locked_by_name, late.events, late.people
from attendance_locks l left join users u on u.company_id = l.company_id and u.id = l.locked_by
cross join lateral (
  select count(*) as events, count(distinct e.user_id) as people from (
    select c.user_id from late_clock_events c
    where c.company_id = l.company_id and c.work_date between l.month and (l.month + interval '1 month - 1 day')::date
    limit sqlc.arg(most)::integer) e
) late
where l.company_id = @company_id
order by l.month desc;
