-- lastSettled returns the last record in a settlement period of people who may have none on
-- the last date of it: whoever was hidden, or had a record deleted.
-- name: lastSettled :many
with people as (
  select u.id from users u where u.company_id = @company_id and not u.bot and u.hidden_at >= @hidden_since
  union
  select d.user_id from day_records d where d.company_id = @company_id and d.work_date between @first and @last and not d.extra and d.deleted_at is not null
)
select r.work_date, array_agg(r.user_id order by r.user_id)::bigint[] as user_ids
from (
  select d.user_id, max(d.work_date)::date as work_date
  from people p join day_records d on d.company_id = @company_id and d.user_id = p.id
  where d.work_date between @earliest and @last and d.deleted_at is null and d.balance_min is not null
  group by d.user_id
) r
group by r.work_date order by r.work_date;
