-- weekHours are the hours of those who can have come far in a week: who worked
-- more than @least on a day, at all on one of @dates, or outside of every
-- window; everybody with @everybody. A row is a person's time in a department.
-- left_min is what is still due of days that have begun.
-- name: weekHours :many
with chosen as materialized (
  select r.user_id from day_records r
  where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and r.deleted_at is null
    and r.worked_min > @least::integer
  union
  select r.user_id from day_records r
  where r.company_id = @company_id and r.work_date = any (@dates::date[]) and r.deleted_at is null and r.worked_min > 0
  union
  select r.user_id from day_records r
  where r.company_id = @company_id and r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and r.deleted_at is null and r.extra
  union
  select u.id from users u where u.company_id = @company_id and @everybody::bool
)
select r.user_id, r.department_id, coalesce(sum(r.worked_min), 0)::integer as worked_min, max(r.work_date)::date as last_date,
  coalesce(sum(greatest(0, r.required_min - coalesce(r.worked_min, 0))) filter (
    where r.presence in ('before', 'working') and r.day_type in ('workday', 'half_leave_am', 'half_leave_pm') and not r.extra
  ), 0)::integer as left_min
from chosen c
join day_records r on r.company_id = @company_id and r.user_id = c.user_id
where r.work_date between sqlc.arg(first)::date and sqlc.arg(last)::date and r.deleted_at is null
group by r.user_id, r.department_id
order by r.user_id;
